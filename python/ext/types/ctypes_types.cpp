#include "python/ext/types/ctypes_types.h"

#include <algorithm>

#include "python/ext/handles/errors.h"

namespace hetjit::python {

bool Ctypes::look() {
  if (value_) return true;
  Handle name = Handle::own(PyUnicode_FromString("ctypes"));
  Handle module = name ? Handle::own(PyImport_GetModule(name.get())) : Handle();
  if (!module) return !PyErr_Occurred();
  const auto find = [&](const char* attribute, Kept& to) {
    to = Handle::own(PyObject_GetAttrString(module.get(), attribute));
    return static_cast<bool>(to);
  };
  if (!find("_SimpleCData", simple_) || !find("c_void_p", void_pointer_) ||
      !find("c_char_p", text_) || !find("c_wchar_p", wide_text_) || !find("py_object", object_) ||
      !find("_Pointer", pointer_) || !find("_CFuncPtr", function_) ||
      !find("alignment", alignment_))
    return false;
  value_ = Handle::own(PyObject_GetAttrString(simple_.get(), "__base__"));
  return static_cast<bool>(value_);
}

bool Ctypes::is(Borrowed object, const Handle& type) {
  return type &&
         PyType_IsSubtype(Py_TYPE(object.get()), reinterpret_cast<PyTypeObject*>(type.get())) != 0;
}

bool Ctypes::is_ambiguous(Borrowed object) const {
  return is(object, pointer_) || is(object, function_) || is(object, text_) ||
         is(object, wide_text_) || is(object, object_);
}

size_t Ctypes::alignment(Borrowed value) const {
  Handle natural =
      Handle::own(PyObject_CallFunctionObjArgs(alignment_.get(), value.get(), nullptr));
  const size_t least = natural ? PyLong_AsSize_t(natural.get()) : 0;
  Handle wanted;  // only later Pythons place fields by it, but all may say it
  if (!least || PyErr_Occurred() || !look_up(value, "_align_", wanted)) return 0;
  const size_t most = wanted ? PyLong_AsSize_t(wanted.get()) : least;
  return PyErr_Occurred() ? 0 : std::max(least, most);
}

int Ctypes::traverse(visitproc visit, void* arg) const {
  for (const Handle* owned : {&value_, &simple_, &void_pointer_, &text_, &wide_text_, &object_,
                              &pointer_, &function_, &alignment_})
    Py_VISIT(owned->get());
  return 0;
}

}  // namespace hetjit::python
