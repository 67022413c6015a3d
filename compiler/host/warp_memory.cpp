// Loads and stores of a warp: one for all, a vector of neighbours, or each lane its own.
#include "compiler/host/warp.h"

namespace hetjit::host {

using llvm::Value;
using lower::Leaves;

namespace {

Value* place(llvm::IRBuilder<>& build, Value* address, uint64_t offset) {
  if (offset == 0) return address;
  return build.CreateGEP(build.getInt8Ty(), address, build.getInt64(offset));
}

bool is_dense(const Spreading& address, const lower::Leaf& leaf) {
  auto size = static_cast<int64_t>(leaf.stored->getScalarSizeInBits() / 8);
  return address.spread == Spread::Affine && address.stride == size;
}

}  // namespace

Value* Warp::leaf_addresses(const Spreading& address, const lower::Leaf& leaf) {
  return place(build_, vector_of(address, 0), leaf.offset);
}

Value* Warp::load_leaf(const Spreading& address, const lower::Leaf& leaf) {
  auto* type = llvm::FixedVectorType::get(leaf.stored, width_);
  llvm::Align align(leaf.align);
  if (!is_dense(address, leaf))
    return build_.CreateMaskedGather(type, leaf_addresses(address, leaf), align,
                                     mask_->lanes ? mask_->lanes : masks_.all_lanes(),
                                     llvm::Constant::getNullValue(type));
  Value* from = place(build_, address.leaves[0], leaf.offset);
  if (!mask_->lanes) return build_.CreateAlignedLoad(type, from, align);
  return build_.CreateMaskedLoad(type, from, align, mask_->lanes,
                                 llvm::Constant::getNullValue(type));
}

Spreading Warp::emit(const ir::Load& op, const ir::Inst& inst) {
  const Spreading& address = at(op.in[0]);
  if (address.spread == Spread::Uniform) return {Spread::Uniform, 0, lowered(op, inst, 1)};
  Spreading value{Spread::Varying, 0, {}};
  for (const lower::Leaf& leaf : module_.types.leaves(type(ir_.type_of(op.in[0])).element)) {
    Value* stored = load_leaf(address, leaf);
    value.leaves.push_back(leaf.type == leaf.stored ? stored : build_.CreateIsNotNull(stored));
  }
  return value;
}

// What the lanes will read, line by line. Lanes in the order of the block need not be side by side.
void Warp::prefetch(const Spreading& address) {
  if (address.spread != Spread::Affine) return;
  constexpr uint64_t kLine = 64;  // bytes
  enum { kRead = 0, kIntoEveryCache = 3, kData = 1 };
  uint64_t bytes = width_ * static_cast<uint64_t>(std::abs(address.stride));
  for (uint64_t line = 0; line < bytes; line += kLine)
    build_.CreateIntrinsic(build_.getVoidTy(), llvm::Intrinsic::prefetch,
                           {place(build_, address.leaves[0], line), build_.getInt32(kRead),
                            build_.getInt32(kIntoEveryCache), build_.getInt32(kData)});
}

void Warp::store_leaf(const Spreading& address, const lower::Leaf& leaf, Value* value) {
  llvm::Align align(leaf.align);
  if (!is_dense(address, leaf)) {
    build_.CreateMaskedScatter(value, leaf_addresses(address, leaf), align,
                               mask_->lanes ? mask_->lanes : masks_.all_lanes());
    return;
  }
  Value* to = place(build_, address.leaves[0], leaf.offset);
  if (mask_->lanes)
    build_.CreateMaskedStore(value, to, align, mask_->lanes);
  else
    build_.CreateAlignedStore(value, to, align);
}

// What the last of the active lanes holds: where all write to one place, it is the one that wins.
Value* Warp::last_active(Value* vector) {
  if (!mask_->lanes) return build_.CreateExtractElement(vector, width_ - 1);
  llvm::Type* bits = build_.getIntNTy(width_);
  Value* lanes = build_.CreateBitCast(mask_->lanes, bits);
  Value* above = build_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, lanes, build_.getFalse());
  Value* last = build_.CreateSub(llvm::ConstantInt::get(bits, width_ - 1), above);
  return build_.CreateExtractElement(vector, last);
}

Spreading Warp::emit(const ir::Store& op, const ir::Inst&) {
  wrote_memory_ = true;
  const Spreading &address = at(op.in[0]), &value = at(op.in[1]);
  TypeId pointee = type(ir_.type_of(op.in[0])).element;
  if (address.spread == Spread::Uniform) {
    Leaves one = value.leaves;
    if (value.spread != Spread::Uniform)
      for (size_t i = 0; i < one.size(); ++i) one[i] = last_active(vector_of(value, i));
    lower::store_value(build_, module_.types, pointee, address.leaves[0], one);
    return {};
  }
  size_t next = 0;
  for (const lower::Leaf& leaf : module_.types.leaves(pointee)) {
    Value* lanes = vector_of(value, next++);
    if (leaf.type != leaf.stored)
      lanes = build_.CreateZExt(lanes, llvm::FixedVectorType::get(leaf.stored, width_));
    store_leaf(address, leaf, lanes);
  }
  return {};
}

}  // namespace hetjit::host
