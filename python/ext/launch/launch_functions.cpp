// Launches that say grid and block by name: device.launch(f, …, grid=, block=) and f.forall(n).
// A launch like the last one finds its Bound again; others make the key that `f[…]` takes.
#include <array>
#include <string>
#include <vector>

#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/launch/bound_object.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

// Values by name, in the order of the key that `f[…]` takes. Borrowed; null: not given.
template <size_t count>
struct Named {
  std::array<const char*, count> names;
  std::array<PyObject*, count> values{};

  // Whether the name is one of these; then its value is kept.
  bool take(PyObject* name, PyObject* value) {
    for (size_t i = 0; i < count; ++i)
      if (PyUnicode_CompareWithASCIIString(name, names[i]) == 0)
        return (values[i] = value) != nullptr;
    return false;
  }
};

constexpr long kUsualBlock = 256;  // threads

using LaunchOptions = Named<8>;
using ForallOptions = Named<4>;

// What is not an option is an argument of the kernel, by its name.
struct KernelArguments {
  std::vector<PyObject*> all;  // borrowed; empty: the positional ones alone
  Handle names;
};

bool split(PyObject* const* given, size_t positional, PyObject* names, LaunchOptions& options,
           KernelArguments& rest) {
  const Py_ssize_t count = names ? PyTuple_Size(names) : 0;
  std::vector<PyObject*> others;
  for (Py_ssize_t i = 0; i < count; ++i) {
    PyObject* name = held_item(names, i).get();
    PyObject* value = given[positional + static_cast<size_t>(i)];
    if (options.take(name, value)) continue;
    others.push_back(name);
    rest.all.push_back(value);
  }
  if (others.empty()) return true;
  rest.all.insert(rest.all.begin(), given, given + positional);
  rest.names = new_tuple(others.data(), others.size());
  return static_cast<bool>(rest.names);
}

bool are_given(const LaunchOptions& options) {
  for (size_t i : {0, 1})
    if (!options.values[i])
      return fail(PyExc_TypeError,
                  std::string("launch() missing required keyword-only argument: '") +
                      options.names[i] +
                      "': write device.launch(kernel, x, y, grid=4, block=256), "
                      "or kernel.forall(n)(x, y), which may start more than n threads: behind "
                      "'if i < n'");
  return true;
}

PyObject* or_none(PyObject* value) { return value ? value : Py_None; }

// A plain int from 1 on that fits; 0: it is something else.
int64_t count_of(PyObject* number) {
  if (Py_TYPE(number) != &PyLong_Type) return 0;
  int overflow = 0;
  const long value = PyLong_AsLongAndOverflow(number, &overflow);
  return overflow || value < 0 ? 0 : value;
}

// What `f[…]` gives for these, most of which are not given.
Handle bound_for(PyObject* kernel, const LaunchOptions& options) {
  const auto& [grid, block, stream, shared, cooperative, cluster, priority, programmatic] =
      options.values;
  const bool usual = !cluster && !priority && !programmatic;
  if (usual && !stream && !shared && !cooperative)
    if (Handle last = last_bound(kernel, count_of(grid), count_of(block))) return last;
  const Handle nothing = Handle::own(PyLong_FromLong(0));
  const Handle key = Handle::own(
      PyTuple_Pack(usual ? 5 : 8, grid, block, or_none(stream), shared ? shared : nothing.get(),
                   cooperative ? cooperative : Py_False, or_none(cluster), or_none(priority),
                   programmatic ? programmatic : Py_False));
  return key ? Handle::own(PyObject_GetItem(kernel, key.get())) : Handle();
}

// What a class that somebody derived from Kernel has for `f[…]`: any callable.
PyObject* call_any(Borrowed object, PyObject* const* given, size_t positional,
                   const Handle& names) {
  const Handle all = new_tuple(given, positional);
  const Handle named = Handle::own(PyDict_New());
  if (!all || !named) return nullptr;
  for (Py_ssize_t i = 0; names && i < PyTuple_Size(names.get()); ++i)
    if (PyDict_SetItem(named.get(), held_item(names, i).get(),
                       given[positional + static_cast<size_t>(i)]) < 0)
      return nullptr;
  return PyObject_Call(object.get(), all.get(), named.get());
}

PyObject* launch(PyObject* module, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  State* state = state_of_module(module);
  if (!state) return nullptr;
  if (count < 1)
    return fail(PyExc_TypeError, "launch() missing 1 required positional argument: 'f'");
  PyObject* kernel = given[0];
  if (!is_instance(kernel, state->kernel_type))
    return fail(PyExc_TypeError, "device.launch() takes a kernel, not " + describe(kernel) +
                                     "; decorate the function with @device.kernel");
  LaunchOptions options{
      {"grid", "block", "stream", "shared", "cooperative", "cluster", "priority", "programmatic"}};
  KernelArguments arguments;
  if (!split(given, static_cast<size_t>(count), names, options, arguments) || !are_given(options))
    return nullptr;
  const Handle bound = bound_for(kernel, options);
  if (!bound) return nullptr;
  const auto positional = static_cast<size_t>(count) - 1;
  PyObject* const* all = arguments.all.empty() ? given : arguments.all.data();
  if (Py_TYPE(bound.get()) == reinterpret_cast<PyTypeObject*>(state->bound_type.get()))
    return launch_bound(bound, all + 1, positional, arguments.names.get());
  return call_any(bound, all + 1, positional, arguments.names);
}

bool read_forall(PyObject* const* given, Py_ssize_t count, PyObject* names,
                 ForallOptions& options) {
  if (count > 1)
    return fail(PyExc_TypeError, "forall() takes 1 positional argument but " +
                                     std::to_string(count) +
                                     " were given; arguments follow: kernel.forall(n)(x, y), and a "
                                     "kernel asks 'if i < n', as it may start more threads");
  if (count == 1) options.values[0] = given[0];
  for (Py_ssize_t i = 0; names && i < PyTuple_Size(names); ++i) {
    PyObject* name = held_item(names, i).get();
    if (count == 1 && PyUnicode_CompareWithASCIIString(name, options.names[0]) == 0)
      return fail(PyExc_TypeError, "forall() got multiple values for argument 'n'");
    if (!options.take(name, given[count + i]))
      return fail(PyExc_TypeError,
                  "forall() got an unexpected keyword argument '" + text_of(name) + "'");
  }
  return options.values[0] ||
         fail(PyExc_TypeError, "forall() missing 1 required positional argument: 'n'");
}

// Numbers that are no plain ints, and those that are wrong, are forall_of's affair, in Python.
PyObject* forall(PyObject* self, PyObject* const* given, Py_ssize_t count, PyObject* names) {
  ForallOptions options{{"n", "block", "stream", "shared"}};
  if (!read_forall(given, count, names, options)) return nullptr;
  const auto& [n, block, stream, shared] = options.values;
  const int64_t all = count_of(n), side = block ? count_of(block) : kUsualBlock;
  const int64_t blocks = all && side ? (all - 1) / side + 1 : 0;
  if (!stream && !shared)
    if (Handle last = last_bound(self, blocks, side)) return last.release();
  const Handle usual = Handle::own(PyLong_FromLong(kUsualBlock)),
               nothing = Handle::own(PyLong_FromLong(0));
  PyObject* threads = block ? block : usual.get();
  PyObject* bytes = shared ? shared : nothing.get();
  if (!blocks)
    return PyObject_CallMethod(self, "_forall", "OOOO", n, threads, or_none(stream), bytes);
  Handle grid = Handle::own(PyLong_FromLongLong(blocks));
  Handle key =
      grid ? Handle::own(PyTuple_Pack(4, grid.get(), threads, or_none(stream), bytes)) : Handle();
  return key ? PyObject_GetItem(self, key.get()) : nullptr;
}

template <auto function>
PyCFunction fast() {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(ended<function>));
}

}  // namespace

PyMethodDef launch_functions[] = {
    {"launch", fast<launch>(), METH_FASTCALL | METH_KEYWORDS,
     "launch($module, f, /, *args, grid, block, stream=None, shared=0, cooperative=False, "
     "cluster=None, priority=None, programmatic=False, **kwargs)\n--\n\n"
     "Launches kernel `f` with these arguments; the same as `f[grid, block, stream, shared, "
     "cooperative, cluster, priority, programmatic](*args, **kwargs)`.\n\n"
     "grid: blocks; block: threads of a block: an int or a tuple of up to three, x first. shared: "
     "bytes for dynamic_shared_array().\ncooperative: all blocks run at a time, as syncgrid() "
     "needs it. cluster: blocks that run at a time and near to one another, of NVIDIA's\nGPUs "
     "from sm_90 on; an int or a tuple, of which the grid is a multiple. priority: in place of the "
     "stream's, the lower the sooner.\nprogrammatic: it may begin before the launch before it is "
     "done, and waits by grid_dependency_synchronize(). Asynchronous on GPUs.\n\n"
     "Raises TypeError for what is no kernel, and for arguments that are none (a list) or not as "
     "many as parameters; ValueError for a\ngeometry that the device does not allow; "
     "OverflowError for an int beyond 32 bits; BufferError for an array that its library does\n"
     "not lend; CompileError where the kernel is wrong; DeviceError where the device is; and what "
     "the kernel itself raises."},
    {nullptr, nullptr, 0, nullptr}};

PyMethodDef kernel_methods[] = {
    {"forall", fast<forall>(), METH_FASTCALL | METH_KEYWORDS,
     "forall($self, /, n, *, block=256, stream=None, shared=0)\n--\n\n"
     "A launch of at least n threads along x, in blocks of a size that suits the device; "
     "`device.tid(1)` beyond n - 1\nmust be left alone by the kernel. Nothing is launched when n "
     "is 0. Raises ValueError for a negative n, TypeError for what is no int."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
