#include "compiler/host/entry/phased_entry.h"
#include "compiler/host/entry/host_ops.h"
#include "compiler/host/phases/alone.h"
#include "compiler/host/phases/expand_warp_ops.h"
#include "compiler/host/phases/needs_phases.h"
#include "compiler/host/warp/warp.h"

#include "compiler/host/entry/block_entry.h"
#include "compiler/host/entry/free_entry.h"
#include "compiler/host/phases/interleave.h"

namespace hetjit::host {

llvm::Function* build_phased_entry(lower::ModuleLowering& module, HostOps& device, unsigned lanes,
                                   const std::string& name) {
  std::optional<ir::Function> kernel = alone(module.ir);
  HETJIT_CHECK(kernel);  // or the user was told
  if (!needs_phases(*kernel, module.ir)) return nullptr;
  Tier least = lanes == 1 ? Tier::Threads : static_cast<Tier>(module.options.tier);
  PhasedCode code{module, choose_tier(*kernel, least), {}, {}};
  code.kernel.phases.called = called_functions(*kernel, module.ir);
  bool by_threads = code.kernel.tier == Tier::Threads;
  unsigned width = by_threads ? 1 : code.kernel.warp_ops ? kLanguageWarp : lanes;
  if (width > 1) interleave_locals(code.kernel.phases.functions, width);
  code.frame = lay_out(code.kernel.phases, module.types, width);
  device.phased = &code;
  llvm::Function* entry = nullptr;
  if (code.kernel.tier == Tier::Whole) {
    write_phases(code);
    entry = build_block_entry(code, name);
  } else {
    if (!by_threads) write_phases(code);
    entry = build_free_entry(code, name);
  }
  use_wide_registers(*entry);
  device.phased = nullptr;
  return entry;
}

}  // namespace hetjit::host
