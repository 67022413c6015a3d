#include "compiler/typing/known/literal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "compiler/ir/numbers.h"
#include "compiler/ir/ops_complex.h"

namespace hetjit::typing {

namespace {

constexpr Integer kGreatest64 = (Integer{1} << 64) - 1;
constexpr Integer kLeast64 = -(Integer{1} << 63);

std::string integer_text(Integer value) {
  bool negative = value < 0;
  unsigned __int128 rest = negative ? -static_cast<unsigned __int128>(value) : value;
  std::string text;
  do text += static_cast<char>('0' + static_cast<int>(rest % 10));
  while (rest /= 10);
  if (negative) text += '-';
  std::reverse(text.begin(), text.end());
  return text;
}

std::string float_text(double value) {
  char buffer[40];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

using MaybeInteger = std::optional<Integer>;

MaybeInteger add(Integer a, Integer b) { return a + b; }
MaybeInteger subtract(Integer a, Integer b) { return a - b; }
MaybeInteger multiply(Integer a, Integer b) {
  Integer product;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}
MaybeInteger floor_divide(Integer a, Integer b) {
  if (b == 0) return std::nullopt;
  Integer quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}
MaybeInteger remainder(Integer a, Integer b) {
  if (b == 0) return std::nullopt;
  return a - *floor_divide(a, b) * b;
}
MaybeInteger left_shift(Integer a, Integer b) {
  if (b < 0 || b > 63) return std::nullopt;
  return multiply(a, Integer{1} << b);
}
MaybeInteger right_shift(Integer a, Integer b) {
  if (b < 0) return std::nullopt;
  return a >> std::min<Integer>(b, 127);
}
MaybeInteger bit_and(Integer a, Integer b) { return a & b; }
MaybeInteger bit_or(Integer a, Integer b) { return a | b; }
MaybeInteger bit_xor(Integer a, Integer b) { return a ^ b; }
MaybeInteger power(Integer base, Integer exponent) {
  if (exponent < 0) return std::nullopt;
  Integer result = 1;
  for (Integer left = exponent; left > 0; --left) {
    if (base == 0 || base == 1) return base;
    if (base == -1) return exponent % 2 ? -1 : 1;
    if (__builtin_mul_overflow(result, base, &result) || result > kGreatest64 || result < kLeast64)
      return std::nullopt;
  }
  return result;
}
MaybeInteger no_integer(Integer, Integer) { return std::nullopt; }

double add(double a, double b) { return a + b; }
double subtract(double a, double b) { return a - b; }
double multiply(double a, double b) { return a * b; }
double divide(double a, double b) { return a / b; }
double remainder(double a, double b) {
  double left = std::fmod(a, b);
  if (left == 0) return std::copysign(0.0, b);
  return (left < 0) != (b < 0) ? left + b : left;
}
double floor_divide(double a, double b) {
  if (b == 0) return a / b;
  double left = std::fmod(a, b);
  double quotient = (a - left) / b - (left != 0 && (left < 0) != (b < 0) ? 1 : 0);
  if (quotient == 0) return std::copysign(0.0, a / b);
  double down = std::floor(quotient);
  return quotient - down > 0.5 ? down + 1 : down;
}
double power(double a, double b) { return std::pow(a, b); }

using FoldIntegers = MaybeInteger (*)(Integer, Integer);
using FoldFloats = double (*)(double, double);
struct Folding {
  FoldIntegers integers = no_integer;
  FoldFloats floats = nullptr;
};

// In the order of ssa::BinaryKind.
constexpr std::array<Folding, 13> kFoldings = {{{add, add},
                                                {bit_and, nullptr},
                                                {floor_divide, floor_divide},
                                                {left_shift, nullptr},
                                                {no_integer, nullptr},
                                                {multiply, multiply},
                                                {remainder, remainder},
                                                {bit_or, nullptr},
                                                {power, power},
                                                {right_shift, nullptr},
                                                {subtract, subtract},
                                                {no_integer, divide},
                                                {bit_xor, nullptr}}};

// A builtin int that is larger than int32 waits for a wider format to meet, written or computed.
bool may_hold(Number type, Integer result) {
  if (type.weak) return result >= kLeast64 && result <= kGreatest64;
  return fits(result, type.scalar);
}

template <class T>
bool compare(ssa::CompareKind kind, T a, T b) {
  const std::array<bool, 6> answers = {a<b, a <= b, a == b, a != b, a> b, a >= b};
  return answers[static_cast<size_t>(kind)];
}

}  // namespace

double as_double(const Literal& literal) {
  if (const Integer* integer = std::get_if<Integer>(&literal)) return static_cast<double>(*integer);
  return as_complex(literal).real;
}

ComplexLiteral as_complex(const Literal& literal) {
  if (const ComplexLiteral* complex = std::get_if<ComplexLiteral>(&literal)) return *complex;
  if (const double* real = std::get_if<double>(&literal)) return {*real, 0};
  return {as_double(literal), 0};
}

std::string to_text(const Literal& literal) {
  if (const Integer* integer = std::get_if<Integer>(&literal)) return integer_text(*integer);
  if (const double* real = std::get_if<double>(&literal)) {
    std::string text = float_text(*real);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  ComplexLiteral complex = std::get<ComplexLiteral>(literal);
  std::string imag = float_text(complex.imag) + "j";
  if (complex.real == 0 && !std::signbit(complex.real)) return imag;
  return "(" + float_text(complex.real) + (std::signbit(complex.imag) ? "" : "+") + imag + ")";
}

Integer least(Scalar integer) {
  if (!is_signed_integer(integer)) return 0;
  return -(Integer{1} << (info(integer).bits - 1));
}

Integer greatest(Scalar integer) {
  if (integer == Scalar::Bool) return 1;
  return (Integer{1} << (info(integer).bits - (info(integer).is_signed ? 1 : 0))) - 1;
}

bool fits(Integer value, Scalar integer) {
  return value >= least(integer) && value <= greatest(integer);
}

bool fits(const Literal& literal, Scalar to) {
  Category category = info(to).category;
  if (category > Category::Integer) return true;
  return is_integer(literal) && fits(std::get<Integer>(literal), to);
}

uint64_t bits_of(Integer value) { return static_cast<uint64_t>(value); }

std::optional<Literal> convert_literal(const Literal& literal, Number to) {
  if (to.scalar == Scalar::Bool) {
    auto [real, imag] = as_complex(literal);
    return Literal{Integer{real != 0 || imag != 0}};
  }
  if (is_floating(to.scalar)) {
    double value = as_double(literal);
    return Literal{to.weak ? value : ir::round_to(to.scalar, value)};
  }
  if (is_complex(to.scalar)) {
    auto [real, imag] = as_complex(literal);
    Scalar part = hetjit::part_of(to.scalar);
    if (to.weak) return Literal{ComplexLiteral{real, imag}};
    return Literal{ComplexLiteral{ir::round_to(part, real), ir::round_to(part, imag)}};
  }
  if (!is_integer(to.scalar) || std::holds_alternative<ComplexLiteral>(literal))
    return std::nullopt;
  if (is_integer(literal)) {
    Integer value = std::get<Integer>(literal);
    if (!to.weak && !fits(value, to.scalar)) return std::nullopt;
    return literal;
  }
  double value = std::trunc(std::get<double>(literal));
  if (!(std::abs(value) < 0x1p64) || !fits(static_cast<Integer>(value), to.scalar))
    return std::nullopt;
  return Literal{static_cast<Integer>(value)};
}

std::optional<Literal> fold(ssa::BinaryKind kind, Number type, const Literal& a, const Literal& b) {
  const Folding& folding = kFoldings[static_cast<size_t>(kind)];
  if (is_floating(type.scalar)) {
    if (!folding.floats || !type.weak) return std::nullopt;
    return Literal{folding.floats(as_double(a), as_double(b))};
  }
  if (!is_integer(a) || !is_integer(b)) return std::nullopt;
  Integer x = std::get<Integer>(a), y = std::get<Integer>(b);
  MaybeInteger result = folding.integers(x, y);
  if (!result || !may_hold(type, *result)) return std::nullopt;
  return Literal{*result};
}

bool exceeds_64_bits(ssa::BinaryKind kind, Number type, const Literal& a, const Literal& b) {
  if (!type.weak || !is_integer(type.scalar) || !is_integer(a) || !is_integer(b)) return false;
  bool grows = kind == ssa::BinaryKind::Add || kind == ssa::BinaryKind::Subtract ||
               kind == ssa::BinaryKind::Multiply || kind == ssa::BinaryKind::LeftShift ||
               kind == ssa::BinaryKind::Power;
  bool from_zero = std::get<Integer>(a) == 0 && kind == ssa::BinaryKind::LeftShift;
  return grows && !from_zero && !fold(kind, type, a, b);
}

bool fold(ssa::CompareKind kind, const Literal& a, const Literal& b) {
  if (is_integer(a) && is_integer(b))
    return compare(kind, std::get<Integer>(a), std::get<Integer>(b));
  return compare(kind, as_double(a), as_double(b));
}

}  // namespace hetjit::typing
