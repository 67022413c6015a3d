#include "python/ext/watches/fields.h"
#include "python/ext/handles/objects.h"

namespace hetjit::python {
namespace {

PyObject* at(Borrowed object, size_t offset) {
  return *reinterpret_cast<PyObject**>(reinterpret_cast<std::byte*>(object.get()) + offset);
}

// Where the object refers to `content`; 0 when nowhere or at more than one place.
size_t offset_of(Borrowed object, Borrowed content) {
  Handle size = find_attribute(reinterpret_cast<PyObject*>(Py_TYPE(object.get())), "__basicsize__");
  const long end = size ? PyLong_AsLong(size.get()) : 0;
  size_t found = 0;
  for (size_t i = sizeof(PyObject); static_cast<long>(i + sizeof(PyObject*)) <= end;
       i += sizeof(PyObject*)) {
    if (at(object, i) != content.get()) continue;
    if (found) return 0;
    found = i;
  }
  return found;
}

}  // namespace

Handle Field::read(Borrowed object) const {
  return offset ? Handle::share(at(object, offset)) : find_attribute(object, attribute);
}

const uint64_t* Field::word(Borrowed object) const {
  if (!offset) return nullptr;
  return reinterpret_cast<const uint64_t*>(reinterpret_cast<const std::byte*>(object.get()) +
                                           offset);
}

bool Field::holds(Borrowed object, PyObject* content) const {
  return offset ? at(object, offset) == content : read(object).get() == content;
}

void Fields::find(Borrowed cell_type, Borrowed function_type) {
  Handle marker = Handle::own(PyList_New(0)), globals = Handle::own(PyDict_New());
  Handle values = Handle::own(PyTuple_Pack(1, Py_None)), named = Handle::own(PyDict_New());
  Handle body = Handle::own(Py_CompileString("0", "<fields>", Py_eval_input));
  Handle cell =
      marker ? Handle::own(PyObject_CallFunctionObjArgs(cell_type.get(), marker.get(), nullptr))
             : Handle();
  if (cell) cell_content.offset = offset_of(cell, marker);
  Handle function = body && globals && values
                        ? Handle::own(PyObject_CallFunction(function_type.get(), "OOOO", body.get(),
                                                            globals.get(), Py_None, values.get()))
                        : Handle();
  if (function && named &&
      PyObject_SetAttrString(function.get(), keyword_defaults.attribute, named.get()) == 0) {
    code.offset = offset_of(function, body);
    defaults.offset = offset_of(function, values);
    keyword_defaults.offset = offset_of(function, named);
  }
  find_of_classes();
  PyErr_Clear();
}

void Fields::find_of_classes() {
  Handle known = Handle::own(PyDict_New());
  Handle proxy = known ? Handle::own(PyDictProxy_New(known.get())) : Handle();
  if (proxy) proxied.offset = offset_of(proxy, known);
}

}  // namespace hetjit::python
