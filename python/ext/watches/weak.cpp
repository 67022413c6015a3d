#include "python/ext/watches/weak.h"

#include "python/ext/handles/python.h"
#include "python/ext/watches/watched_names.h"

namespace hetjit::python {
namespace {

PyObject* told(PyObject* capsule, PyObject* reference) {
  auto* tell = static_cast<AtEnd*>(PyCapsule_GetPointer(capsule, nullptr));
  if (!tell) return nullptr;
  (*tell)(reference);
  return new_none();
}

PyMethodDef callback = {"ended", told, METH_O, "An object that was looked at has ended."};

void destroy(PyObject* capsule) {
  delete static_cast<AtEnd*>(PyCapsule_GetPointer(capsule, nullptr));
}

}  // namespace

Handle watch_end(Borrowed object, AtEnd tell) {
  auto owned = std::make_unique<AtEnd>(std::move(tell));
  Handle capsule = Handle::own(PyCapsule_New(owned.get(), nullptr, destroy));
  if (capsule) (void)owned.release();  // the capsule's from here on
  Handle function =
      capsule ? Handle::own(PyCFunction_NewEx(&callback, capsule.get(), nullptr)) : Handle();
  Handle made = function ? Handle::own(PyWeakref_NewRef(object.get(), function.get())) : Handle();
  PyErr_Clear();
  return made;
}

Handle object_of(Borrowed reference) {
  Handle found = Handle::own(PyObject_CallNoArgs(reference.get()));
  PyErr_Clear();
  return found && found.get() != Py_None ? std::move(found) : Handle();
}

bool Ends::add(Borrowed object) {
  Handle reference = watch_end(object, [any = any_](PyObject*) {
    *any = true;
    ++rebindings;
  });
  if (!reference) return false;
  references_.push_back(std::move(reference));
  return true;
}

}  // namespace hetjit::python
