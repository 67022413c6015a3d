#include "compiler/typing/kinds/operators.h"

#include <algorithm>

#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/checks.h"
#include "compiler/typing/kinds/complex.h"
#include "compiler/typing/kinds/number_attributes.h"
#include "compiler/typing/kinds/python_integers.h"

namespace hetjit::typing {
namespace {

using ssa::BinaryKind;

using Emit = Leaf (Emitter::*)(Leaf, Leaf);
using Family = Value (*)(Evaluation&, BinaryKind, const Value&, const Value&);

struct Operator {
  Emit emit;
  Family family;
};
const Operator& row_of(BinaryKind kind);

// Whether a number's sign survives conversion to a type.
bool keeps_sign(const NumberType& number, Scalar to) {
  if (number.literal || number.number.scalar == Scalar::Bool) return true;
  Scalar from = number.number.scalar;
  return info(from).bits < info(to).bits ||
         (info(from).bits == info(to).bits && !is_unsigned(from));
}

// Whether the result of an operator on signed integers is known to be >= 0.
bool result_nonnegative(BinaryKind kind, const NumberType& a, const NumberType& b, Scalar type) {
  bool x = is_nonnegative(a) && keeps_sign(a, type), y = is_nonnegative(b) && keeps_sign(b, type);
  switch (kind) {
    case BinaryKind::FloorDivide:
    case BinaryKind::Or:
    case BinaryKind::Xor:
      return x && y;
    case BinaryKind::And:
      return x || y;
    case BinaryKind::RightShift:
      return x;
    case BinaryKind::Remainder:
      return y;
    default:
      return false;  // sums and products may wrap
  }
}

// Sums, products and bits are the same modulo 2**n whether or not a Python integer was wrapped
// before; quotients, remainders and shifts are not, and are computed where it does not wrap.
Number computed_in(BinaryKind kind, Number type, const NumberType& a, const NumberType& b) {
  constexpr BinaryKind kWhole[] = {BinaryKind::FloorDivide, BinaryKind::Remainder,
                                   BinaryKind::LeftShift, BinaryKind::RightShift};
  const bool narrow = info(type.scalar).bits < info(kInt.scalar).bits;
  if (!narrow || std::ranges::count(kWhole, kind) == 0) return type;
  return Number{format_of_both(a, b).value_or(type.scalar), type.weak};
}

/// Whether literals fit the format in which they meet. Beside a mask a constant is a mask: its
/// highest lane is no number of a signed format.
bool both_fit(Evaluation& at, const Value& a, const Value& b, Number type) {
  const unsigned lanes = warp_size(at.whole().target());
  auto beside_mask = [&](const Value& constant, const Value& other) {
    const std::optional<Integer> literal = integer_literal(constant.type);
    if (!number_of(other).mask || !literal || fits(*literal, type.scalar)) return true;
    const bool is_mask = *literal > 0 && *literal < Integer{1} << lanes;
    const std::string text = to_text(Literal{*literal}), mask = "device.WarpMask";
    Diagnostics::Builder error =
        at.error(Code::LiteralTooLarge,
                 {text, is_mask ? name_of(type) : "a mask of " + std::to_string(lanes) + " lanes"},
                 {&constant});
    if (!is_mask) return bool(error.help("a mask has a bit for each lane of a warp").report());
    enclose(error.help("write it as a mask: " + mask + "(" + text + ")"), at, constant, mask);
    return bool(error.report());
  };
  return beside_mask(a, b) && beside_mask(b, a) && at.fits(a, type) && at.fits(b, type);
}

// Both operands in `type`, and the operator there; literals are computed now where that is exact.
Value in_type(Evaluation& at, BinaryKind kind, Number type, const Value& a, const Value& b) {
  const NumberType &x = number_of(a), &y = number_of(b);
  bool exact = x.literal && y.literal &&
               (type.weak || (fits(*x.literal, type.scalar) && fits(*y.literal, type.scalar)));
  if (exact)
    if (std::optional<Value> result = folded(at, kind, type, a, b)) return *result;
  if (!both_fit(at, a, b, type)) return {};
  const Number wide = computed_in(kind, type, x, y);
  Leaf left = at.convert(a, wide), right = at.convert(b, wide);
  check_divisor(at, kind, wide.scalar, left, right);
  Leaf result = at.code().convert((at.code().*row_of(kind).emit)(left, right), type.scalar);
  bool nonnegative = is_signed_integer(type.scalar) && result_nonnegative(kind, x, y, type.scalar);
  return at.number(type, result, nonnegative);
}

Value arithmetic(Evaluation& at, BinaryKind kind, const Value& a, const Value& b) {
  std::optional<Number> common = common_number(at, kind, a, b);
  if (common) common = as_arithmetic(at, symbol(kind), *common, {&a, &b});
  if (!common) return {};
  return in_type(at, kind, *common, a, b);
}

Value quotient(Evaluation& at, BinaryKind kind, const Value& a, const Value& b) {
  std::optional<Number> common = common_number(at, kind, a, b);
  if (common) common = as_arithmetic(at, symbol(kind), *common, {&a, &b});
  if (!common) return {};
  if (is_integer(common->scalar)) common = Number{Scalar::Float32, common->weak};
  return in_type(at, kind, *common, a, b);
}

// The bits of a mask with others are a mask still, in its format.
Value mask_of_masks(Value result, std::initializer_list<const Value*> operands) {
  const NumberType* made = result.as<NumberType>();
  const bool lanes =
      made && std::ranges::any_of(operands, [&](const Value* each) {
        return number_of(*each).mask && number_of(*each).number.scalar == made->number.scalar;
      });
  return lanes ? as_mask(std::move(result)) : result;
}

Value bitwise(Evaluation& at, BinaryKind kind, const Value& a, const Value& b) {
  std::optional<Number> common = common_number(at, kind, a, b);
  if (!common) return {};
  if (is_floating(common->scalar)) return no_operator(at, kind, a, b);
  return mask_of_masks(in_type(at, kind, *common, a, b), {&a, &b});
}

// The count: a constant may exceed what its operand's type could hold, it then shifts all bits out.
Value shift(Evaluation& at, BinaryKind kind, const Value& a, const Value& b) {
  std::optional<Number> common = common_number(at, kind, a, b);
  if (common && is_floating(common->scalar)) return no_operator(at, kind, a, b);
  if (common) common = as_arithmetic(at, symbol(kind), *common, {&a, &b});
  if (!common) return {};
  std::optional<Integer> count = integer_literal(b.type);
  if (!count) return in_type(at, kind, *common, a, b);
  if (*count < 0)
    return at.error(Code::NegativeShift, {to_text(*number_of(b).literal)}, {&b})
        .help("shift the other way: '" + std::string(kind == BinaryKind::LeftShift ? ">>" : "<<") +
              "'")
        .report();
  Value clamped = b;
  Integer bits = info(common->scalar).bits;
  clamped.type = literal_value(*common, Literal{*count < bits ? *count : bits});
  return in_type(at, kind, *common, a, clamped);
}

Value power_of(Evaluation& at, BinaryKind, const Value& a, const Value& b) {
  return power(at, a, b);
}

namespace family {
constexpr Family Arithmetic = arithmetic, Quotient = quotient, Bitwise = bitwise, Shift = shift,
                 Power = power_of, None = no_operator;
}  // namespace family

constexpr Operator kOperators[] = {
#define OPERATOR(name, family_name, op) {&Emitter::binary<ir::op>, family::family_name},
#include "compiler/typing/kinds/operators.def"
#undef OPERATOR
};

const Operator& row_of(BinaryKind kind) { return kOperators[static_cast<size_t>(kind)]; }

Value integers_do_not_mix(Evaluation& at, std::string_view symbol, const Value& a, const Value& b) {
  std::string left = name_of(a.type), right = name_of(b.type);
  const bool left_unsigned = is_unsigned(number_of(a).number.scalar);
  Diagnostics::Builder error = at.error(Code::IntegersDoNotMix, {symbol, left, right}, {&a, &b});
  error.help(
      "say which you mean: device.int64(x) for the uint64 operand, or device.uint64(x) for the " +
      (left_unsigned ? right : left) + " operand");
  enclose(error, at, left_unsigned ? a : b, "device.int64");
  return error.report();
}

}  // namespace

std::optional<Value> folded(Evaluation& at, BinaryKind kind, Number type, const Value& a,
                            const Value& b) {
  const Literal &x = *number_of(a).literal, &y = *number_of(b).literal;
  if (std::optional<Literal> result = fold(kind, type, x, y)) return at.literal(type, *result);
  if (!exceeds_64_bits(kind, type, x, y)) return std::nullopt;
  std::string text = to_text(x) + " " + std::string(symbol(kind)) + " " + to_text(y);
  return Value(at.error(Code::HugeInteger, {text}, {&a, &b}).report());
}

namespace {

void to_integers(Diagnostics::Builder& error, Evaluation& at,
                 std::initializer_list<const Value*> operands) {
  for (const Value* operand : operands)
    if (is_floating(number_of(*operand).number.scalar)) enclose(error, at, *operand, "int");
}

// Greater masks are for the bits of floats, others for floats that are whole numbers.
constexpr Integer kMostOfWholeNumbers = 0xffff;

// `x[i] & 0x7fffffff` of floats is meant for their bits, which a view of the array has.
bool view_bits(Diagnostics::Builder& error, Evaluation& at, const Value& value, const Value& mask) {
  const NumberType& number = number_of(value);
  const std::string text = made_by(at, value);
  const size_t bracket = text.find('[');
  const std::optional<Integer> literal = integer_literal(mask.type);
  if (!literal || *literal <= kMostOfWholeNumbers || !is_floating(number.number.scalar) ||
      bracket == 0 || !text.ends_with(']') || text.find_first_of(" (") < bracket)
    return false;
  const unsigned bits = info(number.number.scalar).bits;
  const bool fits = *literal < Integer{1} << (bits - 1);
  const std::string view = text.substr(0, bracket) + ".view(device." + (fits ? "int" : "uint") +
                           std::to_string(bits) + ")";
  const std::string element = "bits" + text.substr(bracket);
  error.help("the bits of floats are read and stored through a view: bits = " + view + ", then " +
             element + " = " + element + " & mask");
  return true;
}

// An operator of integers on floats: what looks like one of another language's is that.
void of_floats(Diagnostics::Builder& error, Evaluation& at, BinaryKind kind, const Value& a,
               const Value& b) {
  if (say_and(error, at, kind)) return;
  if (kind == BinaryKind::Xor) {
    error.help("a power is x ** y; '^' works on the bits of integers")
        .edit(at.place_of_operator(), "**");
    return;
  }
  const std::string works = "'" + std::string(symbol(kind)) + "' works on integers";
  const bool bits = kind == BinaryKind::And || kind == BinaryKind::Or;
  if (bits && (view_bits(error, at, a, b) || view_bits(error, at, b, a))) return;
  error.help(works + (bits ? ": int(x), or the bits of a float, x.view(device.int32)[i]"
                           : "; convert first: int(x)"));
  to_integers(error, at, {&a, &b});
}

}  // namespace

void convert_first(Diagnostics::Builder& error, Evaluation& at,
                   std::initializer_list<const Value*> operands) {
  error.help("8-bit floats are for storage; convert first: device.float32(x)");
  for (const Value* operand : operands)
    if (is_tiny_float(number_of(*operand).number.scalar))
      enclose(error, at, *operand, "device.float32");
}

Value no_operator(Evaluation& at, BinaryKind kind, const Value& a, const Value& b) {
  Diagnostics::Builder error =
      at.error(Code::NoBinaryOperator, {symbol(kind), name_of(a.type), name_of(b.type)}, {&a, &b});
  const NumberType *x = a.as<NumberType>(), *y = b.as<NumberType>();
  if (!x || !y) {
    const TupleType* tuple = x ? b.as<TupleType>() : a.as<TupleType>();
    if (kind != BinaryKind::Multiply && tuple && (x || y))
      error.help("take its items one by one, as in i, j = t; device.tid(2) gives two");
    if (kind == BinaryKind::Add && a.as<TupleType>() && b.as<TupleType>())
      error.help("a list and a tuple have no sum: (*a, *b) is a tuple of the items of both");
    const bool joins = kind == BinaryKind::Add || kind == BinaryKind::Remainder;
    if (!joins && (x || y) && (a.as<StringType>() || b.as<StringType>()))
      error.help("a text is no number: make one of it on the host, int(text) or float(text)");
    if (a.as<VectorType>() && b.as<VectorType>())
      error.help("both must have the same number of lanes: make one of the other's size");
    return error.report();
  }
  Scalar left = x->number.scalar, right = y->number.scalar;
  if (is_complex(left) || is_complex(right))
    error.help("complex numbers have +, -, *, / and **; else take a part: z.real");
  else if (is_tiny_float(left) || is_tiny_float(right))
    convert_first(error, at, {&a, &b});
  else if (kind == BinaryKind::MatrixMultiply)
    error.help("'@' multiplies arrays; for numbers write '*'").edit(at.place_of_operator(), "*");
  else if (is_floating(left) || is_floating(right))
    of_floats(error, at, kind, a, b);
  return error.report();
}

std::optional<Number> common_number(Evaluation& at, BinaryKind kind, const Value& a,
                                    const Value& b) {
  Number x = number_of(a).number, y = number_of(b).number;
  std::optional<Number> common = promote(x, y);
  if (common && !is_complex(common->scalar)) return common;
  if (!common && is_integer(x.scalar) && is_integer(y.scalar))
    integers_do_not_mix(at, symbol(kind), a, b);
  else
    no_operator(at, kind, a, b);
  return std::nullopt;
}

std::optional<Number> as_arithmetic(Evaluation& at, std::string_view symbol, Number common,
                                    std::initializer_list<const Value*> operands) {
  if (common.scalar != Scalar::Bool) return common;
  if (common.weak) return kInt;
  Diagnostics::Builder error = at.error(Code::NoBoolArithmetic, {symbol}, operands);
  error.help("'&', '|' and '^' combine bools; to count them convert first: int(x)");
  for (const Value* operand : operands) enclose(error, at, *operand, "int");
  return error.report();
}

Value binary_numbers(Evaluation& at, BinaryKind kind, const Value& a, const Value& b) {
  std::optional<Number> common = promote(number_of(a).number, number_of(b).number);
  if (common && is_complex(common->scalar)) return binary_complex(at, kind, *common, a, b);
  return row_of(kind).family(at, kind, a, b);
}

Value compare_numbers(Evaluation& at, ssa::CompareKind kind, const Value& a, const Value& b) {
  const NumberType &x = number_of(a), &y = number_of(b);
  std::optional<Number> common = promote(x.number, y.number);
  if (common && is_complex(common->scalar)) return compare_complex(at, kind, *common, a, b);
  if (x.literal && y.literal) {
    Literal left = *x.literal, right = *y.literal;
    if (common && is_floating(common->scalar)) {  // in the format where they would meet at run time
      left = *convert_literal(left, *common);
      right = *convert_literal(right, *common);
    }
    return at.literal(kBool, Literal{Integer{fold(kind, left, right)}});
  }
  if (!common && is_integer(x.number.scalar) && is_integer(y.number.scalar))
    return integers_do_not_mix(at, symbol(kind), a, b);
  if (!common) {
    Diagnostics::Builder error =
        at.error(Code::NoComparison, {symbol(kind), name_of(a.type), name_of(b.type)}, {&a, &b});
    convert_first(error, at, {&a, &b});
    return error.report();
  }
  if (!both_fit(at, a, b, *common)) return {};
  if (meets_python_integer(x, y)) return at.number(kBool, compare_with_python(at, kind, a, b));
  Leaf left = at.convert(a, *common), right = at.convert(b, *common);
  return at.number(kBool, at.code().compare(kind, left, right));
}

namespace {

Value negative(Evaluation& at, Number type, const Value& a) {
  const NumberType& x = number_of(a);
  if (x.literal && is_floating(type.scalar))
    return at.literal(type, Literal{-as_double(*x.literal)});
  if (x.literal)
    if (auto result = fold(BinaryKind::Subtract, type, Literal{Integer{0}}, *x.literal))
      return at.literal(type, *result);
  if (!at.fits(a, type)) return {};
  return at.number(type, at.code().unary<ir::Neg>(at.convert(a, type)));
}

Value inverted(Evaluation& at, Number type, const Value& a) {
  const NumberType& x = number_of(a);
  if (x.literal && is_signed_integer(type.scalar))
    if (auto result = fold(BinaryKind::Subtract, type, Literal{Integer{-1}}, *x.literal))
      return at.literal(type, *result);
  if (!at.fits(a, type)) return {};
  return at.number(type, at.code().unary<ir::BitNot>(at.convert(a, type)));
}

Value no_unary(Evaluation& at, ssa::UnaryKind kind, const Value& a) {
  Diagnostics::Builder error =
      at.error(Code::NoUnaryOperator, {symbol(kind), name_of(a.type)}, {&a});
  if (is_tiny_float(number_of(a).number.scalar)) convert_first(error, at, {&a});
  return error.report();
}

}  // namespace

Value unary_number(Evaluation& at, ssa::UnaryKind kind, const Value& a) {
  Number type = number_of(a).number;
  if (is_tiny_float(type.scalar)) return no_unary(at, kind, a);
  if (is_complex(type.scalar)) {
    if (kind == ssa::UnaryKind::Invert) return no_unary(at, kind, a);
    return kind == ssa::UnaryKind::Negative ? negative_complex(at, a) : a;
  }
  if (kind == ssa::UnaryKind::Invert) {
    if (is_floating(type.scalar)) return no_unary(at, kind, a);
    if (type.scalar == Scalar::Bool && !type.weak) return inverted(at, type, a);
  }
  std::optional<Number> arithmetic = as_arithmetic(at, symbol(kind), type, {&a});
  if (!arithmetic) return {};
  if (kind == ssa::UnaryKind::Invert) return mask_of_masks(inverted(at, *arithmetic, a), {&a});
  if (kind == ssa::UnaryKind::Negative) return negative(at, *arithmetic, a);
  if (*arithmetic == type) return a;  // +x
  return cast(at, a, *arithmetic);
}

}  // namespace hetjit::typing
