#include "compiler/host/entry/to_llvm.h"

#include "compiler/host/entry/grid_entry.h"
#include "compiler/host/entry/host_ops.h"
#include "compiler/host/entry/phased_entry.h"
#include "compiler/host/entry/scalar_entry.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::host {
namespace {

/// The entry and all that it calls: one overload per way.
struct EntryCode {
  lower::ModuleLowering& module;
  HostOps& device;
  const std::string& name;

  llvm::Function* operator()(const ByThreads&) {
    lower::lower_functions(module);
    return build_scalar_entry(module, name, std::nullopt);
  }
  llvm::Function* operator()(const ByRows& way) {
    const WarpFunctions warps = write_warp_functions(module, way);
    llvm::Function* entry = way.grid ? build_grid_entry(module, name, *way.grid, warps)
                                     : build_scalar_entry(module, name, warps);
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

}  // namespace

LlvmModule to_llvm(const ir::Module& ir, const Plan& plan, const std::string& name,
                   target::Target& target, const lower::Options& options) {
  HostOps device;
  return lower::lower_module(ir, name, target, device, options, [&](lower::ModuleLowering& module) {
    llvm::Function* entry = std::visit(EntryCode{module, device, name}, plan.way);
    lower::make_boxes(module);
    return entry;
  });
}

}  // namespace hetjit::host
