// bfloat16 and float8 as bits: to f32, exactly, and from f32, rounded as abi/small_floats.h says.
#include "abi/small_floats.h"

#include "compiler/lower/lowering.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

llvm::Constant* power_of_two(Lowering& at, int exponent) {
  return llvm::ConstantFP::get(
      at.f32(), llvm::APFloat(std::bit_cast<float>(static_cast<uint32_t>(exponent + 127) << 23)));
}

// The exponent and mantissa are put where f32 has its own; the exponent's bias then differs by a
// power of two, and a multiplication, exact for subnormals too, makes up for it.
Value* widen_float8(Lowering& at, SmallFloat format, Value* bits) {
  auto& build = at.build;
  llvm::Type *i32 = at.i32(), *f32 = at.f32();
  Value* wide = build.CreateZExt(bits, i32);
  Value* magnitude = build.CreateAnd(wide, 0x7F);
  Value* placed = build.CreateBitCast(build.CreateShl(magnitude, 23 - format.mantissa_bits), f32);
  Value* scaled = build.CreateFMul(placed, power_of_two(at, 127 - format.bias()));
  Value* nan = llvm::ConstantFP::getNaN(f32);
  if (format.has_infinity()) {
    constexpr uint32_t kInfinity = 0x7C;
    Value* infinity = llvm::ConstantFP::getInfinity(f32);
    Value* special = build.CreateSelect(build.CreateICmpEQ(magnitude, at.constant(i32, kInfinity)),
                                        infinity, nan);
    Value* is_special = build.CreateICmpUGE(magnitude, at.constant(i32, kInfinity));
    scaled = build.CreateSelect(is_special, special, scaled);
  } else {
    Value* pattern = format.has_minus_zero() ? magnitude : wide;
    scaled = build.CreateSelect(build.CreateICmpEQ(pattern, at.constant(i32, format.nan())), nan,
                                scaled);
  }
  Value* sign = build.CreateShl(build.CreateAnd(wide, 0x80), 24);
  return build.CreateBitCast(build.CreateOr(build.CreateBitCast(scaled, i32), sign), f32);
}

// Half a unit in the last place is added, less one when the kept part is even, and the rest cut
// off; a carry runs into the exponent, as it must. Below the smallest normal number the addition of
// a large power of two rounds at the right place.
Value* narrow_float8(Lowering& at, SmallFloat format, Value* f32) {
  auto& build = at.build;
  llvm::Type* i32 = at.i32();
  const int shift = 23 - format.mantissa_bits, least = 1 - format.bias();
  Value* bits = build.CreateBitCast(f32, i32);
  Value* magnitude = build.CreateAnd(bits, 0x7FFFFFFF);

  Value* even = build.CreateAnd(build.CreateLShr(magnitude, shift), 1);
  Value* rebiased = build.CreateSub(
      magnitude, at.constant(i32, static_cast<uint32_t>(127 - format.bias()) << 23));
  Value* half = at.constant(i32, (1u << (shift - 1)) - 1);
  Value* normal = build.CreateLShr(build.CreateAdd(build.CreateAdd(rebiased, half), even), shift);

  Value* large = power_of_two(at, least - format.mantissa_bits + 23);
  Value* sum = build.CreateFAdd(build.CreateBitCast(magnitude, at.f32()), large);
  Value* subnormal =
      build.CreateSub(build.CreateBitCast(sum, i32), build.CreateBitCast(large, i32));

  Value* is_small =
      build.CreateICmpULT(magnitude, at.constant(i32, static_cast<uint32_t>(least + 127) << 23));
  Value* rounded = build.CreateSelect(is_small, subnormal, normal);
  Value* limit = at.constant(i32, format.largest());
  Value* finite = build.CreateSelect(build.CreateICmpUGT(rounded, limit), limit, rounded);
  Value* sign = build.CreateAnd(build.CreateLShr(bits, 24), 0x80);
  if (!format.has_minus_zero()) {
    Value* zero = at.constant(i32, 0);
    sign = build.CreateSelect(build.CreateICmpEQ(finite, zero), zero, sign);
  }
  Value* result = build.CreateOr(finite, sign);
  Value* is_nan = build.CreateICmpUGT(magnitude, at.constant(i32, 0x7F800000));
  Value* chosen = build.CreateSelect(is_nan, at.constant(i32, format.nan()), result);
  return build.CreateTrunc(chosen, at.i8());
}

Value* narrow_bfloat16(Lowering& at, Value* f32) {
  auto& build = at.build;
  llvm::Type* i32 = at.i32();
  Value* bits = build.CreateBitCast(f32, i32);
  Value* top = build.CreateLShr(bits, 16);
  Value* half = build.CreateAdd(build.CreateAnd(top, 1), at.constant(i32, 0x7FFF));
  Value* rounded = build.CreateLShr(build.CreateAdd(bits, half), 16);
  Value* magnitude = build.CreateAnd(bits, 0x7FFFFFFF);
  Value* is_nan = build.CreateICmpUGT(magnitude, at.constant(i32, 0x7F800000));
  Value* quiet = build.CreateOr(top, 0x40);
  return build.CreateTrunc(build.CreateSelect(is_nan, quiet, rounded), at.i16());
}

}  // namespace

bool is_bits_float(Scalar scalar) { return scalar == Scalar::BFloat16 || is_tiny_float(scalar); }

Value* widen_to_f32(Lowering& at, Scalar from, Value* bits) {
  if (from != Scalar::BFloat16) return widen_float8(at, small_float_of(from), bits);
  Value* wide = at.build.CreateZExt(bits, at.i32());
  return at.build.CreateBitCast(at.build.CreateShl(wide, 16), at.f32());
}

Value* narrow_f32(Lowering& at, Scalar to, Value* f32) {
  if (to == Scalar::BFloat16) return narrow_bfloat16(at, f32);
  return narrow_float8(at, small_float_of(to), f32);
}

// The truncated value, with its last bit set when something was cut off.
Value* f64_to_f32_odd(Lowering& at, Value* f64) {
  auto& build = at.build;
  llvm::Type *i32 = at.i32(), *f32 = at.f32();
  Value* nearest = build.CreateFPTrunc(f64, f32);
  Value* back = build.CreateFPExt(nearest, f64->getType());
  auto magnitude = [&](Value* x) { return build.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
  Value* too_large = build.CreateFCmpOGT(magnitude(back), magnitude(f64));
  Value* inexact = build.CreateFCmpONE(back, f64);  // false for NaN
  Value* bits = build.CreateBitCast(nearest, i32);
  Value* truncated = build.CreateSub(bits, build.CreateZExt(too_large, i32));
  Value* odd = build.CreateOr(truncated, build.CreateZExt(inexact, i32));
  return build.CreateBitCast(odd, f32);
}

Value* f64_to_f16_odd(Lowering& at, Value* f64) {
  return at.build.CreateFPTrunc(f64_to_f32_odd(at, f64), at.value_type(Scalar::Float16));
}

}  // namespace hetjit::lower
