// What the module knows in one interpreter: its types, and what it found out about the objects it
// is given. Reached from each of our objects; python/ext has one other mutable global
// (watched_names.h).
#pragma once

#include <optional>
#include <string>

#include "python/ext/argument_types.h"
#include "python/ext/ctypes_types.h"
#include "python/ext/devices.h"
#include "python/ext/elements.h"
#include "python/ext/fields.h"
#include "python/ext/handle.h"
#include "python/ext/loaded_kernels.h"
#include "python/ext/loans.h"
#include "python/ext/messages.h"
#include "python/ext/numpy.h"
#include "python/ext/struct_classes.h"
#include "python/ext/watched_names.h"

namespace hetjit::python {

struct State {
  Handle kernel_type, bound_type, dtype_type, array_type, type_type;      // ours
  Handle stream_type, event_type, pointer_type, loaded_function_type;
  Handle memory_type, entry_type;  // of libraries of the host
  Handle function_type, code_type, builtin_type, module_type, cell_type;  // Python's
  Fields fields;
  NameWatcher names;
  Numpy numpy;
  Ctypes ctypes;
  ArgumentTypes argument_types;
  Elements elements;
  StructClasses classes;
  Devices devices;
  LoadedKernels loaded;
  Loans loans;
  Speakers speakers;
};

/// The state behind one of our types or a subclass of it. Null with an exception set when there is
/// none.
State* state_of(PyTypeObject* type);
State* state_of_module(Borrowed module);

inline bool is_instance(Borrowed object, const Handle& type) {
  return PyType_IsSubtype(Py_TYPE(object.get()), reinterpret_cast<PyTypeObject*>(type.get())) != 0;
}

}  // namespace hetjit::python
