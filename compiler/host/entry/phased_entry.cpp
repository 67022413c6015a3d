#include "compiler/host/entry/phased_entry.h"

#include "compiler/host/entry/block_entry.h"
#include "compiler/host/entry/free_entry.h"
#include "compiler/host/entry/host_ops.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::host {

llvm::Function* build_phased_entry(lower::ModuleLowering& module, HostOps& device,
                                   const ByPhases& way, const std::string& name) {
  PhasedCode code{module, way, lay_out(way.phases, module.types, way.width), {}};
  device.phased = &code;
  if (way.tier != Tier::Threads) write_phases(code);
  llvm::Function* entry =
      way.tier == Tier::Whole ? build_block_entry(code, name) : build_free_entry(code, name);
  use_wide_registers(*entry);
  device.phased = nullptr;
  return entry;
}

}  // namespace hetjit::host
