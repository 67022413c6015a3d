#include "python/ext/launch/graph_object.h"

#include <memory>
#include <new>
#include <utility>

#include "python/ext/arrays/stream_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/set_aside.h"
#include "python/ext/handles/structs.h"
#include "python/ext/launch/without_gil.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

struct GraphData {
  Kept owner;  // the stream's object
  StreamChoice stream;
  std::shared_ptr<Taken> open, done;  // what is taken in now; what replay() does
  Kept holder;                        // of the latter: what is on loan to replays
};

struct GraphObject {
  PyObject_HEAD GraphData data;
};

GraphData& self_of(Borrowed object) { return as_struct<GraphObject>(object).data; }

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject*) {
  State* state = state_of(type);
  PyObject* stream = nullptr;
  if (!state ||
      !PyArg_ParseTuple(arguments, "O!", reinterpret_cast<PyTypeObject*>(state->stream_type.get()),
                        &stream))
    return nullptr;
  GraphData data;
  data.owner = Handle::share(stream);
  if (!read_stream(*state, stream, data.stream)) return nullptr;
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  PyObject* made = allocate(type, 0);
  if (made) new (&self_of(made)) GraphData(std::move(data));
  return made;
}

// False: the stream has been closed, and an exception is set.
bool is_open(const GraphData& graph) {
  return *graph.stream.own || fail(PyExc_ValueError, "the stream of the graph has been closed");
}

PyObject* begin(PyObject* self, PyObject*) {
  State* state = state_of(Py_TYPE(self));
  GraphData& graph = self_of(self);
  if (!state || !is_open(graph)) return nullptr;
  runtime::Device& device = graph.stream.own->device();
  if (state->graphs.taking(device, graph.stream))
    return fail(PyExc_ValueError, "what is launched on the stream is taken into a graph already");
  auto taken = std::make_shared<Taken>(device);
  const Status begun = taken->by_driver() ? device.begin_capture(graph.stream.handle) : ok();
  if (!begun.ok()) return fail(begun.error());
  state->graphs.open(taken, graph.stream);
  graph.open = std::move(taken);
  return new_none();
}

// What was taken in so far; with the stream's end the driver forgets it.
Status end_taking(State& state, const GraphData& graph, Taken& taken) {
  state.graphs.close(graph.open);
  if (!taken.by_driver()) return ok();
  if (!*graph.stream.own)
    return Error{ErrorCode::Invalid, "the stream of the graph has been closed"};
  Result<runtime::Graph> made = runtime::Graph::end(taken.device, graph.stream.handle);
  if (!made) return made.error();
  taken.graph = std::move(*made);
  return ok();
}

void drop_holder(PyObject* holder) {
  delete static_cast<std::shared_ptr<Taken>*>(PyCapsule_GetPointer(holder, nullptr));
}

// An object for loans: the graph's own would go on to the next that it takes in, and in its own
// block to itself.
Handle make_holder(const std::shared_ptr<Taken>& taken) {
  auto owned = std::make_unique<std::shared_ptr<Taken>>(taken);
  Handle holder = Handle::own(PyCapsule_New(owned.get(), nullptr, drop_holder));
  if (holder) (void)owned.release();
  return holder;
}

// (keep): without, what was taken in is dropped.
PyObject* end(PyObject* self, PyObject* keep) {
  State* state = state_of(Py_TYPE(self));
  GraphData& graph = self_of(self);
  if (!state) return nullptr;
  if (!graph.open) return fail(PyExc_ValueError, "the graph takes nothing in");
  const Status ended = end_taking(*state, graph, *graph.open);
  const std::shared_ptr<Taken> taken = std::exchange(graph.open, nullptr);
  if (keep != Py_True) return new_none();
  if (!ended.ok()) return fail(ended.error());
  Handle holder = make_holder(taken);
  if (!holder) return nullptr;
  graph.done = taken;
  graph.holder = std::move(holder);
  return new_none();
}

bool replay_step(const Taken::Step& step, runtime::Handle stream) {
  runtime::Kernel& kernel = *step.kernel;
  Report said;
  const Status done = without_gil([&] {
    return kernel.speaks() ? kernel.launch_and_listen(step.geometry, step.params(), stream, said)
                           : kernel.launch(step.geometry, step.params(), stream);
  });
  return tell_launch(kernel, kernel.entry(), done, said);
}

bool replay_steps(const Taken& taken, runtime::Handle stream) {
  for (const Taken::Step& step : taken.steps)
    if (!replay_step(step, stream)) return false;
  return true;
}

// What a replay uses, of which what was taken in keeps all; the objects are there by name, since
// copies ask who uses them.
Loaned lent_to_replay(const Handle& holder, const Taken& taken) {
  Loaned lent{.bytes = taken.loaned.bytes};
  lent.loans.push_back({.object = holder.dup().release()});
  for (const Loan& loan : taken.loaned.loans)
    if (loan.object) lent.loans.push_back({.object = Handle::share(loan.object).release()});
  return lent;
}

// A graph in another one.
Status take_in(Taken& into, const Handle& holder, const Taken& taken, runtime::Handle stream) {
  if (into.by_driver()) HETJIT_TRY(taken.graph.launch(stream));
  into.steps.insert(into.steps.end(), taken.steps.begin(), taken.steps.end());
  into.kernels.insert(into.kernels.end(), taken.kernels.begin(), taken.kernels.end());
  into.after.insert(into.after.end(), taken.after.begin(), taken.after.end());
  into.keep(lent_to_replay(holder, taken));
  return ok();
}

Status replay_by_driver(State& state, const Handle& holder, const Taken& taken,
                        const StreamChoice& stream) {
  for (const auto& event : taken.after) HETJIT_TRY(event->precede(stream.handle));
  HETJIT_TRY(taken.graph.launch(stream.handle));
  for (const auto& kernel : taken.kernels)
    if (kernel->speaks()) state.speakers.launched(kernel, stream.handle);
  Loaned lent = lent_to_replay(holder, taken);
  return state.loans.keep(taken.device, stream.handle, stream.lasting, lent);
}

// (stream): None is that of the graph round it, else its own.
PyObject* replay(PyObject* self, PyObject* given) {
  State* state = state_of(Py_TYPE(self));
  const GraphData& graph = self_of(self);
  const std::shared_ptr<Taken> taken = graph.done;  // it may be another's meanwhile
  const Handle holder = graph.holder.dup();
  if (!state) return nullptr;
  if (!taken)
    return fail(PyExc_ValueError, "nothing has been taken into the graph: with graph: launches");
  StreamChoice asked;
  if (!read_stream(*state, given, asked)) return nullptr;
  StreamChoice stream = state->graphs.stream_for(asked);
  if (!stream.given) stream = graph.stream;
  const Status fits = check_stream(*state, stream, taken->device);
  if (!fits.ok()) return fail(fits.error());
  if (const auto into = state->graphs.taking(taken->device, stream)) {
    const Status done = take_in(*into, holder, *taken, stream.handle);
    return done.ok() ? new_none() : fail(done.error());
  }
  if (!taken->by_driver()) return replay_steps(*taken, stream.handle) ? new_none() : nullptr;
  const Status done = replay_by_driver(*state, holder, *taken, stream);
  if (!done.ok()) return fail(done.error());
  return wait_if_blocking(*state, taken->device, stream.handle) ? new_none() : nullptr;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  {
    const SetAside raised;
    GraphData& graph = self_of(self);
    State* state = state_of(type);
    if (state && graph.open) (void)end_taking(*state, graph, *graph.open);
    graph.~GraphData();
  }
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyObject* get_stream(PyObject* self, void*) { return self_of(self).owner.dup().release(); }
PyObject* get_handle(PyObject* self, void*) {
  const auto& done = self_of(self).done;
  return done && done->graph ? PyLong_FromVoidPtr(done->graph.get()) : new_none();
}

PyMethodDef methods[] = {
    {"begin", ended<begin>, METH_NOARGS, "What is launched on its stream is taken in."},
    {"end", ended<end>, METH_O, "(keep): no more is taken in."},
    {"replay_on", ended<replay>, METH_O, "Launches all on a stream, or None."},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef attributes[] = {
    {"stream", get_stream, nullptr, "What is launched there is taken in.", nullptr},
    {"handle", get_handle, nullptr, "The driver's, or None.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {{Py_tp_new, reinterpret_cast<void*>(create)},
                       {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_methods, methods},
                       {Py_tp_getset, attributes},
                       {Py_tp_doc, const_cast<char*>("Launches that are taken in once.")},
                       {0, nullptr}};

PyType_Spec spec = {"hetjit._core.Graph", sizeof(GraphObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};

}  // namespace

Handle make_graph_type(Borrowed module) {
  return make_type<GraphObject>(module, spec);
}

}  // namespace hetjit::python
