// Cuts the instruction selectors of LLVM's GlobalISel out of the program, 3 MiB of tables: both
// back ends select by SelectionDAG, and make the other selector only to have it.
#include <cstdlib>
#include <new>

#include <llvm/CodeGen/GlobalISel/InstructionSelector.h>

namespace hetjit_stub {

struct NoSelector final : llvm::InstructionSelector {
  bool select(llvm::MachineInstr&) override { std::abort(); }
  void setupGeneratedPerFunctionState(llvm::MachineFunction&) override { std::abort(); }
};

/// createX86InstructionSelector(machine, subtarget, banks).
void* make_x86(void*, void*, void*) asm(
    "_ZN4llvm28createX86InstructionSelectorERKNS_16X86TargetMachineERKNS_12X86SubtargetE"
    "RKNS_19X86RegisterBankInfoE");
void* make_x86(void*, void*, void*) { return nullptr; }

/// The constructor of AMDGPUInstructionSelector, for which there is more memory than this takes.
void construct_amd(void* self, void*, void*, void*) asm(
    "_ZN4llvm25AMDGPUInstructionSelectorC1ERKNS_12GCNSubtargetERKNS_22AMDGPURegisterBankInfoE"
    "RKNS_19AMDGPUTargetMachineE");
void construct_amd(void* self, void*, void*, void*) { new (self) NoSelector; }

}  // namespace hetjit_stub
