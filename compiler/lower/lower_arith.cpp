// Constants, sums and products, bits, comparison. Division is in lower_divide.cpp.
#include "compiler/lower/device_ops.h"
#include "compiler/passes/limits.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

bool is_float(Scalar scalar) { return is_floating(scalar); }

/// A float operation; formats kept as bits are computed in f32, whose precision (24 bits) is more
/// than twice theirs plus two, so the second rounding changes nothing.
template <class Compute>
Value* in_float(Lowering& at, Value* a, Value* b, Compute compute) {
  Scalar format = at.result_scalar();
  if (!is_bits_float(format)) return compute(a, b);
  return narrow_f32(at, format, compute(widen_to_f32(at, format, a), widen_to_f32(at, format, b)));
}

/// A constant, or soon to be one: what counts the turns of a loop that is written out.
bool is_constant(Lowering& at, ValueId id) {
  if (llvm::isa<llvm::ConstantInt>(at(id))) return true;
  const passes::Interval is = at.integers->interval(id, at.here);
  return is.hi - is.lo < passes::kShortLoop;
}

/// Of a sum or difference of integers. LLVM makes a constant an offset of the address then. Of what
/// varies it would make sums of 64 bits, which GPUs have no instruction for; and a product of 32
/// bits widened is one. (codegen_wide.py: warp_scan, axpy_stride)
template <class AnyOp>
Exactness exactness(Lowering& at, const AnyOp& op,
                    std::optional<passes::Interval> (*rule)(passes::Interval, passes::Interval)) {
  if (!at.integers || (!is_constant(at, op.in[0]) && !is_constant(at, op.in[1]))) return {};
  return at.integers->exactness(op.in, at.result_scalar(), at.here, rule);
}

Value* sign_mask(Lowering& at, Value* bits) {
  return at.constant(bits->getType(), 1ull << (bits->getType()->getScalarSizeInBits() - 1));
}

}  // namespace

template <>
Leaves lower(Lowering& at, const ir::ConstInt& op) {
  return at.constant(at.value_type(at.result_scalar()), op.bits);
}

template <>
Leaves lower(Lowering& at, const ir::ConstFloat& op) {
  Scalar format = at.result_scalar();
  if (is_bits_float(format))  // folds: the operand is a constant
    return narrow_f32(at, format, llvm::ConstantFP::get(at.f32(), op.value));
  return llvm::ConstantFP::get(at.value_type(format), op.value);
}

template <>
Leaves lower(Lowering&, const ir::ConstNone&) {
  return {};
}

template <>
Leaves lower(Lowering& at, const ir::Add& op) {
  Value *a = at(op.in[0]), *b = at(op.in[1]);
  if (!is_float(at.result_scalar())) {
    Exactness exact = exactness(at, op, passes::add);
    return at.build.CreateAdd(a, b, "", exact.as_unsigned, exact.as_signed);
  }
  return in_float(at, a, b, [&](Value* x, Value* y) { return at.build.CreateFAdd(x, y); });
}

template <>
Leaves lower(Lowering& at, const ir::Sub& op) {
  Value *a = at(op.in[0]), *b = at(op.in[1]);
  if (!is_float(at.result_scalar())) {
    Exactness exact = exactness(at, op, passes::subtract);
    return at.build.CreateSub(a, b, "", exact.as_unsigned, exact.as_signed);
  }
  return in_float(at, a, b, [&](Value* x, Value* y) { return at.build.CreateFSub(x, y); });
}

template <>
Leaves lower(Lowering& at, const ir::Mul& op) {
  Value *a = at(op.in[0]), *b = at(op.in[1]);
  if (!is_float(at.result_scalar())) return at.build.CreateMul(a, b);
  return in_float(at, a, b, [&](Value* x, Value* y) { return at.build.CreateFMul(x, y); });
}

template <>
Leaves lower(Lowering& at, const ir::Div& op) {
  return in_float(at, at(op.in[0]), at(op.in[1]),
                  [&](Value* x, Value* y) { return at.build.CreateFDiv(x, y); });
}

template <>
Leaves lower(Lowering& at, const ir::Neg& op) {
  Value* a = at(op.in[0]);
  if (!is_float(at.result_scalar())) return at.build.CreateNeg(a);
  if (is_bits_float(at.result_scalar())) return at.build.CreateXor(a, sign_mask(at, a));
  return at.build.CreateFNeg(a);
}

template <>
Leaves lower(Lowering& at, const ir::Abs& op) {
  Value* a = at(op.in[0]);
  if (is_bits_float(at.result_scalar()))
    return at.build.CreateAnd(a, at.build.CreateNot(sign_mask(at, a)));
  if (is_float(at.result_scalar())) return at.intrinsic(llvm::Intrinsic::fabs, {a});
  if (!is_signed_integer(at.result_scalar())) return a;
  // false: abs(min) is min, not poison.
  return at.build.CreateBinaryIntrinsic(llvm::Intrinsic::abs, a, at.build.getFalse());
}

template <>
Leaves lower(Lowering& at, const ir::BitAnd& op) {
  return at.build.CreateAnd(at(op.in[0]), at(op.in[1]));
}
template <>
Leaves lower(Lowering& at, const ir::BitOr& op) {
  return at.build.CreateOr(at(op.in[0]), at(op.in[1]));
}
template <>
Leaves lower(Lowering& at, const ir::BitXor& op) {
  return at.build.CreateXor(at(op.in[0]), at(op.in[1]));
}
template <>
Leaves lower(Lowering& at, const ir::BitNot& op) {
  return at.build.CreateNot(at(op.in[0]));
}

// LLVM's shifts are poison from the width on. A negative count, read as unsigned, is such a count.
template <>
Leaves lower(Lowering& at, const ir::ShiftLeft& op) {
  Value *a = at(op.in[0]), *count = at(op.in[1]);
  llvm::Type* type = a->getType();
  Value* fits = at.build.CreateICmpULT(count, at.constant(type, type->getScalarSizeInBits()));
  Value* safe = at.build.CreateSelect(fits, count, at.constant(type, 0));
  return at.build.CreateSelect(fits, at.build.CreateShl(a, safe), at.constant(type, 0), "shl");
}

template <>
Leaves lower(Lowering& at, const ir::ShiftRight& op) {
  Value *a = at(op.in[0]), *count = at(op.in[1]);
  llvm::Type* type = a->getType();
  Value* zero = at.constant(type, 0);
  Value* last = at.constant(type, type->getScalarSizeInBits() - 1);
  Value* fits = at.build.CreateICmpULE(count, last);
  Value* clamped = at.build.CreateSelect(fits, count, last);
  if (!is_signed_integer(at.result_scalar()))
    return at.build.CreateSelect(fits, at.build.CreateLShr(a, clamped), zero, "shr");
  // From the width on the sign fills everything, as a shift by width - 1 does already.
  Value* negative = at.build.CreateICmpSLT(count, zero);
  return at.build.CreateSelect(negative, zero, at.build.CreateAShr(a, clamped), "shr");
}

namespace {

// The double nearest to a * b + c, but with its last bit set when that is not exact ("round to
// odd"), so that rounding it again to a short format is right. The product of two 8-bit
// significands is exact; the error of the sum is found by Knuth's two-sum.
Value* odd_product_sum(Lowering& at, Value* a, Value* b, Value* c) {
  auto& build = at.build;
  Value* product = build.CreateFMul(a, b);
  Value* sum = build.CreateFAdd(product, c);
  Value* from_c = build.CreateFSub(sum, product);
  Value* lost = build.CreateFAdd(build.CreateFSub(product, build.CreateFSub(sum, from_c)),
                                 build.CreateFSub(c, from_c));
  llvm::Type* i64 = at.i64();
  Value* bits = build.CreateBitCast(sum, i64);
  Value* zero = llvm::ConstantFP::get(lost->getType(), 0.0);
  Value* inexact = build.CreateFCmpONE(lost, zero);  // false for NaN: nothing to repair
  Value* even = build.CreateIsNull(build.CreateAnd(bits, at.constant(i64, 1)));
  Value* outward =
      build.CreateICmpEQ(build.CreateFCmpOGT(lost, zero), build.CreateFCmpOGT(sum, zero));
  Value* step = build.CreateSelect(outward, at.constant(i64, 1), at.constant(i64, -1ull));
  Value* odd = build.CreateAdd(bits, step);
  Value* repaired = build.CreateSelect(build.CreateAnd(inexact, even), odd, bits);
  return build.CreateBitCast(repaired, sum->getType());
}

}  // namespace

// Rounded once. A sum of an exact product of bfloat16 may not fit a double.
template <>
Leaves lower(Lowering& at, const ir::Fma& op) {
  Value *a = at(op.in[0]), *b = at(op.in[1]), *c = at(op.in[2]);
  Scalar format = at.result_scalar();
  if (is_bits_float(format)) {
    auto wide = [&](Value* bits) {
      return at.build.CreateFPExt(widen_to_f32(at, format, bits), at.f64());
    };
    Value* odd = odd_product_sum(at, wide(a), wide(b), wide(c));
    return narrow_f32(at, format, f64_to_f32_odd(at, odd));
  }
  if (format == Scalar::Float16) return at.module.device.fma_of_halves(at, a, b, c);
  return at.intrinsic(llvm::Intrinsic::fma, {a, b, c});
}

namespace {

struct Predicates {
  llvm::CmpInst::Predicate is_signed, is_unsigned, floating;
};
constexpr Predicates kPredicates[] = {
    // By ir::Comparison. With a NaN only Ne is true.
    {llvm::CmpInst::ICMP_SLT, llvm::CmpInst::ICMP_ULT, llvm::CmpInst::FCMP_OLT},
    {llvm::CmpInst::ICMP_SLE, llvm::CmpInst::ICMP_ULE, llvm::CmpInst::FCMP_OLE},
    {llvm::CmpInst::ICMP_EQ, llvm::CmpInst::ICMP_EQ, llvm::CmpInst::FCMP_OEQ},
    {llvm::CmpInst::ICMP_NE, llvm::CmpInst::ICMP_NE, llvm::CmpInst::FCMP_UNE},
    {llvm::CmpInst::ICMP_SGT, llvm::CmpInst::ICMP_UGT, llvm::CmpInst::FCMP_OGT},
    {llvm::CmpInst::ICMP_SGE, llvm::CmpInst::ICMP_UGE, llvm::CmpInst::FCMP_OGE},
};

const Predicates& predicates(ir::Comparison kind) { return kPredicates[static_cast<size_t>(kind)]; }

}  // namespace

llvm::CmpInst::Predicate integer_predicate(ir::Comparison kind, bool with_sign) {
  return with_sign ? predicates(kind).is_signed : predicates(kind).is_unsigned;
}

template <>
Leaves lower(Lowering& at, const ir::Compare& op) {
  Value *a = at(op.in[0]), *b = at(op.in[1]);
  Scalar scalar = at.scalar_of(op.in[0]);
  const llvm::CmpInst::Predicate floating = predicates(op.kind).floating;
  if (is_bits_float(scalar))
    return at.build.CreateFCmp(floating, widen_to_f32(at, scalar, a), widen_to_f32(at, scalar, b));
  if (is_float(scalar)) return at.build.CreateFCmp(floating, a, b);
  return at.build.CreateICmp(integer_predicate(op.kind, is_signed_integer(scalar)), a, b);
}

template <>
Leaves lower(Lowering& at, const ir::Select& op) {
  Value* condition = at(op.in[0]);
  const Leaves &yes = at.leaves(op.in[1]), &no = at.leaves(op.in[2]);
  Leaves chosen;
  for (size_t i = 0; i < yes.size(); ++i)
    chosen.push_back(at.build.CreateSelect(condition, yes[i], no[i]));
  return chosen;
}

}  // namespace hetjit::lower
