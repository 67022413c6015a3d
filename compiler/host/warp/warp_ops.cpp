// One instruction for all lanes: what is uniform or affine on numbers of lane 0, the rest on
// vectors, by the same handlers.
#include "abi/layout.h"
#include "compiler/host/warp/warp.h"
#include "compiler/lower/debug_info.h"

namespace hetjit::host {

using llvm::Value;
using lower::Leaves;

Value* Warp::splat(Value* value) { return build_.CreateVectorSplat(width_, value); }

Value* Warp::steps(llvm::Type* type, int64_t stride) {
  llvm::SmallVector<llvm::Constant*, 32> lanes;
  for (unsigned lane = 0; lane < width_; ++lane)
    lanes.push_back(llvm::ConstantInt::getSigned(type, stride * lane, /*ImplicitTrunc=*/true));
  return llvm::ConstantVector::get(lanes);
}

Value* Warp::vector_of(const Spreading& value, size_t leaf) {
  Value* first = value.leaves[leaf];
  if (value.spread == Spread::Varying) return first;
  if (value.spread == Spread::Uniform) return splat(first);
  if (first->getType()->isPointerTy())
    return build_.CreateGEP(build_.getInt8Ty(), first, steps(build_.getInt64Ty(), value.stride));
  return build_.CreateAdd(splat(first), steps(first->getType(), value.stride));
}

Leaves Warp::vectors(const Spreading& value) {
  Leaves leaves;
  for (size_t i = 0; i < value.leaves.size(); ++i) leaves.push_back(vector_of(value, i));
  return leaves;
}

template <class Op>
Spreading Warp::emit(const Op& op, const ir::Inst& inst) {
  Shape shape = shapes_.of(inst.result);
  return {shape.spread, shape.stride,
          lowered(op, inst, shape.spread == Spread::Varying ? width_ : 1)};
}

// Lane 0 may be inactive and its number beyond the narrow type's end; continued with its sign it
// still lies one stride before lane 1's (shape.cpp has made sure of that).
Spreading Warp::emit(const ir::Convert& op, const ir::Inst& inst) {
  Shape shape = shapes_.of(inst.result);
  if (shape.spread != Spread::Affine) return emit<ir::Convert>(op, inst);
  llvm::Type* wide = module_.types.value_type(type(ir_.type_of(inst.result)).scalar);
  return {shape.spread, shape.stride, build_.CreateSExtOrTrunc(at(op.in[0]).leaves[0], wide)};
}

// The row's first element, then as far as the index says: that may lie outside of the array, so
// nothing is promised of the sum.
Value* Warp::element_at(const ir::ElementAddress& op, TypeId pointer, Value* last_index) {
  for (ValueId id : op.in) lowering_.define(id, at(id).leaves);
  lowering_.define(op.in.back(), {llvm::Constant::getNullValue(last_index->getType())});
  lowering_.lanes = 1;
  lowering_.result_type = pointer;
  Value* row = lower::lower(lowering_, op)[0];
  llvm::Type* i64 = build_.getInt64Ty();
  uint64_t size = layout(type(ir_.type_of(op.in[0])).element).stride();
  Value* bytes = build_.CreateMul(build_.CreateSExt(last_index, i64), build_.getInt64(size));
  return build_.CreateGEP(build_.getInt8Ty(), row, bytes);
}

// Lane 0's, which may not be active.
Spreading Warp::emit(const ir::ElementAddress& op, const ir::Inst& inst) {
  Shape shape = shapes_.of(inst.result);
  if (shape.spread != Spread::Affine) return emit<ir::ElementAddress>(op, inst);
  Value* element = element_at(op, ir_.type_of(inst.result), at(op.in.back()).leaves[0]);
  return {shape.spread, shape.stride, {element}};
}

Spreading Warp::emit(const ir::FieldAddress& op, const ir::Inst& inst) {
  Shape shape = shapes_.of(inst.result);
  if (shape.spread != Spread::Affine) return emit<ir::FieldAddress>(op, inst);
  uint32_t offset = layout(type(ir_.type_of(op.in[0])).element).offsets[op.index];
  Value* field =
      build_.CreateGEP(build_.getInt8Ty(), at(op.in[0]).leaves[0], build_.getInt64(offset));
  return {shape.spread, shape.stride, field};
}

void Warp::write(const ir::Inst& inst) {
  if (inst.result.valid() && serial_[inst.result.index]) return;
  if (module_.debug) module_.debug->set_location(lowering_, inst.where);
  llvm::IRBuilder<>::FastMathFlagGuard flags(build_);
  if (!inst.where.valid()) build_.clearFastMathFlags();  // the math library's
  Spreading value = std::visit([&](const auto& op) { return emit(op, inst); }, inst.op);
  if (inst.result.valid()) at(inst.result) = std::move(value);
}

}  // namespace hetjit::host
