#include "compiler/host/entry/to_llvm.h"

#include <algorithm>
#include <array>

#include "abi/host_calls.h"
#include "compiler/host/entry/entry.h"
#include "compiler/host/entry/grid_entry.h"
#include "compiler/host/entry/host_ops.h"
#include "compiler/host/entry/own_sums_entry.h"
#include "compiler/host/entry/phased_entry.h"
#include "compiler/host/entry/scalar_entry.h"
#include "compiler/host/entry/turns_entry.h"
#include "compiler/host/warp/warp.h"
#include "compiler/lower/interop_entry.h"
#include "compiler/passes/passes.h"

namespace hetjit::host {
namespace {

/// The entry and all that it calls: one overload per way.
struct EntryCode {
  lower::ModuleLowering& module;
  HostOps& device;
  const std::string name;
  const KnownExtents extents;  // of the launches that it is for
  const bool apart = false;    // in which what is written shares no memory with other arrays

  llvm::Function* operator()(const ByThreads&) {
    if (module.functions.empty()) lower::lower_functions(module);
    return build_scalar_entry(module, name, std::nullopt, extents, apart);
  }
  llvm::Function* operator()(const ByRows& way) {
    const WarpFunctions warps = write_warp_functions(module, way);
    llvm::Function* entry = way.turns  ? build_turns_entry(module, name, *way.turns, warps, extents)
                            : way.grid ? build_grid_entry(module, name, *way.grid, warps, extents)
                                       : build_scalar_entry(module, name, warps, extents,
                                                            /*apart=*/false, way.flat);
    use_wide_registers(*entry);
    return entry;
  }
  llvm::Function* operator()(const ByPhases& way) {
    return build_phased_entry(module, device, way, name);
  }
  llvm::Function* operator()(const NotAlone&) {
    fail_check("the user was told that there is no way", __FILE__, __LINE__);
  }
};

llvm::Function* entry_for_any_sums(lower::ModuleLowering& module, HostOps& device,
                                   const std::string& name, const Plan& plan) {
  if (plan.block_lanes) {
    llvm::Function* many = EntryCode{module, device, name + ".blocks", {}}(*plan.block_lanes);
    llvm::Function* any = std::visit(EntryCode{module, device, name + ".any", {}}, plan.way);
    return build_blocks_choice(module, name, plan.block_lanes->flat, *many, *any);
  }
  if (!plan.few) return std::visit(EntryCode{module, device, name, {}}, plan.way);
  const KnownExtents& extents = plan.few->extents;
  const std::vector<uint32_t>& written = plan.few->written;
  EntryCode code{module, device, name + ".few", extents, !written.empty()};
  llvm::Function* few = std::visit(code, plan.few->way);
  llvm::Function* any = std::visit(EntryCode{module, device, name + ".any", {}}, plan.way);
  return build_choice(module, name, extents, written, *few, *any);
}

llvm::Function* entry_for_any_length(lower::ModuleLowering& module, HostOps& device,
                                     const std::string& name, const Plan& plan) {
  if (!plan.own_sums) return entry_for_any_sums(module, device, name, plan);
  llvm::Function* any = entry_for_any_sums(module, device, name + ".shared", plan);
  EntryCode code{module, device, name + ".own", {}};
  llvm::Function* own = std::visit(code, plan.own_sums->way);
  return build_own_sums_entry(module, name, *plan.own_sums, *own, *any);
}

llvm::Function* entry_of(lower::ModuleLowering& module, HostOps& device, const std::string& name,
                         const Plan& plan) {
  if (!plan.sweeps) return entry_for_any_length(module, device, name, plan);
  llvm::Function* any = entry_for_any_length(module, device, name + ".near", plan);
  llvm::Function* far = EntryCode{module, device, name + ".far", {}}(plan.sweeps->way);
  return build_sweeps_choice(module, name, plan.sweeps->arrays, *far, *any);
}

/// Where the calling thread is, for C++ to say; until then the only thread of all.
llvm::GlobalVariable* thread_place(lower::ModuleLowering& module) {
  llvm::LLVMContext& context = module.context();
  std::array<uint32_t, lower::kCoordinates> alone{};
  std::fill(alone.begin() + static_cast<size_t>(lower::Coordinate::BlockDimension), alone.end(), 1);
  llvm::Constant* value = llvm::ConstantDataArray::get(context, alone);
  return new llvm::GlobalVariable(
      module.module, value->getType(), false, llvm::GlobalValue::LinkOnceODRLinkage, value,
      target::kThreadPlace, nullptr, llvm::GlobalValue::GeneralDynamicTLSModel);
}

/// What loops of kernels look at.
void make_attention(lower::ModuleLowering& module) {
  auto* word = llvm::Type::getInt32Ty(module.context());
  auto* made = new llvm::GlobalVariable(
      module.module, word, /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage,
      llvm::ConstantInt::get(word, 0), kAttentionSymbol, nullptr, llvm::GlobalValue::NotThreadLocal,
      0, /*isExternallyInitialized=*/true);
  made->setDSOLocal(true);
}

/// A number that the runtime reads.
void say(lower::ModuleLowering& module, const char* symbol, uint32_t number) {
  auto* type = llvm::Type::getInt32Ty(module.context());
  auto* made = new llvm::GlobalVariable(module.module, type, /*isConstant=*/true,
                                        llvm::GlobalValue::ExternalLinkage,
                                        llvm::ConstantInt::get(type, number), symbol);
  made->setDSOLocal(true);
}

}  // namespace

LlvmModule to_llvm_for_cxx(const ir::Module& ir, const std::string& name, target::Target& target,
                           const lower::Options& options) {
  HostOps device;
  return lower::lower_module(ir, name, target, device, options, [&](lower::ModuleLowering& module) {
    if (!module.sites.empty()) lower::say_to_cxx(module);
    lower::lower_functions(module);
    lower::build_interop_entry(module, name, [&](auto& build, auto& arguments) {
      llvm::Value* place = build.CreateThreadLocalAddress(thread_place(module));
      for (unsigned i = 0; i < lower::kCoordinates; ++i) {
        llvm::Value* at = build.CreateConstInBoundsGEP1_32(build.getInt32Ty(), place, i);
        arguments.push_back(build.CreateLoad(build.getInt32Ty(), at));
      }
    });
    return nullptr;
  });
}

namespace {

bool has_threads_by_themselves(const Plan& plan) {
  auto is_so = [](const Way& way) { return std::holds_alternative<ByThreads>(way); };
  return is_so(plan.way) || (plan.few && is_so(plan.few->way)) ||
         (plan.own_sums && is_so(plan.own_sums->way));
}

/// The functions of a thread by itself: LLVM takes the turns of their loops together where it knows
/// which elements follow one another.
ir::Module with_plain_indices(ir::Module module) {
  if (passes::split_at_zero(module)) passes::remove_dead_code(module);
  return module;
}

}  // namespace

LlvmModule to_llvm(const ir::Module& ir, const Plan& plan, const std::string& name,
                   target::Target& target, const lower::Options& options) {
  HostOps device;
  const ir::Module ready = has_threads_by_themselves(plan) ? with_plain_indices(ir) : ir;
  return lower::lower_module(
      ready, name, target, device, options, [&](lower::ModuleLowering& module) {
        llvm::Function* entry = entry_of(module, device, name, plan);
        lower::make_boxes(module);
        make_attention(module);
        if (plan.block_lanes) say(module, kBlocksTogetherSymbol, plan.block_lanes->flat.together);
        if (plan.own_sums) say(module, kRangeTimeSymbol, kOwnSumRange);
        return entry;
      });
}

}  // namespace hetjit::host
