#include "python/ext/array_object.h"

#include <new>

#include "abi/layout.h"
#include "python/ext/errors.h"
#include "python/ext/read_arguments.h"
#include "python/ext/set_aside.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

struct ArrayObject {
  PyObject_HEAD DeviceArray array;
};

DeviceArray& self_of(Borrowed object) {
  return reinterpret_cast<ArrayObject*>(object.get())->array;
}

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

// Extents to a C-order array value; the number of bytes, or -1 with an exception set.
int64_t read_shape(Borrowed shape, int64_t bytes, ArrayValue& to) {
  Py_ssize_t rank = PyTuple_Size(shape);
  if (rank < 0) return -1;
  if (rank > kMaxRank) {
    fail(PyExc_ValueError, "an array has at most 8 dimensions, not " + std::to_string(rank));
    return -1;
  }
  to.rank = static_cast<uint8_t>(rank);
  int64_t count = 1;
  for (Py_ssize_t axis = rank - 1; axis >= 0; --axis) {
    int64_t extent = PyLong_AsLongLong(PyTuple_GetItem(shape, axis));
    if (extent < 0 && PyErr_Occurred()) return -1;
    to.shape[axis] = extent;
    to.strides[axis] = count;
    if (extent < 0) fail(PyExc_ValueError, "no array has an extent of " + std::to_string(extent));
    if (extent >= 0 && !__builtin_mul_overflow(bytes, extent, &bytes)) {
      count *= extent;
      continue;
    }
    if (extent >= 0) fail(PyExc_ValueError, "an array of that shape has more than 2**63 bytes");
    return -1;
  }
  return bytes;
}

// What launches still hold may be what there is too little of.
Result<runtime::Buffer> allocate_memory(State& state, runtime::Device& device, size_t bytes) {
  state.loans.collect();
  Result<runtime::Buffer> buffer = runtime::Buffer::make(device, bytes);
  if (buffer || buffer.error().code != ErrorCode::OutOfMemory) return buffer;
  state.loans.settle_all();
  return runtime::Buffer::make(device, bytes);
}

PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  PyObject* shape = nullptr;
  const char *format = nullptr, *where = nullptr;
  const char* const names[] = {"shape", "dtype", "device", nullptr};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!ss", const_cast<char**>(names),
                                   &PyTuple_Type, &shape, &format, &where))
    return nullptr;
  Result<TypeId> element = parse_type(format);
  if (!element) return fail(PyExc_ValueError, std::string("no element type is called ") + format);
  State* state = state_of(type);
  runtime::Device* device = state ? Devices::open(where) : nullptr;
  ArrayValue value;
  int64_t bytes = device ? read_shape(shape, layout(*element).stride(), value) : -1;
  if (bytes < 0) return nullptr;
  Result<runtime::Buffer> buffer = allocate_memory(*state, *device, static_cast<size_t>(bytes));
  if (!buffer) return fail(buffer.error());
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* made = allocate(type, 0);
  if (!made) return nullptr;
  value.data = reinterpret_cast<void*>(buffer->address());
  new (&self_of(made)) DeviceArray{std::move(*buffer), value, *element, memory_of(*device),
                                   array_word(value, *element, true)};
  return made;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  {
    const SetAside raised;
    self_of(self).~DeviceArray();
  }
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

// The bytes of a Python buffer of the array's size; released with the object.
struct Bytes {
  Py_buffer view{};
  bool held = false;
  bool take(Borrowed from, int flags, size_t bytes) {
    if (PyObject_GetBuffer(from, &view, flags) < 0) return false;
    held = true;
    if (static_cast<size_t>(view.len) == bytes) return true;
    return fail(PyExc_ValueError, "a buffer of " + std::to_string(view.len) +
                                      " bytes for an array of " + std::to_string(bytes));
  }
  ~Bytes() {
    if (held) PyBuffer_Release(&view);
  }
};

template <class Copy>
PyObject* copy(PyObject* self, Bytes& bytes, Copy direction) {
  DeviceArray& array = self_of(self);
  State* state = state_of(Py_TYPE(self));
  if (!state) return nullptr;
  runtime::Device& device = array.buffer.device();
  Result<std::vector<runtime::Handle>> users = state->loans.order(device, nullptr, self);
  if (!users) return fail(users.error());
  Status done;
  Py_BEGIN_ALLOW_THREADS;
  done = (array.buffer.*direction)(bytes.view.buf, nullptr);
  if (done.ok()) done = device.wait(nullptr);
  Py_END_ALLOW_THREADS;
  if (!done.ok()) return fail(done.error());
  state->loans.collect();
  users->push_back(nullptr);
  for (runtime::Handle stream : *users)
    if (!state->speakers.listen(device, stream, nullptr)) return nullptr;
  return new_none();
}

PyObject* copy_in(PyObject* self, PyObject* from) {
  Bytes bytes;
  if (!bytes.take(from, PyBUF_C_CONTIGUOUS, self_of(self).buffer.bytes())) return nullptr;
  return copy(self, bytes, &runtime::Buffer::copy_in);
}

PyObject* copy_out(PyObject* self, PyObject* to) {
  Bytes bytes;
  if (!bytes.take(to, PyBUF_C_CONTIGUOUS | PyBUF_WRITABLE, self_of(self).buffer.bytes()))
    return nullptr;
  return copy(self, bytes, &runtime::Buffer::copy_out);
}

// The default stream comes after the launches that use the array.
PyObject* order(PyObject* self, PyObject*) {
  State* state = state_of(Py_TYPE(self));
  if (!state) return nullptr;
  const Result<std::vector<runtime::Handle>> users =
      state->loans.order(self_of(self).buffer.device(), nullptr, self);
  return users.ok() ? new_none() : fail(users.error());
}

PyObject* get_shape(PyObject* self, void*) {
  const ArrayValue& value = self_of(self).value;
  Handle shape = Handle::own(PyTuple_New(value.rank));
  for (Py_ssize_t axis = 0; shape && axis < value.rank; ++axis)
    if (PyTuple_SetItem(shape.get(), axis, PyLong_FromLongLong(value.shape[axis])) < 0)
      return nullptr;
  return shape.release();
}
PyObject* get_format(PyObject* self, void*) {
  TypeId element = self_of(self).element;
  std::string name = is_scalar(element) ? to_python(element) : to_text(element);
  return PyUnicode_FromString(name.c_str());
}
PyObject* get_nbytes(PyObject* self, void*) {
  return PyLong_FromSize_t(self_of(self).buffer.bytes());
}
PyObject* get_address(PyObject* self, void*) {
  return PyLong_FromVoidPtr(self_of(self).value.data);
}
PyObject* get_device(PyObject* self, void*) {
  return PyUnicode_FromString(self_of(self).buffer.device().name().c_str());
}
PyObject* get_place(PyObject* self, void*) {
  const DLDevice& place = self_of(self).place;
  return Py_BuildValue("(ii)", static_cast<int>(place.device_type), place.device_id);
}

PyGetSetDef attributes[] = {
    {"shape", get_shape, nullptr, "Extents, as a tuple.", nullptr},
    {"format", get_format, nullptr, "Name of the element type: 'float32'.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of the elements.", nullptr},
    {"address", get_address, nullptr, "Device address of the first element.", nullptr},
    {"device", get_device, nullptr, "Name of the device: 'cuda:0'.", nullptr},
    {"place", get_place, nullptr, "DLPack's device type and number.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef methods[] = {
    {"copy_in", copy_in, METH_O, "Copies all bytes from a buffer, and waits."},
    {"copy_out", copy_out, METH_O, "Copies all bytes to a writable buffer, and waits."},
    {"order", order, METH_NOARGS, "Lets the default stream wait for the launches that use it."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(create)},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_tp_doc, const_cast<char*>("Memory of a device, with a shape and an element type.")},
    {0, nullptr}};

PyType_Spec spec = {"hetjit._core.DeviceArray", sizeof(ArrayObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

Handle make_array_type(Borrowed module) {
  return Handle::own(PyType_FromModuleAndSpec(module, &spec, nullptr));
}

const DeviceArray& array_of(Borrowed object) { return self_of(object); }

}  // namespace hetjit::python
