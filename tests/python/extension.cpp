// An extension built on python/ext/handles as hetjit._core is: types from specifications with their
// structs, and a module that is filled in steps. Built by test_extension.py.
#include <string>

#include "python/ext/handles/structs.h"

namespace {

using namespace hetjit::python;

// ---- a type with members, methods and attributes

struct Point {
  PyObject_HEAD long x, y;
  long untouched[4];  // nobody writes them
};

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

PyObject* new_point(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  const char* const names[] = {"x", "y", nullptr};
  long x = 0, y = 0;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "ll", const_cast<char**>(names), &x, &y))
    return nullptr;
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  Handle made = Handle::own(allocate(type, 0));
  if (!made) return nullptr;
  Point& point = as_struct<Point>(made);
  for (long each : point.untouched)
    if (each != 0 || point.x != 0) return PyErr_Format(PyExc_SystemError, "memory was not zeroed");
  point.x = x;
  point.y = y;
  return made.release();
}

void destroy_point(PyObject* self) {
  Handle type = Handle::own(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  reinterpret_cast<freefunc>(PyType_GetSlot(Py_TYPE(self), Py_tp_free))(self);
}

PyObject* norm(PyObject* self, PyObject*) {
  const Point& point = as_struct<Point>(self);
  return PyLong_FromLong(point.x * point.x + point.y * point.y);
}

PyObject* represent(PyObject* self) {
  const Point& point = as_struct<Point>(self);
  return PyUnicode_FromFormat("Point(%ld, %ld)", point.x, point.y);
}

PyObject* get_sum(PyObject* self, void*) {
  const Point& point = as_struct<Point>(self);
  return PyLong_FromLong(point.x * 256 + point.y + 16);
}

int set_sum(PyObject* self, PyObject* value, void*) {
  if (!value) return PyErr_SetString(PyExc_AttributeError, "z cannot be deleted"), -1;
  const long given = PyLong_AsLong(value);
  if (given == -1 && PyErr_Occurred()) return -1;
  as_struct<Point>(self).y = given - 16 - as_struct<Point>(self).x * 256;
  return 0;
}

int set_both(PyObject* self, PyObject* value, void*) {
  const long given = value ? PyLong_AsLong(value) : 0;
  if (given == -1 && PyErr_Occurred()) return -1;
  as_struct<Point>(self).x = as_struct<Point>(self).y = given;
  return 0;
}

PyMemberDef members[] = {{"x", T_LONG, offsetof(Point, x), 0, "Settable."},
                         {"y", T_LONG, offsetof(Point, y), READONLY, "To be read."},
                         {nullptr, 0, 0, 0, nullptr}};
PyMethodDef methods[] = {{"norm", norm, METH_NOARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
PyGetSetDef attributes[] = {{"z", get_sum, set_sum, nullptr, nullptr},
                            {"only_read", get_sum, nullptr, nullptr, nullptr},
                            {"both", nullptr, set_both, nullptr, nullptr},
                            {nullptr, nullptr, nullptr, nullptr, nullptr}};
PyType_Slot point_slots[] = {{Py_tp_new, reinterpret_cast<void*>(new_point)},
                             {Py_tp_dealloc, reinterpret_cast<void*>(destroy_point)},
                             {Py_tp_repr, reinterpret_cast<void*>(represent)},
                             {Py_tp_members, members},
                             {Py_tp_methods, methods},
                             {Py_tp_getset, attributes},
                             {0, nullptr}};
PyType_Spec point_spec = {"extension.Point", sizeof(Point), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, point_slots};

// ---- types derived from Python's own: without a struct, as the limited API of 3.11 has it

PyObject* answer(PyObject*, PyObject*) { return PyLong_FromLong(42); }
PyMethodDef derived_methods[] = {{"answer", answer, METH_NOARGS, nullptr},
                                 {nullptr, nullptr, 0, nullptr}};
PyType_Slot derived_slots[] = {{Py_tp_methods, derived_methods}, {0, nullptr}};

bool add_derived(Borrowed module, const char* name, PyTypeObject& base) {
  const std::string full = std::string("extension.") + name;
  PyType_Spec spec = {full.c_str(), 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, derived_slots};
  Handle made = Handle::own(
      PyType_FromModuleAndSpec(module.get(), &spec, reinterpret_cast<PyObject*>(&base)));
  return made && PyModule_AddObjectRef(module.get(), name, made.get()) == 0;
}

// ---- the module, in steps of which one may fail

bool failing(const char* step) {
  Handle modules = Handle::own(PyImport_ImportModule("sys"));
  Handle wanted = Handle::own(PyObject_GetAttrString(modules.get(), "failing_step"));
  if (wanted && PyUnicode_CompareWithASCIIString(wanted.get(), step) == 0) {
    PyErr_Format(PyExc_RuntimeError, "%s failed", step);
    return true;
  }
  PyErr_Clear();
  return false;
}

struct State {
  Kept point_type;
};
State& state_of(Borrowed module) { return *static_cast<State*>(PyModule_GetState(module.get())); }

int note(Borrowed module, const char* step) {
  Handle steps = Handle::own(PyObject_GetAttrString(module.get(), "steps"));
  if (!steps) {
    PyErr_Clear();
    steps = Handle::own(PyList_New(0));
    if (!steps || PyModule_AddObjectRef(module.get(), "steps", steps.get()) < 0) return -1;
  }
  Handle text = Handle::own(PyUnicode_FromString(step));
  return text && PyList_Append(steps.get(), text.get()) == 0 && !failing(step) ? 0 : -1;
}

int add_point(PyObject* module) {
  new (&state_of(module)) State;
  state_of(module).point_type = make_type<Point>(module, point_spec);
  if (PyModule_AddObjectRef(module, "Point", state_of(module).point_type.get()) < 0) return -1;
  return note(module, "first");
}

int add_others(PyObject* module) {
  const bool done =
      add_derived(module, "Int", PyLong_Type) && add_derived(module, "Float", PyFloat_Type) &&
      add_derived(module, "Str", PyUnicode_Type) && add_derived(module, "Tuple", PyTuple_Type) &&
      add_derived(module, "List", PyList_Type) && add_derived(module, "Meta", PyType_Type);
  return done ? note(module, "second") : -1;
}

int finish(PyObject* module) { return note(module, "third"); }

int traverse(PyObject* module, visitproc visit, void* arg) {
  Py_VISIT(state_of(module).point_type.get());
  return 0;
}

int clear(PyObject* module) {
  state_of(module).point_type = Handle();
  return 0;
}

void destroy(void* module) { clear(static_cast<PyObject*>(module)); }

PyModuleDef_Slot slots[] = {{Py_mod_exec, reinterpret_cast<void*>(add_point)},
                            {Py_mod_exec, reinterpret_cast<void*>(add_others)},
                            {Py_mod_exec, reinterpret_cast<void*>(finish)},
                            {0, nullptr}};
PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                          "extension",
                          nullptr,
                          sizeof(State),
                          nullptr,
                          slots,
                          traverse,
                          clear,
                          destroy};

}  // namespace

PyMODINIT_FUNC PyInit_extension() { return PyModuleDef_Init(&definition); }
