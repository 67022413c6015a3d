// An extension that uses hetjit's adapters by way of <hetjit/pointer.hpp>; one function for each
// member of its table. Built by test_pointer_header.py.
#include <hetjit/pointer.hpp>

namespace {

hetjit::Pointers* pointers = nullptr;  // of the one interpreter that the tests have

// make: the sum of the ints of a list, or of an array at an address.
PyObject* sum(PyObject*, PyObject* arguments) {
  PyObject* given = nullptr;
  Py_ssize_t count = 0;
  if (!PyArg_ParseTuple(arguments, "On", &given, &count)) return nullptr;
  const hetjit::Pointer numbers = pointers->make("ListOfInt", given);
  if (!numbers) return nullptr;
  long total = 0;
  for (Py_ssize_t i = 0; i < count; ++i) total += static_cast<const int*>(numbers.address())[i];
  return PyLong_FromLong(total);
}

// make, of every adapter by its name; the adapter is the result.
PyObject* make(PyObject*, PyObject* arguments) {
  const char* adapter = nullptr;
  PyObject* from = nullptr;
  if (!PyArg_ParseTuple(arguments, "sO", &adapter, &from)) return nullptr;
  return pointers->make(adapter, from).release();
}

PyObject* at_address(PyObject*, PyObject* number) {
  void* address = PyLong_AsVoidPtr(number);
  return PyErr_Occurred() ? nullptr : pointers->make("Pointer", address).release();
}

// look: (address, bytes or None, whether it may be written) of an adapter that Python has made.
PyObject* look(PyObject*, PyObject* adapter) {
  hetjit::Pointer found = pointers->look(adapter);
  if (!found) return nullptr;
  PyObject* bytes = found.knows_bytes() ? PyLong_FromUnsignedLongLong(found.bytes()) : Py_None;
  if (!found.knows_bytes()) Py_INCREF(Py_None);
  return Py_BuildValue("(NNO)", PyLong_FromVoidPtr(found.address()), bytes,
                       found.writable() ? Py_True : Py_False);
}

// What members the hetjit that is here has.
PyObject* members(PyObject*, PyObject*) {
  return Py_BuildValue("(OO)", pointers->has(&hetjit_pointer_table::make) ? Py_True : Py_False,
#ifdef NEWER
                       pointers->has(&hetjit_pointer_table::invented) ? Py_True : Py_False);
#else
                       Py_None);
#endif
}

PyMethodDef functions[] = {
    {"sum", sum, METH_VARARGS, nullptr},         {"make", make, METH_VARARGS, nullptr},
    {"at_address", at_address, METH_O, nullptr}, {"look", look, METH_O, nullptr},
    {"members", members, METH_NOARGS, nullptr},  {nullptr, nullptr, 0, nullptr}};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "pointers", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_pointers() {
  pointers = new hetjit::Pointers;
  return *pointers ? PyModule_Create(&definition) : nullptr;
}
