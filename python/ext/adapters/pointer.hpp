// The adapters of hetjit.types for extensions in C or C++: include this, and link nothing of ours.
// `hetjit.types.include()` is the folder where it lies, as <hetjit/pointer.hpp>.
//
//   hetjit::Pointers pointers;                       // once per interpreter, kept by your module
//   if (!pointers) return nullptr;                   // an exception is set
//   hetjit::Pointer rows = pointers.make("ListOfInt", given);
//   if (!rows) return nullptr;
//   use(static_cast<const int*>(rows.address()));    // there for as long as `rows` lives
//
// Everything goes through one table of functions, which grows at its end only: what was built with
// an older or a newer header works with any version of hetjit that has what it asks for.
#ifndef HETJIT_POINTER_HPP
#define HETJIT_POINTER_HPP

#include <Python.h>
#include <stddef.h>
#include <stdint.h>

/// What an adapter holds. `bytes`: UINT64_MAX where nobody knows.
struct hetjit_memory {
  void* address;
  uint64_t bytes;
  int writable;
};

/// Whoever uses the table keeps the module hetjit._core that it is from. `context` is that of the
/// interpreter in which it was asked for, and no other.
struct hetjit_pointer_table {
  uint32_t version;  // of the newest member
  uint32_t size;     // bytes of the whole table
  void* context;
  /// A new adapter of a class of hetjit.types, by its name; NULL: an exception is set.
  PyObject* (*make)(void* context, const char* adapter, PyObject* from);
  /// 0, or -1 with an exception set: the object is no adapter.
  int (*look)(void* context, PyObject* adapter, struct hetjit_memory* to);
};

#define HETJIT_POINTER_CAPSULE "hetjit._core._pointer_table"

#ifdef __cplusplus

#include <utility>

namespace hetjit {

/// An adapter, owned: the memory is there until this ends. Empty when an exception is set.
class Pointer {
 public:
  Pointer() = default;
  Pointer(PyObject* adapter, const hetjit_memory& memory) : adapter_(adapter), memory_(memory) {}
  Pointer(Pointer&& other) noexcept
      : adapter_(std::exchange(other.adapter_, nullptr)), memory_(other.memory_) {}
  Pointer& operator=(Pointer&& other) noexcept {
    std::swap(adapter_, other.adapter_);
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Pointer() { Py_XDECREF(adapter_); }

  explicit operator bool() const { return adapter_ != nullptr; }
  void* address() const { return memory_.address; }
  bool knows_bytes() const { return memory_.bytes != UINT64_MAX; }
  uint64_t bytes() const { return memory_.bytes; }
  bool writable() const { return memory_.writable != 0; }
  /// The adapter as a Python object, as results are given; this is empty then.
  PyObject* release() { return std::exchange(adapter_, nullptr); }

 private:
  PyObject* adapter_ = nullptr;
  hetjit_memory memory_{};
};

/// The table of this interpreter, and the module that it belongs to. Imports hetjit.
class Pointers {
 public:
  Pointers() : module_(PyImport_ImportModule("hetjit._core")) {
    PyObject* capsule = module_ ? PyObject_GetAttrString(module_, "_pointer_table") : nullptr;
    if (!capsule) return;
    table_ = static_cast<const hetjit_pointer_table*>(
        PyCapsule_GetPointer(capsule, HETJIT_POINTER_CAPSULE));
    Py_DECREF(capsule);
  }
  Pointers(Pointers&& other) noexcept
      : module_(std::exchange(other.module_, nullptr)), table_(other.table_) {}
  ~Pointers() { Py_XDECREF(module_); }

  explicit operator bool() const { return table_ != nullptr; }
  /// Whether the hetjit that is here has a member: `pointers.has(&hetjit_pointer_table::look)`.
  template <class Member>
  bool has(Member hetjit_pointer_table::*member) const {
    const auto* begin = reinterpret_cast<const char*>(table_);
    const auto* end = reinterpret_cast<const char*>(&(table_->*member) + 1);
    return static_cast<size_t>(end - begin) <= table_->size;
  }
  /// "Pointer", "ListOfInt", "DeviceArray", … of what Python would make it from.
  Pointer make(const char* adapter, PyObject* from) const {
    return taken(table_->make(table_->context, adapter, from));
  }
  /// Of an address.
  Pointer make(const char* adapter, const void* address) const {
    PyObject* number = PyLong_FromVoidPtr(const_cast<void*>(address));
    Pointer made = number ? make(adapter, number) : Pointer();
    Py_XDECREF(number);
    return made;
  }
  /// An adapter that Python has made.
  Pointer look(PyObject* adapter) const {
    Py_INCREF(adapter);
    return taken(adapter);
  }

 private:
  Pointer taken(PyObject* adapter) const {
    hetjit_memory memory;
    if (adapter && table_->look(table_->context, adapter, &memory) == 0)
      return Pointer(adapter, memory);
    Py_XDECREF(adapter);
    return Pointer();
  }

  PyObject* module_;
  const hetjit_pointer_table* table_ = nullptr;
};

}  // namespace hetjit

#endif  // __cplusplus
#endif  // HETJIT_POINTER_HPP
