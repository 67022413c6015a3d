#include "compiler/lower/gpu.h"

#include <algorithm>

namespace hetjit::lower {

using llvm::Value;

// ---- memory: variables of a block are globals of the module in its own address space. LLVM finds
// out where pointers to them go.

namespace {

Value* generic(Lowering& at, Value* address) {
  return at.build.CreateAddrSpaceCast(address, at.build.getPtrTy());
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

Value* GpuOps::shared_memory(Lowering& at, const ir::SharedMemory& op) const {
  std::string name = std::to_string(op.variable);
  // What has the size of whole words of 16 bytes begins at one: neighbours are read at once.
  uint32_t align = op.bytes % 16 == 0 ? std::max(op.align, 16u) : op.align;
  return generic(at, shared_variable(at.module, name, op.bytes, align));
}

Value* GpuOps::dynamic_shared_memory(Lowering& at) const {
  return generic(at, dynamic_shared(at.module));
}

Value* GpuOps::local_memory(Lowering& at, const ir::LocalMemory& op) const {
  return stack_variable(at, op);
}

// ---- the barrier of the grid

namespace {

llvm::GlobalVariable* grid_counter(ModuleLowering& module) {
  constexpr const char* kName = "hetjit.grid_barrier";
  if (auto* known = module.module.getGlobalVariable(kName, /*AllowInternal=*/true)) return known;
  auto* word = llvm::Type::getInt32Ty(module.context());
  auto* made = new llvm::GlobalVariable(
      module.module, word, /*isConstant=*/false, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantInt::get(word, 0), kName, nullptr, llvm::GlobalValue::NotThreadLocal,
      module.target.spaces().global);
  made->setAlignment(llvm::Align(4));
  return made;
}

/// Of a place's three axes: do all have index zero?
Value* is_origin(Lowering& at, Coordinate kind) {
  Value* all = at.coordinate(kind, 0);
  for (uint8_t axis : {1, 2}) all = at.build.CreateOr(all, at.coordinate(kind, axis));
  return at.build.CreateIsNull(all);
}

/// All blocks together add 2^31, whatever their number, so that the counter's top bit turns over
/// when the last one has come, and the next barrier, or launch, finds the other bits zero again.
void meet_other_blocks(Lowering& at) {
  auto& build = at.build;
  llvm::IntegerType* word = build.getInt32Ty();
  auto scope = at.module.device.sync_scope(at.module.context(), ir::MemoryScope::Device);
  Value* counter = grid_counter(at.module);
  Value* blocks = at.coordinate(Coordinate::GridDimension, 0);
  for (uint8_t axis : {1, 2})
    blocks = build.CreateMul(blocks, at.coordinate(Coordinate::GridDimension, axis));
  Value* rest = build.CreateSub(build.getInt32(0x80000001u), blocks);
  Value* amount =
      build.CreateSelect(is_origin(at, Coordinate::Block), rest, build.getInt32(1), "amount");
  Value* before = build.CreateAtomicRMW(llvm::AtomicRMWInst::Add, counter, amount, llvm::Align(4),
                                        llvm::AtomicOrdering::AcquireRelease, scope);
  auto* wait = llvm::BasicBlock::Create(at.module.context(), "wait", &at.function);
  auto* met = llvm::BasicBlock::Create(at.module.context(), "met", &at.function);
  build.CreateBr(wait);
  build.SetInsertPoint(wait);
  auto* now = build.CreateAlignedLoad(word, counter, llvm::Align(4));
  now->setAtomic(llvm::AtomicOrdering::Acquire, scope);
  Value* turned = build.CreateICmpSLT(build.CreateXor(now, before), build.getInt32(0));
  build.CreateCondBr(turned, met, wait);
  build.SetInsertPoint(met);
}

}  // namespace

// One thread speaks for its block. What the others wrote is before the block's barrier, so before
// what it releases; and what other blocks wrote is before what it acquires.
void GpuOps::grid_barrier(Lowering& at) const {
  barrier(at);
  only_if(at, is_origin(at, Coordinate::Thread), [&] { meet_other_blocks(at); });
  barrier(at);
}

// ---- words

Words to_words(llvm::IRBuilder<>& build, Value* value) {
  unsigned bits = value->getType()->getPrimitiveSizeInBits();
  Value* integer = build.CreateBitCast(value, build.getIntNTy(bits));
  if (bits <= 32) return {build.CreateZExt(integer, build.getInt32Ty())};
  return {build.CreateTrunc(integer, build.getInt32Ty()),
          build.CreateTrunc(build.CreateLShr(integer, 32), build.getInt32Ty())};
}

Value* from_words(llvm::IRBuilder<>& build, const Words& words, llvm::Type* type) {
  unsigned bits = type->getPrimitiveSizeInBits();
  if (bits <= 32)
    return build.CreateBitCast(build.CreateTrunc(words[0], build.getIntNTy(bits)), type);
  Value* low = build.CreateZExt(words[0], build.getInt64Ty());
  Value* high = build.CreateShl(build.CreateZExt(words[1], build.getInt64Ty()), 32);
  return build.CreateBitCast(build.CreateOr(low, high), type);
}

Leaves GpuOps::host_op(Lowering&, HostOp) const {
  HETJIT_CHECK(false && "an op of the host's alone");
  return {};
}

}  // namespace hetjit::lower
