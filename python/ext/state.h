// What the module knows in one interpreter: its types, and what it found out about the objects it
// is given. Reached from each of our objects; python/ext has one other mutable global
// (watched_names.h).
#pragma once

#include <optional>
#include <string>

#include "python/ext/arguments/argument_types.h"
#include "python/ext/arguments/protocols.h"
#include "python/ext/arrays/allocations.h"
#include "python/ext/arrays/devices.h"
#include "python/ext/arrays/loans.h"
#include "python/ext/handles/handle.h"
#include "python/ext/launch/graphs.h"
#include "python/ext/launch/loaded_kernels.h"
#include "python/ext/launch/messages.h"
#include "python/ext/types/ctypes_types.h"
#include "python/ext/types/elements.h"
#include "python/ext/types/numpy.h"
#include "python/ext/types/struct_classes.h"
#include "python/ext/watches/fields.h"
#include "python/ext/watches/watched_names.h"

namespace hetjit::python {

struct State {
  Kept kernel_type, bound_type, dtype_type, array_type, type_type;  // ours
  Kept stream_type, event_type, graph_type, pointer_type, loaded_function_type;
  Kept memory_type, entry_type;                                         // of libraries of the host
  Kept function_type, code_type, builtin_type, module_type, cell_type;  // Python's
  Fields fields;
  NameWatcher names;
  Numpy numpy;
  Ctypes ctypes;
  ArgumentTypes argument_types;
  Protocols protocols;
  Elements elements;
  StructClasses classes;
  Devices devices;
  Allocations allocations;
  LoadedKernels loaded;
  Loans loans;
  Speakers speakers;
  Graphs graphs;
  uint64_t bound = 0;  // configurations of launches so far
};

/// The state behind one of our types or a subclass of it. Null with an exception set when there is
/// none.
State* state_of(PyTypeObject* type);
State* state_of_module(Borrowed module);

inline bool is_instance(Borrowed object, const Handle& type) {
  return PyType_IsSubtype(Py_TYPE(object.get()), reinterpret_cast<PyTypeObject*>(type.get())) != 0;
}

}  // namespace hetjit::python
