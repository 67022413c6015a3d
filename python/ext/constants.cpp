#include "python/ext/constants.h"

#include "python/ext/python.h"

namespace hetjit::python {
namespace {

bool equal_floats(Borrowed a, Borrowed b) {  // -0.0 is not 0.0, and a NaN is itself
  Handle one = Handle::own(PyObject_Repr(a.get())), other = Handle::own(PyObject_Repr(b.get()));
  return one && other && PyObject_RichCompareBool(one.get(), other.get(), Py_EQ) == 1;
}

// Exact types only: a subclass may compare as it likes.
bool same(Borrowed a, Borrowed b) {
  if (a.get() == b.get()) return true;
  PyTypeObject* type = Py_TYPE(a.get());
  if (type != Py_TYPE(b.get())) return false;
  if (type == &PyLong_Type || type == &PyUnicode_Type)
    return PyObject_RichCompareBool(a.get(), b.get(), Py_EQ) == 1;
  if (type == &PyFloat_Type || type == &PyComplex_Type) return equal_floats(a, b);
  if (type != &PyTuple_Type || PyTuple_Size(a.get()) != PyTuple_Size(b.get())) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(a.get()); ++i)
    if (!same(PyTuple_GetItem(a.get(), i), PyTuple_GetItem(b.get(), i))) return false;
  return true;
}

}  // namespace

uint32_t ConstantTable::number_of(Borrowed object) {
  for (uint32_t i = 0; i < objects_.size(); ++i)
    if (same(objects_[i], object)) return i;
  PyErr_Clear();
  objects_.push_back(object.dup());
  return static_cast<uint32_t>(objects_.size() - 1);
}

}  // namespace hetjit::python
