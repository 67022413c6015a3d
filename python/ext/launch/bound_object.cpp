#include "python/ext/launch/bound_object.h"

#include <algorithm>
#include <new>
#include <utility>

#include "python/ext/arrays/stream_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/handles/structs.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/launch/last_launch.h"
#include "python/ext/launch/without_gil.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

struct BoundObject {
  PyObject_HEAD Vectorcall call;
  Kept kernel;
  LaunchConfig config;
  LastLaunch last;
};

BoundObject& self_of(Borrowed object) { return as_struct<BoundObject>(object); }

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

Specialization* find_ready(KernelData& kernel, const Arguments& arguments,
                           runtime::Device& device) {
  if (!kernel.generations.empty()) {
    Generation& current = *kernel.generations.front();
    if (current.watches.hold()) {
      if (current.last && current.last->serves(arguments, &device)) return current.last;
      for (const auto& ready : current.ready)
        if (ready->serves(arguments, &device)) return current.last = ready.get();
    } else if (PyErr_Occurred()) {
      return nullptr;
    }
  }
  return specialize(kernel, arguments, device);
}

// A driver's queue holds about a thousand launches; one more waits until the first is done, which
// is no time to keep the GIL.
constexpr uint32_t kSurelyQueued = 512;

// The launch comes after what producers have in flight; the device waits, nobody else. What is
// taken into somebody's graph cannot wait for what is not.
Status follow(runtime::Device& device, const Arguments& arguments) {
  const runtime::Handle stream = arguments.stream.handle;
  for (runtime::Handle other : arguments.after) {
    if (other == stream) continue;
    Result<bool> captured = device.captures(stream);
    if (!captured) return captured.error();
    if (*captured) {
      captured = device.captures(other);
      if (!captured) return captured.error();
      if (!*captured) continue;
    }
    Result<runtime::Event> work = runtime::Event::of(device, other);
    if (!work) return work.error();
    HETJIT_TRY(work->precede(stream));
  }
  return ok();
}

// The GIL is kept round a launch that only enqueues: that takes microseconds, and getting the GIL
// back beside a busy thread may take milliseconds.
Status enqueue(State& state, Specialization& ready, const LaunchConfig& config,
               Arguments& arguments, std::unique_ptr<Report>& said) {
  if (arguments.stream.own) HETJIT_TRY(check_stream(state, arguments.stream, *ready.device));
  const runtime::Params params{arguments.block.data(), arguments.size};
  const runtime::Handle stream = arguments.stream.handle;
  runtime::Kernel& kernel = *ready.kernel;
  if (!state.graphs.empty())
    if (const auto graph = state.graphs.taking(*ready.device, arguments.stream)) {
      graph->keep(std::exchange(arguments.loaned, {}));
      return graph->launch(ready.kernel, config.geometry, params, stream, arguments.after);
    }
  if (ready.checked != config.number) {
    HETJIT_TRY(kernel.check_launch(config.geometry, params));
    ready.checked = config.number;
  }
  auto launch = [&] { return kernel.launch_checked(config.geometry, params, stream); };
  // What the host's kernels borrowed goes back when this launch's arguments do.
  if (ready.waits == Specialization::Always) {
    if (!kernel.speaks()) return without_gil(launch);
    said = std::make_unique<Report>();
    return without_gil(
        [&] { return kernel.launch_and_listen(config.geometry, params, stream, *said); });
  }
  if (!arguments.after.empty()) HETJIT_TRY(follow(*ready.device, arguments));
  const bool queued = ready.waits == Specialization::Never ||
                      state.devices.queued + state.loans.outstanding() < kSurelyQueued;
  if (arguments.loaned.loans.empty()) ++state.devices.queued;
  Status done = queued ? launch() : without_gil(launch);
  if (kernel.speaks() && done.ok()) state.speakers.launched(ready.kernel, stream);
  if (ready.waits == Specialization::Never || arguments.loaned.loans.empty() || !done.ok())
    return done;
  return state.loans.keep(*ready.device, stream, arguments.stream.lasting, arguments.loaned);
}

// The parameter block ends where its last parameter does; what is compiled rounds that up.
void pad(Arguments& arguments, const Specialization& ready) {
  const uint32_t whole = ready.kernel->parameter_bytes();
  for (; arguments.size < whole; ++arguments.size) arguments.block[arguments.size] = std::byte{0};
}

Specialization* find(KernelData& kernel, const Arguments& arguments) {
  runtime::Device* device =
      kernel.runs_anywhere() ? kernel.options.on : device_for(kernel, arguments);
  return device ? find_ready(kernel, arguments, *device) : nullptr;
}

// `reading`: of which the arguments are; null: of none that is kept.
PyObject* launch(KernelData& kernel, const LaunchConfig& config, Arguments& arguments,
                 LastLaunch::Reading* reading = nullptr) {
  Specialization* ready = reading ? reading->ready(kernel) : nullptr;
  if (!ready) {
    if (PyErr_Occurred() || !(ready = find(kernel, arguments))) return nullptr;
    if (!arguments.lent.empty() &&
        !announce_stores(*arguments.parameters, arguments, ready->kernel->stored()))
      return nullptr;
    pad(arguments, *ready);
    if (reading) reading->served_by(kernel, *ready);
  }
  std::unique_ptr<Report> said;  // of a host's kernel that speaks
  Status done = enqueue(*kernel.state, *ready, config, arguments, said);
  if (done.ok() && !said && !kernel.state->devices.blocking) return new_none();
  const bool told =
      tell_launch(*ready->kernel, kernel.parameters->function, done, said ? *said : Report()) &&
      wait_if_blocking(*kernel.state, *ready->device, arguments.stream.handle);
  return told ? new_none() : nullptr;
}

// While graphs take launches in: one that does keeps the arguments, wherever they are.
PyObject* launch_beside_graphs(KernelData& kernel, const LaunchConfig& config,
                               const Parameters& parameters, PyObject* const* given) {
  Arguments arguments;
  arguments.stream = kernel.state->graphs.stream_for(config.stream);
  if (!read_arguments(*kernel.state, parameters, given, kernel.place(), arguments)) return nullptr;
  for (size_t i = 0; i < parameters.count(); ++i)
    arguments.loaned.loans.push_back({.object = Handle::share(given[i]).release()});
  return launch(kernel, config, arguments);
}

PyObject* call(PyObject* self, PyObject* const* given, size_t nargsf, PyObject* keywords) {
  BoundObject& bound = self_of(self);
  KernelData& kernel = data_of_kernel(bound.kernel);
  PyObject* ordered[kMostParameters];
  const size_t count = positional_count(nargsf);
  Running running(kernel);
  const Parameters* parameters = parameters_now(kernel);
  if (!parameters) return nullptr;
  if (count != parameters->count() || keywords || parameters->positional != count) {
    if (!order_arguments(*parameters, given, count, keywords, ordered)) return nullptr;
    given = ordered;
  }
  if (!kernel.state->graphs.empty())
    return launch_beside_graphs(kernel, bound.config, *parameters, given);
  if (LastLaunch::Reading* reading = bound.last.find(kernel, given)) {
    const LastLaunch::Use use(*reading, given);
    return launch(kernel, bound.config, use.arguments(), reading);
  }
  std::vector<SeenArgument> seen = bound.last.look(kernel, *parameters, given);
  Arguments arguments;
  arguments.stream = bound.config.stream;
  if (!read_arguments(*kernel.state, *parameters, given, kernel.place(), arguments)) return nullptr;
  if (!LastLaunch::is_so(kernel, seen, given)) seen.clear();  // another thread has changed one
  if (interrupted()) return nullptr;                          // libraries were asked
  PyObject* done = launch(kernel, bound.config, arguments);
  if (done && !seen.empty()) bound.last.keep(kernel, arguments, std::move(seen));
  return done;
}

// tp_call: PyVectorcall_Call is not in the limited API of 3.11.
PyObject* call_with_tuple(PyObject* self, PyObject* arguments, PyObject* keywords) {
  std::vector<PyObject*> all;
  for (Py_ssize_t i = 0; i < PyTuple_Size(arguments); ++i)
    all.push_back(held_item(arguments, i).get());
  const size_t count = all.size();
  Handle names;
  if (keywords && PyDict_Size(keywords) > 0) {
    Handle keys = Handle::own(PyDict_Keys(keywords));
    names = keys ? Handle::own(PyList_AsTuple(keys.get())) : Handle();
    if (!names) return nullptr;
    for (Py_ssize_t i = 0; i < PyTuple_Size(names.get()); ++i)
      all.push_back(held_value(keywords, held_item(names, i)).get());
  }
  return ended<call>(self, all.data(), count, names.get());
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  Py_VISIT(self_of(self).kernel.get());
  Py_VISIT(self_of(self).config.owner.get());
  return 0;
}

// The kernel is not let go here but in destroy(): a bound kernel can be called until then, and the
// cycle through Kernel::last_bound is cut at the kernel's end.
int clear(PyObject*) { return 0; }

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  self_of(self).kernel = Handle();
  self_of(self).config.~LaunchConfig();
  self_of(self).last.~LastLaunch();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyObject* shape_of(const uint32_t* extents) {
  return Py_BuildValue("(III)", extents[0], extents[1], extents[2]);
}
PyObject* get_grid(PyObject* self, void*) { return shape_of(self_of(self).config.geometry.grid); }
PyObject* get_block(PyObject* self, void*) { return shape_of(self_of(self).config.geometry.block); }
PyObject* get_cooperative(PyObject* self, void*) {
  return PyBool_FromLong(self_of(self).config.geometry.cooperative);
}
PyObject* get_shared(PyObject* self, void*) {
  return PyLong_FromUnsignedLong(self_of(self).config.geometry.shared_bytes);
}
PyObject* get_cluster(PyObject* self, void*) {
  return shape_of(self_of(self).config.geometry.schedule.cluster);
}
PyObject* get_priority(PyObject* self, void*) {
  const Schedule& schedule = self_of(self).config.geometry.schedule;
  return schedule.has_priority ? PyLong_FromLong(schedule.priority) : new_none();
}
PyObject* get_programmatic(PyObject* self, void*) {
  return PyBool_FromLong(self_of(self).config.geometry.schedule.programmatic);
}
PyObject* get_stream(PyObject* self, void*) {
  const Handle& owner = self_of(self).config.owner;
  return owner ? owner.dup().release() : new_none();
}
PyObject* get_kernel(PyObject* self, void*) { return self_of(self).kernel.dup().release(); }

std::string text_of_shape(const uint32_t* extents) {
  return "(" + std::to_string(extents[0]) + ", " + std::to_string(extents[1]) + ", " +
         std::to_string(extents[2]) + ")";
}
// What is beside the usual, as it would be written.
std::string text_of_options(const LaunchConfig& config) {
  const Geometry& geometry = config.geometry;
  const Schedule &schedule = geometry.schedule, usual;
  std::string text;
  if (config.owner && config.owner.get() != Py_None) text += ", stream=" + describe(config.owner);
  if (geometry.shared_bytes) text += ", shared=" + std::to_string(geometry.shared_bytes);
  if (geometry.cooperative) text += ", cooperative=True";
  if (!std::ranges::equal(schedule.cluster, usual.cluster))
    text += ", cluster=" + text_of_shape(schedule.cluster);
  if (schedule.has_priority) text += ", priority=" + std::to_string(schedule.priority);
  if (schedule.programmatic) text += ", programmatic=True";
  return text;
}
PyObject* represent(PyObject* self) {
  const BoundObject& bound = self_of(self);
  const Parameters* parameters = data_of_kernel(bound.kernel).parameters.get();
  const std::string text = "<" + (parameters ? parameters->function : "kernel") +
                           "[grid=" + text_of_shape(bound.config.geometry.grid) +
                           ", block=" + text_of_shape(bound.config.geometry.block) +
                           text_of_options(bound.config) + "]>";
  return PyUnicode_FromString(text.c_str());
}

PyGetSetDef attributes[] = {
    {"kernel", get_kernel, nullptr, "What it launches.", nullptr},
    {"grid", get_grid, nullptr, "Blocks along x, y, z.", nullptr},
    {"block", get_block, nullptr, "Threads of a block along x, y, z.", nullptr},
    {"shared", get_shared, nullptr, "Bytes of dynamic shared memory.", nullptr},
    {"stream", get_stream, nullptr, "The stream as it was given, or None.", nullptr},
    {"cooperative", get_cooperative, nullptr, "Whether all blocks run at a time.", nullptr},
    {"cluster", get_cluster, nullptr, "Blocks of a cluster along x, y, z.", nullptr},
    {"priority", get_priority, nullptr, "In place of its stream's, or None.", nullptr},
    {"programmatic", get_programmatic, nullptr,
     "Whether it may begin before the launch before it is done.", nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(BoundObject, call), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr}};

PyType_Slot slots[] = {{Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
                       {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {Py_tp_call, reinterpret_cast<void*>(call_with_tuple)},
                       {Py_tp_repr, reinterpret_cast<void*>(represent)},
                       {Py_tp_getset, attributes},
                       {Py_tp_members, members},
                       {Py_tp_doc, const_cast<char*>("A kernel with its launch configuration.")},
                       {0, nullptr}};

PyType_Spec spec = {"hetjit._core.Bound", sizeof(BoundObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION |
                        Py_TPFLAGS_IMMUTABLETYPE | kHasVectorcall,
                    slots};

}  // namespace

runtime::Device* device_for(KernelData& kernel, const Arguments& arguments) {
  Devices& devices = kernel.state->devices;
  runtime::Device* on = kernel.options.on;
  if (arguments.array < 0) return on ? on : devices.current();
  if (on && memory_of(*on).device_type == arguments.device.device_type &&
      memory_of(*on).device_id == arguments.device.device_id)
    return on;
  if (!on) return devices.of_memory(arguments.device);
  const Parameters& parameters = *arguments.parameters;
  const std::string& name = parameters.texts[static_cast<size_t>(arguments.array)];
  return fail(PyExc_ValueError, parameters.function + "(): argument '" + name + "' is on " +
                                    place_text(arguments.device) +
                                    ", but the kernel was told to run on " + on->name());
}

Handle make_bound_type(Borrowed module) { return make_type<BoundObject>(module, spec); }

Handle new_bound(State& state, Borrowed kernel, LaunchConfig config) {
  auto* type = reinterpret_cast<PyTypeObject*>(state.bound_type.get());
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  Handle made = Handle::own(allocate(type, 0));
  if (!made) return Handle();
  BoundObject& self = self_of(made);
  self.call = ended<call>;
  self.kernel = kernel.dup();
  new (&self.config) LaunchConfig(std::move(config));
  self.config.number = ++state.bound;
  new (&self.last) LastLaunch;
  return made;
}

const LaunchConfig& config_of_bound(Borrowed bound) { return self_of(bound).config; }

PyObject* launch_bound(Borrowed bound, PyObject* const* given, size_t positional, PyObject* names) {
  return call(bound.get(), given, positional, names);
}

}  // namespace hetjit::python
