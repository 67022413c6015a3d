#include "python/ext/launch/kernel_object.h"
#include "python/ext/launch/compiling.h"

#include <new>

#include "frontend/snapshot/snapshot_text.h"
#include "python/ext/arguments/read_arguments.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/handles/structs.h"
#include "python/ext/launch/bound_object.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

struct KernelObject {
  PyObject_HEAD KernelData data;
};

using Allocate = PyObject* (*)(PyTypeObject*, Py_ssize_t);

bool read_options(KernelData& to, const char* name, const char* on) {
  to.options.name = name ? name : "";
  if (!on) return true;
  to.options.on = Devices::open(on);
  to.options.anywhere = to.options.on && to.options.on->info().kind == runtime::DeviceKind::Null;
  return to.options.on != nullptr;
}

PyObject* create(PyTypeObject* type, PyObject* arguments, PyObject* keywords) {
  PyObject* function = nullptr;
  int contract = 1, fastmath = 0, portable_math = 0, device_function = 0, cache = 1;
  int debug = 0;
  const char *name = nullptr, *on = nullptr, *check = "";
  KernelLimits limits;
  const char* const names[] = {"function",        "contract", "fastmath",      "name",
                               "device_function", "on",       "portable_math", "check",
                               "cache",           "limits",   "debug",         nullptr};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "O|$ppzpzpsp(III)p",
                                   const_cast<char**>(names), &function, &contract, &fastmath,
                                   &name, &device_function, &on, &portable_math, &check, &cache,
                                   &limits.threads, &limits.blocks, &limits.registers, &debug))
    return nullptr;
  std::optional<Checks> checks = checks_of(check);
  if (!checks) return nullptr;
  State* state = state_of(type);
  if (!state) return nullptr;
  if (!is_instance(function, state->function_type))
    return fail(PyExc_TypeError,
                "only a Python function can be compiled, not " + describe(function));
  auto allocate = reinterpret_cast<Allocate>(PyType_GetSlot(type, Py_tp_alloc));
  Handle made = Handle::own(allocate(type, 0));
  if (!made) return nullptr;
  auto* data = new (&reinterpret_cast<KernelObject*>(made.get())->data) KernelData;
  data->state = state;
  data->function = Handle::share(function);
  data->options.contract = contract;
  data->options.fastmath = fastmath;
  data->options.portable_math = portable_math;
  data->options.checks = *checks;
  data->options.limits = limits;
  data->options.debug = debug;
  data->options.device_function = device_function;
  data->options.cached = cache;
  if (!read_options(*data, name, on)) return nullptr;
  // A device function may take *args as long as nobody launches it.
  if (!device_function && !parameters_now(*data)) return nullptr;
  return made.release();
}

// Whether the object means the same launch whenever it is seen again: a list in it could change.
bool is_lasting(Borrowed key) {
  if (key.get() == Py_None || Py_TYPE(key.get()) == &PyLong_Type || PyBool_Check(key.get()))
    return true;
  if (Py_TYPE(key.get()) != &PyTuple_Type) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(key.get()); ++i)
    if (!is_lasting(held_item(key, i))) return false;
  return true;
}

// Whether two lasting keys are equal, item by item: `[n, 256]` is another tuple every time.
bool same_key(PyObject* key, PyObject* last) {
  if (key == last) return true;
  if (!last || Py_TYPE(key) != Py_TYPE(last)) return false;
  if (Py_TYPE(key) == &PyLong_Type) {
    int overflow = 0;
    const long value = PyLong_AsLongAndOverflow(key, &overflow);
    return !overflow && value == PyLong_AsLongAndOverflow(last, &overflow) && !overflow;
  }
  const Py_ssize_t size = Py_TYPE(key) == &PyTuple_Type ? PyTuple_Size(key) : -1;
  if (size < 0 || size != PyTuple_Size(last)) return false;
  for (Py_ssize_t i = 0; i < size; ++i)
    if (!same_key(held_item(key, i).get(), held_item(last, i).get())) return false;
  return true;
}

PyObject* subscript(PyObject* self, PyObject* key) {
  KernelData& data = data_of_kernel(self);
  // A literal `[128, 256]` is the very same tuple.
  if (same_key(key, data.last_key.get())) return data.last_bound.dup().release();
  const Parameters* parameters = parameters_now(data);
  LaunchConfig config;
  if (!parameters || !read_config(*data.state, std::string(parameters->function), key, config))
    return nullptr;
  bool same = data.last_bound && config_of_bound(data.last_bound) == config;
  Handle bound = same ? data.last_bound.dup() : new_bound(*data.state, self, std::move(config));
  if (!bound) return nullptr;
  data.last_key = is_lasting(key) ? Handle::share(key) : Handle();
  data.last_bound = bound.dup();
  return bound.release();
}

int traverse(PyObject* self, visitproc visit, void* arg) {
  KernelData& data = data_of_kernel(self);
  Py_VISIT(reinterpret_cast<PyObject*>(Py_TYPE(self)));
  Py_VISIT(data.function.get());
  Py_VISIT(data.last_key.get());
  Py_VISIT(data.last_bound.get());
  if (const Parameters* parameters = data.parameters.get()) {
    for (const Handle& value : parameters->defaults) Py_VISIT(value.get());
    if (int stop = parameters->watches.traverse(visit, arg)) return stop;
    if (int stop = parameters->objects->traverse(visit, arg)) return stop;
  }
  for (const auto& generation : data.generations)
    if (int stop = generation->watches.traverse(visit, arg)) return stop;
  return 0;
}

int clear(PyObject* self) {
  KernelData& data = data_of_kernel(self);
  data.last_key = Handle();
  data.last_bound = Handle();
  auto parameters = std::move(data.parameters);
  auto generations = std::move(data.generations);
  data.generations.clear();
  data.function = Handle();
  return 0;
}

void destroy(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  data_of_kernel(self).~KernelData();
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DecRef(reinterpret_cast<PyObject*>(type));
}

PyObject* get_underlying(PyObject* self, void*) {
  KernelData& data = data_of_kernel(self);
  return data.function ? data.function.dup().release() : new_none();
}

PyObject* get_device_function(PyObject* self, void*) {
  return PyBool_FromLong(is_device_function(self));
}

// How many specialisations are loaded: for tests of what compiles again.
PyObject* get_ready(PyObject* self, void*) {
  size_t count = 0;
  for (const auto& generation : data_of_kernel(self).generations) count += generation->ready.size();
  return PyLong_FromSize_t(count);
}

constexpr size_t kLongestValue = 40;  // bytes of a constant's value that are shown

std::string value_text(const Program& program, size_t index) {
  std::string text = bound_text(program, static_cast<uint32_t>(index));
  if (text.size() <= kLongestValue) return text;
  size_t end = kLongestValue;
  while (end > 0 && (text[end] & 0xC0) == 0x80) --end;  // not within a character
  return text.substr(0, end) + "…";
}

std::string type_text(uint64_t word) {
  const Parameter parameter = parameter_of_word(word);
  return parameter.weak ? to_text(parameter) : to_python(parameter.type);
}

// `(float, float32[::1], 3) on cpu`: what a specialisation serves, constants by their values.
std::string signature_text(const Generation& generation, const Specialization& ready) {
  std::string text = "(";
  for (size_t i = 0; i < ready.words.size(); ++i)
    text += (i ? ", " : "") + (is_constant_word(ready.words[i]) ? value_text(*generation.program, i)
                                                                : type_text(ready.words[i]));
  return text + ") on " + ready.device->info().name;
}

PyObject* get_signatures(PyObject* self, void*) {
  Handle texts = Handle::own(PyList_New(0));
  for (const auto& generation : data_of_kernel(self).generations)
    for (const auto& ready : generation->ready) {
      Handle text = texts ? new_text(signature_text(*generation, *ready)) : Handle();
      if (!text || PyList_Append(texts.get(), text.get())) return nullptr;
    }
  return texts ? PyList_AsTuple(texts.get()) : nullptr;
}

PyGetSetDef attributes[] = {
    {"underlying", get_underlying, nullptr, "The undecorated function.", nullptr},
    {"device_function", get_device_function, nullptr, "Whether device.func made it.", nullptr},
    {"specializations", get_ready, nullptr, "How many compiled forms are loaded.", nullptr},
    {"signatures", get_signatures, nullptr,
     "What the compiled forms serve, a text each: types, values of constants, the device.",
     nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot slots[] = {
    {Py_tp_new, reinterpret_cast<void*>(ended<create>)},
    {Py_tp_dealloc, reinterpret_cast<void*>(destroy)},
    {Py_tp_traverse, reinterpret_cast<void*>(traverse)},
    {Py_tp_clear, reinterpret_cast<void*>(clear)},
    {Py_mp_subscript, reinterpret_cast<void*>(ended<subscript>)},
    {Py_tp_getset, attributes},
    {Py_tp_methods, kernel_methods},
    {Py_tp_doc, const_cast<char*>("A Python function to compile: kernel[grid, block](...).")},
    {0, nullptr}};

PyType_Spec spec = {"hetjit._core.Kernel", sizeof(KernelObject), 0,
                    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};

}  // namespace

Handle make_kernel_type(Borrowed module) { return make_type<KernelObject>(module, spec); }

const Parameters* parameters_anew(KernelData& kernel) {
  if (!kernel.function) return fail(PyExc_RuntimeError, "a kernel that is being taken down");
  auto made = std::make_unique<Parameters>();
  if (PyErr_Occurred() || !read_parameters(*kernel.state, kernel.function, *made)) return nullptr;
  if (kernel.parameters) made->objects = kernel.parameters->objects;
  kernel.parameters.swap(made);
  ++kernel.readings;
  if (made && kernel.running) kernel.replaced.push_back(std::move(made));
  return kernel.parameters.get();
}

Handle last_bound(Borrowed kernel, int64_t blocks, int64_t threads) {
  const KernelData& data = data_of_kernel(kernel);
  // A class that somebody derived may have brackets of its own.
  void* brackets = PyType_GetSlot(Py_TYPE(kernel.get()), Py_mp_subscript);
  const bool known = data.last_bound && blocks > 0 && threads > 0;
  if (!known || brackets != reinterpret_cast<void*>(ended<subscript>)) return Handle();
  const LaunchConfig& last = config_of_bound(data.last_bound);
  return last.is_plain(blocks, threads) ? data.last_bound.dup() : Handle();
}

KernelData& data_of_kernel(Borrowed kernel) { return as_struct<KernelObject>(kernel).data; }

bool is_device_function(Borrowed kernel) { return data_of_kernel(kernel).options.device_function; }

}  // namespace hetjit::python
