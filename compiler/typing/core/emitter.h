// Where the code of an operation goes. While types are inferred there is nowhere to write it: every
// function then answers with an invalid id. So each operation is stated once, type and code
// together, and the two cannot disagree.
#pragma once

#include "compiler/ir/build.h"
#include "compiler/typing/known/value.h"

namespace hetjit::typing {

class Emitter {
 public:
  explicit Emitter(ir::Builder* to) : to_(to) {}
  bool on() const { return to_ != nullptr; }
  ir::Builder& builder() { return *to_; }

  template <class Op>
  Leaf binary(Leaf a, Leaf b) {
    return to_ ? to_->binary<Op>(a, b) : Leaf{};
  }
  template <class Op>
  Leaf unary(Leaf a) {
    return to_ ? to_->unary<Op>(a) : Leaf{};
  }
  /// An op without operands but an axis: ThreadIndex and its kin.
  template <class Op>
  Leaf place(uint8_t axis) {
    if (!to_) return {};
    Op op;
    op.axis = axis;
    return to_->emit(op, scalar_type(Scalar::UInt32));
  }
  Leaf clock() { return to_ ? to_->emit(ir::Clock{}, scalar_type(Scalar::Int64)) : Leaf{}; }
  template <class Op>
  Leaf of_axis(Leaf array, uint8_t axis) {  // Extent, Stride
    if (!to_) return {};
    Op op;
    op.in = {array};
    op.axis = axis;
    return to_->emit(op, scalar_type(Scalar::Int64));
  }
  Leaf fma(Leaf a, Leaf b, Leaf c) {
    if (!to_) return {};
    ir::Fma op;
    op.in = {a, b, c};
    return to_->emit(op, to_->type_of(a));
  }
  Leaf compare(ssa::CompareKind kind, Leaf a, Leaf b) {
    return to_ ? to_->compare(static_cast<ir::Comparison>(kind), a, b) : Leaf{};
  }
  Leaf select(Leaf condition, Leaf yes, Leaf no) {
    return to_ ? to_->select(condition, yes, no) : Leaf{};
  }
  Leaf reinterpret(Leaf value, Scalar to) {
    if (!to_) return {};
    ir::Reinterpret op;
    op.in = {value};
    return to_->emit(op, scalar_type(to));
  }
  Leaf convert(Leaf value, Scalar to) {
    return to_ ? to_->convert(value, scalar_type(to)) : Leaf{};
  }
  Leaf make_complex(Leaf real, Leaf imag, Scalar complex) {
    if (!to_) return {};
    ir::MakeComplex op;
    op.in = {real, imag};
    return to_->emit(op, scalar_type(complex));
  }
  /// A float32 or complex64 as float64 or complex128.
  Leaf in_float64(Leaf leaf, Scalar scalar) {
    if (!is_complex(scalar)) return convert(leaf, Scalar::Float64);
    Leaf real = convert(real_part(leaf), Scalar::Float64);
    Leaf imag = convert(imaginary_part(leaf), Scalar::Float64);
    return make_complex(real, imag, Scalar::Complex128);
  }
  Leaf real_part(Leaf complex) { return part<ir::RealPart>(complex); }
  Leaf imaginary_part(Leaf complex) { return part<ir::ImaginaryPart>(complex); }
  Leaf math(ir::MathFunction function, std::vector<Leaf> arguments) {
    return to_ ? to_->math(function, std::move(arguments)) : Leaf{};
  }
  /// A literal in a format that it fits.
  Leaf constant(const Literal& literal, Scalar scalar);
  Leaf constant(int64_t value, Scalar scalar) { return constant(Literal{Integer{value}}, scalar); }
  Leaf extent(Leaf array, uint8_t axis) { return of_axis<ir::Extent>(array, axis); }
  Leaf stride(Leaf array, uint8_t axis) { return of_axis<ir::Stride>(array, axis); }
  Leaf element(Leaf array, const std::vector<Leaf>& indices) {
    return to_ ? to_->element(array, indices) : Leaf{};
  }

 private:
  template <class Op>
  Leaf part(Leaf complex) {
    if (!to_) return {};
    Op op;
    op.in = {complex};
    return to_->emit(op, scalar_type(hetjit::part_of(type(to_->type_of(complex)).scalar)));
  }

  ir::Builder* to_;
};

}  // namespace hetjit::typing
