#include "python/ext/types/dtype_object.h"

#include <vector>

#include "abi/small_floats.h"
#include "compiler/typing/core/explain.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/structs.h"

namespace hetjit::python {
namespace {

struct DtypeObject {
  PyObject_HEAD Scalar scalar;
};

DtypeObject& self_of(Borrowed object) { return as_struct<DtypeObject>(object); }

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  const char* name = nullptr;
  const char* const names[] = {"name", nullptr};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "s", const_cast<char**>(names), &name))
    return nullptr;
  std::optional<Scalar> scalar = find_scalar(name);
  if (!scalar) {
    std::vector<std::string_view> names;
    for (const ScalarInfo& known : kScalars) names.push_back(known.python_name);
    const std::string near = typing::nearest(name, names);
    return fail(PyExc_ValueError, std::string("no number format is called ") + name +
                                      (near.empty() ? "" : ": did you mean '" + near + "'?"));
  }
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* made = allocate(type, 0);
  if (made) self_of(made).scalar = *scalar;
  return made;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyObject* get_name(PyObject* self, void*) {
  std::string name(info(self_of(self).scalar).python_name);
  return PyUnicode_FromString(name.c_str());
}
PyObject* get_itemsize(PyObject* self, void*) {
  return PyLong_FromLong(info(self_of(self).scalar).bytes());
}
PyObject* get_kind(PyObject* self, void*) {
  const ScalarInfo& row = info(self_of(self).scalar);
  constexpr const char* kKinds[] = {"bool", "integer", "floating", "complex"};
  return PyUnicode_FromString(kKinds[static_cast<size_t>(row.category)]);
}
PyObject* get_ml_dtypes_name(PyObject* self, void*) {
  std::string name(info(self_of(self).scalar).ml_dtypes_name);
  return PyUnicode_FromString(name.c_str());
}
PyObject* get_largest(PyObject* self, void*) {
  Scalar scalar = self_of(self).scalar;
  if (!is_tiny_float(scalar)) return new_none();
  return PyFloat_FromDouble(from_bits(scalar, small_float_of(scalar).largest()));
}
PyObject* get_signed(PyObject* self, void*) {
  return PyBool_FromLong(info(self_of(self).scalar).is_signed);
}

PyGetSetDef attributes[] = {
    {"name", get_name, nullptr, "Its name: 'float32'.", nullptr},
    {"itemsize", get_itemsize, nullptr, "Bytes of a value in memory.", nullptr},
    {"kind", get_kind, nullptr, "'bool', 'integer', 'floating' or 'complex'.", nullptr},
    {"signed", get_signed, nullptr, "Whether it has negative values.", nullptr},
    {"_ml_dtypes_name", get_ml_dtypes_name, nullptr, "Where NumPy has no such scalar; else ''.",
     nullptr},
    {"_largest", get_largest, nullptr, "What conversions saturate to; else None.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_getset, attributes},
                       {Py_tp_doc, const_cast<char*>("A number format by name.")},
                       {0, nullptr}};

PyType_Spec spec = {"hetjit._core.DType", sizeof(DtypeObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

Handle make_dtype_type(Borrowed module) { return make_type<DtypeObject>(module, spec); }

Parameter parameter_of_dtype(Borrowed dtype) { return {scalar_type(self_of(dtype).scalar), false}; }

}  // namespace hetjit::python
