// Kernel.explain: how a launch with these arguments would run. Nothing is launched or loaded.
#include "compiler/pipeline/compile.h"
#include "frontend/build/build.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/launch/asked_launch.h"
#include "python/ext/launch/compiling.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

PyObject* explain_kernel(PyObject* module, PyObject* given) {
  PyObject *object = nullptr, *positional = nullptr, *keywords = nullptr;
  const char* asked = nullptr;
  State* state = state_of_module(module);
  if (!state ||
      !PyArg_ParseTuple(given, "O!O!O!z", reinterpret_cast<PyTypeObject*>(state->kernel_type.get()),
                        &object, &PyTuple_Type, &positional, &PyDict_Type, &keywords, &asked))
    return nullptr;
  AskedLaunch launch(*state, data_of_kernel(object));
  if (!launch.read(Given::Arguments, positional, keywords, asked)) return nullptr;
  const Options& options = launch.options;
  std::shared_ptr<const Program> program = launch.generation->program;
  std::shared_ptr<const ssa::Module> built = launch.generation->module;
  Diagnostics diagnostics;
  std::optional<std::string> text;
  auto work = [&] {
    text = explain(built ? *built : build(program), options, diagnostics);
    return text.has_value();
  };
  if (!compiling(LlvmWork::Explain, options.target.kind, work)) return nullptr;
  if (!text) return fail(with_lenders(diagnostics, *launch.parameters, launch.arguments), *program);
  if (!warn(diagnostics, *program)) return nullptr;
  return new_text(*text).release();
}

}  // namespace

PyMethodDef explain_functions[] = {
    {"explain", ended<explain_kernel>, METH_VARARGS,
     "How a kernel would run for positional and keyword arguments, on a target or where they are."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
