// Kernel.explain: how a launch with these arguments would run. Nothing is launched or loaded.
#include "compiler/pipeline/compile.h"
#include "frontend/build/build.h"
#include "python/ext/capturer.h"
#include "python/ext/compiling.h"
#include "python/ext/errors.h"
#include "python/ext/kernel_object.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

// What the arguments were called with, in the order of the parameters.
struct Call {
  PyObject* ordered[kMostParameters] = {};
  bool read(const Parameters& parameters, Borrowed positional, Borrowed keywords);
};

bool Call::read(const Parameters& parameters, Borrowed positional, Borrowed keywords) {
  std::vector<PyObject*> given;
  for (Py_ssize_t i = 0; i < PyTuple_Size(positional); ++i)
    given.push_back(PyTuple_GetItem(positional, i));
  const size_t count = given.size();
  Handle keys = Handle::own(PyDict_Keys(keywords));
  Handle names = keys ? Handle::own(PyList_AsTuple(keys.get())) : Handle();
  if (!names) return false;
  for (Py_ssize_t i = 0; i < PyTuple_Size(names.get()); ++i)
    given.push_back(PyDict_GetItemWithError(keywords, PyTuple_GetItem(names.get(), i)));
  return order_arguments(parameters, given.data(), count, names.get(), ordered);
}

// The target asked for, else that of the device where the launch would go. nullopt: an exception
// is set.
std::optional<TargetName> target_for(KernelData& kernel, const Arguments& arguments,
                                     const char* asked) {
  if (asked) {
    Result<TargetName> name = parse_target(asked);
    if (name) return *name;
    fail(name.error());
    return std::nullopt;
  }
  runtime::Device* device =
      kernel.runs_anywhere() ? kernel.options.on : device_for(kernel, arguments);
  if (!device) return std::nullopt;
  return device->info().target;
}

PyObject* explain_kernel(PyObject* module, PyObject* given) {
  PyObject *object = nullptr, *positional = nullptr, *keywords = nullptr;
  const char* asked = nullptr;
  State* state = state_of_module(module);
  if (!state ||
      !PyArg_ParseTuple(given, "O!O!O!z", reinterpret_cast<PyTypeObject*>(state->kernel_type.get()),
                        &object, &PyTuple_Type, &positional, &PyDict_Type, &keywords, &asked))
    return nullptr;
  KernelData& kernel = data_of_kernel(object);
  Running running(kernel);
  Call call;
  Arguments arguments;
  const Parameters* parameters = parameters_now(kernel);
  if (!parameters || !call.read(*parameters, positional, keywords) ||
      !read_arguments(*state, *parameters, call.ordered, asked || kernel.runs_anywhere(),
                      arguments))
    return nullptr;
  std::optional<TargetName> target = target_for(kernel, arguments, asked);
  Generation* generation = nullptr;
  if (!target || !with_memory([&] { generation = current_generation(kernel, arguments); }) ||
      !generation)
    return nullptr;
  Options options = options_for(kernel, arguments, *target);
  std::shared_ptr<const Program> program = generation->program;
  std::shared_ptr<const ssa::Module> built = generation->module;
  Diagnostics diagnostics;
  std::optional<std::string> text;
  auto work = [&] {
    text = explain(built ? *built : build(program), options, diagnostics);
    return text.has_value();
  };
  if (!compiling(LlvmWork::Explain, target->kind, work)) return nullptr;
  if (!text) return fail(with_lenders(diagnostics, *parameters, arguments), *program);
  if (!warn(diagnostics, *program)) return nullptr;
  return new_text(*text).release();
}

}  // namespace

PyMethodDef explain_functions[] = {
    {"explain", ended<explain_kernel>, METH_VARARGS,
     "How a kernel would run for positional and keyword arguments, on a target or where they are."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
