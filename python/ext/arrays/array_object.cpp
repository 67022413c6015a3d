#include "python/ext/arrays/array_object.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "abi/dlpack_view.h"
#include "abi/layout.h"
#include "python/ext/arguments/read_arguments.h"
#include "python/ext/arrays/array_memory.h"
#include "python/ext/handles/builder.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/handles/set_aside.h"
#include "python/ext/handles/structs.h"
#include "python/ext/state.h"
#include "python/ext/types/values.h"

namespace hetjit::python {
namespace {

struct ArrayObject {
  PyObject_HEAD DeviceArray array;
};

DeviceArray& self_of(Borrowed object) { return as_struct<ArrayObject>(object).array; }

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

bool is_too_little(const Result<ArrayMemory>& memory) {
  return !memory && memory.error().code == ErrorCode::OutOfMemory;
}

Error too_little(runtime::Device& device, const MemoryUse& use, Error error) {
  error.text +=
      "; " + std::to_string(use.arrays) + " arrays hold " + std::to_string(use.held) + " bytes";
  if (Result<runtime::MemoryInfo> memory = device.memory(); memory.ok())
    error.text += ", and " + std::to_string(memory->free) + " of " + std::to_string(memory->total) +
                  " are free";
  return error;
}

// What launches still hold, and what is kept, may be what there is too little of.
Result<ArrayMemory> allocate_memory(State& state, runtime::Device& device, size_t bytes) {
  const std::shared_ptr<Pool> pool = state.allocations.of(device);
  state.loans.collect();
  Result<ArrayMemory> memory = ArrayMemory::make(pool, bytes);
  if (is_too_little(memory)) {
    state.loans.settle_all();
    memory = ArrayMemory::make(pool, bytes);
  }
  if (is_too_little(memory)) {
    (void)pool->trim(0);
    memory = ArrayMemory::make(pool, bytes);
  }
  return is_too_little(memory) ? too_little(device, pool->use(), memory.error())
                               : std::move(memory);
}

// A shape and an element type, as all ways to make an array are given them; the number of bytes, or
// -1 with an exception set.
int64_t read_head(Borrowed shape, const char* format, DeviceArray& to) {
  Result<TypeId> element = parse_type(format);
  if (!element) {
    fail(PyExc_ValueError, std::string("no element type is called ") + format);
    return -1;
  }
  to.element = *element;
  return read_shape(shape, static_cast<int64_t>(to.stride()), to.value);
}

PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  PyObject* shape = nullptr;
  const char *format = nullptr, *where = nullptr;
  const char* const names[] = {"shape", "dtype", "device", nullptr};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O!ss", const_cast<char**>(names),
                                   &PyTuple_Type, &shape, &format, &where))
    return nullptr;
  DeviceArray array;
  const int64_t bytes = read_head(shape, format, array);
  State* state = bytes < 0 ? nullptr : state_of(type);
  array.device = state ? Devices::open(where) : nullptr;
  if (!array.device) return nullptr;
  Result<ArrayMemory> memory = allocate_memory(*state, *array.device, static_cast<size_t>(bytes));
  if (!memory) {
    if (!PyErr_Occurred()) fail(memory.error());
    return nullptr;
  }
  array.memory = std::move(*memory);
  array.value.data = reinterpret_cast<void*>(array.memory.address());
  array.place = memory_of(*array.device);
  array.word = array_word(array.value, array.element, true);
  return new_array(type, std::move(array));
}

// An array of a device's memory at an address, which another object keeps.
PyObject* at(PyObject* type, PyObject* arguments) {
  unsigned long long address = 0;
  PyObject *base = nullptr, *shape = nullptr;
  const char *format = nullptr, *where = nullptr;
  int writable = 0;
  if (!PyArg_ParseTuple(arguments, "KOO!ssp", &address, &base, &PyTuple_Type, &shape, &format,
                        &where, &writable))
    return nullptr;
  DeviceArray array;
  array.device = read_head(shape, format, array) < 0 ? nullptr : Devices::open(where);
  if (!array.device) return nullptr;
  array.value.data = reinterpret_cast<void*>(address);
  array.place = memory_of(*array.device);
  array.word = array_word(array.value, array.element, writable);
  array.base = Handle::share(base);
  return new_array(reinterpret_cast<PyTypeObject*>(type), std::move(array));
}

// An array over a Python buffer, which keeps the memory.
PyObject* over(PyObject* type, PyObject* arguments) {
  PyObject *source = nullptr, *shape = nullptr;
  const char* format = nullptr;
  if (!PyArg_ParseTuple(arguments, "OO!s", &source, &PyTuple_Type, &shape, &format)) return nullptr;
  DeviceArray array;
  const int64_t bytes = read_head(shape, format, array);
  array.device = bytes < 0 ? nullptr : Devices::open("cpu");
  array.lent = std::make_unique<HostBytes>();
  if (!array.device || !array.lent->take(source, PyBUF_SIMPLE, static_cast<size_t>(bytes)))
    return nullptr;
  array.value.data = array.lent->data();
  const TypeId lies = element_at(array.element, reinterpret_cast<uintptr_t>(array.value.data));
  if (lies != array.element && !may_lie_anywhere(array.element))
    return fail(PyExc_BufferError, "the buffer does not lie at a multiple of the alignment of " +
                                       to_python(array.element));
  array.word = array_word(array.value, lies, array.lent->writable());
  return new_array(reinterpret_cast<PyTypeObject*>(type), std::move(array));
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

// A copy from or to the host, after the launches that use the array and with what they say.
template <class Copy>
PyObject* copy(PyObject* self, Copy copied) {
  State* state = state_of(Py_TYPE(self));
  if (!state) return nullptr;
  runtime::Device& device = *self_of(self).device;
  Result<std::vector<runtime::Handle>> users =
      state->loans.order(device, nullptr, owner_of(self).get());
  if (!users) return fail(users.error());
  Status done;
  Py_BEGIN_ALLOW_THREADS;
  done = copied();
  Py_END_ALLOW_THREADS;
  if (!done.ok()) return fail(done.error());
  state->loans.collect();
  users->push_back(nullptr);
  for (runtime::Handle stream : *users)
    if (!state->speakers.listen(device, stream, nullptr)) return nullptr;
  return new_none();
}

PyObject* copy_in_from(PyObject* self, const std::byte* from) {
  const DeviceArray& to = self_of(self);
  if (!to.writable()) return fail(PyExc_BufferError, "the array may only be read");
  return copy(self, [&] { return copy_elements_in(*to.device, to.value, to.stride(), from); });
}

PyObject* copy_in(PyObject* self, PyObject* from) {
  HostBytes bytes;
  return bytes.take(from, PyBUF_SIMPLE, self_of(self).bytes()) ? copy_in_from(self, bytes.data())
                                                               : nullptr;
}

// Null with a MemoryError set: there are not so many.
std::unique_ptr<std::byte[]> new_bytes(size_t count) {
  std::unique_ptr<std::byte[]> made(new (std::nothrow) std::byte[count]);
  if (!made) PyErr_NoMemory();
  return made;
}

PyObject* read_list(PyObject* self, PyObject* from) {
  const DeviceArray& to = self_of(self);
  State* state = state_of(Py_TYPE(self));
  const std::unique_ptr<std::byte[]> bytes = new_bytes(to.bytes());
  const std::span<const int64_t> shape(to.value.shape, to.value.rank);
  return state && bytes && read_lists(*state, from, shape, to.element, bytes.get())
             ? copy_in_from(self, bytes.get())
             : nullptr;
}

// Of an array in C order.
PyObject* fill_bytes(PyObject* self, std::byte value) {
  const DeviceArray& to = self_of(self);
  if (!to.writable()) return fail(PyExc_BufferError, "the array may only be read");
  const auto address = reinterpret_cast<runtime::Address>(to.value.data);
  return copy(self, [&]() -> Status {
    HETJIT_TRY(to.device->fill(address, static_cast<uint8_t>(value), to.bytes(), nullptr));
    return to.device->wait(nullptr);
  });
}

PyObject* clear(PyObject* self, PyObject*) {
  if (is_contiguous(self_of(self).value)) return fill_bytes(self, std::byte{0});
  return fail(PyExc_ValueError, "the elements do not lie in C order");
}

PyObject* fill(PyObject* self, PyObject* value) {
  const DeviceArray& to = self_of(self);
  State* state = state_of(Py_TYPE(self));
  std::vector<std::byte> one(to.stride());
  if (!state || !read_lists(*state, value, {}, to.element, one.data())) return nullptr;
  const auto is_first = [&](std::byte byte) { return byte == one.front(); };
  if (!one.empty() && std::all_of(one.begin(), one.end(), is_first) && is_contiguous(to.value))
    return fill_bytes(self, one.front());
  const std::unique_ptr<std::byte[]> all = new_bytes(to.bytes());
  if (!all) return nullptr;
  for (size_t filled = 0; filled < to.bytes(); filled += one.size())
    std::memcpy(all.get() + filled, one.data(), one.size());
  return copy_in_from(self, all.get());
}

PyObject* copy_out_to(PyObject* self, std::byte* to) {
  const DeviceArray& from = self_of(self);
  return copy(self, [&] { return copy_elements_out(*from.device, from.value, from.stride(), to); });
}

PyObject* copy_out(PyObject* self, PyObject* to) {
  HostBytes bytes;
  return bytes.take(to, PyBUF_WRITABLE, self_of(self).bytes()) ? copy_out_to(self, bytes.data())
                                                               : nullptr;
}

// The elements behind `from`, along the axes from `axis` on.
Handle list_of(const DeviceArray& array, int axis, const std::byte*& from) {
  if (axis == array.value.rank)
    return value_object(array.element, std::exchange(from, from + array.stride()));
  Handle list = Handle::own(PyList_New(0));
  for (int64_t i = 0; list && i < array.value.shape[axis]; ++i) {
    const Handle item = list_of(array, axis + 1, from);
    if (!item || PyList_Append(list.get(), item.get()) < 0) return Handle();
  }
  return list;
}

PyObject* to_list(PyObject* self, PyObject*) {
  const std::unique_ptr<std::byte[]> bytes = new_bytes(self_of(self).bytes());
  if (!bytes || !Handle::own(copy_out_to(self, bytes.get()))) return nullptr;
  const std::byte* from = bytes.get();
  return list_of(self_of(self), 0, from).release();
}

// A stream comes after the launches that use the array.
PyObject* order(PyObject* self, PyObject* number) {
  State* state = state_of(Py_TYPE(self));
  void* stream = PyLong_AsVoidPtr(number);
  if (!state || PyErr_Occurred()) return nullptr;
  share(self);
  const Result<std::vector<runtime::Handle>> users =
      state->loans.order(*self_of(self).device, stream, owner_of(self).get());
  return users.ok() ? new_none() : fail(users.error());
}

PyObject* tuple_of(const int64_t* numbers, uint8_t count) {
  TupleBuilder made(count);
  for (size_t i = 0; made && i < count; ++i)
    made.set(i, Handle::own(PyLong_FromLongLong(numbers[i])));
  return made.build().release();
}

PyObject* get_shape(PyObject* self, void*) {
  return tuple_of(self_of(self).value.shape, self_of(self).value.rank);
}
PyObject* get_strides(PyObject* self, void*) {
  return tuple_of(self_of(self).value.strides, self_of(self).value.rank);
}
PyObject* get_format(PyObject* self, void*) {
  TypeId element = self_of(self).element;
  std::string name = is_scalar(element) ? to_python(element) : to_text(element);
  return PyUnicode_FromString(name.c_str());
}
PyObject* get_nbytes(PyObject* self, void*) { return PyLong_FromSize_t(self_of(self).bytes()); }
PyObject* get_address(PyObject* self, void*) {
  share(self);
  return PyLong_FromVoidPtr(self_of(self).value.data);
}
PyObject* get_device(PyObject* self, void*) {
  return PyUnicode_FromString(self_of(self).device->name().c_str());
}
PyObject* get_place(PyObject* self, void*) {
  const DLDevice& place = self_of(self).place;
  return Py_BuildValue("(ii)", static_cast<int>(place.device_type), place.device_id);
}

PyObject* get_contiguous(PyObject* self, void*) {
  return PyBool_FromLong(is_contiguous(self_of(self).value));
}
PyObject* get_writable(PyObject* self, void*) { return PyBool_FromLong(self_of(self).writable()); }

PyGetSetDef attributes[] = {
    {"shape", get_shape, nullptr, "Extents, as a tuple.", nullptr},
    {"strides", get_strides, nullptr, "From one element to the next along each axis, in elements.",
     nullptr},
    {"contiguous", get_contiguous, nullptr, "Whether the elements lie in C order without gaps.",
     nullptr},
    {"writable", get_writable, nullptr, "Whether it may be stored to.", nullptr},
    {"format", get_format, nullptr, "Name of the element type: 'float32'.", nullptr},
    {"nbytes", get_nbytes, nullptr, "Bytes of the elements.", nullptr},
    {"address", get_address, nullptr, "Device address of the first element.", nullptr},
    {"device", get_device, nullptr, "Name of the device: 'cuda:0'.", nullptr},
    {"place", get_place, nullptr, "DLPack's device type and number.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef methods[] = {
    {"copy_in", copy_in, METH_O, "Copies all bytes from a buffer, and waits."},
    {"copy_out", copy_out, METH_O, "Copies all bytes to a writable buffer, and waits."},
    {"read_list", read_list, METH_O, "The elements from nested lists of its shape."},
    {"fill", fill, METH_O, "Gives all elements a value."},
    {"clear", clear, METH_NOARGS, "Makes all bytes zero, of an array in C order."},
    {"tolist", to_list, METH_NOARGS,
     "The elements as Python's numbers, in nested lists; without axes the number itself."},
    {"part", array_part, METH_VARARGS, "(offset, shape, strides): a view of some elements."},
    {"lend", array_lend, METH_O, "(versioned): a DLPack capsule."},
    {"order", order, METH_O, "Lets a stream wait for the launches that use it."},
    {"over", over, METH_VARARGS | METH_CLASS, "(buffer, shape, format): shares its memory."},
    {"at", ended<at>, METH_VARARGS | METH_CLASS, "Memory that another object keeps."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(create)},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_bf_getbuffer, reinterpret_cast<void*>(array_get_buffer)},
    {Py_bf_releasebuffer, reinterpret_cast<void*>(array_release_buffer)},
    {Py_tp_getset, attributes},
    {Py_tp_methods, methods},
    {Py_tp_doc, const_cast<char*>("Memory of a device, with a shape and an element type.")},
    {0, nullptr}};

PyType_Spec spec = {"hetjit._core.DeviceArray", sizeof(ArrayObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

Handle make_array_type(Borrowed module) { return make_type<ArrayObject>(module, spec); }

int64_t read_shape(Borrowed shape, int64_t bytes, ArrayValue& to) {
  Py_ssize_t rank = PyTuple_Size(shape.get());
  if (rank < 0) return -1;
  if (rank > kMaxRank) {
    fail(PyExc_ValueError, "an array has at most 8 dimensions, not " + std::to_string(rank));
    return -1;
  }
  to.rank = static_cast<uint8_t>(rank);
  int64_t count = 1;
  for (Py_ssize_t axis = rank - 1; axis >= 0; --axis) {
    int64_t extent = PyLong_AsLongLong(held_item(shape, axis).get());
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

const DeviceArray& array_of(Borrowed object) { return self_of(object); }

// Another object that keeps the memory gives it back as it likes.
void share(Borrowed array) {
  const Borrowed owner = owner_of(array);
  const State* state = state_of(Py_TYPE(array.get()));
  if (state && is_instance(owner, state->array_type)) self_of(owner).memory.share();
}

Borrowed owner_of(Borrowed array) {
  const Handle& base = self_of(array).base;
  return base ? Borrowed(base) : array;
}

PyObject* new_array(PyTypeObject* type, DeviceArray array) {
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* made = allocate(type, 0);
  if (!made) return nullptr;
  array.size = static_cast<size_t>(count_of(array.value)) * array.stride();
  new (&self_of(made)) DeviceArray(std::move(array));
  return made;
}

size_t DeviceArray::stride() const { return layout(element).stride(); }
bool DeviceArray::writable() const { return word & Word::kWritable; }

}  // namespace hetjit::python
