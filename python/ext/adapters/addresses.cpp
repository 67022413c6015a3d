#include "python/ext/adapters/addresses.h"

#include "abi/dlpack_view.h"
#include "abi/layout.h"
#include "python/ext/adapters/pointer_object.h"
#include "python/ext/arrays/array_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

// An int that is an address.
Found number(Borrowed object, Memory& to) {
  to.address = PyLong_AsUnsignedLongLong(object.get());
  if (!PyErr_Occurred()) return Found::Yes;
  if (PyErr_ExceptionMatches(PyExc_OverflowError)) {
    PyErr_Clear();
    fail(PyExc_OverflowError,
         "an address is an int from 0 to 2**64 - 1, which " + text_of(object) + " is not");
  }
  return Found::Failed;
}

Found is_none(State&, Borrowed object, Memory&) {
  return object.get() == Py_None ? Found::Yes : Found::No;
}

// What the other one holds is not taken over, but it is there for as long as this is.
Found is_pointer(State& state, Borrowed object, Memory& to) {
  if (!is_instance(object, state.pointer_type)) return Found::No;
  const Memory& other = memory_of_pointer(object);
  to.address = other.address;
  to.bytes = other.bytes;
  to.place = other.place;
  to.writable = other.writable;
  to.owner = object.dup();
  return Found::Yes;
}

// NumPy's integers are ints in all but their type; their buffer is no memory that anybody means.
Found is_number(State& state, Borrowed object, Memory& to) {
  if (PyLong_Check(object.get())) return number(object, to);
  if (!state.numpy.look()) return Found::Failed;
  if (!state.numpy.known() || !state.numpy.is_scalar(object)) return Found::No;
  Handle index = Handle::own(PyNumber_Index(object.get()));
  return index ? number(index, to) : Found::Failed;
}

Found is_void_pointer(State& state, Borrowed object, Memory& to) {
  if (!state.ctypes.look()) return Found::Failed;
  if (!state.ctypes.is_void_pointer(object)) return Found::No;
  Handle value = Handle::own(PyObject_GetAttrString(object.get(), "value"));
  if (!value) return Found::Failed;
  to.owner = object.dup();  // ctypes.cast lets it keep what it points to
  return value.get() == Py_None ? Found::Yes : number(value, to);
}

Found bad_interface(Borrowed object, PyObject* kind, const std::string& why) {
  const Cause cause;
  fail(kind, "the __cuda_array_interface__ of " + describe(object) + " " + why);
  return Found::Failed;
}

Found read_interface(Borrowed object, Borrowed interface, Memory& to) {
  if (!PyDict_Check(interface.get()))
    return bad_interface(object, PyExc_TypeError, "is " + describe(interface) + ", not a dict");
  Handle key = new_text("data");
  Handle data = key ? dict_item(interface, key) : Handle();
  if (!data && PyErr_Occurred()) return Found::Failed;
  if (!data) return bad_interface(object, PyExc_ValueError, "has no 'data'");
  if (!PyTuple_Check(data.get()) || PyTuple_Size(data.get()) != 2)
    return bad_interface(object, PyExc_ValueError,
                         "has as 'data' " + describe(data) + ", not an address and a flag");
  Handle address = Handle::own(PyNumber_Index(held_item(data, 0).get()));
  const int read_only = address ? PyObject_IsTrue(held_item(data, 1).get()) : -1;
  if (read_only < 0) return Found::Failed;
  to.place = Memory::Place::Device;
  to.writable = !read_only;
  to.owner = object.dup();
  return number(address, to);
}

// An array of ours, wherever its memory is. What is done on the default stream comes after the
// launches that use it, as an interface promises.
Found of_our_array(State& state, Borrowed object, Memory& to) {
  const DeviceArray& array = array_of(object);
  if (!is_contiguous(array.value)) {
    fail(PyExc_ValueError,
         "the view's elements do not lie in C order, and an address says nothing of strides: "
         "device.array(x) makes a copy in which they do");
    return Found::Failed;
  }
  Result<std::vector<runtime::Handle>> users =
      state.loans.order(*array.device, nullptr, owner_of(object).get());
  if (!users) return fail(users.error()), Found::Failed;
  share(object);
  to.address = reinterpret_cast<runtime::Address>(array.value.data);
  to.bytes = array.bytes();
  to.writable = array.writable();
  to.place = is_host_memory(array.place) ? Memory::Place::Host : Memory::Place::Device;
  to.owner = object.dup();
  return Found::Yes;
}

Found has_interface(State& state, Borrowed object, Memory& to) {
  if (is_instance(object, state.array_type)) return of_our_array(state, object, to);
  Handle interface;
  if (!look_up(object, "__cuda_array_interface__", interface)) return Found::Failed;
  return interface ? read_interface(object, interface, to) : Found::No;
}

// What a Pointer lends is where it points to.
Found has_buffer(State& state, Borrowed object, Memory& to) {
  if (!PyObject_CheckBuffer(object.get()) || is_instance(object, state.pointer_type))
    return Found::No;
  if (state.ctypes.is_ambiguous(object)) {
    fail(PyExc_TypeError, describe(object) +
                              " holds an address: ctypes.cast(x, ctypes.c_void_p) is where it "
                              "points to, ctypes.addressof(x) where it is itself");
    return Found::Failed;
  }
  HeldBuffer view(new Py_buffer{});
  if (PyObject_GetBuffer(object.get(), view.get(), PyBUF_SIMPLE) < 0) return Found::Failed;
  to.address = reinterpret_cast<runtime::Address>(view->buf);
  to.bytes = static_cast<size_t>(view->len);
  to.place = Memory::Place::Host;
  to.writable = !view->readonly;
  to.buffer = std::move(view);
  return Found::Yes;
}

// A capsule that nobody takes the tensor from gives it back when it ends.
Found read_capsule(Borrowed object, Handle capsule, Memory& to) {
  constexpr const char* kOld = "dltensor";
  if (!PyCapsule_IsValid(capsule.get(), kOld)) {
    fail(PyExc_TypeError, "__dlpack__() of " + describe(object) + " gave " + describe(capsule) +
                              ", not a capsule with a tensor");
    return Found::Failed;
  }
  const auto* managed =
      static_cast<const DLManagedTensor*>(PyCapsule_GetPointer(capsule.get(), kOld));
  Result<DlpackView> view = view_of(managed->dl_tensor);
  if (!view) return fail(view.error()), Found::Failed;
  const ArrayValue& value = view->value;
  if (!is_contiguous(value)) {
    fail(PyExc_ValueError, "the elements of " + describe(object) +
                               " do not follow one another, and an address says nothing of "
                               "strides");
    return Found::Failed;
  }
  to.address = reinterpret_cast<runtime::Address>(value.data);
  to.bytes = layout(view->element).stride();
  for (size_t axis = 0; axis < value.rank; ++axis)
    to.bytes *= static_cast<size_t>(value.shape[axis]);
  to.place = is_host_memory(view->device) ? Memory::Place::Host : Memory::Place::Device;
  to.owner = std::move(capsule);
  return Found::Yes;
}

// Tensors on the host of libraries that know no buffers, for example. Their old form is asked for,
// which does not say whether they may be written.
Found lends_tensor(State&, Borrowed object, Memory& to) {
  Handle lend;
  if (!look_up(object, "__dlpack__", lend)) return Found::Failed;
  if (!lend) return Found::No;
  Handle capsule = Handle::own(PyObject_CallNoArgs(lend.get()));
  return capsule ? read_capsule(object, std::move(capsule), to) : Found::Failed;
}

constexpr Step any_memory[] = {is_none,       is_pointer, is_number,   is_void_pointer,
                               has_interface, has_buffer, lends_tensor};
constexpr Step record[] = {is_none,    is_number,    is_void_pointer, has_interface,
                           has_buffer, lends_tensor, is_pointer};
constexpr Step no_memory[] = {is_none, is_pointer, is_number, is_void_pointer};

}  // namespace

constinit const std::span<const Step> kAnyMemory = any_memory;
constinit const std::span<const Step> kRecord = record;
constinit const std::span<const Step> kNoMemory = no_memory;

void ReleaseBuffer::operator()(Py_buffer* view) const {
  if (view->obj) PyBuffer_Release(view);
  delete view;
}

int Memory::traverse(visitproc visit, void* arg) const {
  Py_VISIT(owner.get());
  if (buffer) Py_VISIT(buffer->obj);
  for (const Memory& element : elements)
    if (int stop = element.traverse(visit, arg)) return stop;
  return 0;
}

bool read_address(State& state, std::span<const Step> order, const char* what, Borrowed object,
                  Memory& to) {
  for (const Step step : order)
    if (const Found found = step(state, object, to); found != Found::No) return found == Found::Yes;
  return fail(PyExc_TypeError, describe(object) + " is not " + what);
}

bool read_pointer(State& state, Borrowed object, Memory& to) {
  return read_address(state, kAnyMemory, "an address, nor does it have memory", object, to);
}

}  // namespace hetjit::python
