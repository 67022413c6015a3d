#include "python/ext/arrays/stream_object.h"

#include <new>

#include "python/ext/arrays/stream_choice.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/set_aside.h"
#include "python/ext/handles/structs.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

template <class Owned>
struct Object {
  PyObject_HEAD Owned owned;
};

template <class Owned>
Owned& owned_by(Borrowed object) {
  return as_struct<Object<Owned>>(object).owned;
}

runtime::Event& event_of(Borrowed object) { return owned_by<runtime::Event>(object); }

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

// An object of the type that owns what was made.
template <class Owned>
PyObject* object_of(PyTypeObject* type, Result<Owned> made) {
  if (!made) return fail(made.error());
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* object = allocate(type, 0);
  if (object) new (&owned_by<Owned>(object)) Owned(std::move(*made));
  return object;
}

// What ends is to be asked by no launch afterwards.
Status close(State& state, runtime::Stream& stream) {
  if (!stream) return ok();
  const Status left = state.loans.leave(stream.device(), stream.get());
  const Status closed = stream.close();
  return left.ok() ? closed : left;
}
Status close(State&, runtime::Event& event) { return event.close(); }

template <class Owned>
PyObject* close_object(PyObject* self, PyObject*) {
  State* state = state_of(Py_TYPE(self));
  if (!state) return nullptr;
  const Status closed = close(*state, owned_by<Owned>(self));
  return closed.ok() ? new_none() : fail(closed.error());
}

template <class Owned>
void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  {
    const SetAside raised;
    if (State* state = state_of(type)) (void)close(*state, owned_by<Owned>(self));
    owned_by<Owned>(self).~Owned();
  }
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

template <class Owned>
PyObject* get_device(PyObject* self, void*) {
  const Owned& owned = owned_by<Owned>(self);
  return owned ? PyUnicode_FromString(owned.device().name().c_str()) : new_none();
}
template <class Owned>
PyObject* get_handle(PyObject* self, void*) {
  const Owned& owned = owned_by<Owned>(self);
  return owned ? PyLong_FromVoidPtr(owned.get()) : new_none();
}

// False: it has been closed, and an exception is set.
template <class Owned>
bool is_open(PyObject* self, const char* what) {
  if (owned_by<Owned>(self)) return true;
  return fail(PyExc_ValueError, std::string("the ") + what + " has been closed");
}

PyObject* result(const Status& done) { return done.ok() ? new_none() : fail(done.error()); }
PyObject* result(const Result<bool>& answer) {
  return answer ? PyBool_FromLong(answer.ok() && std::as_const(answer).value())
                : fail(answer.error());
}

// ---- streams

PyObject* create_stream(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  const char* where = nullptr;
  int priority = 0;
  const char* const names[] = {"device", "priority", nullptr};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "s|i", const_cast<char**>(names), &where,
                                   &priority))
    return nullptr;
  runtime::Device* device = Devices::open(where);
  return device ? object_of(type, runtime::Stream::make(*device, priority)) : nullptr;
}

PyObject* synchronize(PyObject* self, PyObject*) {
  State* state = state_of(Py_TYPE(self));
  if (!state || !is_open<runtime::Stream>(self, "stream")) return nullptr;
  const runtime::Stream& stream = stream_of(self);
  return finish_stream(*state, stream.device(), stream.get()) ? new_none() : nullptr;
}

PyObject* get_stream_done(PyObject* self, void*) {
  if (!is_open<runtime::Stream>(self, "stream")) return nullptr;
  return result(stream_of(self).done());
}

// ---- events

PyObject* create_event(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  const char* where = nullptr;
  int timed = 1;
  const char* const names[] = {"device", "timed", nullptr};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "s|p", const_cast<char**>(names), &where,
                                   &timed))
    return nullptr;
  runtime::Device* device = Devices::open(where);
  return device ? object_of(type, runtime::Event::make(*device, timed)) : nullptr;
}

// With a stream in one of the accepted forms: what `act` does with its handle.
template <class Act>
PyObject* with_stream(PyObject* self, PyObject* stream, Act act) {
  State* state = state_of(Py_TYPE(self));
  StreamChoice choice;
  if (!state || !is_open<runtime::Event>(self, "event") || !read_stream(*state, stream, choice))
    return nullptr;
  const runtime::Device& device = event_of(self).device();
  const Status fits = check_stream(choice, device);
  if (!fits.ok()) return fail(fits.error());
  // What was launched on a stream that an event joins to a graph would outlive its arrays.
  if (state->graphs.taking(device, choice))
    return fail(PyExc_ValueError,
                "what is launched on the stream is taken into a graph, and a graph is the work of "
                "one stream: events and follow() are for before and after its block");
  return result(act(choice.handle));
}

PyObject* record(PyObject* self, PyObject* stream) {
  return with_stream(self, stream,
                     [&](runtime::Handle handle) { return event_of(self).record(handle); });
}

PyObject* precede(PyObject* self, PyObject* stream) {
  return with_stream(self, stream,
                     [&](runtime::Handle handle) { return event_of(self).precede(handle); });
}

PyObject* wait(PyObject* self, PyObject*) {
  if (!is_open<runtime::Event>(self, "event")) return nullptr;
  const runtime::Event& event = event_of(self);
  Status done;
  Py_BEGIN_ALLOW_THREADS;
  done = event.wait();
  Py_END_ALLOW_THREADS;
  return result(done);
}

PyObject* elapsed(PyObject* self, PyObject* end) {
  State* state = state_of(Py_TYPE(self));
  if (!state || !is_open<runtime::Event>(self, "event")) return nullptr;
  if (!is_instance(end, state->event_type))
    return fail(PyExc_TypeError, "the time to an Event can be told, not to " + describe(end));
  if (!is_open<runtime::Event>(end, "event")) return nullptr;
  runtime::Device& device = event_of(self).device();
  if (&device != &event_of(end).device())
    return fail(PyExc_ValueError, "the events are of two devices, " + device.name() + " and " +
                                      event_of(end).device().name());
  Result<float> time = device.elapsed(event_of(self).get(), event_of(end).get());
  return time ? PyFloat_FromDouble(*time) : fail(time.error());
}

PyObject* get_event_done(PyObject* self, void*) {
  if (!is_open<runtime::Event>(self, "event")) return nullptr;
  return result(event_of(self).passed());
}

// ---- the types

PyMethodDef stream_methods[] = {
    {"synchronize", ended<synchronize>, METH_NOARGS, "Waits until its work is done."},
    {"close", ended<close_object<runtime::Stream>>, METH_NOARGS, "Gives it back to the driver."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef stream_attributes[] = {
    {"device", get_device<runtime::Stream>, nullptr, "Name of its device.", nullptr},
    {"handle", get_handle<runtime::Stream>, nullptr, "The driver's handle.", nullptr},
    {"done", get_stream_done, nullptr, "Whether all its work is done.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMethodDef event_methods[] = {
    {"record_on", ended<record>, METH_O, "Puts it behind the work of a stream."},
    {"precede", ended<precede>, METH_O, "Lets a stream's further work wait for it."},
    {"synchronize", ended<wait>, METH_NOARGS, "Waits until the work before it is done."},
    {"elapsed", ended<elapsed>, METH_O, "Milliseconds from it to a later event."},
    {"close", ended<close_object<runtime::Event>>, METH_NOARGS, "Gives it back to the driver."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef event_attributes[] = {
    {"device", get_device<runtime::Event>, nullptr, "Name of its device.", nullptr},
    {"handle", get_handle<runtime::Event>, nullptr, "The driver's handle.", nullptr},
    {"done", get_event_done, nullptr, "Whether the work before it is done.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot stream_slots[] = {{Py_tp_new, reinterpret_cast<void*>(create_stream)},
                              {Py_tp_dealloc, reinterpret_cast<void*>(destroy<runtime::Stream>)},
                              {Py_tp_methods, stream_methods},
                              {Py_tp_getset, stream_attributes},
                              {Py_tp_doc, const_cast<char*>("A queue of work of a device.")},
                              {0, nullptr}};
PyType_Slot event_slots[] = {{Py_tp_new, reinterpret_cast<void*>(create_event)},
                             {Py_tp_dealloc, reinterpret_cast<void*>(destroy<runtime::Event>)},
                             {Py_tp_methods, event_methods},
                             {Py_tp_getset, event_attributes},
                             {Py_tp_doc, const_cast<char*>("A mark in the work of a stream.")},
                             {0, nullptr}};

PyType_Spec stream_spec = {"hetjit._core.Stream", sizeof(Object<runtime::Stream>), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, stream_slots};
PyType_Spec event_spec = {"hetjit._core.Event", sizeof(Object<runtime::Event>), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, event_slots};

}  // namespace

runtime::Stream& stream_of(Borrowed object) { return owned_by<runtime::Stream>(object); }

bool finish_stream(State& state, runtime::Device& device, runtime::Handle stream) {
  state.devices.queued = 0;
  const Status done = state.loans.settle(device, stream);
  return done.ok() ? state.speakers.listen(device, stream, stream)
                   : static_cast<bool>(fail(done.error()));
}

bool finish_device(State& state, runtime::Device& device) {
  state.devices.queued = 0;
  const Status done = state.loans.settle(device);
  return done.ok() ? state.speakers.listen(device) : static_cast<bool>(fail(done.error()));
}

Status check_stream(const State& state, const StreamChoice& stream, const runtime::Device& device) {
  const Status fits = check_stream(stream, device);
  if (fits.ok() || !*stream.own || !state.graphs.taking(stream.own->device(), stream)) return fits;
  return Error{ErrorCode::Invalid, "a graph takes in launches for " + stream.own->device().name() +
                                       " here, and this one is for " + device.name() +
                                       ": launch outside its block, or on a stream of " +
                                       device.name()};
}

bool wait_if_blocking(State& state, runtime::Device& device, runtime::Handle stream) {
  if (!state.devices.blocking || device.info().kind != runtime::DeviceKind::Gpu) return true;
  Result<bool> captured = device.captures(stream);
  if (!captured) return fail(captured.error());
  return *captured || finish_stream(state, device, stream);
}

Handle make_stream_type(Borrowed module) {
  return make_type<Object<runtime::Stream>>(module, stream_spec);
}

Handle make_event_type(Borrowed module) {
  return make_type<Object<runtime::Event>>(module, event_spec);
}

}  // namespace hetjit::python
