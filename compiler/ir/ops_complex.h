// Complex numbers: a real and an imaginary part, f32 in a c64 and f64 in a c128. Sums, signs and
// comparisons are done on the parts; products and quotients are operations of their own, because
// infinities take a look at the whole.
#pragma once

#include "abi/scalar.h"
#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// The complex number with real part in[0] and imaginary part in[1].
struct MakeComplex : Operands<2> {
  static constexpr OpInfo info = kind::value("complex", Cost::Plain, TypeOnly);
};

/// The real part of in[0].
struct RealPart : Operands<1> {
  static constexpr OpInfo info = kind::value("real", Cost::Plain, TypeOnly);
};
/// The imaginary part of in[0].
struct ImaginaryPart : Operands<1> {
  static constexpr OpInfo info = kind::value("imag", Cost::Plain, TypeOnly);
};

/// (a + bi)(c + di) = (ac - bd) + (ad + bc)i, each operation rounded; `fused` is 1 where contract
/// made it fma(a, c, -(bd)) + fma(a, d, bc)i. When both parts come out NaN, an infinity among the
/// operands or the products makes the result infinite, as Annex G of the C standard has it.
struct MultiplyComplex : Operands<2> {
  static constexpr OpInfo info = kind::value("complexmul", Cost::Dear, TypeOnly);
  uint8_t fused = 0;
  auto attributes() { return std::tie(fused); }
};

/// Quotient by Smith's method, as CPython computes it: with |c| >= |d|, r = d / c, s = c + d * r:
/// (a + b * r) / s and (b - a * r) / s; else r = c / d, s = c * r + d: (a * r + b) / s and
/// (b * r - a) / s. Nothing fuses. When both parts come out NaN, division by zero gives infinities
/// and infinite operands give infinities or zeros, as Annex G of the C standard has it.
struct DivideComplex : Operands<2> {
  static constexpr OpInfo info = kind::value("complexdiv", Cost::Dear, TypeOnly);
};

using ComplexOps = OpList<MakeComplex, RealPart, ImaginaryPart, MultiplyComplex, DivideComplex>;

}  // namespace hetjit::ir
