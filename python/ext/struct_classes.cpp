#include "python/ext/struct_classes.h"

#include <algorithm>
#include <string>

#include "python/ext/capturer.h"
#include "python/ext/weak.h"

namespace hetjit::python {
namespace {

std::string key_of(TypeId type) { return std::to_string(type.index); }

std::vector<Handle> objects_of(Borrowed references) {
  std::vector<Handle> found;
  const Py_ssize_t count = references.get() ? PyTuple_Size(references) : 0;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (Handle cls = object_of(PyTuple_GetItem(references, i))) found.push_back(std::move(cls));
  return found;
}

Handle references_to(const std::vector<Handle>& classes) {
  Handle made = Handle::own(PyTuple_New(static_cast<Py_ssize_t>(classes.size())));
  for (size_t i = 0; made && i < classes.size(); ++i) {
    PyObject* reference = PyWeakref_NewRef(classes[i].get(), nullptr);
    if (!reference || PyTuple_SetItem(made.get(), static_cast<Py_ssize_t>(i), reference) < 0)
      return Handle();
  }
  return made;
}

}  // namespace

std::vector<Handle> StructClasses::of(TypeId type) const {
  return objects_of(find_item(classes_, key_of(type)));
}

void StructClasses::watch(NameWatcher& names, TypeId type, Watches& to) const {
  const std::string key = key_of(type);
  to.add_item(names, classes_, key, find_item(classes_, key));
}

bool StructClasses::add(TypeId type, Borrowed cls) {
  std::vector<Handle> all = of(type);
  if (std::any_of(all.begin(), all.end(), [&](const Handle& one) { return one.get() == cls; }))
    return true;
  all.push_back(cls.dup());
  Handle references = references_to(all);
  if (!references ||
      PyDict_SetItemString(classes_.get(), key_of(type).c_str(), references.get()) < 0)
    return false;
  if (PyDict_Size(classes_.get()) > most_) forget_ended();
  return true;
}

// Types stay for ever, their classes do not.
void StructClasses::forget_ended() {
  Handle keys = Handle::own(PyDict_Keys(classes_.get()));
  for (Py_ssize_t i = 0; keys && i < PyList_Size(keys.get()); ++i) {
    PyObject* key = PyList_GetItem(keys.get(), i);  // borrowed
    if (objects_of(PyDict_GetItemWithError(classes_.get(), key)).empty())
      PyDict_DelItem(classes_.get(), key);
  }
  PyErr_Clear();
  most_ = std::max<Py_ssize_t>(64, 2 * PyDict_Size(classes_.get()));
}

int StructClasses::traverse(visitproc visit, void* arg) const {
  Py_VISIT(classes_.get());
  return 0;
}

}  // namespace hetjit::python
