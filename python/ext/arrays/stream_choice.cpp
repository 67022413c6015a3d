#include "python/ext/arrays/stream_choice.h"

#include "python/ext/arrays/stream_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

// Of what `__cuda_stream__` tells: a version, which is 0, and the driver's handle.
Handle number_of_protocol(Borrowed stream, Borrowed protocol) {
  Handle pair = PyCallable_Check(protocol.get()) ? Handle::own(PyObject_CallNoArgs(protocol.get()))
                                                 : protocol.dup();
  if (!pair) return Handle();
  const auto no_pair = [&]() -> Handle {
    if (PyErr_Occurred() && !is_about_a_value()) return Handle();
    const Cause cause;
    return fail(PyExc_TypeError, "__cuda_stream__ of " + describe(stream) + " is " +
                                     describe(pair) + ", not a version and a handle");
  };
  if (!PySequence_Check(pair.get()) || PySequence_Size(pair.get()) != 2) return no_pair();
  Handle version = Handle::own(PySequence_GetItem(pair.get(), 0));
  const long known = version ? PyLong_AsLong(version.get()) : -1;
  if (PyErr_Occurred()) return no_pair();
  if (known != 0)
    return fail(PyExc_ValueError, describe(stream) + " has version " + std::to_string(known) +
                                      " of __cuda_stream__; version 0 is read");
  Handle number = Handle::own(PySequence_GetItem(pair.get(), 1));
  return number && PyIndex_Check(number.get()) ? std::move(number) : no_pair();
}

// The driver's handle of a stream object: the `__cuda_stream__` protocol, else what PyTorch and
// CuPy call it.
Handle stream_number(Borrowed stream) {
  if (PyIndex_Check(stream.get())) return stream.dup();
  Handle protocol, number;
  if (!look_up(stream, "__cuda_stream__", protocol)) return Handle();
  if (protocol) return number_of_protocol(stream, protocol);
  for (const char* name : {"cuda_stream", "ptr", "handle"})
    if (!look_up(stream, name, number) || number) return number;
  return fail(
      PyExc_TypeError,
      "a stream is device.Stream(\"cuda:0\"), an int or an object with __cuda_stream__, not " +
          describe(stream));
}

// Nothing lies in the first page of memory.
constexpr long long kLeastAddress = 4096;

// The numbers that drivers have for their default streams.
constexpr long long kLastDefault = 2;

// A number of blocks or threads, `f[8, 8, 8]`: no driver gave it.
bool is_no_address(Borrowed number) {
  if (!PyIndex_Check(number.get())) return false;
  const Handle plain = Handle::own(PyNumber_Index(number.get()));
  int overflow = 0;
  const long long value = plain ? PyLong_AsLongLongAndOverflow(plain.get(), &overflow) : 0;
  forget();
  return overflow < 0 ||
         (!overflow && (value < 0 || value > kLastDefault) && value < kLeastAddress);
}

}  // namespace

bool read_stream(State& state, Borrowed stream, StreamChoice& to) {
  if (stream.get() == Py_None) return true;
  if (is_instance(stream, state.stream_type)) {
    const runtime::Stream& own = stream_of(stream);
    to = {own ? own.get() : nullptr, true, true, true, &own};
    return true;
  }
  if (is_no_address(stream))
    return fail(PyExc_ValueError,
                text_of(stream) +
                    " is no stream: an int is 0, 1, 2 or the address that a driver has given one; "
                    "a grid or block of several axes is a tuple: kernel[(8, 8, 8), block](…)");
  Handle told = stream_number(stream);
  Handle number = told ? Handle::own(PyNumber_Index(told.get())) : Handle();
  void* handle = number ? PyLong_AsVoidPtr(number.get()) : nullptr;
  if (PyErr_Occurred()) return false;
  to = {handle, true, true, handle == nullptr};
  return true;
}

Status check_stream(const StreamChoice& stream, const runtime::Device& device) {
  if (!stream.own || device.info().kind == runtime::DeviceKind::Null) return ok();
  if (!*stream.own) return Error{ErrorCode::Invalid, "the stream has been closed"};
  if (&stream.own->device() == &device) return ok();
  return Error{ErrorCode::Invalid, "the stream is one of " + stream.own->device().name() +
                                       ", and the work is for " + device.name()};
}

}  // namespace hetjit::python
