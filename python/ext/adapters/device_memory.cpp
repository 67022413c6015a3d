// What `hetjit.types.DeviceArray` is made of: an adapter with a shape, which is lent to others as a
// buffer where the host can reach the memory. The Python class decides what the shape may be.
#include "python/ext/adapters/pointer_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/handles/set_aside.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

bool read_extents(Borrowed extents, BufferShape& to) {
  Py_ssize_t step = to.item_bytes;
  to.extents.resize(static_cast<size_t>(PyTuple_Size(extents.get())));
  to.strides.resize(to.extents.size());
  for (size_t axis = to.extents.size(); axis-- > 0;) {
    to.extents[axis] = PyLong_AsSsize_t(held_item(extents, axis).get());
    to.strides[axis] = step;
    if (PyErr_Occurred()) return false;
    // An extent of 0 may stand beside some whose product no number holds.
    step =
        static_cast<Py_ssize_t>(static_cast<size_t>(step) * static_cast<size_t>(to.extents[axis]));
  }
  to.bytes = step;
  return true;
}

// Takes what the Python class has checked: extents, bytes of an element, and their format as the
// module struct has it.
PyObject* describe_as(PyObject* self, PyObject* arguments) {
  PyObject* extents = nullptr;
  const char* format = nullptr;
  BufferShape made;
  if (!PyArg_ParseTuple(arguments, "O!ns", &PyTuple_Type, &extents, &made.item_bytes, &format) ||
      !read_extents(extents, made))
    return nullptr;
  PointerObject& pointer = pointer_of(self);
  if (!check_not_exported(pointer)) return nullptr;
  made.format = format;
  pointer.memory.bytes = static_cast<size_t>(made.bytes);
  pointer.shape = std::make_unique<BufferShape>(std::move(made));
  return new_none();
}

// Of the same class: so many bytes from an offset on, which keep the whole.
PyObject* part(PyObject* self, PyObject* arguments) {
  unsigned long long offset = 0;
  Py_ssize_t bytes = 0;
  if (!PyArg_ParseTuple(arguments, "Kn", &offset, &bytes)) return nullptr;
  Handle made = null_of(Py_TYPE(self));
  if (!made) return nullptr;
  const Memory& whole = memory_of_pointer(self);
  if (whole.address == 0 && bytes > 0) return fail(PyExc_ValueError, "there is no memory at NULL");
  Memory& memory = memory_of_pointer(made);
  memory.address = whole.address + offset;
  memory.bytes = static_cast<size_t>(bytes);
  memory.place = whole.place;
  memory.writable = whole.writable;
  memory.owner = Handle::share(self);
  return made.release();
}

PyObject* get_read_only(PyObject* self, void*) {
  return PyBool_FromLong(!memory_of_pointer(self).writable);
}

int set_read_only(PyObject* self, PyObject* value, void*) {
  const int read_only = value ? PyObject_IsTrue(value) : -1;
  if (!value) fail(PyExc_AttributeError, "read_only cannot be deleted");
  if (read_only < 0 || !check_not_exported(pointer_of(self))) return -1;
  memory_of_pointer(self).writable = !read_only;
  return 0;
}

// A buffer of a part is one of the whole, and of all that the memory is had through.
void count_exports(PyObject* self, Py_ssize_t by) {
  const SetAside raised;
  const State* state = state_of(Py_TYPE(self));
  for (PyObject* at = self; at && state && is_instance(at, state->pointer_type);
       at = memory_of_pointer(at).owner.get())
    pointer_of(at).exports += by;
}

int lend(PyObject* self, Py_buffer* view, int flags) {
  PointerObject& pointer = pointer_of(self);
  BufferShape* shape = pointer.shape.get();
  view->obj = nullptr;
  if (!shape || !is_on_host(pointer.memory))
    fail(PyExc_BufferError, shape ? "the host cannot reach this memory: copy it"
                                  : "how many bytes there are is not known: configure() says it");
  else if ((flags & PyBUF_WRITABLE) && !pointer.memory.writable)
    fail(PyExc_BufferError, "this memory may only be read");
  if (PyErr_Occurred()) return -1;
  const bool shaped = (flags & PyBUF_ND) == PyBUF_ND;
  *view = {.buf = reinterpret_cast<void*>(pointer.memory.address),
           .obj = Handle::share(self).release(),
           .len = shape->bytes,
           .itemsize = shape->item_bytes,
           .readonly = !pointer.memory.writable,
           .ndim = shaped ? static_cast<int>(shape->extents.size()) : 1,
           .format = flags & PyBUF_FORMAT ? shape->format.data() : nullptr,
           .shape = shaped ? shape->extents.data() : nullptr,
           .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? shape->strides.data() : nullptr,
           .suboffsets = nullptr,
           .internal = nullptr};
  count_exports(self, 1);
  return 0;
}

void take_back(PyObject* self, Py_buffer*) { count_exports(self, -1); }

PyObject* check_unlocked(PyObject* self, PyObject*) {
  return check_not_exported(pointer_of(self)) ? new_none() : nullptr;
}

PyMethodDef methods[] = {
    {"_describe", describe_as, METH_VARARGS, "Sets extents, bytes of an element and their format."},
    {"_part", part, METH_VARARGS, "The bytes from an offset on, as an array without a shape."},
    {"_check_unlocked", check_unlocked, METH_NOARGS,
     "Raises RuntimeError while somebody has a buffer of it."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef attributes[] = {
    {"read_only", get_read_only, set_read_only, "Whether the memory may only be read.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

}  // namespace

bool check_not_exported(const PointerObject& pointer) {
  if (pointer.exports == 0) return true;
  return fail(PyExc_RuntimeError,
              "a buffer of this memory is in use, a memoryview perhaps: until "
              "it is released nothing about the memory may change");
}

bool add_memory_type(Borrowed module, const State& state) {
  return add_adapter(module, state, "DeviceMemory", "An address with a shape.",
                     initialise<read_pointer>,
                     {{Py_tp_methods, methods},
                      {Py_tp_getset, attributes},
                      {Py_bf_getbuffer, reinterpret_cast<void*>(lend)},
                      {Py_bf_releasebuffer, reinterpret_cast<void*>(take_back)}});
}

}  // namespace hetjit::python
