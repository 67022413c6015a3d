// What GPUs do alike, because LLVM shows them alike: a block's memory is an address space, a thread
// finds its place without being told, and a barrier of the grid is atomic operations round one of
// the block. Private to lower/.
#pragma once

#include "compiler/lower/device_ops.h"

namespace hetjit::lower {

class GpuOps : public DeviceOps {
 public:
  /// Attributes of a kernel's parameter that lies in memory, as `bytes` of the parameter block.
  virtual void describe_parameter(llvm::Function& kernel, unsigned index,
                                  llvm::Type* bytes) const = 0;

  void add_place_types(llvm::LLVMContext&, llvm::SmallVectorImpl<llvm::Type*>&) const final {}
  void add_place(Lowering&, llvm::SmallVectorImpl<Value*>&) const final {}
  bool prefers_narrow_offsets() const final { return true; }  // half the registers
  bool wants_integer_facts() const final { return true; }
  Value* shared_memory(Lowering& at, const ir::SharedMemory& op) const final;
  Value* dynamic_shared_memory(Lowering& at) const final;
  Value* local_memory(Lowering& at, const ir::LocalMemory& op) const final;
  void grid_barrier(Lowering& at) const final;
  bool inlines_records() const final { return true; }
  Leaves host_op(Lowering& at, HostOp op) const final;
};

const GpuOps& nvidia_ops();
const GpuOps& amd_ops();

/// entry.cpp: the kernel round functions[0].
llvm::Function* build_gpu_entry(ModuleLowering& module, const GpuOps& device,
                                const std::string& name);

/// A variable in the block's shared memory, one per name; its own address, not a generic one.
llvm::GlobalVariable* shared_variable(ModuleLowering& module, const std::string& name,
                                      uint32_t bytes, uint32_t align);
/// What a launch asks for lies behind all variables: an array without a size is where they end.
llvm::GlobalVariable* dynamic_shared(ModuleLowering& module);

/// Runs `then` in the threads for which the condition is true.
template <class Then>
void only_if(Lowering& at, llvm::Value* condition, Then then) {
  llvm::LLVMContext& context = at.module.context();
  auto* inside = llvm::BasicBlock::Create(context, "one", &at.function);
  auto* after = llvm::BasicBlock::Create(context, "all", &at.function);
  at.build.CreateCondBr(condition, inside, after);
  at.build.SetInsertPoint(inside);
  then();
  at.build.CreateBr(after);
  at.build.SetInsertPoint(after);
}

/// A value, 32 bits at a time: what lanes hand on.
using Words = llvm::SmallVector<llvm::Value*, 2>;
Words to_words(llvm::IRBuilder<>& build, llvm::Value* value);
llvm::Value* from_words(llvm::IRBuilder<>& build, const Words& words, llvm::Type* type);

}  // namespace hetjit::lower
