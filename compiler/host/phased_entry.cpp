#include "compiler/host/phased_entry.h"

#include "compiler/host/block_entry.h"

namespace hetjit::host {

constexpr unsigned kLanguageWarp = 32;

llvm::Function* build_phased_entry(lower::ModuleLowering& module, unsigned lanes,
                                   const std::string& name) {
  std::optional<ir::Function> kernel = alone(module.ir);
  HETJIT_CHECK(kernel && "functions that call each other in a circle have no barriers");
  if (!needs_phases(*kernel)) return nullptr;
  PhasedCode code{module, choose_tier(*kernel, lanes == 1), {}, {}};
  HETJIT_CHECK(code.kernel.tier == Tier::Whole);
  code.frame =
      lay_out(code.kernel.phases, module.types, code.kernel.warp_ops ? kLanguageWarp : lanes);
  write_phases(code);
  llvm::Function* entry = build_block_entry(code, name);
  use_wide_registers(*entry);
  return entry;
}

}  // namespace hetjit::host
