#include "compiler/host/entry/host_ops.h"

#include <llvm/IR/IntrinsicsX86.h>

#include <algorithm>

#include "compiler/host/phases/expand_warp_ops.h"

namespace hetjit::host {

using llvm::Value;
using lower::Coordinate;

// ---- where a thread is: the trailing parameters of every function

Value* HostOps::coordinate(Lowering& at, Coordinate kind, uint8_t axis) const {
  unsigned index = static_cast<unsigned>(kind) + axis;
  return at.function.getArg(at.function.arg_size() - lower::kCoordinates + index);
}

void HostOps::add_place_types(llvm::LLVMContext& context,
                              llvm::SmallVectorImpl<llvm::Type*>& parameters) const {
  parameters.append(lower::kCoordinates, llvm::Type::getInt32Ty(context));
}

void HostOps::add_place(Lowering& at, llvm::SmallVectorImpl<Value*>& arguments) const {
  for (unsigned i = 0; i < lower::kCoordinates; ++i)
    arguments.push_back(at.coordinate(static_cast<Coordinate>(i / 3 * 3), i % 3));
}

Value* HostOps::clock(Lowering& at) const {  // rdtsc
  return at.build.CreateIntrinsic(at.build.getInt64Ty(), llvm::Intrinsic::readcyclecounter, {});
}

void HostOps::pause(Lowering& at) const {
  at.build.CreateIntrinsic(llvm::Intrinsic::x86_sse2_pause, {});
}

// ---- numbers

// An index of 64 bits is as cheap, and one extension fewer.
bool HostOps::prefers_narrow_offsets() const { return false; }

Value* HostOps::half_of_double(Lowering& at, Value* f64) const { return f64_to_f16_odd(at, f64); }

Value* HostOps::reciprocal_root(Lowering& at, Value* x) const {
  Value* root = at.build.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, x);
  return at.build.CreateFDiv(llvm::ConstantFP::get(x->getType(), 1.0), root);
}

// A product of halves is exact in a float, and a sum's error is a float: what the sum lost says in
// which direction it is odd. Rounded so to 24 bits and then to 11, it is rounded once.
Value* HostOps::fma_of_halves(Lowering& at, Value* a, Value* b, Value* c) const {
  if (at.module.target.fuses_halves()) return at.intrinsic(llvm::Intrinsic::fma, {a, b, c});
  auto& build = at.build;
  llvm::IRBuilder<>::FastMathFlagGuard flags(build);
  build.clearFastMathFlags();  // else nothing is lost
  auto wide = [&](Value* half) { return build.CreateFPExt(half, at.f32()); };
  Value *product = build.CreateFMul(wide(a), wide(b)), *addend = wide(c);
  Value* sum = build.CreateFAdd(product, addend);
  Value* added = build.CreateFSub(sum, product);
  Value* lost = build.CreateFAdd(build.CreateFSub(product, build.CreateFSub(sum, added)),
                                 build.CreateFSub(addend, added));
  Value* inexact = build.CreateFCmpONE(lost, llvm::Constant::getNullValue(sum->getType()));
  Value* bits = build.CreateBitCast(sum, at.i32());
  Value* apart = build.CreateXor(bits, build.CreateBitCast(lost, at.i32()));
  Value* zero = llvm::Constant::getNullValue(bits->getType());
  Value* too_large = build.CreateAnd(inexact, build.CreateICmpSLT(apart, zero));
  Value* truncated = build.CreateSub(bits, build.CreateZExt(too_large, at.i32()));
  Value* odd = build.CreateOr(truncated, build.CreateZExt(inexact, at.i32()));
  return build.CreateFPTrunc(build.CreateBitCast(odd, sum->getType()), a->getType());
}

// ---- memory

Value* HostOps::frame(Lowering& at, FrameArgument which) const {
  HETJIT_CHECK(phased && "only phases have a frame");
  const std::vector<ValueId>& params = at.ir.blocks[0].params;
  return at(params[params.size() - kFrameArguments + which]);
}

Value* HostOps::shared_memory(Lowering& at, const ir::SharedMemory& op) const {
  return byte_address(at.build, frame(at, kBlock), phased->frame.shared.at(op.variable));
}

Value* HostOps::dynamic_shared_memory(Lowering& at) const {
  return byte_address(at.build, frame(at, kBlock), phased->frame.block_bytes);
}

Value* HostOps::dynamic_shared_bytes(Lowering& at) const { return frame(at, kDynamicBytes); }

// A phase's are in the thread's context, those of functions that it calls on the stack.
Value* HostOps::local_memory(Lowering& at, const ir::LocalMemory& op) const {
  if (!phased) return stack_variable(at, op);
  const std::vector<ir::Function>& phases = phased->kernel.phases.functions;
  bool in_phase = std::any_of(phases.begin(), phases.end(),
                              [&](const ir::Function& phase) { return &phase == &at.ir; });
  if (!in_phase) return stack_variable(at, op);
  return byte_address(at.build, frame(at, kContext), phased->frame.local.at(at.result.index));
}

// The threads of a block run on one thread of the machine: a fence among them orders only what the
// compiler does.
llvm::SyncScope::ID HostOps::sync_scope(llvm::LLVMContext&, ir::MemoryScope scope) const {
  return scope == ir::MemoryScope::Block ? llvm::SyncScope::SingleThread : llvm::SyncScope::System;
}

// So that a loop over threads keeps small.
bool HostOps::inlines_records() const { return false; }

Value* HostOps::lane_index(Lowering& at) const {
  auto size = [&](uint8_t axis) { return at.coordinate(Coordinate::BlockDimension, axis); };
  auto thread = [&](uint8_t axis) { return at.coordinate(Coordinate::Thread, axis); };
  Value* row = at.build.CreateMul(size(1), thread(2));
  row = at.build.CreateAdd(row, thread(1));
  Value* before = at.build.CreateMul(size(0), row);
  Value* linear = at.build.CreateAdd(before, thread(0));
  return at.build.CreateAnd(linear, at.build.getInt32(kLanguageWarp - 1));
}

void HostOps::never() { fail_check("a thread by itself has no such op", __FILE__, __LINE__); }

}  // namespace hetjit::host
