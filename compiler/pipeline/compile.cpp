#include "compiler/pipeline/compile.h"

#include <algorithm>
#include <cstdio>

#include "abi/layout.h"
#include "compiler/cxx/functions.h"
#include "compiler/mathlib/library.h"
#include "compiler/passes/pass.h"
#include "compiler/passes/stored_arrays.h"
#include "compiler/pipeline/backends.h"
#include "compiler/pipeline/bug_scope.h"
#include "compiler/pipeline/explain.h"
#include "compiler/pipeline/phases.h"
#include "compiler/target/call_depth.h"
#include "compiler/target/symbol_name.h"
#include "compiler/target/target.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/run/specialize.h"
#include "frontend/ssa/ssa_text.h"

namespace hetjit {
namespace {

template <class Op>
const Op* find_op(const ir::Module& module, bool (*is_meant)(const Op&) = nullptr) {
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (const Op* op = std::get_if<Op>(&inst.op); op && (!is_meant || is_meant(*op))) return op;
  return nullptr;
}

bool has_grid_barrier(const ir::Module& module) { return find_op<ir::GridBarrier>(module); }

bool waits_for_launches(const ir::Module& module) {
  return find_op<ir::GridDependency>(
      module, [](const auto& op) { return op.step == ir::DependencyStep::Wait; });
}

// An element of what the launch gives, of the largest that is used: without one, any use is
// outside.
uint32_t least_shared(const ir::Module& module) {
  uint64_t least = 0;
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (std::holds_alternative<ir::DynamicSharedMemory>(inst.op))
          least = std::max<uint64_t>(least,
                                     layout(type(function.type_of(inst.result)).element).stride());
  return static_cast<uint32_t>(least);
}

static_assert(target::kCallDepth == typing::kMaxRecursion + 1);

std::string plan_text(const std::optional<host::Plan>& plan, const TargetName& target) {
  if (plan) return host::to_text(*plan);
  return "plan way: warps of " + std::to_string(warp_size(target)) + ", as the GPU has them\n";
}

/// How the module runs; nothing for targets that need no plan.
std::optional<host::Plan> plan_for(const ir::Module& module, const Options& options,
                                   const target::Target& target) {
  std::optional<host::Plan> plan = timed(options, "plan", [&] {
    return planned(module, target, options.lanes, options.tier, options.verify);
  });
  show(options, Phase::Plan, [&] { return plan_text(plan, options.target); });
  return plan;
}

/// Is there a way to run it? Reported where there is none.
bool can_run(const std::optional<host::Plan>& plan, const Options& options, Diagnostics& diags) {
  const auto* none = plan ? std::get_if<host::NotAlone>(&plan->way) : nullptr;
  if (!none) return true;
  diags.error(Code::UnknownTarget, none->where, {to_text(options.target), none->why})
      .help(none->remedy)
      .report();
  return false;
}

/// Code that LLVM's verifier has something to say of is our bug.
void check_code(const LlvmModule& module, const Options& options) {
  if (!options.verify && !passes::kAlwaysVerify) return;
  const std::string faults = module.faults();
  if (!faults.empty()) std::fprintf(stderr, "hetjit bug: broken code: %s\n", faults.c_str());
  HETJIT_CHECK(faults.empty());
}

}  // namespace

// The whole compiler. Each line takes one kind of data and gives the next.
std::optional<KernelImage> compile(const ssa::Module& code, const Options& options,
                                   Diagnostics& diags) {
  BugScope scope(code, options);
  Result<target::Target*> target = target::find_target(options.target);
  if (!target.ok()) return report(target.error(), code, options, diags);

  std::optional<ir::Module> typed = compile_to_ir(code, options, diags);
  if (!typed) return std::nullopt;  // the user has been told why

  const std::optional<host::Plan> plan = plan_for(*typed, options, **target);
  if (!can_run(plan, options, diags)) return std::nullopt;
  show(options, Phase::Explain,
       [&] { return explanation_text(code, *typed, plan, options, diags); });

  const lower::Options lowering = lower_options(code, options);
  LlvmModule module = timed(options, "lower", [&] {
    return lowered(*typed, plan, target::symbol_name(typed->functions[0].name), **target, lowering);
  });
  show(options, Phase::Llvm, [&] { return module.to_text(); });
  check_code(module, options);
  show(options, Phase::Assembly, [&] { return assembly_text(*typed, plan, lowering, **target); });

  Sites sites = std::move(module.sites);
  Result<KernelImage> image = timed(options, "emit", [&] {
    return target::emit(std::move(module), **target, {.cubin = options.cubin});
  });
  if (!image.ok()) return report(image.error(), code, options, diags);
  image->signature = options.signature;
  if (backend(options.target).is_gpu) image->most_threads = options.limits.threads;
  image->grid_barrier = has_grid_barrier(*typed);
  image->grid_dependency = waits_for_launches(*typed);
  image->least_shared = least_shared(*typed);
  image->stored = passes::stored_arrays(*typed);
  image->sites = std::move(sites);
  return std::move(*image);
}

std::optional<ir::Module> compile_to_ir(const ssa::Module& code, const Options& options,
                                        Diagnostics& diags) {
  BugScope scope(code, options);
  show(options, Phase::Request, [&] { return scope.request(); });
  show(options, Phase::Ssa, [&] {
    const auto& entry = code.functions[0].function;
    return entry ? ssa::to_text(*entry) : std::string();
  });
  std::optional<ir::Module> module = timed(options, "specialize", [&] {
    return typing::specialize(code, options.signature, options.kernel, diags, options.target,
                              options.checks, cxx::functions());
  });
  if (!module) return std::nullopt;
  show(options, Phase::Typed, [&] { return ir::to_text(*module); });

  timed(options, "passes", [&] {
    passes::run_standard(*module, {.contract = options.contract,
                                   .for_gpus = backend(options.target).is_gpu,
                                   .verify = options.verify});
  });
  ir::remove_unused_sites(*module);
  show(options, Phase::Optimized, [&] { return ir::to_text(*module); });
  if (!fits_local_memory(*module, options, diags)) return std::nullopt;
  timed(options, "math", [&] {
    const bool all = wants_own_math(options);
    auto is_wanted = [&](ir::MathFunction function, Scalar format) {
      return (all && !is_made_in_place(options, function, format)) ||
             is_mended(options, function, format);
    };
    mathlib::expand(*module, is_wanted,
                    [&](const Span& where) { return is_portable(code, where); });
  });
  return module;
}

std::optional<std::string> explain(const ssa::Module& code, const Options& options,
                                   Diagnostics& diags) {
  Result<target::Target*> target = target::find_target(options.target);
  if (!target.ok()) return report(target.error(), code, options, diags);
  std::optional<ir::Module> typed = compile_to_ir(code, options, diags);
  if (!typed) return std::nullopt;
  const std::optional<host::Plan> plan = plan_for(*typed, options, **target);
  if (!can_run(plan, options, diags)) return std::nullopt;
  return explanation_text(code, *typed, plan, options, diags);
}

}  // namespace hetjit
