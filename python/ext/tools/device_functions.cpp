// Devices by name, for hetjit/devices.py.
#include "abi/target_name.h"
#include "compiler/target/target.h"
#include "python/ext/arrays/stream_choice.h"
#include "python/ext/arrays/stream_object.h"
#include "python/ext/handles/errors.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"
#include "runtime/registry.h"

namespace hetjit::python {
namespace {

PyObject* name_object(const runtime::Device& device) {
  return PyUnicode_FromString(device.name().c_str());
}

PyObject* devices(PyObject*, PyObject*) {
  Handle found = Handle::own(PyList_New(0));
  for (const std::string& name : runtime::devices()) {
    Handle text = Handle::own(PyUnicode_FromString(name.c_str()));
    if (!found || !text || PyList_Append(found.get(), text.get()) < 0) return nullptr;
  }
  return found.release();
}

PyObject* current_device(PyObject* module, PyObject*) {
  State* state = state_of_module(module);
  runtime::Device* device = state ? state->devices.current() : nullptr;
  return device ? name_object(*device) : nullptr;
}

PyObject* use_device(PyObject* module, PyObject* name) {
  State* state = state_of_module(module);
  runtime::Device* device = state ? Devices::named(name) : nullptr;
  if (!device) return nullptr;
  state->devices.use(device);
  return name_object(*device);
}

PyObject* synchronize(PyObject* module, PyObject* arguments) {
  PyObject *name = nullptr, *stream = Py_None;
  if (!PyArg_ParseTuple(arguments, "O|O", &name, &stream)) return nullptr;
  State* state = state_of_module(module);
  runtime::Device* device = state ? Devices::named(name) : nullptr;
  if (device && stream == Py_None) return finish_device(*state, *device) ? new_none() : nullptr;
  StreamChoice choice;
  if (!device || !read_stream(*state, stream, choice)) return nullptr;
  const Status fits = check_stream(choice, *device);
  if (!fits.ok()) return fail(fits.error());
  return finish_stream(*state, *device, choice.handle) ? new_none() : nullptr;
}

PyObject* device_info(PyObject*, PyObject* name) {
  runtime::Device* device = Devices::named(name);
  if (!device) return nullptr;
  const runtime::DeviceInfo& info = device->info();
  return Py_BuildValue("{s:s,s:s,s:s,s:I,s:(III),s:(III),s:I,s:I}", "name", device->name().c_str(),
                       "target", to_text(info.target).c_str(), "description",
                       info.description.c_str(), "max_threads_per_block",
                       info.max_threads_per_block, "max_block", info.max_block[0],
                       info.max_block[1], info.max_block[2], "max_grid", info.max_grid[0],
                       info.max_grid[1], info.max_grid[2], "max_shared_bytes",
                       info.max_shared_bytes, "multiprocessors", info.multiprocessors);
}

PyObject* why_not(PyObject*, PyObject* vendor) {
  const char* text = PyUnicode_AsUTF8AndSize(vendor, nullptr);
  return text ? PyUnicode_FromString(runtime::why_not(text).c_str()) : nullptr;
}

PyObject* add_emulated(PyObject*, PyObject* arguments) {
  const char* name = nullptr;
  unsigned long long find = 0;
  if (!PyArg_ParseTuple(arguments, "sK", &name, &find)) return nullptr;
  Result<runtime::Device*> device =
      runtime::add_emulated(name, reinterpret_cast<void* (*)(const char*)>(find));
  return device ? new_none() : fail(device.error());
}

// The last number of CUDA's: CUDA_ERROR_UNKNOWN.
constexpr long kUnknownError = 999;

// An exception has no way through the driver's callers, and may come before the first and after the
// last line of a Python function (signal handlers). It is kept: who reports the error raises it.
PyObject* call_guarded(PyObject* function, PyObject* arguments) {
  Handle answer = Handle::own(PyObject_Call(function, arguments, nullptr));
  if (answer) return answer.release();
  keep();
  return PyLong_FromLong(kUnknownError);
}

PyMethodDef guarded_call = {"guarded", call_guarded, METH_VARARGS, nullptr};

PyObject* guarded(PyObject*, PyObject* function) {
  return PyCFunction_NewEx(&guarded_call, function, nullptr);
}

PyObject* host_cpu(PyObject*, PyObject*) {
  return PyUnicode_FromString(target::host_cpu().c_str());
}

}  // namespace

PyMethodDef device_functions[] = {
    {"devices", devices, METH_NOARGS, "Names of the devices present."},
    {"current_device", current_device, METH_NOARGS, "Where launches without arrays go."},
    {"use_device", use_device, METH_O, "Sends launches without arrays there."},
    {"synchronize", synchronize, METH_VARARGS,
     "Waits for a stream of a device, or for all of them."},
    {"device_info", device_info, METH_O, "What a device is and what its limits are, as a dict."},
    {"why_not", why_not, METH_O, "Why there is no device of a vendor; empty when there is one."},
    {"add_emulated", add_emulated, METH_VARARGS,
     "Makes a machine a device: its name, and the address of what finds its driver's calls."},
    {"guarded", guarded, METH_O,
     "A function as a driver's call: what it raises is raised where its caller fails."},
    {"host_cpu", host_cpu, METH_NOARGS, "The CPU, as LLVM calls it."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
