// What python/ext/handles/handle.h promises, for the compiler to check; and an extension whose
// functions use handles in each of their ways. Built by test_binary.py.
#include <concepts>
#include <type_traits>

#include "python/ext/handles/handle.h"

using hetjit::python::Borrowed;
using hetjit::python::Handle;

namespace {

template <class T>
concept Closes = requires(T& it) {
  it.close();
};
template <class T>
concept Releases = requires(T& it) {
  it.release();
};

static_assert(!std::is_copy_constructible_v<Handle> && !std::is_copy_assignable_v<Handle>);
static_assert(std::is_nothrow_move_constructible_v<Handle>);
static_assert(!std::equality_comparable<Handle>);
static_assert(Closes<Handle> && !Closes<Borrowed> && !Releases<Borrowed>);
static_assert(!std::is_convertible_v<PyObject*, Handle> &&
              !std::is_convertible_v<Handle, PyObject*>);
// `return argument;` would give away a reference that the callee does not have.
static_assert(!std::is_convertible_v<Borrowed, PyObject*> &&
              !std::is_convertible_v<Borrowed, Handle>);

PyObject* dup_and_close(PyObject*, PyObject* object) {
  Handle x = Borrowed(object).dup();
  Handle y = x.dup();
  x.close();
  Handle z = std::move(y);
  z = Handle::share(object);
  return z.release();
}

PyObject* drop(PyObject*, PyObject* object) {
  Handle kept[3];
  for (Handle& one : kept) one = Handle::share(object);
  return hetjit::python::new_none();
}

PyObject* null_handle(PyObject*, PyObject*) {
  Handle nothing = Handle::own(PyObject_GetAttrString(Py_None, "missing"));  // an exception is set
  return nothing ? hetjit::python::new_none() : nothing.release();
}

PyObject* same(PyObject*, PyObject* pair) {
  PyObject *one = nullptr, *other = nullptr;
  if (!PyArg_ParseTuple(pair, "OO", &one, &other)) return nullptr;
  const Handle first = Handle::share(one), second = Handle::share(other);
  return PyBool_FromLong(hetjit::python::is(first, second) && hetjit::python::is(first, first));
}

PyMethodDef functions[] = {{"dup_and_close", dup_and_close, METH_O, nullptr},
                           {"drop", drop, METH_O, nullptr},
                           {"same", same, METH_VARARGS, nullptr},
                           {"null_handle", null_handle, METH_NOARGS, nullptr},
                           {nullptr, nullptr, 0, nullptr}};
PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "handles", nullptr, -1, functions, nullptr, nullptr, nullptr, nullptr};

}  // namespace

PyMODINIT_FUNC PyInit_handles() { return PyModule_Create(&definition); }
