// Conversions between scalars. LLVM's own float to integer conversion is undefined out of range and
// differs between targets, so the saturating ones are used everywhere.
#include <cmath>

#include "compiler/lower/device_ops.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

struct Conversion {
  Lowering& at;
  Scalar from, to;
  llvm::Type* type;          // of the result
  bool nonnegative = false;  // the integer is known to be that
};

Value* to_bool(const Conversion& it, Value* value) {
  auto& build = it.at.build;
  if (is_bits_float(it.from)) value = widen_to_f32(it.at, it.from, value);
  if (is_floating(it.from))  // unordered: NaN is true
    return build.CreateFCmpUNE(value, llvm::ConstantFP::get(value->getType(), 0.0));
  return build.CreateIsNotNull(value);
}

Value* int_to_int(const Conversion& it, Value* value) {
  bool is_signed = is_signed_integer(it.from);
  if (is_signed && it.nonnegative && info(it.to).bits > info(it.from).bits)
    return it.at.build.CreateZExt(value, it.type, "", /*IsNonNeg=*/true);
  return it.at.build.CreateIntCast(value, it.type, is_signed);
}

/// LLVM writes a vector's saturating conversion out lane by lane, with branches. Lanes that the
/// plain one is undefined for are selected away; NaN is 0.
Value* saturated(llvm::IRBuilder<>& build, Value* value, llvm::Type* type, bool is_signed) {
  llvm::IRBuilder<>::FastMathFlagGuard flags(build);
  build.clearFastMathFlags();
  unsigned bits = type->getScalarSizeInBits();
  auto number = [&](double of) { return llvm::ConstantFP::get(value->getType(), of); };
  auto end = [&](llvm::APInt of) { return llvm::ConstantInt::get(type, of); };
  const double beyond = std::ldexp(1.0, static_cast<int>(is_signed ? bits - 1 : bits));
  Value* large = build.CreateFCmpOGE(value, number(beyond));
  Value* fits = build.CreateFCmpOGE(value, number(is_signed ? -beyond : 0.0));
  Value* zero = llvm::Constant::getNullValue(type);
  Value* small = zero;
  if (is_signed)
    small = build.CreateSelect(build.CreateFCmpUNO(value, value), zero,
                               end(llvm::APInt::getSignedMinValue(bits)));
  Value* plain = is_signed ? build.CreateFPToSI(value, type) : build.CreateFPToUI(value, type);
  return build.CreateSelect(
      large, end(is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits)),
      build.CreateSelect(fits, plain, small));
}

Value* float_to_int(const Conversion& it, Value* value) {
  auto& build = it.at.build;
  if (is_bits_float(it.from)) value = widen_to_f32(it.at, it.from, value);
  if (it.from == Scalar::Float16) value = build.CreateFPExt(value, it.at.f32());
  if (it.type->isVectorTy()) return saturated(build, value, it.type, is_signed_integer(it.to));
  auto id = is_signed_integer(it.to) ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
  return build.CreateIntrinsic(id, {it.type, value->getType()}, {value});
}

Value* int_to_llvm_float(const Conversion& it, Value* value, llvm::Type* type) {
  if (is_signed_integer(it.from)) return it.at.build.CreateSIToFP(value, type);
  return it.at.build.CreateUIToFP(value, type);
}

// A 64-bit integer has more bits than a double. Of those below the 52 highest only whether any is
// set matters to the rounding that follows, so they are gathered into one.
Value* gather_low_bits(const Conversion& it, Value* value) {
  auto& build = it.at.build;
  llvm::Type* i64 = it.at.i64();
  bool is_signed = is_signed_integer(it.from);
  Value* magnitude = value;
  if (is_signed)
    magnitude = build.CreateBinaryIntrinsic(llvm::Intrinsic::abs, value, build.getFalse());
  Value* low = build.CreateAnd(magnitude, 0xFFF);
  Value* high = build.CreateAnd(magnitude, it.at.constant(i64, ~0xFFFull));
  Value* some = build.CreateShl(build.CreateZExt(build.CreateIsNotNull(low), i64), 12);
  Value* gathered = build.CreateOr(high, some);
  Value* large = build.CreateICmpUGE(magnitude, it.at.constant(i64, 1ull << 52));
  Value* chosen = build.CreateSelect(large, gathered, magnitude);
  if (!is_signed) return build.CreateUIToFP(chosen, it.at.f64());
  Value* f64 = build.CreateUIToFP(chosen, it.at.f64());
  Value* negative = build.CreateICmpSLT(value, it.at.constant(i64, 0));
  return build.CreateSelect(negative, build.CreateFNeg(f64), f64);
}

Value* int_to_float(const Conversion& it, Value* value) {
  if (!is_bits_float(it.to)) return int_to_llvm_float(it, value, it.type);
  if (info(it.from).bits <= 16)  // exact in f32
    return narrow_f32(it.at, it.to, int_to_llvm_float(it, value, it.at.f32()));
  Value* f64 = info(it.from).bits == 64 ? gather_low_bits(it, value)
                                        : int_to_llvm_float(it, value, it.at.f64());
  return narrow_f32(it.at, it.to, f64_to_f32_odd(it.at, f64));
}

Value* float_to_float(const Conversion& it, Value* value) {
  auto& build = it.at.build;
  if (it.from == it.to) return value;
  bool from_f64 = it.from == Scalar::Float64;
  if (is_bits_float(it.from)) value = widen_to_f32(it.at, it.from, value);
  if (is_bits_float(it.to)) {
    Value* f32 = from_f64 ? f64_to_f32_odd(it.at, value) : build.CreateFPCast(value, it.at.f32());
    return narrow_f32(it.at, it.to, f32);
  }
  if (from_f64 && it.to == Scalar::Float16) return it.at.module.device.half_of_double(it.at, value);
  return build.CreateFPCast(value, it.type);
}

}  // namespace

template <>
Leaves lower(Lowering& at, const ir::Convert& op) {
  Conversion it{at, at.scalar_of(op.in[0]), at.result_scalar(), at.value_type(at.result_scalar())};
  Value* value = at(op.in[0]);
  it.nonnegative =
      at.integers && is_integer(it.from) && at.integers->is_nonnegative(op.in[0], at.here);
  if (it.to == it.from) return value;
  if (it.to == Scalar::Bool) return to_bool(it, value);
  if (is_floating(it.from))
    return is_floating(it.to) ? float_to_float(it, value) : float_to_int(it, value);
  return is_floating(it.to) ? int_to_float(it, value) : int_to_int(it, value);
}

}  // namespace hetjit::lower
