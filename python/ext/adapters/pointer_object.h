// `hetjit.types.Pointer`: an address, and what keeps the memory there. All adapters are subclasses
// of it: they differ in what they are made from (pointer_lists.cpp, argument_pack.cpp,
// device_memory.cpp, hetjit/types.py).
#pragma once

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "python/ext/adapters/addresses.h"
#include "python/ext/handles/structs.h"

namespace hetjit::python {

/// What a buffer says of its elements. It does not change while somebody has the buffer.
struct BufferShape {
  std::vector<Py_ssize_t> extents, strides;  // strides in bytes
  std::string format;
  Py_ssize_t item_bytes = 1, bytes = 0;
};

struct PointerObject {
  PyObject_HEAD Memory memory;
  std::unique_ptr<BufferShape> shape;  // of a DeviceMemory that was described; else null
  Py_ssize_t exports;  // buffers that somebody has of it, and of what was made of it
};

/// Adds the adapters' types to a module. False: an exception is set.
bool add_pointer_types(Borrowed module, State& state);
bool add_list_types(Borrowed module, const State& state);   // pointer_lists.cpp
bool add_pack_type(Borrowed module, const State& state);    // argument_pack.cpp
bool add_pointer_table(Borrowed module);                    // pointer_table.cpp
bool add_memory_type(Borrowed module, const State& state);  // device_memory.cpp

/// What an instance of Pointer, or of a subclass, holds.
inline PointerObject& pointer_of(Borrowed pointer) { return as_struct<PointerObject>(pointer); }
inline Memory& memory_of_pointer(Borrowed pointer) { return pointer_of(pointer).memory; }

/// Whether the host is known to reach it.
inline bool is_on_host(const Memory& memory) {
  return memory.place == Memory::Place::Host || memory.place == Memory::Place::Both;
}

/// A NULL of a subclass, whose own __new__ and __init__ are not asked. Empty: an exception is set.
Handle null_of(PyTypeObject* type);
/// A Pointer that holds this. Empty: an exception is set.
Handle new_pointer(const State& state, Memory memory);

/// Whether nobody has a buffer of it, who would see it change. False: an exception is set.
bool check_not_exported(const PointerObject& pointer);

/// A list or tuple as the arguments of a launch, anything else as their address (ArgumentPack).
bool read_pack(State& state, Borrowed from, Memory& to);
/// The most bytes of arguments that a launch takes.
inline constexpr size_t kMostArgumentBytes = 4096;

/// Of one of our adapters' types, made from one given object by `read`.
using ReadMemory = bool (*)(State& state, Borrowed from, Memory& to);
PyObject* read_anew(PyObject* self, PyObject* arguments, PyObject* keywords, ReadMemory read);

/// An __init__ that reads with a function.
template <ReadMemory read>
int initialise(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return read_anew(self, arguments, keywords, read) ? 0 : -1;
}

/// A subclass of Pointer with an own __init__, and what else it has.
bool add_adapter(Borrowed module, const State& state, const char* name, const char* doc,
                 initproc init, std::initializer_list<PyType_Slot> more = {});

}  // namespace hetjit::python
