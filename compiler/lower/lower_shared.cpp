// Shared and local memory on GPUs. Variables of a block are globals of the module in its own
// address space, LLVM finds out where pointers to them go. The host's are compiler/host's.
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include <algorithm>

#include "compiler/lower/lower_group.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

Value* generic(Lowering& at, Value* address) {
  return at.build.CreateAddrSpaceCast(address, at.build.getPtrTy());
}

/// What a launch asks for lies behind all variables: an array without a size is where they end.
llvm::GlobalVariable* dynamic_shared(ModuleLowering& module) {
  // Others see it: without characters that PTX does not know.
  constexpr const char* kName = "hetjit_dynamic_shared";
  if (llvm::GlobalVariable* known = module.module.getGlobalVariable(kName)) return known;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.context()), 0);
  auto* made = new llvm::GlobalVariable(
      module.module, type, /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage,
      /*Initializer=*/nullptr, kName, nullptr, llvm::GlobalValue::NotThreadLocal,
      module.target.spaces().shared);
  made->setAlignment(llvm::Align(16));
  return made;
}

}  // namespace

llvm::GlobalVariable* shared_variable(ModuleLowering& module, const std::string& name,
                                      uint32_t bytes, uint32_t align) {
  std::string symbol = "hetjit.shared." + name;
  if (auto* known = module.module.getGlobalVariable(symbol, /*AllowInternal=*/true)) return known;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.context()), bytes);
  auto* made = new llvm::GlobalVariable(
      module.module, type, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::PoisonValue::get(type), symbol, nullptr, llvm::GlobalValue::NotThreadLocal,
      module.target.spaces().shared);
  made->setAlignment(llvm::Align(align));
  return made;
}

Leaves lower(Lowering& at, const ir::SharedMemory& op) {
  if (at.module.on_host()) return host::thread_memory(at, op);
  std::string name = std::to_string(op.variable);
  return generic(at, shared_variable(at.module, name, op.bytes, op.align));
}

Leaves lower(Lowering& at, const ir::DynamicSharedMemory& op) {
  if (at.module.on_host()) return host::thread_memory(at, op);
  return generic(at, dynamic_shared(at.module));
}

Leaves lower(Lowering& at, const ir::DynamicSharedBytes& op) {
  if (at.module.on_host()) return host::thread_memory(at, op);
  auto& build = at.build;
  if (at.module.target.kind() == TargetKind::Nvidia)
    return build.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size, {});
  // The packet that launched the kernel says how much a block has; the variables come first.
  constexpr unsigned kGroupSegmentSize = 28;
  Value* packet = build.CreateIntrinsic(llvm::Intrinsic::amdgcn_dispatch_ptr, {});
  Value* field = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), packet, kGroupSegmentSize);
  auto* all = build.CreateAlignedLoad(build.getInt32Ty(), field, llvm::Align(4));
  all->setMetadata(llvm::LLVMContext::MD_invariant_load,
                   llvm::MDNode::get(at.module.context(), {}));
  Value* begin = build.CreatePtrToInt(dynamic_shared(at.module), build.getInt32Ty());
  return build.CreateSub(all, begin);
}

// On the host a kernel's are in its frame, and those of functions that it calls on the stack.
Leaves lower(Lowering& at, const ir::LocalMemory& op) {
  if (at.module.on_host())
    if (Leaves place = host::thread_memory(at, op); !place.empty()) return place;
  llvm::AllocaInst*& variable = at.locals[op.variable];
  if (!variable) {
    llvm::BasicBlock& entry = at.function.getEntryBlock();
    llvm::IRBuilder<> first(&entry, entry.begin());
    auto* type = llvm::ArrayType::get(first.getInt8Ty(), op.bytes);
    variable = first.CreateAlloca(type, at.module.target.spaces().private_, nullptr, "local");
    variable->setAlignment(llvm::Align(op.align));
  }
  return generic(at, variable);
}

}  // namespace hetjit::lower
