// Owned references to Python objects. No other form of ownership exists in python/ext: a function
// returns a Handle, or a PyObject* only where the C API asks for one (then it is new, and null
// means that an exception is set). Arguments are Borrowed: not to be kept without dup().
//
// Counts change through the functions Py_IncRef and Py_DecRef, never the macros of 3.11's header:
// those do not know the immortal objects of later versions.
#pragma once

#include <utility>

#include "python/ext/handles/ledger.h"
#include "python/ext/handles/python.h"

namespace hetjit::python {

/// Null, an object, or with HETJIT_DEBUG=handles the number of an entry of the ledger.
class Handle {
 public:
  Handle() = default;
  /// Takes over a new reference, which may be null.
  static Handle own(PyObject* object, Place where = Place::current()) {
    return Handle(ledger::is_kept && object ? ledger::open(object, where) : object);
  }
  /// One more reference to an object that someone else owns; may be null.
  static Handle share(PyObject* object, Place where = Place::current()) {
    Py_IncRef(object);
    return own(object, where);
  }
  Handle(Handle&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~Handle() { Py_DecRef(ledger::is_entry(held_) ? ledger::end(held_) : held_); }

  Handle dup(Place where = Place::current()) const {
    if (ledger::is_entry(held_)) ledger::check_interpreter(held_, where);
    return share(get(where), where);
  }
  PyObject* get(Place where = Place::current()) const {
    return ledger::is_entry(held_) ? ledger::object_of(held_, where) : held_;
  }
  /// Gives the reference to the caller, as results of the C API are given.
  [[nodiscard]] PyObject* release(Place where = Place::current()) {
    if (ledger::is_entry(held_)) return ledger::close(held_, where);
    return std::exchange(held_, nullptr);
  }
  void close(Place where = Place::current()) { Py_DecRef(release(where)); }
  /// The characters of a str that this holds: valid for as long as it does.
  const char* protect(const char* text, size_t size) const {
    return ledger::is_entry(held_) ? ledger::characters(held_, text, size) : text;
  }
  explicit operator bool() const {
    return ledger::is_entry(held_) ? ledger::is_open(held_) : held_ != nullptr;
  }

 protected:
  PyObject* held_ = nullptr;

 private:
  explicit Handle(PyObject* held) : held_(held) {}
};

/// A handle that outlives the call in which it was made: of an object of ours, of the module's
/// state. Every other is closed when that call ends, so what is open then has leaked.
class Kept : public Handle {
 public:
  Kept() = default;
  Kept(Handle&& given) noexcept : Handle(std::move(given)) { note(); }
  Kept& operator=(Handle&& given) noexcept {
    Handle::operator=(std::move(given));
    note();
    return *this;
  }

 private:
  void note() {
    if (ledger::is_entry(held_)) ledger::keep(held_);
  }
};

/// An argument: someone else keeps it alive for as long as the call lasts. It is no `PyObject*` by
/// itself: `return argument;` would give away a reference that the callee does not have.
class Borrowed {
 public:
  Borrowed(PyObject* object) : object_(object) {}
  Borrowed(const Handle& handle, Place where = Place::current()) : object_(handle.get(where)) {}
  Borrowed(const Borrowed&) = default;
  Borrowed& operator=(const Borrowed&) = delete;
  PyObject* get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }
  Handle dup(Place where = Place::current()) const { return Handle::share(object_, where); }

 private:
  PyObject* object_;
};

/// Whether two are the same object. Handles have no `==`: that would ask which of them it is.
inline bool is(Borrowed one, Borrowed other) { return one.get() == other.get(); }

/// None as a function's result.
inline PyObject* new_none() {
  Py_IncRef(Py_None);
  return Py_None;
}

}  // namespace hetjit::python
