// One instruction for all lanes: what is uniform or affine on numbers of lane 0, the rest on
// vectors, by the same handlers.
#include <llvm/IR/MDBuilder.h>

#include <bit>

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

// The first element of what all lanes have in common, then as far as the indices say: that may lie
// outside of the array, so nothing is promised of the sum. `likely_index`: lane 0's one
// that is not the same for all, where it is asked whether the lanes are neighbours along its axis.
Value* Warp::element_at(const ir::ElementAddress& op, TypeId pointer, Value* likely_index) {
  llvm::Type* i64 = build_.getInt64Ty();
  const uint64_t size = layout(type(ir_.type_of(op.in[0])).element).stride();
  Value* bytes = nullptr;
  lowering_.define(op.in[0], at(op.in[0]).leaves);
  for (size_t axis = 0; axis + 1 < op.in.size(); ++axis) {
    const ValueId id = op.in[1 + axis];
    lowering_.define(id, at(id).leaves);
    if (at(id).spread == Spread::Uniform) continue;
    Value* index = likely_index ? likely_index : at(id).leaves[0];
    lowering_.define(id, {llvm::Constant::getNullValue(index->getType())});
    const auto pitch = likely_index ? 1 : *shapes_.pitch(op.in[0], static_cast<uint8_t>(axis));
    Value* part = build_.CreateMul(build_.CreateSExt(index, i64),
                                   build_.getInt64(size * static_cast<uint64_t>(pitch)));
    bytes = bytes ? build_.CreateAdd(bytes, part) : part;
  }
  lowering_.lanes = 1;
  lowering_.result_type = pointer;
  Value* common = lower::lower(lowering_, op)[0];
  return build_.CreateGEP(build_.getInt8Ty(), common, bytes);
}

// Lane 0's, which may not be active.
Spreading Warp::emit(const ir::ElementAddress& op, const ir::Inst& inst) {
  Shape shape = shapes_.of(inst.result);
  if (shape.spread != Spread::Affine) return emit<ir::ElementAddress>(op, inst);
  Value* element = element_at(op, ir_.type_of(inst.result));
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

// ---- division of numbers that step evenly by one that is the same for all lanes

/// Numbers that step evenly, and what they are divided by.
struct Warp::Steps {
  Value *first, *by;  // lane 0's
  int64_t stride;
  int64_t reach;  // from lane 0's number to the last one's
  Value* even;    // do they, and is none negative? i1
  bool is_signed;
};

// Numbers that were made wider may begin anew in the narrower type: asked there, at run time.
std::optional<Warp::Steps> Warp::steps_of(ValueId number, ValueId by, const ir::Inst& inst) {
  auto is_whole = [&](ValueId id) {
    const TypeId own = ir_.type_of(id);
    return is_scalar(own) && is_integer(type(own).scalar);
  };
  if (!is_whole(inst.result)) return std::nullopt;
  const Scalar result = type(ir_.type_of(inst.result)).scalar;
  auto* convert = shapes_.definitions().made_by<ir::Convert>(number);
  const uint32_t home = shapes_.home(number);
  if (convert && is_whole(convert->in[0]) && (home == block_ || home == 0)) {
    const Scalar before = type(ir_.type_of(convert->in[0])).scalar;
    const uint32_t made = shapes_.home(convert->in[0]);
    if (info(before).bits < info(result).bits && (made == block_ || made == 0))
      number = convert->in[0];
  }
  const Spreading& from = at(number);
  auto* constant = shapes_.definitions().made_by<ir::ConstInt>(by);
  const bool shifts = constant && std::has_single_bit(constant->bits);
  if (from.spread != Spread::Affine || from.stride <= 0) return std::nullopt;
  if (at(by).spread != Spread::Uniform || shifts) return std::nullopt;
  auto* own = llvm::cast<llvm::IntegerType>(from.leaves[0]->getType());
  const uint64_t most = own->getBitMask() >> is_signed_integer(type(ir_.type_of(number)).scalar);
  const int64_t reach = from.stride * (int64_t{width_} - 1);
  if (static_cast<uint64_t>(reach) > most / 2) return std::nullopt;
  Value* last = llvm::ConstantInt::get(own, most - static_cast<uint64_t>(reach));
  Value* even = build_.CreateICmpULE(from.leaves[0], last);
  Value* first = build_.CreateZExt(from.leaves[0], at(by).leaves[0]->getType());
  return Steps{first, at(by).leaves[0], from.stride, reach, even, is_signed_integer(result)};
}

// One division for all lanes, where the divisor is so large that they pass at most one of its
// multiples, no number is negative and none begins anew: asked at run time.
template <class Op, class OfOne>
Spreading Warp::divided(const Op& op, const ir::Inst& inst, OfOne of_one) {
  std::optional<Steps> found = steps_of(op.in[0], op.in[1], inst);
  if (!found) return emit<Op>(op, inst);
  auto* type = llvm::cast<llvm::IntegerType>(found->first->getType());
  Value* reach = llvm::ConstantInt::get(type, static_cast<uint64_t>(found->reach));
  Value* is_wide = found->is_signed ? build_.CreateICmpSGT(found->by, reach)
                                    : build_.CreateICmpUGT(found->by, reach);
  Value* holds = build_.CreateAnd(is_wide, found->even);
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(build_.getContext(), name, &function_);
  };
  llvm::BasicBlock *once = block("once"), *each = block("each"), *joined = block("joined");
  llvm::MDNode* often = llvm::MDBuilder(build_.getContext()).createLikelyBranchWeights();
  build_.CreateCondBr(build_.CreateFreeze(holds), once, each, often);
  build_.SetInsertPoint(once);
  Value* rest = build_.CreateURem(found->first, found->by);
  Value* lanes = build_.CreateAdd(splat(rest), steps(type, found->stride));
  Value* beyond = build_.CreateICmpUGE(lanes, splat(found->by));
  Value* one = of_one(*found, lanes, beyond);
  Value* in_row = build_.CreateICmpULT(rest, build_.CreateSub(found->by, reach));
  build_.CreateBr(joined);
  build_.SetInsertPoint(each);
  Value* other = lowered(op, inst, width_)[0];
  llvm::BasicBlock* end_of_each = build_.GetInsertBlock();
  build_.CreateBr(joined);
  build_.SetInsertPoint(joined);
  auto meet = [&](Value* there, Value* here) {
    llvm::PHINode* value = build_.CreatePHI(there->getType(), 2);
    value->addIncoming(there, once);
    value->addIncoming(here, end_of_each);
    return value;
  };
  llvm::PHINode* value = meet(one, other);
  if (std::is_same_v<Op, ir::Mod>)
    rest_rows_[inst.result] = {meet(rest, llvm::Constant::getNullValue(type)),
                               meet(in_row, build_.getFalse()), found->stride};
  return {Spread::Varying, 0, {value}};
}

Spreading Warp::emit(const ir::FloorDiv& op, const ir::Inst& inst) {
  if (shapes_.of(inst.result).spread != Spread::Varying) return emit<ir::FloorDiv>(op, inst);
  return divided(op, inst, [&](const Steps& found, Value* lanes, Value* beyond) {
    Value* quotient = splat(build_.CreateUDiv(found.first, found.by));
    return build_.CreateAdd(quotient, build_.CreateZExt(beyond, lanes->getType()));
  });
}

Spreading Warp::emit(const ir::Mod& op, const ir::Inst& inst) {
  if (shapes_.of(inst.result).spread != Spread::Varying) return emit<ir::Mod>(op, inst);
  return divided(op, inst, [&](const Steps& found, Value* lanes, Value* beyond) {
    return build_.CreateSelect(beyond, build_.CreateSub(lanes, splat(found.by)), lanes);
  });
}

void Warp::write(const ir::Inst& inst) {
  if (inst.result.valid() && serial_[inst.result.index]) return;
  if (module_.debug) module_.debug->set_location(lowering_, inst.where);
  llvm::IRBuilder<>::FastMathFlagGuard flags(build_);
  if (!inst.where.valid()) build_.clearFastMathFlags();  // the math library's
  const bool asks = inst.result.valid() && shapes_.asks_for_period(inst.result);
  Spreading value = asks ? in_one_period(inst)
                         : std::visit([&](const auto& op) { return emit(op, inst); }, inst.op);
  if (inst.result.valid()) at(inst.result) = std::move(value);
}

}  // namespace hetjit::host
