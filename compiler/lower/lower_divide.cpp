// Python's // and %. They round toward minus infinity, LLVM toward zero; the two differ exactly
// when the division is inexact and the signs differ: then the quotient is one less, the remainder
// one divisor more. Those of floats: divide_floats.cpp.
#include "compiler/lower/divide_floats.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

/// a / b truncated, with operands for which LLVM defines it: b is replaced by 1 where it is 0 or,
/// signed, -1 (the one quotient that overflows is min / -1).
struct Truncated {
  Value *quotient, *remainder, *divisor;
  Value *by_zero, *by_minus_one;  // by_minus_one: null for unsigned types
};

Truncated divide(Lowering& at, Value* a, Value* b, bool is_signed) {
  auto& build = at.build;
  Truncated out{};
  llvm::Type* type = a->getType();
  out.by_zero = build.CreateIsNull(b, "by_zero");
  Value* unsafe = out.by_zero;
  if (is_signed) {
    out.by_minus_one = build.CreateICmpEQ(b, llvm::Constant::getAllOnesValue(type));
    unsafe = build.CreateOr(unsafe, out.by_minus_one);
  }
  out.divisor = build.CreateSelect(unsafe, at.constant(type, 1), b, "divisor");
  out.quotient = is_signed ? build.CreateSDiv(a, out.divisor, "quotient")
                           : build.CreateUDiv(a, out.divisor, "quotient");
  out.remainder = build.CreateSub(a, build.CreateMul(out.quotient, out.divisor), "remainder");
  return out;
}

/// The remainder is not zero and its sign is not the divisor's.
Value* rounds_down(Lowering& at, const Truncated& it) {
  auto& build = at.build;
  Value* inexact = build.CreateIsNotNull(it.remainder);
  Value* zero = at.constant(it.remainder->getType(), 0);
  Value* differ = build.CreateICmpSLT(build.CreateXor(it.remainder, it.divisor), zero);
  return build.CreateAnd(inexact, differ);
}

Value* floordiv_int(Lowering& at, Value* a, Value* b, bool is_signed) {
  auto& build = at.build;
  Value* zero = at.constant(a->getType(), 0);
  Truncated it = divide(at, a, b, is_signed);
  if (!is_signed) return build.CreateSelect(it.by_zero, zero, it.quotient, "floordiv");
  Value* adjust = build.CreateZExt(rounds_down(at, it), a->getType());
  Value* floor = build.CreateSub(it.quotient, adjust, "floor");
  Value* exact = build.CreateSelect(it.by_minus_one, build.CreateNeg(a), floor);
  return build.CreateSelect(it.by_zero, zero, exact, "floordiv");
}

Value* mod_int(Lowering& at, Value* a, Value* b, bool is_signed) {
  auto& build = at.build;
  Value* zero = at.constant(a->getType(), 0);
  Truncated it = divide(at, a, b, is_signed);
  // Where the divisor was replaced by 1 the remainder is 0, which is also the answer.
  if (!is_signed) return it.remainder;
  Value* adjust = build.CreateSelect(rounds_down(at, it), it.divisor, zero);
  return build.CreateAdd(it.remainder, adjust, "mod");
}

/// The same of signed numbers by way of their magnitudes, for GPUs: they have no division, and what
/// stands for one divides unsigned numbers in fewer instructions. The signs are put right once, not
/// for the truncated quotient and again for the rounded one; ranges say which are known. The least
/// number has a magnitude, so -1 is a divisor like others.
struct Magnitudes {
  Value *quotient, *remainder, *divisor;
  Value *inexact, *differ;  // the signs do
  Value *by_zero, *divisor_negative;
};

/// The largest of the magnitudes.
passes::Wide size_of(const passes::Interval& numbers) {
  return std::max(-numbers.lo, numbers.hi);
}

/// |number|, with what ranges know of it: short numbers are divided in fewer instructions.
Value* magnitude(Lowering& at, Value* number, const passes::Interval& is) {
  if (is.lo >= 0) return number;
  llvm::CallInst* size = at.build.CreateIntrinsic(llvm::Intrinsic::abs, {number->getType()},
                                                  {number, at.build.getFalse()});
  const unsigned bits = number->getType()->getIntegerBitWidth();
  const auto end = static_cast<uint64_t>(size_of(is)) + 1;
  size->addRangeRetAttr(llvm::ConstantRange(llvm::APInt(bits, 0), llvm::APInt(bits, end)));
  return size;
}

Magnitudes divide_magnitudes(Lowering& at, const std::array<ValueId, 2>& in) {
  auto& build = at.build;
  Value *a = at(in[0]), *b = at(in[1]);
  const passes::Interval of_a = at.integers->interval(in[0], at.here),
                         of_b = at.integers->interval(in[1], at.here);
  Value* zero = at.constant(a->getType(), 0);
  Magnitudes out{};
  out.divisor = magnitude(at, b, of_b);
  out.by_zero = build.getFalse();
  if (of_b.lo <= 0 && of_b.hi >= 0) {
    out.by_zero = build.CreateIsNull(b, "by_zero");
    out.divisor = build.CreateBinaryIntrinsic(llvm::Intrinsic::umax, out.divisor,
                                              at.constant(a->getType(), 1), nullptr, "divisor");
  }
  Value* dividend = magnitude(at, a, of_a);
  const bool short_ones = size_of(of_a) <= UINT16_MAX && size_of(of_b) <= UINT16_MAX;
  llvm::Type *type = a->getType(), *word = short_ones ? build.getInt16Ty() : type;
  Value* quotient =
      build.CreateUDiv(build.CreateTrunc(dividend, word), build.CreateTrunc(out.divisor, word));
  out.quotient = build.CreateZExt(quotient, type, "quotient");
  out.remainder =
      build.CreateSub(dividend, build.CreateMul(out.quotient, out.divisor), "remainder");
  out.inexact = build.CreateIsNotNull(out.remainder);
  out.divisor_negative = of_b.lo >= 0 ? build.getFalse() : build.CreateICmpSLT(b, zero);
  Value* signs = of_a.lo >= 0 ? b : of_b.lo >= 0 ? a : build.CreateXor(a, b);
  out.differ = build.CreateICmpSLT(signs, zero);
  return out;
}

Value* floordiv_magnitudes(Lowering& at, const std::array<ValueId, 2>& in) {
  auto& build = at.build;
  Magnitudes it = divide_magnitudes(at, in);
  llvm::Type* type = it.quotient->getType();
  Value* up = build.CreateAdd(it.quotient, build.CreateZExt(it.inexact, type));
  Value* floor = build.CreateSelect(it.differ, build.CreateNeg(up), it.quotient, "floor");
  return build.CreateSelect(it.by_zero, at.constant(type, 0), floor, "floordiv");
}

/// By zero the divisor is 1 and nothing remains, which is also the answer.
Value* mod_magnitudes(Lowering& at, const std::array<ValueId, 2>& in) {
  auto& build = at.build;
  Magnitudes it = divide_magnitudes(at, in);
  Value* rest = build.CreateSub(it.divisor, it.remainder);
  Value* size = build.CreateSelect(build.CreateAnd(it.inexact, it.differ), rest, it.remainder);
  return build.CreateSelect(it.divisor_negative, build.CreateNeg(size), size, "mod");
}

/// A quotient by a number that is known is a product, of either sign.
bool by_magnitudes(const Lowering& at, ValueId divisor) {
  Scalar of = at.result_scalar();
  return at.integers && is_signed_integer(of) && info(of).bits >= 32 &&
         !llvm::isa<llvm::Constant>(at(divisor));
}

/// Short floats are divided in f32, as NumPy does.
template <class Compute>
Value* in_f32_or_wider(Lowering& at, Value* a, Value* b, Compute compute) {
  auto& build = at.build;
  Scalar format = at.result_scalar();
  if (is_bits_float(format))
    return narrow_f32(at, format,
                      compute(at, widen_to_f32(at, format, a), widen_to_f32(at, format, b)));
  if (format != Scalar::Float16) return compute(at, a, b);
  llvm::Type* f32 = at.f32();
  Value* wide = compute(at, build.CreateFPExt(a, f32), build.CreateFPExt(b, f32));
  return build.CreateFPTrunc(wide, a->getType());
}

}  // namespace

template <>
Leaves lower(Lowering& at, const ir::FloorDiv& op) {
  Value *a = at(op.in[0]), *b = at(op.in[1]);
  if (is_floating(at.result_scalar())) return in_f32_or_wider(at, a, b, floordiv_float);
  if (by_magnitudes(at, op.in[1])) return floordiv_magnitudes(at, op.in);
  return floordiv_int(at, a, b, is_signed_integer(at.result_scalar()));
}

template <>
Leaves lower(Lowering& at, const ir::Mod& op) {
  Value *a = at(op.in[0]), *b = at(op.in[1]);
  if (is_floating(at.result_scalar())) return in_f32_or_wider(at, a, b, mod_float);
  if (by_magnitudes(at, op.in[1])) return mod_magnitudes(at, op.in);
  return mod_int(at, a, b, is_signed_integer(at.result_scalar()));
}

}  // namespace hetjit::lower
