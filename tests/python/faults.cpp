// An extension with faults planted in it, for the ledger of handles to find. Each function has one;
// the line with it ends in the function's name, where the report must point. Built by
// test_handles.py together with the ledger.
#include <vector>

#include "python/ext/handles/builder.h"
#include "python/ext/handles/structs.h"

namespace hetjit::python {
extern PyMethodDef ledger_functions[];
}

namespace {

using namespace hetjit::python;

// ---- left open

PyObject* leak(PyObject*, PyObject* object) {
  (void)new Handle(Handle::share(object));  // FAULT leak
  return new_none();
}

PyObject* leak_dup(PyObject*, PyObject* object) {
  Handle first = Handle::share(object);
  (void)new Handle(first.dup());  // FAULT leak_dup
  return new_none();
}

PyObject* leak_argument(PyObject*, PyObject* object) {
  (void)new Handle(Borrowed(object).dup());  // FAULT leak_argument
  return new_none();
}

PyObject* leak_made(PyObject*, PyObject* object) {
  (void)new Handle(Handle::own(PyObject_Repr(object)));  // FAULT leak_made
  return new_none();
}

PyObject* leak_many(PyObject*, PyObject* object) {
  auto* handles = new std::vector<Handle>;
  for (int i = 0; i < 3; ++i) handles->push_back(Handle::share(object));  // FAULT leak_many
  return new_none();
}

PyObject* leak_moved(PyObject*, PyObject* object) {
  Handle here = Handle::share(object);  // FAULT leak_moved
  (void)new Handle(std::move(here));
  return new_none();
}

PyObject* leak_at_error(PyObject*, PyObject* object) {
  auto* handle = new Handle(Handle::share(object));  // FAULT leak_at_error
  if (PyObject_SetAttrString(object, "missing", Py_None) < 0) return nullptr;
  delete handle;
  return new_none();
}

// An argument that is kept for the next call: as a Borrowed it cannot be, and as a Handle it leaks.
// Never destroyed, as the interpreter ends before statics do.
Handle& argument = *new Handle;

PyObject* keep_argument(PyObject*, PyObject* object) {
  argument = Borrowed(object).dup();  // FAULT keep_argument
  return new_none();
}

PyObject* drop_argument(PyObject*, PyObject*) {
  argument = Handle();
  return new_none();
}

// What may stay: no fault.
Kept& kept = *new Kept;

PyObject* keep(PyObject*, PyObject* object) {
  kept = Handle::share(object);
  return new_none();
}

// ---- used after it was closed

Handle closed(PyObject* object) {
  Handle handle = Handle::share(object);
  handle.close();
  return handle;
}

PyObject* use_closed(PyObject*, PyObject* object) {
  const Handle handle = closed(object);
  return PyBool_FromLong(PyObject_IsTrue(handle.get()));  // FAULT use_closed
}

PyObject* dup_closed(PyObject*, PyObject* object) {
  const Handle handle = closed(object);
  return handle.dup().release();  // FAULT dup_closed
}

PyObject* lend_closed(PyObject*, PyObject* object) {
  const Handle handle = closed(object);
  const Borrowed lent = handle;  // FAULT lend_closed
  return lent.dup().release();
}

PyObject* use_released(PyObject*, PyObject* object) {
  Handle handle = Handle::share(object);
  Handle other = Handle::own(handle.release());
  return PyObject_Repr(handle.get());  // FAULT use_released
}

PyObject* compare_closed(PyObject*, PyObject* object) {
  const Handle handle = closed(object);
  return PyBool_FromLong(is(handle, object));  // FAULT compare_closed
}

PyObject* return_closed(PyObject*, PyObject* object) {
  Handle handle = closed(object);
  PyObject* given = handle.release();  // FAULT return_closed
  return given ? given : new_none();
}

PyObject* close_twice(PyObject*, PyObject* object) {
  Handle handle = Handle::share(object);
  handle.close();
  handle.close();  // FAULT close_twice
  return new_none();
}

PyObject* close_released(PyObject*, PyObject* object) {
  Handle handle = Handle::share(object);
  Handle other = Handle::own(handle.release());
  handle.close();  // FAULT close_released
  return new_none();
}

// ---- builders and structs

PyObject* build_twice(PyObject*, PyObject* object) {
  TupleBuilder made(1);
  made.set(0, Handle::share(object));
  Handle first = made.build();
  return made.build().release();  // FAULT build_twice
}

PyObject* build_unset(PyObject*, PyObject* object) {
  TupleBuilder made(2);
  made.set(0, Handle::share(object));
  return made.build().release();  // FAULT build_unset
}

PyObject* set_twice(PyObject*, PyObject* object) {
  TupleBuilder made(2);
  made.set(0, Handle::share(object));
  made.set(0, Handle::share(object));  // FAULT set_twice
  return made.build().release();
}

PyObject* set_outside(PyObject*, PyObject* object) {
  TupleBuilder made(1);
  made.set(1, Handle::share(object));  // FAULT set_outside
  return made.build().release();
}

PyObject* set_after_build(PyObject*, PyObject* object) {
  TupleBuilder made(1);
  made.set(0, Handle::share(object));
  Handle first = made.build();
  made.set(0, Handle::share(object));  // FAULT set_after_build
  return PyErr_Occurred() ? nullptr : first.release();
}

struct Box {
  PyObject_HEAD long number;
};

PyObject* wrong_struct(PyObject*, PyObject* object) {
  (void)as_struct<Box>(object);  // FAULT wrong_struct
  return new_none();
}

// ---- an interpreter's handle in another one; characters of a str that has gone

PyObject* use_kept(PyObject*, PyObject*) { return kept.dup().release(); }  // FAULT use_kept

PyObject* read_closed_text(PyObject*, PyObject* object) {
  Handle text = Handle::share(object);
  Py_ssize_t size = 0;
  const char* characters = PyUnicode_AsUTF8AndSize(text.get(), &size);
  characters = text.protect(characters, static_cast<size_t>(size));
  const bool same = PyUnicode_CompareWithASCIIString(object, characters) == 0;
  text.close();
  return same ? PyLong_FromLong(*characters) : new_none();  // the memory is out of bounds
}

#define FUNCTION(name) \
  { #name, name, METH_O, nullptr }
PyMethodDef functions[] = {FUNCTION(leak),
                           FUNCTION(leak_dup),
                           FUNCTION(leak_argument),
                           FUNCTION(leak_made),
                           FUNCTION(leak_many),
                           FUNCTION(leak_moved),
                           FUNCTION(leak_at_error),
                           FUNCTION(keep_argument),
                           FUNCTION(use_closed),
                           FUNCTION(dup_closed),
                           FUNCTION(lend_closed),
                           FUNCTION(use_released),
                           FUNCTION(compare_closed),
                           FUNCTION(return_closed),
                           FUNCTION(close_twice),
                           FUNCTION(close_released),
                           FUNCTION(build_twice),
                           FUNCTION(build_unset),
                           FUNCTION(set_twice),
                           FUNCTION(set_outside),
                           FUNCTION(set_after_build),
                           FUNCTION(wrong_struct),
                           FUNCTION(keep),
                           FUNCTION(read_closed_text),
                           {"drop_argument", drop_argument, METH_NOARGS, nullptr},
                           {"use_kept", use_kept, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "faults", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_faults() {
  PyObject* module = PyModule_Create(&definition);
  if (module) PyModule_AddFunctions(module, hetjit::python::ledger_functions);
  return module;
}
