// Kernel.explain: how a launch with these arguments, or ones of these types, would run. Nothing is
// launched or loaded.
#include "compiler/pipeline/compile.h"
#include "frontend/build/build.h"
#include "frontend/snapshot/snapshot_text.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/launch/asked_launch.h"
#include "python/ext/launch/compiling.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

// Calls with the launch that is asked for: (kernel, positional, keywords, target).
template <class Answer>
PyObject* with_launch(PyObject* module, PyObject* given, Answer answer) {
  PyObject *object = nullptr, *positional = nullptr, *keywords = nullptr;
  const char* asked = nullptr;
  State* state = state_of_module(module);
  if (!state ||
      !PyArg_ParseTuple(given, "O!O!O!z", reinterpret_cast<PyTypeObject*>(state->kernel_type.get()),
                        &object, &PyTuple_Type, &positional, &PyDict_Type, &keywords, &asked))
    return nullptr;
  AskedLaunch launch(*state, data_of_kernel(object));
  return launch.read(Given::ArgumentsOrTypes, positional, keywords, asked) ? answer(launch)
                                                                           : nullptr;
}

PyObject* explain(AskedLaunch& launch) {
  const Options& options = launch.options;
  std::shared_ptr<const Program> program = launch.generation->program;
  std::shared_ptr<const ssa::Module> built = launch.generation->module;
  Diagnostics diagnostics;
  std::optional<std::string> text;
  auto work = [&] {
    text = hetjit::explain(built ? *built : build(program), options, diagnostics);
    return text.has_value();
  };
  if (!compiling(LlvmWork::Explain, options.target.kind, work)) return nullptr;
  if (!text) return fail(with_lenders(diagnostics, *launch.parameters, launch.arguments), *program);
  if (!warn(diagnostics, *program)) return nullptr;
  return new_text(*text).release();
}

PyObject* explain_kernel(PyObject* module, PyObject* given) {
  return with_launch(module, given, explain);
}

// Of a kernel with the constants that it is given: what `show` takes.
PyObject* request_of_kernel(PyObject* module, PyObject* given) {
  return with_launch(module, given, [](const AskedLaunch& launch) {
    const Handle snapshot = new_text(to_text(*launch.generation->program)),
                 signature = new_text(to_text(launch.options.signature));
    PyObject* const both[] = {snapshot.get(), signature.get()};
    return snapshot && signature ? new_tuple(both, 2).release() : nullptr;
  });
}

}  // namespace

PyMethodDef explain_functions[] = {
    {"explain", ended<explain_kernel>, METH_VARARGS,
     "How a kernel would run for positional and keyword arguments, on a target or where they are."},
    {"request", ended<request_of_kernel>, METH_VARARGS,
     "The snapshot and the signature of what that would compile, as texts."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
