#include "python/ext/libraries/library_memory.h"

#include "python/ext/handles/errors.h"
#include "python/ext/handles/set_aside.h"
#include "python/ext/handles/structs.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

struct MemoryObject {
  PyObject_HEAD library::Capsule capsule;
  library::Release release;  // null: nobody releases it
  void* data;                // the capsule's own address, or what its owner keeps there
  Py_ssize_t bytes;
  int readonly;
  Kept kind;    // what it is, a str: only such may be passed for it
  Kept source;  // the Memory that this is a part of, or what keeps `release` loaded
};

MemoryObject& self_of(Borrowed object) { return as_struct<MemoryObject>(object); }

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  const char* const names[] = {"address", "size",    "readonly", "kind", "owner",
                               "idtor",   "release", "source",   nullptr};
  unsigned long long address = 0, owner = 0, release = 0;
  Py_ssize_t bytes = 0;
  int readonly = 0, idtor = 0;
  PyObject *kind = nullptr, *source = Py_None;
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "KnpUKiKO", const_cast<char**>(names),
                                   &address, &bytes, &readonly, &kind, &owner, &idtor, &release,
                                   &source))
    return nullptr;
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* made = allocate(type, 0);
  if (!made) return nullptr;
  MemoryObject& self = self_of(made);
  self.capsule = {reinterpret_cast<void*>(owner), idtor, 0};
  self.data = reinterpret_cast<void*>(address);
  self.release = reinterpret_cast<library::Release>(release);
  self.bytes = bytes;
  self.readonly = readonly;
  self.kind = Handle::share(kind);
  self.source = Handle::share(source);
  return made;
}

// Once: what a destructor runs may come back here.
void release(MemoryObject& self) {
  library::Capsule had = std::exchange(self.capsule, {nullptr, 0, 0});
  if (had.addr && had.idtor && self.release) self.release(&had);
}

bool is_memory(Borrowed object, Borrowed like) {
  return PyObject_TypeCheck(object.get(), Py_TYPE(like.get())) != 0;
}

// A part ends with the whole.
bool has_ended(MemoryObject& self, Borrowed object) {
  if (!self.capsule.addr) return true;
  return is_memory(self.source, object) && has_ended(self_of(self.source), self.source);
}

void destroy(PyObject* object) {
  PyTypeObject* type = Py_TYPE(object);
  MemoryObject& self = self_of(object);
  {
    const SetAside raised;
    release(self);
    self.kind = Handle();
    self.source = Handle();
  }
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(object);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyObject* delete_memory(PyObject* object, PyObject*) {
  release(self_of(object));
  return new_none();
}

bool check_there(Borrowed object) {
  if (!has_ended(self_of(object), object)) return true;
  const Handle error = error_class("ReleasedError");
  return error && fail(error.get(), "this memory of a library has been released");
}

int get_buffer(PyObject* object, Py_buffer* view, int flags) {
  view->obj = nullptr;
  if (!check_there(object)) return -1;
  MemoryObject& self = self_of(object);
  return PyBuffer_FillInfo(view, object, self.data, self.bytes, self.readonly, flags);
}

PyObject* as_int(PyObject* object) {
  return check_there(object) ? PyLong_FromVoidPtr(self_of(object).data) : nullptr;
}
PyObject* get_released(PyObject* object, void*) {
  return PyBool_FromLong(has_ended(self_of(object), object));
}
PyObject* get_size(PyObject* object, void*) { return PyLong_FromSsize_t(self_of(object).bytes); }
PyObject* get_owned(PyObject* object, void*) {
  return PyBool_FromLong(self_of(object).capsule.idtor != 0);
}
PyObject* get_readonly(PyObject* object, void*) {
  return PyBool_FromLong(self_of(object).readonly);
}
PyObject* get_source(PyObject* object, void*) { return self_of(object).source.dup().release(); }
PyObject* get_kind(PyObject* object, void*) { return self_of(object).kind.dup().release(); }

PyMethodDef methods[] = {
    {"delete", ended<delete_memory>, METH_NOARGS,
     "Releases it now, where it is the caller's. Once: a second time does nothing."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef attributes[] = {
    {"released", get_released, nullptr, "Whether it has been released.", nullptr},
    {"size", get_size, nullptr, "Bytes, as far as they are known.", nullptr},
    {"owned", get_owned, nullptr, "Whether it is released with this object.", nullptr},
    {"readonly", get_readonly, nullptr, "Whether the library declares it const.", nullptr},
    {"source", get_source, nullptr, "The Memory that it is a part of, if any.", nullptr},
    {"kind", get_kind, nullptr, "What the library declares it to be.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, attributes},
                       {Py_nb_int, reinterpret_cast<void*>(as_int)},
                       {Py_nb_index, reinterpret_cast<void*>(as_int)},
                       {Py_bf_getbuffer, reinterpret_cast<void*>(get_buffer)},
                       {Py_tp_doc, const_cast<char*>("Memory of a library.")},
                       {0, nullptr}};

PyType_Spec spec = {"hetjit._core.Memory", sizeof(MemoryObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

bool check_memory_of(Borrowed array, const Handle& memory_type) {
  Handle at = Handle::share(array.get());
  while (at && at.get() != Py_None) {
    if (is_instance(at, memory_type)) return check_there(at);
    at = Handle::own(PyObject_GetAttrString(at.get(), "base"));
  }
  PyErr_Clear();  // what has no base is no array
  return true;
}

bool address_of_memory(Borrowed memory, void*& to) {
  if (!check_there(memory)) return false;
  to = self_of(memory).data;
  return true;
}

Handle make_memory_type(Borrowed module) { return make_type<MemoryObject>(module, spec); }

}  // namespace hetjit::python
