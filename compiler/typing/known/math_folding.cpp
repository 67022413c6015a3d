#include "compiler/typing/known/math_folding.h"

#include <array>
#include <cmath>

namespace hetjit::typing {
namespace {

using One = double (*)(double);
using Two = double (*)(double, double);

struct Row {
  ir::MathFunction function;
  One one;
  Two two;
};

#define ONE(name, host)                                                         \
  {                                                                             \
    ir::MathFunction::name, [](double x) -> double { return host(x); }, nullptr \
  }
#define TWO(name, host)                                                                      \
  {                                                                                          \
    ir::MathFunction::name, nullptr, [](double x, double y) -> double { return host(x, y); } \
  }
constexpr Row kRows[] = {ONE(Sqrt, std::sqrt),
                         ONE(Rsqrt, 1.0 / std::sqrt),
                         ONE(Floor, std::floor),
                         ONE(Ceil, std::ceil),
                         ONE(Trunc, std::trunc),
                         ONE(RoundEven, std::rint),
                         ONE(Fabs, std::fabs),
                         TWO(CopySign, std::copysign),
                         ONE(Sin, std::sin),
                         ONE(Cos, std::cos),
                         ONE(Tan, std::tan),
                         ONE(Asin, std::asin),
                         ONE(Acos, std::acos),
                         ONE(Atan, std::atan),
                         TWO(Atan2, std::atan2),
                         ONE(Sinh, std::sinh),
                         ONE(Cosh, std::cosh),
                         ONE(Tanh, std::tanh),
                         ONE(Asinh, std::asinh),
                         ONE(Acosh, std::acosh),
                         ONE(Atanh, std::atanh),
                         ONE(Exp, std::exp),
                         ONE(Exp2, std::exp2),
                         ONE(Expm1, std::expm1),
                         ONE(Log, std::log),
                         ONE(Log2, std::log2),
                         ONE(Log10, std::log10),
                         ONE(Log1p, std::log1p),
                         TWO(Pow, std::pow),
                         ONE(Cbrt, std::cbrt),
                         TWO(Hypot, std::hypot),
                         TWO(Fmod, std::fmod),
                         TWO(Remainder, std::remainder),
                         ONE(Erf, std::erf),
                         ONE(Erfc, std::erfc),
                         ONE(Gamma, std::tgamma),
                         ONE(Lgamma, std::lgamma),
                         TWO(NextAfter, std::nextafter)};
#undef ONE
#undef TWO

constexpr bool in_order() {
  for (size_t i = 0; i < std::size(kRows); ++i)
    if (static_cast<size_t>(kRows[i].function) != i) return false;
  return true;
}
static_assert(in_order(), "the rows follow math.def");

}  // namespace

double fold_math(ir::MathFunction function, const std::vector<double>& arguments) {
  const Row& row = kRows[static_cast<size_t>(function)];
  return row.one ? row.one(arguments[0]) : row.two(arguments[0], arguments[1]);
}

double power_of_ten(Integer digits) {
  double power = 1;
  for (Integer i = 0; i < (digits < 0 ? -digits : digits) && i < 400; ++i) power *= 10;
  return power;
}

double round_to_digits(double x, Integer digits, bool numpy) {
  const double unit = power_of_ten(digits);
  if (digits < 0 && std::isinf(unit)) return std::isinf(x) ? x : x * 0;
  const double scaled = digits < 0 ? x / unit : x * unit;
  if (!(std::fabs(scaled) < 0x1p53)) return x;
  const double lost = digits < 0 ? std::fma(-scaled, unit, x) : std::fma(x, unit, -scaled);
  double whole = std::rint(scaled);
  if (!numpy && scaled - whole == 0.5 && lost > 0) whole += 1;
  if (!numpy && scaled - whole == -0.5 && lost < 0) whole -= 1;
  return digits < 0 ? whole * unit : whole / unit;
}

}  // namespace hetjit::typing
