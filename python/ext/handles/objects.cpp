#include "python/ext/handles/objects.h"

#include "python/ext/handles/builder.h"
#include "python/ext/handles/errors.h"

namespace hetjit::python {

Handle tuple_item(Borrowed tuple, size_t index) {
  return Handle::share(PyTuple_GetItem(tuple.get(), static_cast<Py_ssize_t>(index)));
}

Borrowed held_item(Borrowed tuple, size_t index) {
  return PyTuple_GetItem(tuple.get(), static_cast<Py_ssize_t>(index));
}

Borrowed held_value(Borrowed keywords, Borrowed name) {
  return PyDict_GetItemWithError(keywords.get(), name.get());
}

Handle list_item(Borrowed list, size_t index) {
  return Handle::share(PyList_GetItem(list.get(), static_cast<Py_ssize_t>(index)));
}

Handle dict_item(Borrowed dict, Borrowed key) {
  return Handle::share(PyDict_GetItemWithError(dict.get(), key.get()));
}

Handle find_item(Borrowed dict, const std::string& key) {
  Handle name = new_text(key);
  Handle found = name ? dict_item(dict, name) : Handle();
  if (!found) forget();
  return found;
}

Handle system_object(const char* name) { return Handle::share(PySys_GetObject(name)); }

Handle loaded_modules() { return Handle::share(PyImport_GetModuleDict()); }

Handle names_of_module(Borrowed module) { return Handle::share(PyModule_GetDict(module.get())); }

Handle find_attribute(Borrowed object, const char* name) {
  Handle found = Handle::own(PyObject_GetAttrString(object.get(), name));
  if (!found) forget();
  return found;
}

std::string text_attribute(Borrowed object, const char* name) {
  Handle value = find_attribute(object, name);
  return value ? text_of(value) : "";
}

Handle new_tuple(PyObject* const* items, size_t count) {
  TupleBuilder made(count);
  for (size_t i = 0; made && i < count; ++i) made.set(i, Handle::share(items[i]));
  return made.build();
}

Handle new_text(std::string_view text) {
  return Handle::own(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape"));
}

std::vector<std::string> texts_of(Borrowed tuple) {
  std::vector<std::string> found;
  const Py_ssize_t count = tuple ? PyTuple_Size(tuple.get()) : 0;
  for (Py_ssize_t i = 0; i < count; ++i)
    found.push_back(text_of(tuple_item(tuple, static_cast<size_t>(i))));
  return found;
}

const char* characters_of(const Handle& text, size_t& size) {
  Py_ssize_t bytes = 0;
  const char* found = PyUnicode_AsUTF8AndSize(text.get(), &bytes);
  size = found ? static_cast<size_t>(bytes) : 0;
  return found ? text.protect(found, size) : nullptr;
}

}  // namespace hetjit::python
