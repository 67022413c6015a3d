// capture, show and compile, on the text of snapshots: every step of a compilation by itself.
#include "python/ext/tools.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "abi/target_name.h"
#include "compiler/cxx/exports.h"
#include "compiler/images/image_table.h"
#include "compiler/mathlib/library.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/export.h"
#include "compiler/typing/core/explain.h"
#include "frontend/build/build.h"
#include "frontend/bytecode/decode.h"
#include "frontend/snapshot/snapshot_text.h"
#include "python/ext/capture/capture.h"
#include "python/ext/capture/capturer.h"
#include "python/ext/handles/errors.h"
#include "python/ext/launch/compiling.h"
#include "python/ext/state.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

PyObject* capture_function(PyObject* module, PyObject* arguments) {
  PyObject *function = nullptr, *hints = nullptr;
  State* state = state_of_module(module);
  if (!state || !PyArg_ParseTuple(arguments, "O|O!", &function, &PyTuple_Type, &hints))
    return nullptr;
  if (!is_instance(function, state->function_type))
    return fail(PyExc_TypeError, "capture() takes a Python function, not " + describe(function));
  std::vector<TypeId> types;
  for (Py_ssize_t i = 0; hints && i < PyTuple_Size(hints); ++i) {
    std::optional<Parameter> hint = parameter_of_hint(*state, held_item(hints, i));
    if (!hint) return fail(PyExc_TypeError, "capture(): a type of device code is needed");
    types.push_back(hint->type);
  }
  std::optional<Captured> captured = capture(*state, function, types);
  if (!captured) return nullptr;
  return new_text(to_text(*captured->program)).release();
}

// What a decorator says of compilations, as keywords: those that _core.Kernel has, too.
struct Settings {
  int contract = 1, kernel = 1, fastmath = 0, portable_math = 0, debug = 0;
  const char *name = nullptr, *check = "";
  KernelLimits limits;
};

// Reads a function's own arguments, by `format` with its | and `names`, and behind them the
// settings.
template <typename... Places>
bool parse(PyObject* arguments, PyObject* keywords, const std::string& format,
           std::vector<const char*> names, Settings& to, Places*... places) {
  for (const char* setting : {"contract", "kernel", "fastmath", "portable_math", "name", "check",
                              "limits", "debug", static_cast<const char*>(nullptr)})
    names.push_back(setting);
  return PyArg_ParseTupleAndKeywords(
      arguments, keywords, (format + "$ppppzs(III)p").c_str(), const_cast<char**>(names.data()),
      places..., &to.contract, &to.kernel, &to.fastmath, &to.portable_math, &to.name, &to.check,
      &to.limits.threads, &to.limits.blocks, &to.limits.registers, &to.debug);
}

// What show, compile and export are called with.
struct Request {
  std::shared_ptr<const Program> program;
  Options options;
  bool read(Borrowed text, const char* signature, const char* target, const Settings& settings);
  bool take(const Settings& settings);
  void rename(const char* name);
};

// The function is called so; null: as it is.
void Request::rename(const char* name) {
  if (!name) return;
  auto renamed = std::make_shared<Program>(*program);
  renamed->functions.front().name = name;
  program = std::move(renamed);
}

bool Request::take(const Settings& settings) {
  const std::optional<Checks> checks = checks_of(settings.check);
  if (!checks) return false;
  const Options environment = Options::from_environment();
  options.verify = environment.verify;
  options.checks = environment.checks | *checks;
  options.contract = settings.contract;
  options.kernel = settings.kernel;
  options.fastmath = settings.fastmath;
  options.portable_math = settings.portable_math;
  options.limits = settings.limits;
  options.debug = settings.debug;
  rename(settings.name);
  return true;
}

bool Request::read(Borrowed text, const char* signature, const char* target,
                   const Settings& settings) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text.get(), &size);
  if (!data || !(program = program_of(data, size))) return false;
  Result<Signature> parsed = parse_signature(signature);
  if (!parsed) return fail(parsed.error());
  Result<TargetName> name = parse_target(target);
  if (!name) return fail(name.error());
  options.signature = std::move(*parsed);
  options.target = std::move(*name);
  return take(settings);
}

struct PhaseName {
  const char* name;
  Phase phase;
};
constexpr PhaseName kPhases[] = {
    {"ssa", Phase::Ssa},         {"typed", Phase::Typed},   {"optimized", Phase::Optimized},
    {"plan", Phase::Plan},       {"llvm", Phase::Llvm},     {"ptx", Phase::Assembly},
    {"amdgcn", Phase::Assembly}, {"host", Phase::Assembly}, {"assembly", Phase::Assembly},
    {"explain", Phase::Explain}};

std::optional<Phase> find_phase(const std::string& name) {
  for (const PhaseName& row : kPhases)
    if (name == row.name) return row.phase;
  return std::nullopt;
}

// The dump of one phase; empty with diagnostics when it is not reached. Runs without the GIL.
std::string dump(Request& request, Phase wanted, Diagnostics& diagnostics) {
  std::string text;
  request.options.observer.wants = [&](Phase phase) { return phase == wanted; };
  request.options.observer.show = [&](Phase, const std::string& found) { text = found; };
  ssa::Module module = build(request.program);
  if (wanted == Phase::Ssa && !module.functions.front().function) {
    diagnostics = module.functions.front().problems;
  } else if (wanted == Phase::Plan) {
    (void)explain(module, request.options, diagnostics);
  } else if (wanted == Phase::Explain) {
    text = explain(module, request.options, diagnostics).value_or("");
  } else if (wanted == Phase::Llvm || wanted == Phase::Assembly) {
    (void)compile(module, request.options, diagnostics);
  } else {
    (void)compile_to_ir(module, request.options, diagnostics);
  }
  return text;
}

PyObject* show(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* text = nullptr;
  const char *phase = nullptr, *signature = nullptr, *target = "cpu:native";
  Settings settings;
  if (!parse(arguments, keywords, "Uss|s", {"snapshot", "phase", "signature", "target"}, settings,
             &text, &phase, &signature, &target))
    return nullptr;
  Request request;
  if (!request.read(text, signature, target, settings)) return nullptr;
  if (std::string(phase) == "bytecode")
    return new_text(bytecode::to_text(request.program->functions.front())).release();
  std::optional<Phase> wanted = find_phase(phase);
  if (!wanted) return fail(PyExc_ValueError, std::string("no phase is called '") + phase + "'");
  Diagnostics diagnostics;
  std::string found;
  auto work = [&] {
    found = dump(request, *wanted, diagnostics);
    return false;  // most phases come before LLVM
  };
  if (!compiling(LlvmWork::Emit, request.options.target.kind, work)) return nullptr;
  // The untyped graph is there even when types do not fit.
  if (found.empty()) return fail(diagnostics, *request.program);
  return new_text(found).release();
}

constexpr const char* kKinds[] = {"ptx", "cubin", "code_object", "host_object"};

struct Timing {
  std::string phase;
  std::chrono::nanoseconds took;
};

// A dict of what a compilation gave.
PyObject* result_of(const KernelImage& image, const std::vector<Timing>& timings) {
  Handle times = Handle::own(PyDict_New());
  for (const Timing& timing : timings) {
    Handle took = Handle::own(PyLong_FromLongLong(timing.took.count()));
    if (!times || !took || PyDict_SetItemString(times.get(), timing.phase.c_str(), took.get()) < 0)
      return nullptr;
  }
  return Py_BuildValue("{s:y#,s:s,s:I,s:I,s:s,s:s,s:O}", "code",
                       reinterpret_cast<const char*>(image.code.data()),
                       static_cast<Py_ssize_t>(image.code.size()), "entry", image.entry.c_str(),
                       "parameter_bytes", image.parameter_bytes, "stack_bytes", image.stack_bytes,
                       "kind", kKinds[static_cast<size_t>(image.kind)], "target",
                       to_text(image.target).c_str(), "timings", times.get());
}

std::optional<KernelImage> compile_timed(Request& request, Diagnostics& diagnostics,
                                         std::vector<Timing>& timings) {
  using Clock = std::chrono::steady_clock;
  request.options.observer.timed = [&](std::string_view phase, std::chrono::nanoseconds took) {
    timings.push_back({std::string(phase), took});
  };
  Clock::time_point started = Clock::now();
  ssa::Module module = build(request.program);
  timings.push_back({"build", Clock::now() - started});
  return compile(module, request.options, diagnostics);
}

PyObject* compile_snapshot(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* text = nullptr;
  const char *signature = nullptr, *target = nullptr;
  int cubin = 0;
  Settings settings;
  if (!parse(arguments, keywords, "Uss|p", {"snapshot", "signature", "target", "cubin"}, settings,
             &text, &signature, &target, &cubin))
    return nullptr;
  Request request;
  if (!request.read(text, signature, target, settings)) return nullptr;
  request.options.cubin = cubin;
  Diagnostics diagnostics;
  std::vector<Timing> timings;
  std::optional<KernelImage> image;
  auto work = [&] {
    image = compile_timed(request, diagnostics, timings);
    return image.has_value();
  };
  if (!compiling(LlvmWork::Emit, request.options.target.kind, work)) return nullptr;
  if (!image) return fail(diagnostics, *request.program);
  if (!warn(diagnostics, *request.program)) return nullptr;
  return result_of(*image, timings);
}

struct FormName {
  const char* name;
  target::ExportForm form;
};
constexpr FormName kForms[] = {{"assembly", target::ExportForm::Assembly},
                               {"object", target::ExportForm::Object},
                               {"bitcode", target::ExportForm::Bitcode},
                               {"llvm", target::ExportForm::Llvm},
                               {"lto", target::ExportForm::Lto}};

PyObject* export_snapshot(PyObject*, PyObject* arguments, PyObject* keywords) {
  PyObject* text = nullptr;
  const char *signature = nullptr, *target = nullptr, *form = nullptr;
  Settings settings;
  settings.kernel = 0;
  if (!parse(arguments, keywords, "Usss|", {"snapshot", "signature", "target", "form"}, settings,
             &text, &signature, &target, &form))
    return nullptr;
  Request request;
  if (!request.read(text, signature, target, settings)) return nullptr;
  const auto* wanted = std::find_if(std::begin(kForms), std::end(kForms), [&](const FormName& row) {
    return row.name == std::string(form);
  });
  if (wanted == std::end(kForms))
    return fail(PyExc_ValueError, std::string("no form of code is called '") + form + "'");
  Diagnostics diagnostics;
  std::optional<Export> made;
  auto work = [&] {
    made = export_function(build(request.program), request.options, wanted->form, diagnostics);
    return made.has_value();
  };
  if (!compiling(LlvmWork::Emit, request.options.target.kind, work)) return nullptr;
  if (!made) return fail(diagnostics, *request.program);
  if (!warn(diagnostics, *request.program)) return nullptr;
  return Py_BuildValue("y#ss", made->code.data(), static_cast<Py_ssize_t>(made->code.size()),
                       made->symbol.c_str(), made->header.c_str());
}

template <const char* name>
PyObject* header(PyObject*, PyObject*) {
  return new_text(cxx::header_text(name)).release();
}
constexpr char kInterop[] = "interop.hpp", kRaised[] = "raised.hpp",
               kRaisedText[] = "raised_text.hpp", kLibrary[] = "library.hpp",
               kLibraryNumbers[] = "library_numbers.hpp", kLibraryFields[] = "library_fields.hpp",
               kLibraryFortran[] = "library_fortran.hpp";

PyObject* flatten(PyObject*, PyObject* text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text, &size);
  if (!data) return nullptr;
  Result<ir::Module> module = ir::parse({data, static_cast<size_t>(size)});
  Status valid = module.ok() ? ir::verify(*module) : Status(module.error());
  if (!valid.ok()) return fail(PyExc_ValueError, valid.error().text);
  if (!mathlib::flatten(*module)) return fail(PyExc_ValueError, "too large, or recursive");
  return new_text(ir::to_text(*module, /*with_spans=*/false)).release();
}

PyObject* diagnostic_codes(PyObject*, PyObject*) {
  Handle found = Handle::own(PyDict_New());
  constexpr Code kAll[] = {
#define DIAG(number, name, text) Code::name,
#include "frontend/diag/codes.def"
#include "python/ext/handles/objects.h"
#undef DIAG
  };
  for (Code code : kAll) {
    Handle name = new_text(std::string(code_name(code)));
    if (!found || !name ||
        PyDict_SetItemString(found.get(), code_text(code).c_str(), name.get()) < 0)
      return nullptr;
  }
  return found.release();
}

// The same function, for which memory may run out anywhere.
template <PyObject* (*function)(PyObject*, PyObject*)>
PyObject* in_memory(PyObject* self, PyObject* arguments) {
  PyObject* result = nullptr;
  return with_memory([&] { result = function(self, arguments); }) ? result : nullptr;
}
template <PyObject* (*function)(PyObject*, PyObject*, PyObject*)>
PyObject* in_memory(PyObject* self, PyObject* arguments, PyObject* keywords) {
  PyObject* result = nullptr;
  return with_memory([&] { result = function(self, arguments, keywords); }) ? result : nullptr;
}

PyObject* empty(PyObject*, PyObject* const*, Py_ssize_t) { return new_none(); }

}  // namespace

std::shared_ptr<const Program> program_of(const char* text, Py_ssize_t size) {
  Result<Program> program = parse_program({text, static_cast<size_t>(size)});
  if (program && !program->functions.empty())
    return std::make_shared<const Program>(std::move(*program));
  if (program)
    fail(PyExc_ValueError, "a snapshot without a function");
  else
    fail(program.error());
  return nullptr;
}

PyObject* compilations(PyObject*, PyObject*) {
  return PyLong_FromUnsignedLong(image_table().compilations());
}

namespace {

PyObject* name_hint_text(PyObject*, PyObject* name) {
  const typing::Hint* hint = typing::name_hint(text_of(name));
  return new_text(hint ? std::string(hint->text) : "").release();
}

PyObject* fingerprint_text(PyObject*, PyObject* text) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(text, &size);
  const std::shared_ptr<const Program> program = data ? program_of(data, size) : nullptr;
  return program ? new_text(to_text(fingerprint(*program))).release() : nullptr;
}

}  // namespace

PyMethodDef capture_functions[] = {
    {"name_hint", ended<name_hint_text>, METH_O,
     "What to write instead of a name that there is not; '' where there is no advice."},
    {"capture", ended<in_memory<capture_function>>, METH_VARARGS,
     "A Python function, all it could call, the struct types in some hints, as .snap text."},
    {"fingerprint", ended<in_memory<fingerprint_text>>, METH_O,
     "What caches know a .snap text by; where its functions stand does not count."},
    {"show",
     reinterpret_cast<PyCFunction>(
         reinterpret_cast<void*>(static_cast<PyCFunctionWithKeywords>(in_memory<show>))),
     METH_VARARGS | METH_KEYWORDS, "The dump of one phase of a compilation."},
    {"compile",
     reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(
         static_cast<PyCFunctionWithKeywords>(in_memory<compile_snapshot>))),
     METH_VARARGS | METH_KEYWORDS, "Code for a target: a dict with code, entry, kind, timings."},
    {"export",
     reinterpret_cast<PyCFunction>(
         reinterpret_cast<void*>(static_cast<PyCFunctionWithKeywords>(in_memory<export_snapshot>))),
     METH_VARARGS | METH_KEYWORDS,
     "A function for C++ to call, as assembly, object, bitcode or llvm: (code, symbol, header)."},
    {"interop_header", header<kInterop>, METH_NOARGS, "hetjit/interop.hpp, which headers include."},
    {"raised_header", header<kRaised>, METH_NOARGS, "hetjit/raised.hpp, which some include."},
    {"raised_text_header", header<kRaisedText>, METH_NOARGS, "hetjit/raised_text.hpp: likewise."},
    {"library_header", header<kLibrary>, METH_NOARGS, "hetjit/library.hpp, of functions for one."},
    {"library_numbers_header", header<kLibraryNumbers>, METH_NOARGS,
     "hetjit/library_numbers.hpp, which library.hpp includes."},
    {"library_fields_header", header<kLibraryFields>, METH_NOARGS,
     "hetjit/library_fields.hpp, of fields of objects."},
    {"library_fortran_header", header<kLibraryFortran>, METH_NOARGS,
     "hetjit/library_fortran.hpp, of functions that Fortran calls."},
    {"flatten", flatten, METH_O,
     "The text of a typed module with all calls put into its first function, and cleaned up."},
    {"diagnostic_codes", diagnostic_codes, METH_NOARGS, "Code to name of every message."},
    {"compilations", compilations, METH_NOARGS, "How often this process has compiled a kernel."},
    {"empty", reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(empty)), METH_FASTCALL,
     "Does nothing: what a call costs by itself."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
