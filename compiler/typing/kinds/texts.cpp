#include "compiler/typing/kinds/texts.h"

#include <charconv>
#include <cmath>

#include "compiler/typing/kinds/complex.h"
#include "compiler/typing/kinds/format_spec.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {

void Text::add(std::string_view constant) {
  if (constant.empty()) return;
  if (pieces.empty() || pieces.back().number) pieces.emplace_back();
  pieces.back().text += constant;
}

void Text::add(const Text& other) {
  for (const TextPiece& piece : other.pieces)
    if (piece.number)
      pieces.push_back(piece);
    else
      add(piece.text);
  leaves.insert(leaves.end(), other.leaves.begin(), other.leaves.end());
}

Value text_value(Text text) {
  if (text.pieces.empty()) return static_value({StringType{}});
  if (text.pieces.size() == 1 && !text.pieces[0].number)
    return static_value({StringType{text.pieces[0].text}});
  return {{TextType{std::move(text.pieces)}}, std::move(text.leaves), {}};
}

namespace {

// As Python's repr: the shortest digits that give the double back, in its layout.
std::string float_repr(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[64];
  double size = std::fabs(value);
  bool fixed = value == 0 || (size >= 1e-4 && size < 1e16);
  auto form = fixed ? std::chars_format::fixed : std::chars_format::scientific;
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, form).ptr);
  return fixed && text.find('.') == std::string::npos ? text + ".0" : text;
}

std::string literal_text(const NumberType& number) {
  const Literal& literal = *number.literal;
  if (number.number.scalar == Scalar::Bool) return as_double(literal) != 0 ? "True" : "False";
  return is_integer(literal) ? to_text(literal) : float_repr(as_double(literal));
}

std::string quoted(const std::string& text) {
  bool doubles = text.find('\'') != std::string::npos && text.find('"') == std::string::npos;
  const char quote = doubles ? '"' : '\'';
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out(1, quote);
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\')
      out += {'\\', c};
    else if (c == '\n' || c == '\r' || c == '\t')
      out += {'\\', c == '\n' ? 'n' : c == '\r' ? 'r' : 't'};
    else if (byte < 0x20 || byte == 0x7F)
      out += {'\\', 'x', kDigits[byte / 16], kDigits[byte % 16]};
    else
      out += c;
  }
  return out + quote;
}

// The format in which a number travels: its own, or the one that holds a literal as written.
Number carried_as(const NumberType& number) {
  if (!number.literal || !number.number.weak) return number.number;
  if (number.number.scalar == Scalar::Int32) return {Scalar::Int64, true};
  if (number.number.scalar == Scalar::Float32) return {Scalar::Float64, true};
  if (number.number.scalar == Scalar::Complex64) return {Scalar::Complex128, true};
  return number.number;
}

Text number_piece(Evaluation& at, const Value& value, std::string specification) {
  Number as = carried_as(*value.as<NumberType>());
  Text text;
  text.pieces.push_back({std::move(specification), as.scalar, false});
  if (!at.code().on()) return text;
  if (!is_complex(as.scalar)) {
    text.leaves.push_back(at.convert(value, as));
    return text;
  }
  for (const Value& part : {real_part(at, value), imaginary_part(at, value)})
    text.leaves.push_back(at.convert(part, part_of(as)));
  return text;
}

// (1, 2), (1,), [1, 2] and float32x2(1.0, 2.0), by the items' repr().
std::optional<Text> items_text(Evaluation& at, const Value& value) {
  std::vector<Value> items = *items_of(value);
  const TupleType* tuple = value.as<TupleType>();
  const bool list = tuple && tuple->list;
  Text text;
  text.add(list ? "[" : tuple ? "(" : name_of(value.type) + "(");
  for (size_t i = 0; i < items.size(); ++i) {
    std::optional<Text> part = text_of(at, items[i], true);
    if (!part) return std::nullopt;
    if (i) text.add(", ");
    text.add(*part);
  }
  text.add(list ? "]" : tuple && items.size() == 1 ? ",)" : ")");
  return text;
}

std::nullopt_t no_text(Evaluation& at, const Value& value) {
  Diagnostics::Builder error = at.error(Code::NoText, {name_of(value.type)}, {&value});
  error.help("numbers, strings, tuples and vectors have a text; print an element: print(x[i])")
      .report();
  return std::nullopt;
}

// Its quotes and escapes would depend on what the numbers are.
std::nullopt_t no_quotes(Evaluation& at, const Value& value) {
  at.error(Code::NoText, {"the repr() of a str that has numbers of run time"}, {&value})
      .help(
          "leave out '!r', repr() or the list or tuple around it: print the str by itself, or its "
          "numbers: f\"[{n}]\"")
      .report();
  return std::nullopt;
}

Text as_text(const Value& value) {
  Text text;
  if (const StringType* constant = value.as<StringType>()) text.add(constant->text);
  if (const TextType* pieces = value.as<TextType>()) text.pieces = pieces->pieces;
  text.leaves = value.leaves;
  return text;
}

}  // namespace

bool is_text(const Value& value) { return value.as<StringType>() || value.as<TextType>(); }

namespace {

Text constant_text(std::string_view constant) {
  Text text;
  text.add(constant);
  return text;
}

/// str(value), or repr(value).
struct TextOf {
  Evaluation& at;
  const Value& value;
  bool repr;

  std::optional<Text> operator()(const StringType& constant) const {
    return constant_text(repr ? quoted(constant.text) : constant.text);
  }
  std::optional<Text> operator()(const TextType&) const {
    return repr ? no_quotes(at, value) : std::optional(as_text(value));
  }
  std::optional<Text> operator()(const NoneType&) const { return constant_text("None"); }
  std::optional<Text> operator()(const NumberType& number) const {
    // A constant of a float format has the digits that this needs, which are told where it is
    // printed.
    const bool shorter = is_floating(number.number.scalar) && !number.number.weak &&
                         number.number.scalar != Scalar::Float64;
    const bool known = number.literal && !is_complex(number.number.scalar) && !shorter;
    return known ? constant_text(literal_text(number)) : number_piece(at, value, "");
  }
  template <ir::OneOf<TupleType, VectorType> Kind>
  std::optional<Text> operator()(const Kind&) const {
    return items_text(at, value);
  }
  template <ir::OneOf<Erroneous, Unassigned, Disagreement, ArrayType, StructType, ReferenceType,
                      AtomicType, MethodType, RangeType, IteratorType, IterableType, FunctionType,
                      BuiltinType, ModuleType, TypeObject, TargetType, ExceptionType, EllipsisType,
                      SliceType, ExternalType, OpaqueType>
                Kind>
  std::optional<Text> operator()(const Kind&) const {
    return no_text(at, value);
  }
};

}  // namespace

std::optional<Text> text_of(Evaluation& at, const Value& value, bool repr) {
  return std::visit(TextOf{at, value, repr}, value.type.is);
}

std::optional<Text> formatted(Evaluation& at, const Value& value, const Value& specification) {
  const StringType* given = specification.as<StringType>();
  if (!given) {
    at.error(Code::ConstantNeeded, {"the format specification", "'" + name_of(value.type) + "'"},
             {&specification})
        .help("write it without run-time numbers: f\"{x:8.2f}\"")
        .report();
    return std::nullopt;
  }
  if (given->text.empty()) return text_of(at, value);
  auto wrong = [&] {
    at.error(Code::FormatSpecification, {given->text, name_of(value.type)}).report();
    return std::nullopt;
  };
  if (const NumberType* number = value.as<NumberType>()) {
    if (!fits_number(given->text, number->number.scalar)) return wrong();
    return number_piece(at, value, given->text);
  }
  std::optional<Text> text = text_of(at, value);
  if (!text || !is_text(value) || !fits_text(given->text)) return text ? wrong() : std::nullopt;
  if (text->pieces.size() > 1 || (value.as<TextType>() && !text->pieces[0].text.empty())) {
    at.error(Code::FormatSpecification,
             {given->text, "a str of several parts that has numbers of run time"})
        .help("give each number its width: f\"{n:>8}\"; or leave the format out")
        .report();
    return std::nullopt;
  }
  if (value.as<TextType>()) {  // f"{x!s:>8}"
    text->pieces[0].text = given->text;
    text->pieces[0].as_text = true;
    return text;
  }
  Text padded;
  padded.add(pad_text(value.as<StringType>()->text, given->text));
  return padded;
}

bool few_numbers(Evaluation& at, const TextPieces& pieces) {
  if (word_count(pieces) <= kMostWords) return true;
  return at
      .error(Code::UnsupportedInstruction,
             {"a text of more than " + std::to_string(kMostWords) + " numbers"})
      .report();
}

// ---- operators

namespace {

const std::string* constant(const Value& value) {
  const StringType* text = value.as<StringType>();
  return text ? &text->text : nullptr;
}

// Where each character begins, and the end.
std::vector<size_t> character_starts(const std::string& text) {
  std::vector<size_t> starts;
  for (size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  starts.push_back(text.size());
  return starts;
}

}  // namespace

namespace {

Value too_long(Evaluation& at) {
  return at
      .error(Code::UnsupportedInstruction,
             {"a string of more than " + std::to_string(kMaxParts) + " bytes"})
      .report();
}

}  // namespace

// `s = s + s` in a few lines would fill the memory.
bool is_short(Evaluation& at, const Text& text) {
  size_t size = text.pieces.size();
  for (const TextPiece& piece : text.pieces) size += piece.text.size();
  if (size <= kMaxParts) return true;
  (void)too_long(at);
  return false;
}

Value binary_texts(Evaluation& at, ssa::BinaryKind kind, const Value& a, const Value& b) {
  if (kind == ssa::BinaryKind::Add && is_text(a) && is_text(b)) {
    Text sum = as_text(a);
    sum.add(as_text(b));
    return is_short(at, sum) ? text_value(std::move(sum)) : Value{};
  }
  const Value &text = is_text(a) ? a : b, &times = is_text(a) ? b : a;
  std::optional<Integer> count = integer_literal(times.type);
  if (kind != ssa::BinaryKind::Multiply || !constant(text) || !count)
    return no_operator(at, kind, a, b);
  const Integer most = static_cast<Integer>(kMaxParts);
  if (*count * static_cast<Integer>(constant(text)->size()) > most) return too_long(at);
  std::string repeated;
  for (Integer i = 0; i < *count; ++i) repeated += *constant(text);
  return static_value({StringType{std::move(repeated)}});
}

Value compare_texts(Evaluation& at, ssa::CompareKind kind, const Value& a, const Value& b) {
  const std::string *left = constant(a), *right = constant(b);
  if (!left || !right)
    return at.error(Code::NoComparison, {symbol(kind), name_of(a.type), name_of(b.type)}, {&a, &b})
        .help("the text of a run-time number can only be printed or raised")
        .report();
  int order = left->compare(*right);  // UTF-8 sorts as its characters do
  bool result[] = {order<0, order <= 0, order == 0, order != 0, order> 0, order >= 0};
  return static_value(bool_value(result[static_cast<size_t>(kind)]));
}

Value text_item(Evaluation& at, const Value& text, const Value& index) {
  const std::string* whole = constant(text);
  std::optional<Integer> position = integer_literal(index.type);
  if (!whole || !position)
    return at.error(Code::NotSubscriptable, {name_of(text.type)}, {&text}).report();
  std::vector<size_t> starts = character_starts(*whole);
  Integer size = static_cast<Integer>(starts.size()) - 1;
  const Integer asked = *position;
  if (*position < 0) *position += size;
  if (*position < 0 || *position >= size)
    return at
        .error(Code::TupleIndexRange,
               {to_text(Literal{asked}), std::to_string(starts.size() - 1) + " characters"},
               {&index})
        .report();
  size_t at_byte = static_cast<size_t>(*position);
  return static_value(
      {StringType{whole->substr(starts[at_byte], starts[at_byte + 1] - starts[at_byte])}});
}

}  // namespace hetjit::typing
