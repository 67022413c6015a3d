// Math functions, by the machine's libm: the functions that math.def names in its libm columns.
#include "compiler/ir/accurate_math.h"
#include "compiler/ir/number_types.h"

namespace hetjit::ir {
namespace {

template <float (*F)(float), double (*D)(double)>
struct Unary {
  static uint64_t f32(uint64_t a, uint64_t, uint64_t) {
    return encode<Scalar::Float32>(F(decode<Scalar::Float32>(a)));
  }
  static uint64_t f64(uint64_t a, uint64_t, uint64_t) {
    return encode<Scalar::Float64>(D(decode<Scalar::Float64>(a)));
  }
};

template <float (*F)(float, float), double (*D)(double, double)>
struct Binary {
  static uint64_t f32(uint64_t a, uint64_t b, uint64_t) {
    return encode<Scalar::Float32>(F(decode<Scalar::Float32>(a), decode<Scalar::Float32>(b)));
  }
  static uint64_t f64(uint64_t a, uint64_t b, uint64_t) {
    return encode<Scalar::Float64>(D(decode<Scalar::Float64>(a), decode<Scalar::Float64>(b)));
  }
};

// Ops on the sign bit keep the rest of a NaN.
struct Fabs {
  static uint64_t f32(uint64_t a, uint64_t, uint64_t) { return a & 0x7FFFFFFFull; }
  static uint64_t f64(uint64_t a, uint64_t, uint64_t) { return a & ~(1ull << 63); }
};
struct CopySign {
  static uint64_t f32(uint64_t a, uint64_t b, uint64_t) {
    return Fabs::f32(a, 0, 0) | (b & 0x80000000ull);
  }
  static uint64_t f64(uint64_t a, uint64_t b, uint64_t) {
    return Fabs::f64(a, 0, 0) | (b & (1ull << 63));
  }
};

struct Row {
  MathFunction function;
  ScalarFunction f32, f64;
};

template <class Code>
constexpr Row row(MathFunction function) {
  return {function, &Code::f32, &Code::f64};
}
#define UNARY(name, code) row<Unary<::code##f, ::code>>(MathFunction::name)
#define BINARY(name, code) row<Binary<::code##f, ::code>>(MathFunction::name)

constexpr Row kRows[] = {
    UNARY(Sqrt, sqrt),
    row<Unary<accurate::rsqrtf, accurate::rsqrt>>(MathFunction::Rsqrt),
    UNARY(Floor, floor),
    UNARY(Ceil, ceil),
    UNARY(Trunc, trunc),
    UNARY(RoundEven, rint),
    row<Fabs>(MathFunction::Fabs),
    row<CopySign>(MathFunction::CopySign),
    UNARY(Sin, sin),
    UNARY(Cos, cos),
    UNARY(Tan, tan),
    UNARY(Asin, asin),
    UNARY(Acos, acos),
    UNARY(Atan, atan),
    BINARY(Atan2, atan2),
    row<Unary<::sinhf, accurate::sinh>>(MathFunction::Sinh),
    row<Unary<::coshf, accurate::cosh>>(MathFunction::Cosh),
    row<Unary<::tanhf, accurate::tanh>>(MathFunction::Tanh),
    UNARY(Asinh, asinh),
    UNARY(Acosh, acosh),
    UNARY(Atanh, atanh),
    UNARY(Exp, exp),
    UNARY(Exp2, exp2),
    UNARY(Expm1, expm1),
    UNARY(Log, log),
    UNARY(Log2, log2),
    row<Unary<::log10f, accurate::log10>>(MathFunction::Log10),
    UNARY(Log1p, log1p),
    BINARY(Pow, pow),
    row<Unary<::cbrtf, accurate::cbrt>>(MathFunction::Cbrt),
    BINARY(Hypot, hypot),
    BINARY(Fmod, fmod),
    BINARY(Remainder, remainder),
    UNARY(Erf, erf),
    UNARY(Erfc, erfc),
    row<Unary<accurate::tgammaf, ::tgamma>>(MathFunction::Gamma),
    UNARY(Lgamma, lgamma),
    BINARY(NextAfter, nextafter),
};
#undef UNARY
#undef BINARY

#define MATH(name, ...) +1
constexpr size_t kMathCount = 0
#include "compiler/ir/math.def"
    ;
#undef MATH

constexpr bool rows_follow_the_table() {
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (kRows[i].function != static_cast<MathFunction>(i)) return false;
  return std::size(kRows) == kMathCount;
}
static_assert(rows_follow_the_table(), "a row per row of math.def, in its order");

}  // namespace

template <>
ScalarFunction meaning(const Math& op, Scalar, Scalar to) {
  const Row& row = kRows[static_cast<size_t>(op.function)];
  return to == Scalar::Float32 ? row.f32 : row.f64;
}

}  // namespace hetjit::ir
