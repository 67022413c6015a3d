#include "python/ext/types/struct_classes.h"

#include <algorithm>
#include <string>

#include "python/ext/handles/builder.h"
#include "python/ext/handles/objects.h"
#include "python/ext/watches/weak.h"

namespace hetjit::python {
namespace {

std::string key_of(TypeId type) { return std::to_string(type.index); }

std::vector<Handle> objects_of(Borrowed references) {
  std::vector<Handle> found;
  const Py_ssize_t count = references ? PyTuple_Size(references.get()) : 0;
  for (Py_ssize_t i = 0; i < count; ++i)
    if (Handle cls = object_of(held_item(references, i))) found.push_back(std::move(cls));
  return found;
}

Handle references_to(const std::vector<Handle>& classes) {
  TupleBuilder made(classes.size());
  for (size_t i = 0; made && i < classes.size(); ++i)
    made.set(i, Handle::own(PyWeakref_NewRef(classes[i].get(), nullptr)));
  return made.build();
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
  if (std::any_of(all.begin(), all.end(), [&](const Handle& one) { return is(one, cls); }))
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
    Handle key = list_item(keys, static_cast<size_t>(i));
    if (objects_of(dict_item(classes_, key)).empty()) PyDict_DelItem(classes_.get(), key.get());
  }
  PyErr_Clear();
  most_ = std::max<Py_ssize_t>(64, 2 * PyDict_Size(classes_.get()));
}

int StructClasses::traverse(visitproc visit, void* arg) const {
  Py_VISIT(classes_.get());
  return 0;
}

}  // namespace hetjit::python
