// Complex numbers are two leaves. What Annex G asks for when both parts are NaN stands in blocks
// of its own, which are almost never entered.
#include <llvm/IR/MDBuilder.h>

#include "compiler/lower/lowering.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

struct Parts {
  Value *real, *imag;
};

Parts parts_of(const Lowering& at, ValueId id) { return {at.leaves(id)[0], at.leaves(id)[1]}; }

Leaves leaves_of(Parts z) {
  Leaves leaves;
  leaves.push_back(z.real);
  leaves.push_back(z.imag);
  return leaves;
}

/// Arithmetic on parts, by short names.
struct Reals {
  Lowering& at;
  llvm::Type* type;
  llvm::IRBuilder<>& build = at.build;

  Value* constant(double x) const { return llvm::ConstantFP::get(type, x); }
  Value* infinity() const { return llvm::ConstantFP::getInfinity(type); }
  Value* magnitude(Value* x) const { return build.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); }
  Value* with_sign(Value* x, Value* sign) const {
    return build.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, x, sign);
  }
  Value* is_nan(Value* x) const { return build.CreateFCmpUNO(x, x); }
  Value* is_infinite(Value* x) const { return build.CreateFCmpOEQ(magnitude(x), infinity()); }
  Value* is_finite(Value* x) const { return build.CreateFCmpOLT(magnitude(x), infinity()); }
  Value* product(Value* x, Value* y) const { return build.CreateFMul(x, y); }
  Value* sum(Value* x, Value* y) const { return build.CreateFAdd(x, y); }
  Value* difference(Value* x, Value* y) const { return build.CreateFSub(x, y); }
  Value* quotient(Value* x, Value* y) const { return build.CreateFDiv(x, y); }
  Value* fma(Value* x, Value* y, Value* z) const {
    return at.intrinsic(llvm::Intrinsic::fma, {x, y, z});
  }
  Value* choose(Value* condition, Value* yes, Value* no) const {
    return build.CreateSelect(condition, yes, no);
  }
  Parts choose(Value* condition, Parts yes, Parts no) const {
    return {choose(condition, yes.real, no.real), choose(condition, yes.imag, no.imag)};
  }
  Value* infinite(Parts z) const {
    return build.CreateOr(is_infinite(z.real), is_infinite(z.imag));
  }
  Value* finite(Parts z) const { return build.CreateAnd(is_finite(z.real), is_finite(z.imag)); }
  Value* unit(Value* x) const {
    return with_sign(choose(is_infinite(x), constant(1), constant(0)), x);
  }
  Parts units(Parts z) const { return {unit(z.real), unit(z.imag)}; }
  Value* zero_if_nan(Value* x) const { return choose(is_nan(x), with_sign(constant(0), x), x); }
  Parts without_nan(Parts z) const { return {zero_if_nan(z.real), zero_if_nan(z.imag)}; }
  Parts scaled(Value* scale, Parts z) const {
    return {product(scale, z.real), product(scale, z.imag)};
  }
};

/// `plain`, or what `repair` makes of it where both parts are NaN.
template <class Repair>
Parts repaired(const Reals& on, Parts plain, Repair repair) {
  auto& build = on.build;
  llvm::LLVMContext& context = on.at.module.context();
  llvm::BasicBlock* from = build.GetInsertBlock();
  auto* mend = llvm::BasicBlock::Create(context, "nan", &on.at.function);
  auto* next = llvm::BasicBlock::Create(context, "complex", &on.at.function);
  Value* both = build.CreateAnd(on.is_nan(plain.real), on.is_nan(plain.imag));
  build.CreateCondBr(on.at.any(both), mend, next,
                     llvm::MDBuilder(context).createUnlikelyBranchWeights());
  build.SetInsertPoint(mend);
  Parts mended = repair();
  if (on.at.lanes > 1) mended = on.choose(both, mended, plain);
  build.CreateBr(next);
  build.SetInsertPoint(next);
  auto merge = [&](Value* as_it_was, Value* other) {
    llvm::PHINode* phi = build.CreatePHI(on.type, 2);
    phi->addIncoming(as_it_was, from);
    phi->addIncoming(other, mend);
    return phi;
  };
  Value* real = merge(plain.real, mended.real);
  return {real, merge(plain.imag, mended.imag)};
}

Parts repaired_product(const Reals& on, Parts plain, Parts x, Parts y) {
  auto& build = on.build;
  Value* overflowed = build.CreateOr(on.infinite({on.product(x.real, y.real),  //
                                                  on.product(x.imag, y.imag)}),
                                     on.infinite({on.product(x.real, y.imag),  //
                                                  on.product(x.imag, y.real)}));
  Value *x_infinite = on.infinite(x), *y_infinite = on.infinite(y);
  Parts a = on.choose(x_infinite, on.units(x), on.without_nan(x));
  Parts b = on.choose(y_infinite, on.units(y), on.without_nan(y));
  Parts whole = {on.difference(on.product(a.real, b.real), on.product(a.imag, b.imag)),
                 on.sum(on.product(a.real, b.imag), on.product(a.imag, b.real))};
  Value* any = build.CreateOr(build.CreateOr(x_infinite, y_infinite), overflowed);
  return on.choose(any, on.scaled(on.infinity(), whole), plain);
}

Parts repaired_quotient(const Reals& on, Parts plain, Parts x, Parts y) {
  auto& build = on.build;
  Value* zero = on.constant(0);
  Value* by_zero =
      build.CreateAnd(build.CreateFCmpOEQ(y.real, zero), build.CreateFCmpOEQ(y.imag, zero));
  Value* grows = build.CreateAnd(on.infinite(x), on.finite(y));
  Value* vanishes = build.CreateAnd(on.finite(x), on.infinite(y));
  Parts a = on.choose(grows, on.units(x), x), b = on.choose(vanishes, on.units(y), y);
  Parts whole = {on.sum(on.product(a.real, b.real), on.product(a.imag, b.imag)),
                 on.difference(on.product(a.imag, b.real), on.product(a.real, b.imag))};
  Parts limit = on.scaled(on.choose(grows, on.infinity(), zero), whole);
  Parts pole = on.scaled(on.with_sign(on.infinity(), y.real), x);
  Value* any = build.CreateOr(grows, vanishes);
  return on.choose(by_zero, pole, on.choose(any, limit, plain));
}

}  // namespace

template <>
Leaves lower(Lowering& at, const ir::MakeComplex& op) {
  return leaves_of({at(op.in[0]), at(op.in[1])});
}
template <>
Leaves lower(Lowering& at, const ir::RealPart& op) {
  return parts_of(at, op.in[0]).real;
}
template <>
Leaves lower(Lowering& at, const ir::ImaginaryPart& op) {
  return parts_of(at, op.in[0]).imag;
}

template <>
Leaves lower(Lowering& at, const ir::MultiplyComplex& op) {
  Parts x = parts_of(at, op.in[0]), y = parts_of(at, op.in[1]);
  Reals on{at, x.real->getType()};
  Value *low = on.product(x.imag, y.imag), *high = on.product(x.imag, y.real);
  Parts plain = op.fused ? Parts{on.fma(x.real, y.real, at.build.CreateFNeg(low)),
                                 on.fma(x.real, y.imag, high)}
                         : Parts{on.difference(on.product(x.real, y.real), low),
                                 on.sum(on.product(x.real, y.imag), high)};
  return leaves_of(repaired(on, plain, [&] { return repaired_product(on, plain, x, y); }));
}

// Both branches of Smith's method in one: p is the larger part of the divisor, q the other.
template <>
Leaves lower(Lowering& at, const ir::DivideComplex& op) {
  Parts x = parts_of(at, op.in[0]), y = parts_of(at, op.in[1]);
  Reals on{at, x.real->getType()};
  Value* flat = at.build.CreateFCmpOGE(on.magnitude(y.real), on.magnitude(y.imag));
  Value *p = on.choose(flat, y.real, y.imag), *q = on.choose(flat, y.imag, y.real);
  Value* ratio = on.quotient(q, p);
  Value* whole = on.sum(p, on.product(q, ratio));
  Value *first = on.choose(flat, x.real, x.imag), *other = on.choose(flat, x.imag, x.real);
  Value* real = on.sum(first, on.product(other, ratio));
  Value* scaled = on.product(on.choose(flat, x.real, x.imag), ratio);
  Value* imag = on.choose(flat, on.difference(x.imag, scaled), on.difference(scaled, x.real));
  Parts plain = {on.quotient(real, whole), on.quotient(imag, whole)};
  return leaves_of(repaired(on, plain, [&] { return repaired_quotient(on, plain, x, y); }));
}

}  // namespace hetjit::lower
