// interpret and call: the typed graph's own meaning, on Python's objects.
#include "abi/layout.h"
#include "compiler/ir/interpret.h"
#include "compiler/pipeline/compile.h"
#include "frontend/build/build.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/launch/bound_object.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"
#include "python/ext/types/values.h"

namespace hetjit::python {
namespace {

// Arguments for a function of a snapshot, named as there.
Parameters parameters_of(const Snapshot& snapshot, size_t count) {
  Parameters made;
  made.function = snapshot.name;
  for (size_t i = 0; i < count; ++i) {
    made.texts.push_back(i < snapshot.locals.size() ? snapshot.locals[i] : "?");
    made.names.push_back(new_text(made.texts.back()));
  }
  made.defaults.resize(count);
  made.annotations.resize(count);
  return made;
}

struct Request {
  std::shared_ptr<const Program> program;
  Arguments arguments;
  Options options;
  bool read(State& state, Borrowed text, Borrowed values);
};

bool Request::read(State& state, Borrowed text, Borrowed values) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.get(), &size);
  if (!data || !(program = program_of(data, size))) return false;
  std::vector<PyObject*> given;
  for (Py_ssize_t i = 0; i < PyTuple_Size(values.get()); ++i)
    given.push_back(held_item(values, i).get());
  if (given.size() > kMostParameters) return fail(PyExc_ValueError, "too many arguments");
  Parameters parameters = parameters_of(program->functions.front(), given.size());
  for (size_t i = 0; i < given.size(); ++i) {
    const auto& fixed = program->functions.front().annotations;
    if (i < fixed.size() && fixed[i]) parameters.annotations[i].type = fixed[i]->type;
  }
  if (!read_arguments(state, parameters, given.data(), {}, arguments)) return false;
  if (arguments.array >= 0 && !is_host_memory(arguments.device))
    return fail(PyExc_ValueError, "the interpreter reads the CPU's memory only");
  std::vector<TypeId> types;
  for (size_t i = 0; i < given.size(); ++i) {
    options.signature.parameters.push_back(parameter_of_word(arguments.words[i]));
    types.push_back(options.signature.parameters.back().type);
  }
  for (const uint32_t whole = parameter_block(types).size; arguments.size < whole;)
    arguments.block[arguments.size++] = std::byte{0};
  const Options environment = Options::from_environment();
  options.observer = environment.observer;
  options.checks = environment.checks;
  options.verify = true;
  return true;
}

std::optional<ir::Module> typed(const Request& request, Diagnostics& diagnostics) {
  return compile_to_ir(build(request.program), request.options, diagnostics);
}

PyObject* interpret(PyObject* module, PyObject* arguments, PyObject* keywords) {
  PyObject *text = nullptr, *values = nullptr, *grid = nullptr, *block = nullptr;
  int contract = 1;
  unsigned int shared = 0;
  const char* target = "cpu";
  const char* const names[] = {"snapshot", "arguments", "grid",   "block",
                               "contract", "shared",    "target", nullptr};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "UO!OO|$pIs", const_cast<char**>(names),
                                   &text, &PyTuple_Type, &values, &grid, &block, &contract, &shared,
                                   &target))
    return nullptr;
  State* state = state_of_module(module);
  Handle key = Handle::own(PyTuple_Pack(2, grid, block));
  Request request;
  LaunchConfig config;
  if (!state || !key || !request.read(*state, text, values) ||
      !read_config(*state, "interpret", key, config))
    return nullptr;
  Result<TargetName> name = parse_target(target);
  if (!name) return fail(name.error());
  request.options.target = *name;
  request.options.portable_math = true;  // one meaning for all targets
  request.options.contract = contract;
  config.geometry.shared_bytes = shared;
  Diagnostics diagnostics;
  std::optional<ir::Module> ir;
  Status done;
  Report report;
  Py_BEGIN_ALLOW_THREADS;
  ir = typed(request, diagnostics);
  if (ir)
    done = ir::interpret_kernel(*ir, {request.arguments.block.data(), request.arguments.size},
                                config.geometry, report, warp_size(*name));
  Py_END_ALLOW_THREADS;
  if (!ir) return fail(diagnostics, *request.program);
  if (!done.ok()) return fail(done.error());
  return deliver({ir->sites, ir->functions.front().name, report}) ? new_none() : nullptr;
}

PyObject* call(PyObject* module, PyObject* arguments, PyObject* keywords) {
  PyObject *text = nullptr, *values = nullptr;
  int contract = 1;
  const char* const names[] = {"snapshot", "arguments", "contract", nullptr};
  if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "UO!|$p", const_cast<char**>(names), &text,
                                   &PyTuple_Type, &values, &contract))
    return nullptr;
  State* state = state_of_module(module);
  Request request;
  if (!state || !request.read(*state, text, values)) return nullptr;
  request.options.contract = contract;
  request.options.kernel = false;
  Diagnostics diagnostics;
  std::optional<ir::Module> ir;
  Result<std::vector<std::byte>> result = Error{};
  Report report;
  Py_BEGIN_ALLOW_THREADS;
  ir = typed(request, diagnostics);
  if (ir)
    result = ir::interpret_function(*ir, {request.arguments.block.data(), request.arguments.size},
                                    report);
  Py_END_ALLOW_THREADS;
  if (!ir) return fail(diagnostics, *request.program);
  if (!result) return fail(result.error());
  if (!deliver({ir->sites, ir->functions.front().name, report})) return nullptr;
  return value_object(ir->functions.front().result, result->data()).release();
}

}  // namespace

PyMethodDef interpret_functions[] = {
    {"interpret", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(ended<interpret>)),
     METH_VARARGS | METH_KEYWORDS,
     "Runs a kernel's typed graph, as it is for a target, on arrays of the CPU, in place."},
    {"call", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(ended<call>)),
     METH_VARARGS | METH_KEYWORDS,
     "Calls a device function's typed graph, and returns its result."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
