#include "compiler/pipeline/phases.h"

#include "compiler/pipeline/backends.h"
#include "compiler/target/symbol_name.h"

namespace hetjit {
namespace {

/// The first place known in the entry function.
Span function_span(const ssa::Module& code) {
  const auto& entry = code.functions[0].function;
  if (!entry) return {};
  for (const Span& span : entry->spans)
    if (span.known()) return span;
  return {};
}

}  // namespace

Failed report(const Error& error, const ssa::Module& code, const Options& options,
              Diagnostics& diags) {
  Span where = function_span(code);
  std::string target = to_text(options.target);
  if (error.code == ErrorCode::Unsupported)
    return diags.error(Code::UnknownTarget, where, {target, error.text}).report();
  if (error.code == ErrorCode::Unavailable)
    return diags.error(Code::MissingDeviceLibrary, where, {target, error.text}).report();
  return diags.error(Code::BackendFailed, where, {target, error.text}).report();
}

bool wants_own_math(const Options& options) {
  if (backend(options.target).own_math || options.portable_math) return true;
  return target::lacks_math_library(options.target);
}

bool is_mended(const Options& options, ir::MathFunction function, Scalar format) {
  return backend(options.target).own_hypot && function == ir::MathFunction::Hypot &&
         format == Scalar::Float64;
}

bool is_made_in_place(const Options& options, ir::MathFunction function, Scalar format) {
  return !backend(options.target).is_gpu && function == ir::MathFunction::Rsqrt &&
         format == Scalar::Float32;
}

bool is_portable(const ssa::Module& code, const Span& where) {
  constexpr std::string_view kPath = "/hetjit/device/random.py";
  return code.program && where.known() && where.source < code.program->functions.size() &&
         code.program->functions[where.source].source.path.ends_with(kPath);
}

lower::Options lower_options(const ssa::Module& code, const Options& options) {
  lower::Options out;
  out.fastmath = options.fastmath;
  out.debug = options.debug;
  out.limits = options.limits;
  if (code.program)
    for (const Snapshot& function : code.program->functions)
      out.source_paths.push_back(function.source.path);
  return out;
}

std::string assembly_text(const ir::Module& module, const std::optional<host::Plan>& plan,
                          const lower::Options& options, target::Target& target) {
  // Generating code uses the LLVM module up, so there is a second one for the eye.
  std::string name = target::symbol_name(module.functions[0].name);
  auto text = target::assembly(lowered(module, plan, name, target, options), target);
  return text.ok() ? *text : text.error().text + "\n";
}

}  // namespace hetjit
