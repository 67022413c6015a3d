// Operations on the bits of numbers: LLVM's intrinsics, which every target has.
#include "compiler/lower/lowering.h"

namespace hetjit::lower {

using llvm::Value;

template <>
Leaves lower(Lowering& at, const ir::CountOnes& op) {
  return at.intrinsic(llvm::Intrinsic::ctpop, {at(op.in[0])});
}

template <>
Leaves lower(Lowering& at, const ir::ReverseBits& op) {
  return at.intrinsic(llvm::Intrinsic::bitreverse, {at(op.in[0])});
}

// false: of 0 it is the width, not poison.
template <>
Leaves lower(Lowering& at, const ir::LeadingZeros& op) {
  return at.build.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, at(op.in[0]), at.build.getFalse());
}
template <>
Leaves lower(Lowering& at, const ir::TrailingZeros& op) {
  return at.build.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, at(op.in[0]), at.build.getFalse());
}

// Every back end knows the form, and has an instruction for it.
template <>
Leaves lower(Lowering& at, const ir::MulHigh& op) {
  Value *a = at(op.in[0]), *b = at(op.in[1]);
  const unsigned width = a->getType()->getScalarSizeInBits();
  llvm::Type* wide = at.widened(at.build.getIntNTy(2 * width));
  auto widen = [&](Value* value) {
    return is_signed_integer(at.result_scalar()) ? at.build.CreateSExt(value, wide)
                                                 : at.build.CreateZExt(value, wide);
  };
  Value* product = at.build.CreateMul(widen(a), widen(b));
  return at.build.CreateTrunc(at.build.CreateLShr(product, width), a->getType());
}

// bfloat16 and float8 are held as their bits already.
template <>
Leaves lower(Lowering& at, const ir::Reinterpret& op) {
  return at.build.CreateBitCast(at(op.in[0]), at.value_type(at.result_scalar()));
}

}  // namespace hetjit::lower
