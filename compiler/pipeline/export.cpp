#include "compiler/pipeline/export.h"

#include <algorithm>

#include "abi/layout.h"
#include "compiler/cxx/exports.h"
#include "compiler/cxx/printing.h"
#include "compiler/lower/cxx_kernel.h"
#include "compiler/pipeline/backends.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/phases.h"
#include "compiler/target/symbol_name.h"

namespace hetjit {
namespace {

cxx::Exported declared(const ir::Module& module, const Options& options) {
  const ir::Function& function = module.functions[0];
  cxx::Exported made{.symbol = target::symbol_name(function.name),
                     .names = function.parameter_names,
                     .parameters = {},
                     .result = function.result,
                     .kernel = options.kernel,
                     .sites = module.sites,
                     .raises = ir::may_raise(module)[0],
                     .debug = options.debug};
  for (ValueId param : function.blocks[0].params)
    made.parameters.push_back(function.type_of(param));
  return made;
}

bool prints(const ir::Module& module) {
  return std::any_of(module.sites.begin(), module.sites.end(),
                     [](const Site& site) { return site.kind == SiteKind::Print; });
}

/// Why what it prints would not be seen where C++ calls it; "": it would.
std::string prints_in_vain(const ir::Module& module, const TargetName& target) {
  const CxxPrints where = backend(target).cxx_prints;
  if (where == CxxPrints::Shown || !prints(module)) return "";
  if (where == CxxPrints::Nowhere)
    return "C++ calls it on a GPU, where nobody takes what it prints; return it, or write it to an "
           "array";
  for (const Site& site : module.sites)
    if (site.kind != SiteKind::Print)
      continue;
    else if (std::string why = cxx::cannot_be_printed(site.text); !why.empty())
      return why;
  return "";
}

/// Who calls it is one thread, with no launch behind it.
Status can_be_called(const ir::Module& module, const Options& options,
                     const target::Target& target) {
  if (std::string why = prints_in_vain(module, options.target); !why.empty())
    return Error{ErrorCode::Unsupported, why};
  const std::optional<host::Plan> plan = planned(module, target, 1, 0, options.verify);
  if (!plan || std::holds_alternative<host::ByThreads>(plan->way)) return ok();
  return Error{ErrorCode::Unsupported,
               "C++ calls it for one thread, and it waits for others; leave that to its caller"};
}

}  // namespace

namespace {

LlvmModule code_for_cxx(const ir::Module& module, const cxx::Exported& function,
                        target::Target& target, const lower::Options& options) {
  if (function.kernel)
    return lower::kernel_to_llvm_for_cxx(module, function.symbol, target, options);
  return lowered_for_cxx(module, cxx::inner_symbol(function), target, options);
}

}  // namespace

std::optional<Export> export_function(const ssa::Module& code, const Options& options,
                                      target::ExportForm form, Diagnostics& diags) {
  Result<target::Target*> target = target::find_target(options.target);
  if (!target.ok()) return report(target.error(), code, options, diags);
  std::optional<ir::Module> typed = compile_to_ir(code, options, diags);
  if (!typed) return std::nullopt;
  if (Status can = can_be_called(*typed, options, **target); !can.ok())
    return report(can.error(), code, options, diags);
  const cxx::Exported function = declared(*typed, options);
  Result<std::string> entry = cxx::entry_bitcode(function, options.target);
  if (!entry.ok()) return report(entry.error(), code, options, diags);
  LlvmModule module = code_for_cxx(*typed, function, **target, lower_options(code, options));
  Result<std::string> made = target::export_code(std::move(module), **target,
                                                 {function.symbol, cxx::inner_symbol(function),
                                                  std::move(*entry), layout(function.result).align},
                                                 form);
  if (!made.ok()) return report(made.error(), code, options, diags);
  return Export{std::move(*made), function.symbol, cxx::header(function)};
}

}  // namespace hetjit
