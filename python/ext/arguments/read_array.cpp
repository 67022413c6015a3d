// Arrays of other libraries: DLPack's C functions, its capsules, the CUDA Array Interface.
//
// Order of work. A producer's C functions never synchronise, so the launch goes to the producer's
// work stream unless the user gave one. `__dlpack__` is told our stream and the producer orders
// itself before it. With the CUDA Array Interface it is the launch that waits for the producer's
// stream, on the device: which stream the launch is on is known when all arguments are read.
#include <algorithm>
#include <cstring>

#include "python/ext/arguments/reader.h"
#include "python/ext/handles/call_method.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

constexpr const char *kTensor = "dltensor", *kUsedTensor = "used_dltensor",
                     *kVersioned = "dltensor_versioned",
                     *kUsedVersioned = "used_dltensor_versioned";

// "<f4": kind and size to the element type. Other byte orders and kinds have none.
std::optional<Scalar> scalar_of_typestr(Borrowed typestr) {
  const char* text =
      PyUnicode_Check(typestr.get()) ? PyUnicode_AsUTF8AndSize(typestr.get(), nullptr) : nullptr;
  if (!text) forget();
  if (!text || !text[0] || !std::strchr("<|=", text[0]) || !text[1]) return std::nullopt;
  return scalar_of_kind(text[1], 8 * std::atoi(text + 2));
}

// An address and whether it may only be read. False: it is something else.
bool read_place(Borrowed data, unsigned long long& address, int& read_only) {
  if (!PyTuple_Check(data.get()) || PyTuple_Size(data.get()) != 2) return false;
  address = PyLong_AsUnsignedLongLongMask(held_item(data, 0).get());
  if (PyErr_Occurred()) return false;
  read_only = PyObject_IsTrue(held_item(data, 1).get());
  return read_only >= 0;
}

// Two ints; false: it is something else.
bool read_device(Borrowed tuple, DLDevice& to) {
  if (!PyTuple_Check(tuple.get()) || PyTuple_Size(tuple.get()) != 2) return false;
  const long kind = PyLong_AsLong(held_item(tuple, 0).get());
  if (kind == -1 && PyErr_Occurred()) return false;
  const long number = PyLong_AsLong(held_item(tuple, 1).get());
  if (number == -1 && PyErr_Occurred()) return false;
  to = {static_cast<DLDeviceType>(kind), static_cast<int32_t>(number)};
  return to.device_type == kind && to.device_id == number;
}

// A tuple of ints; false: it is not one, or is too long.
bool read_extents(Borrowed tuple, int64_t* to, size_t& count) {
  if (!PyTuple_Check(tuple.get()) || PyTuple_Size(tuple.get()) > kMaxRank) return false;
  count = static_cast<size_t>(PyTuple_Size(tuple.get()));
  for (size_t i = 0; i < count; ++i) {
    to[i] = PyLong_AsLongLong(held_item(tuple, i).get());
    if (to[i] == -1 && PyErr_Occurred()) return false;
  }
  return true;
}

Handle item(Borrowed dict, const char* key) {
  Handle found = find_item(dict, key);
  return found && found.get() == Py_None ? Handle() : std::move(found);
}

// Whether the array offers the same memory for writing by an interface that can say so.
bool says_writable(Borrowed array, DLDevice device) {
  const char* interface =
      is_host_memory(device) ? "__array_interface__" : "__cuda_array_interface__";
  Handle told = find_attribute(array, interface);
  Handle data = told && PyDict_Check(told.get()) ? item(told, "data") : Handle();
  return data && PyTuple_Check(data.get()) && PyTuple_Size(data.get()) == 2 &&
         PyObject_IsTrue(held_item(data, 1).get()) == 0;
}

// Of the elements, each counted once.
uint64_t bytes_of(const DLTensor& tensor) {
  uint64_t count = (tensor.dtype.bits * tensor.dtype.lanes + 7u) / 8;
  for (int32_t axis = 0; axis < tensor.ndim; ++axis)
    count *= static_cast<uint64_t>(tensor.shape[axis]);
  return count;
}

}  // namespace

std::optional<Scalar> scalar_of_kind(char kind, int bits) {
  for (const ScalarInfo& row : kScalars) {
    if (row.numpy_type < 0 || row.bits != bits) continue;
    bool same = kind == 'b'   ? row.category == Category::Bool
                : kind == 'i' ? row.category == Category::Integer && row.is_signed
                : kind == 'u' ? row.category == Category::Integer && !row.is_signed
                : kind == 'f' ? row.category == Category::Floating
                : kind == 'c' ? row.category == Category::Complex
                              : false;
    if (same) return row.scalar;
  }
  return std::nullopt;
}

bool Reader::tensor(size_t index, const Result<DlpackView>& view) {
  if (!view) return fail(PyExc_BufferError, name(index) + ": " + view.error().text);
  if (!is_scalar(without_align(view.value().element)))
    return fail(PyExc_BufferError, name(index) + ": elements of several lanes are not supported");
  const auto& [value, element, device, writable] = view.value();
  return place(index, device) && put_array(index, value, array_word(value, element, writable));
}

// A tensor of a library that may ask something of us.
bool Reader::lend(const Lender& lender, size_t index, Borrowed argument, Result<DlpackView> view) {
  if (view && writable_) view->writable = true;
  if (!tensor(index, view) || !as_stored(lender, index, argument, view->element)) return false;
  if (view->writable && !lender.announce) return true;
  if (to_.lent.empty()) to_.lent.reserve(4);
  Lent& lent = to_.lent.emplace_back();
  lent.array = argument.dup();
  lent.lender = &lender;
  lent.writable = view->writable;
  lent.parameter = static_cast<uint32_t>(index);
  for (const Part* part = part_; part; part = part->outer)
    lent.items.insert(lent.items.begin(), static_cast<uint32_t>(part->item));
  return true;
}

// Tensors that are only marked as conjugated or negated hold other numbers than they stand for.
bool Reader::as_stored(const Lender& lender, size_t index, Borrowed argument, TypeId element) {
  if (!lender.is_conjugated && !lender.is_negated) return true;
  const Category category = info(type(without_align(element)).scalar).category;
  struct Mark {
    const Handle& is_set;
    bool possible;
    const char *marked, *remedy;
  };
  const Mark marks[] = {
      {lender.is_conjugated, category == Category::Complex, "conjugated", "resolve_conj"},
      {lender.is_negated, category == Category::Complex || category == Category::Floating,
       "negated", "resolve_neg"}};
  for (const Mark& mark : marks) {
    if (!mark.is_set || !mark.possible) continue;
    Handle answer =
        Handle::own(PyObject_CallFunctionObjArgs(mark.is_set.get(), argument.get(), nullptr));
    const int set = answer ? PyObject_IsTrue(answer.get()) : -1;
    if (set < 0) return false;
    if (set)
      return fail(PyExc_BufferError, name(index) + " is " + mark.marked +
                                         " only by a mark, its memory is not: pass " +
                                         parameters_.texts[index] + "." + mark.remedy + "()");
  }
  return true;
}

bool Reader::writable_array(size_t index, Borrowed argument) {
  Handle array = Handle::own(PyObject_GetAttrString(argument.get(), "array"));
  const ArgumentType found = array ? way_of(array) : ArgumentType();
  if (!found.type) return false;
  if (found.way == Way::Writable || found.way < Way::NumpyArray || found.way > Way::Writable)
    return unusable(index, array);
  writable_ = true;
  const bool done = read_way(found, index, array);
  writable_ = false;
  return done;
}

bool Reader::exchange(const ArgumentType& type, size_t index, Borrowed argument) {
  const DLPackExchangeAPI& api = *type.api;
  bool done = false;
  DLDevice device{};
  if (api.dltensor_from_py_object_no_sync) {
    DLTensor borrowed;
    if (api.dltensor_from_py_object_no_sync(argument.get(), &borrowed) != 0)
      return not_lent(index, argument);
    device = borrowed.device;
    if (!is_host_memory(device)) borrow(argument, bytes_of(borrowed));
    done = lend(*type.lender, index, argument, view_of(borrowed));
  } else {
    DLManagedTensorVersioned* managed = nullptr;
    if (api.managed_tensor_from_py_object_no_sync(argument.get(), &managed) != 0)
      return not_lent(index, argument);
    device = managed->dl_tensor.device;
    to_.loaned.loans.push_back({.versioned = managed});
    to_.loaned.bytes += bytes_of(managed->dl_tensor);
    done = lend(*type.lender, index, argument, view_of(*managed));
  }
  if (!done || to_.stream.given || is_host_memory(device) || place_.anywhere) return done;
  void* stream = nullptr;
  if (api.current_work_stream(device.device_type, device.device_id, &stream) != 0)
    return not_lent(index, argument);
  return follow(stream);
}

// The launch goes to the work stream of the first producer and comes after the work of others.
bool Reader::follow(void* producer) {
  if (!to_.stream.settled) to_.stream = {producer, false, true, producer == nullptr};
  return wait_on(producer);
}

// The consumer's stream as `__dlpack__` wants it; None for the host.
Handle Reader::stream_for(DLDevice device) {
  if (is_host_memory(device) || place_.anywhere) return Handle::own(new_none());
  to_.stream.settled = true;
  auto handle = reinterpret_cast<uintptr_t>(to_.stream.handle);
  if (!handle && device.device_type != kDLROCM) handle = 1;  // CUDA's default stream; 0 is refused
  return Handle::own(PyLong_FromUnsignedLongLong(handle));
}

Handle Reader::capsule_of(Borrowed argument, Borrowed stream) {
  const Protocols& names = state_.protocols;
  PyObject* const given[] = {argument.get(), stream.get(), names.version.get()};
  Handle capsule = call_method(names.dlpack, given, 1, names.stream_and_version.get());
  if (capsule || !PyErr_ExceptionMatches(PyExc_TypeError)) return capsule;
  forget();  // it may be from before DLPack 1.0
  return call_method(names.dlpack, given, 1, names.stream_alone.get());
}

bool Reader::dlpack(const ArgumentType& type, size_t index, Borrowed argument) {
  if (type.lender->has_buffers)
    if (const std::optional<bool> done = buffer(*type.lender, index, argument)) return *done;
  PyObject* const given[] = {argument.get()};
  const Handle where = call_method(state_.protocols.dlpack_device, given, 1, nullptr);
  if (!where) return not_lent(index, argument);
  DLDevice device{};
  if (!read_device(where, device)) {
    if (PyErr_Occurred() && !is_about_a_value()) return false;
    const Cause cause;
    return fail(PyExc_BufferError, name(index) + ": __dlpack_device__() returned " +
                                       describe(where) + ", not a tuple of two ints");
  }
  const Handle stream = stream_for(device);
  if (!stream) return false;
  const Handle capsule = capsule_of(argument, stream);
  return capsule ? dlpack_capsule(*type.lender, index, argument, capsule)
                 : not_lent(index, argument);
}

// Takes the tensor over: the capsule is renamed, so that its destructor leaves the tensor to us.
// Capsules from before DLPack 1.0 cannot say that they may be written, so others must.
bool Reader::dlpack_capsule(const Lender& lender, size_t index, Borrowed argument,
                            Borrowed capsule) {
  if (PyCapsule_IsValid(capsule.get(), kVersioned)) {
    auto* managed =
        static_cast<DLManagedTensorVersioned*>(PyCapsule_GetPointer(capsule.get(), kVersioned));
    if (PyCapsule_SetName(capsule.get(), kUsedVersioned) < 0) return false;
    to_.loaned.loans.push_back({.versioned = managed});
    to_.loaned.bytes += bytes_of(managed->dl_tensor);
    return lend(lender, index, argument, view_of(*managed));
  }
  if (!PyCapsule_IsValid(capsule.get(), kTensor))
    return fail(PyExc_BufferError, name(index) + ": __dlpack__() returned " + describe(capsule) +
                                       " that holds no unused tensor");
  auto* managed = static_cast<DLManagedTensor*>(PyCapsule_GetPointer(capsule.get(), kTensor));
  if (PyCapsule_SetName(capsule.get(), kUsedTensor) < 0) return false;
  to_.loaned.loans.push_back({.tensor = managed});
  to_.loaned.bytes += bytes_of(managed->dl_tensor);
  Result<DlpackView> view = view_of(managed->dl_tensor);
  if (view) view->writable = lender.is_mutable || says_writable(argument, view->device);
  return lend(lender, index, argument, std::move(view));
}

// The producer's stream: 1 is the legacy default, 2 the per-thread default, else a handle.
// An exception is set, about an entry of the interface that is to be a number.
bool Reader::not_an_int(size_t index, const char* entry, Borrowed found) {
  if (!is_about_a_value()) return false;
  const Cause cause;
  return fail(PyExc_BufferError, name(index) + ": '" + entry +
                                     "' of its __cuda_array_interface__ is " + describe(found) +
                                     ", not an int that could be one");
}

bool Reader::wait_for(size_t index, Borrowed stream) {
  unsigned long long number = PyLong_AsUnsignedLongLong(stream.get());
  if (PyErr_Occurred()) return not_an_int(index, "stream", stream);
  if (number == 0)
    return fail(PyExc_BufferError, name(index) +
                                       ": its __cuda_array_interface__ names stream 0, "
                                       "which the protocol forbids");
  return wait_on(number == 1 ? nullptr : reinterpret_cast<runtime::Handle>(number));
}

bool Reader::wait_on(runtime::Handle stream) {
  auto& after = to_.after;
  if (std::find(after.begin(), after.end(), stream) == after.end()) after.push_back(stream);
  return true;
}

// An asynchronous launch needs it for longer than its caller may.
void Reader::borrow(Borrowed owner, uint64_t bytes) {
  if (place_.anywhere) return;
  if (to_.loaned.loans.empty()) to_.loaned.loans.reserve(8);
  to_.loaned.loans.push_back({.object = owner.dup().release()});
  to_.loaned.bytes += bytes;
}

// The interface does not say which device the memory is on: some objects do, and the driver knows.
bool Reader::find_device(Borrowed argument, DLTensor& tensor) {
  tensor.device = {kDLCUDA, 0};
  if (place_.anywhere) return true;
  Handle number;
  if (!look_up(argument, "device_id", number)) return false;
  if (!number) {
    tensor.device = state_.devices.holder_of(tensor.data, place_.on);
    return true;
  }
  tensor.device = {state_.devices.vendor(), static_cast<int32_t>(PyLong_AsLong(number.get()))};
  return !PyErr_Occurred();
}

// In one pass: looking them up would make as many strings.
Reader::Interface Reader::entries_of(Borrowed dict) {
  Interface found;
  const std::pair<std::string_view, Handle*> entries[] = {
      {"shape", &found.shape},     {"typestr", &found.typestr}, {"data", &found.data},
      {"strides", &found.strides}, {"version", &found.version}, {"mask", &found.mask},
      {"stream", &found.stream}};
  for_each_item(dict, [&](Borrowed key, Borrowed value) {
    Py_ssize_t bytes = 0;
    const char* text =
        PyUnicode_Check(key.get()) ? PyUnicode_AsUTF8AndSize(key.get(), &bytes) : nullptr;
    if (!text) forget();  // half a character is in no name
    if (!text || value.get() == Py_None) return;
    for (const auto& [name, to] : entries)
      if (name == std::string_view(text, static_cast<size_t>(bytes))) *to = value.dup();
  });
  return found;
}

// Shape, strides and data of a CUDA Array Interface as a tensor, whose extents are kept in
// `extents`.
bool Reader::cuda_tensor(size_t index, const Interface& from, Extents& extents, DLTensor& to) {
  const auto& [shape, type, data, strides, version, mask, stream] = from;
  unsigned long long address = 0;
  int read_only = 0;
  if (!shape || !type || !data || !read_place(data, address, read_only)) {
    if (PyErr_Occurred() && !is_about_a_value()) return false;
    const Cause cause;
    return fail(PyExc_BufferError, name(index) +
                                       ": its __cuda_array_interface__ is incomplete: it needs "
                                       "shape, typestr and data, an address and a flag");
  }
  std::optional<Scalar> scalar = scalar_of_typestr(type);
  if (!scalar)
    return fail(PyExc_BufferError, name(index) + " has elements of type " + text_of(type) +
                                       ", which no kernel can read");
  size_t rank = 0, same = 0;
  if (!read_extents(shape, extents.shape, rank) ||
      (strides && (!read_extents(strides, extents.strides, same) || same != rank))) {
    if (PyErr_Occurred() && !is_about_a_value()) return false;
    const Cause cause;
    return fail(PyExc_BufferError, name(index) +
                                       ": shape and strides of its "
                                       "__cuda_array_interface__ must be tuples of at "
                                       "most 8 ints");
  }
  const auto bytes = static_cast<int64_t>(info(*scalar).bytes());
  for (size_t axis = 0; strides && axis < rank; ++axis) {
    if (extents.strides[axis] % bytes)
      return fail(PyExc_BufferError, name(index) + " is not laid out as whole elements");
    extents.strides[axis] /= bytes;
  }
  extents.writable = !read_only;
  to = {.data = reinterpret_cast<void*>(address),
        .ndim = static_cast<int32_t>(rank),
        .dtype = {info(*scalar).dlpack_code, info(*scalar).dlpack_bits, 1},
        .shape = extents.shape,
        .strides = strides ? extents.strides : nullptr};
  return true;
}

// Versions 2 and 3 are read, the difference being the stream; later ones as 3, with a warning.
bool Reader::known_version(size_t index, const Handle& version) {
  const long number = version ? PyLong_AsLong(version.get()) : 0;
  if (number == -1 && PyErr_Occurred()) return not_an_int(index, "version", version);
  if (number == 2 || number == 3) return true;
  const std::string text =
      name(index) + " has version " + std::to_string(number) + " of the CUDA Array Interface; ";
  if (number < 2) return fail(PyExc_BufferError, text + "2 and 3 are read");
  return PyErr_WarnEx(PyExc_RuntimeWarning, (text + "it is read as version 3").c_str(), 1) == 0;
}

bool Reader::cuda_interface(size_t index, Borrowed argument) {
  Handle dict =
      Handle::own(PyObject_GetAttr(argument.get(), state_.protocols.cuda_interface.get()));
  if (!dict) return false;
  if (!PyDict_Check(dict.get())) return unusable(index, argument);
  const Interface found = entries_of(dict);
  if (!known_version(index, found.version)) return false;
  if (found.mask)
    return fail(PyExc_NotImplementedError, name(index) + " has a mask, which a kernel cannot see");
  Extents extents;
  DLTensor tensor{};
  if (!cuda_tensor(index, found, extents, tensor)) return false;
  if (!find_device(argument, tensor)) return false;
  borrow(argument, bytes_of(tensor));
  Result<DlpackView> view = view_of(tensor);
  if (view) view->writable = extents.writable || writable_;
  return this->tensor(index, view) &&
         (!found.stream || place_.anywhere || wait_for(index, found.stream));
}

}  // namespace hetjit::python
