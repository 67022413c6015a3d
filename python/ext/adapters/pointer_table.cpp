// The adapters for other extensions: the table of pointer.hpp, in a capsule of the module.
#include <string>

#include "python/ext/handles/python.h"  // first: our settings of Python's header

#include "python/ext/adapters/pointer.hpp"
#include "python/ext/adapters/pointer_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

// `module` is alive: whoever uses the table keeps it.
PyObject* make(void* module, const char* adapter, PyObject* from) {
  Handle types = Handle::own(PyImport_ImportModule("hetjit.types"));
  Handle type = types ? Handle::own(PyObject_GetAttrString(types.get(), adapter)) : Handle();
  State* state = type ? state_of_module(static_cast<PyObject*>(module)) : nullptr;
  if (!state) return nullptr;
  Handle made = Handle::own(PyObject_CallFunctionObjArgs(type.get(), from, nullptr));
  if (!made || is_instance(made, state->pointer_type)) return made.release();
  return fail(PyExc_TypeError, std::string("hetjit.types.") + adapter + " is no adapter");
}

int look(void* module, PyObject* adapter, hetjit_memory* to) {
  State* state = state_of_module(static_cast<PyObject*>(module));
  if (!state) return -1;
  if (!is_instance(adapter, state->pointer_type)) {
    fail(PyExc_TypeError, describe(adapter) + " is no adapter of hetjit.types");
    return -1;
  }
  const Memory& memory = memory_of_pointer(adapter);
  *to = {.address = reinterpret_cast<void*>(memory.address),
         .bytes = memory.bytes == Memory::kUnknown ? UINT64_MAX : memory.bytes,
         .writable = memory.writable};
  return 0;
}

void destroy(PyObject* capsule) {
  delete static_cast<hetjit_pointer_table*>(PyCapsule_GetPointer(capsule, HETJIT_POINTER_CAPSULE));
}

}  // namespace

bool add_pointer_table(Borrowed module) {
  auto* table = new hetjit_pointer_table{.version = 1,
                                         .size = sizeof(hetjit_pointer_table),
                                         .context = module.get(),
                                         .make = make,
                                         .look = look};
  Handle capsule = Handle::own(PyCapsule_New(table, HETJIT_POINTER_CAPSULE, destroy));
  if (!capsule) delete table;
  return capsule && PyModule_AddObjectRef(module.get(), "_pointer_table", capsule.get()) == 0;
}

}  // namespace hetjit::python
