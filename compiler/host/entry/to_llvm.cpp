#include "compiler/host/entry/to_llvm.h"

#include "compiler/host/entry/host_ops.h"
#include "compiler/host/entry/phased_entry.h"
#include "compiler/host/entry/scalar_entry.h"
#include "compiler/host/phases/needs_phases.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::host {
namespace {

llvm::Function* build_entry(lower::ModuleLowering& module, HostOps& device,
                            const std::string& name) {
  unsigned lanes = module.options.lanes ? module.options.lanes : module.target.lanes();
  if (may_need_phases(module.ir))
    if (llvm::Function* entry = build_phased_entry(module, device, lanes, name)) return entry;
  std::optional<WarpFunctions> warps;
  if (lanes > 1) warps = write_warp_functions(module, lanes);
  if (!warps) lower::lower_functions(module);
  llvm::Function* entry = build_scalar_entry(module, name, warps);
  if (warps) use_wide_registers(*entry);
  return entry;
}

}  // namespace

LlvmModule to_llvm(const ir::Module& ir, const std::string& name, target::Target& target,
                   const lower::Options& options) {
  HostOps device;
  return lower::lower_module(ir, name, target, device, options, [&](lower::ModuleLowering& module) {
    llvm::Function* entry = build_entry(module, device, name);
    lower::make_boxes(module);
    return entry;
  });
}

}  // namespace hetjit::host
