// Kernel.registers, Kernel.occupancy: what the form of a kernel that was launched last needs of a
// GPU's multiprocessor, as its driver tells it.
#include "python/ext/handles/errors.h"
#include "python/ext/launch/bound_object.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

// Null: an exception is set.
std::shared_ptr<runtime::Kernel> launched_last(KernelData& kernel) {
  const auto& all = kernel.generations;
  if (!all.empty() && all[0]->last) return all[0]->last->kernel;
  const Parameters* parameters = parameters_now(kernel);
  if (parameters)
    fail(PyExc_RuntimeError, parameters->function +
                                 ": what a kernel needs is known when it has been launched on a "
                                 "GPU, and this one has been launched nowhere yet");
  return nullptr;
}

PyObject* number_or_error(Result<uint32_t> number) {
  if (!number) return fail(number.error());
  return PyLong_FromUnsignedLong(*number);
}

PyObject* registers(PyObject* module, PyObject* given) {
  State* state = state_of_module(module);
  PyObject* object = nullptr;
  if (!state ||
      !PyArg_ParseTuple(given, "O!", reinterpret_cast<PyTypeObject*>(state->kernel_type.get()),
                        &object))
    return nullptr;
  const auto kernel = launched_last(data_of_kernel(object));
  return kernel ? number_or_error(kernel->registers()) : nullptr;
}

// (kernel, key): as kernel[key] would launch it.
PyObject* occupancy(PyObject* module, PyObject* given) {
  State* state = state_of_module(module);
  PyObject *object = nullptr, *key = nullptr;
  if (!state ||
      !PyArg_ParseTuple(given, "O!O", reinterpret_cast<PyTypeObject*>(state->kernel_type.get()),
                        &object, &key))
    return nullptr;
  KernelData& data = data_of_kernel(object);
  const Parameters* parameters = parameters_now(data);
  LaunchConfig config;
  if (!parameters || !read_config(*state, parameters->function, key, config)) return nullptr;
  const auto kernel = launched_last(data);
  if (!kernel) return nullptr;
  const Geometry& asked = config.geometry;
  return number_or_error(kernel->occupancy(asked.block, asked.shared_bytes));
}

}  // namespace

PyMethodDef resource_functions[] = {
    {"registers", ended<registers>, METH_VARARGS, "Registers of a thread of a kernel."},
    {"occupancy", ended<occupancy>, METH_VARARGS,
     "Blocks of a kernel that a multiprocessor holds, launched with a key such as (grid, block)."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
