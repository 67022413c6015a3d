// Constants and meanings, both ways.
//
//   None True False ... 42 -7 1.5 -0.0 inf nan nan.7ff8000000000001 "text" (1, 2) (1,) ()
//   slice(None, 2, None)   complex(0.0, 1.5)   fixed(f32, 3f800000, 0)   code(3)   other("bytes")
//   record(float32x2, (1.0, 2.0))   (function(2), builtin(math.sqrt), type(float32))
//   unbound   module(math)   function(2)   builtin(math.sqrt)   type(float32)   opaque("a list")
//   cxx(0, "app::norm")
//
// An int that does not fit 64 bits is written as it is; huge("…") holds digits that no int prints.
#include "frontend/snapshot/constant_text.h"

#include <bit>
#include <charconv>

namespace hetjit {
namespace {

// ------------------------------------------------------------------------------------- printing

std::string list(const std::vector<Constant>& items) {
  std::string text;
  for (const Constant& item : items) text += (text.empty() ? "" : ", ") + to_text(item);
  return text;
}

/// Whether these digits are what an int beyond 64 bits prints as.
bool is_beyond_64_bits(std::string_view digits) {
  if (!digits.empty() && digits[0] == '-') digits.remove_prefix(1);
  if (digits.empty() || digits[0] == '0') return false;
  for (char c : digits)
    if (c < '0' || c > '9') return false;
  uint64_t value = 0;
  return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec ==
         std::errc::result_out_of_range;
}

struct PrintConstant {
  std::string operator()(NoneConstant) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(const IntConstant& c) const {
    const std::string digits = (c.negative ? "-" : "") + std::to_string(c.magnitude);
    return c.mask ? "mask(" + digits + ")" : digits;
  }
  std::string operator()(const HugeConstant& c) const {
    return is_beyond_64_bits(c.digits) ? c.digits : "huge(" + write_quoted(c.digits) + ")";
  }
  std::string operator()(double value) const { return write_double(value); }
  std::string operator()(const ComplexConstant& c) const {
    return "complex(" + write_double(c.real) + ", " + write_double(c.imag) + ")";
  }
  std::string operator()(const FixedConstant& c) const {
    return "fixed(" + std::string(info(c.scalar).text) + ", " + write_hex(c.bits[0]) + ", " +
           write_hex(c.bits[1]) + ")";
  }
  std::string operator()(const std::string& text) const { return write_quoted(text); }
  std::string operator()(EllipsisConstant) const { return "..."; }
  std::string operator()(const TupleConstant& c) const {
    return "(" + list(c.items) + (c.items.size() == 1 ? ",)" : ")");
  }
  std::string operator()(const SliceConstant& c) const { return "slice(" + list(c.parts) + ")"; }
  std::string operator()(const RecordConstant& c) const {
    return "record(" + write_parameter({c.type, false}) + ", " +
           to_text(Constant{TupleConstant{c.items}}) + ")";
  }
  std::string operator()(CodeConstant c) const {
    return "code(" + std::to_string(c.function) + ")";
  }
  std::string operator()(FunctionMeaning m) const {
    return "function(" + std::to_string(m.function) + ")";
  }
  std::string operator()(const BuiltinMeaning& m) const {
    return "builtin(" + write_word(m.name) + ")";
  }
  std::string operator()(const TypeMeaning& m) const {
    return "type(" + write_parameter(m.type) + ")";
  }
  std::string operator()(const OtherConstant& c) const {
    return "other(" + write_quoted(c.python_type) + ")";
  }
};

struct PrintMeaning : PrintConstant {
  using PrintConstant::operator();
  std::string operator()(UnboundMeaning) const { return "unbound"; }
  std::string operator()(const Constant& c) const { return to_text(c); }
  std::string operator()(const ModuleMeaning& m) const {
    return "module(" + write_word(m.module) + ")";
  }
  std::string operator()(const OpaqueMeaning& m) const {
    return "opaque(" + write_quoted(m.description) + ")";
  }
  std::string operator()(const CxxMeaning& m) const {
    return "cxx(" + std::to_string(m.library) + ", " + write_quoted(m.name) + ")";
  }
};

// -------------------------------------------------------------------------------------- reading

/// Items up to the closing parenthesis, which is taken.
Result<std::vector<Constant>> read_items(WordReader& reader) {
  std::vector<Constant> items;
  while (!reader.accept(')')) {
    if (!items.empty()) {
      if (!reader.accept(',')) return reader.expected("',' or ')'");
      if (reader.accept(')')) break;
    }
    Result<Constant> item = read_constant(reader);
    HETJIT_TRY(item);
    items.push_back(std::move(*item));
  }
  return items;
}

std::optional<double> parse_double(std::string_view text) {
  if (text == "nan") return std::bit_cast<double>(uint64_t{0x7FF8000000000000});
  if (text.starts_with("nan.")) {
    uint64_t bits = 0;
    const auto read = std::from_chars(text.data() + 4, text.data() + text.size(), bits, 16);
    const double value = std::bit_cast<double>(bits);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size() || value == value)
      return std::nullopt;
    return value;
  }
  if (text.starts_with("-nan")) return std::nullopt;
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<Constant> parse_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::string_view digits = text.substr(negative);
  if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string_view::npos) {
    if (is_beyond_64_bits(text)) return Constant{HugeConstant{std::string(text)}};
    uint64_t magnitude = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), magnitude).ec != std::errc())
      return std::nullopt;
    return Constant{IntConstant{negative, magnitude}};
  }
  if (auto value = parse_double(text)) return Constant{*value};
  return std::nullopt;
}

Result<double> read_double(WordReader& reader) {
  if (auto value = parse_double(reader.peek_plain())) {
    reader.plain();
    return *value;
  }
  return reader.expected("a float");
}

Result<Constant> read_complex(WordReader& reader) {
  Result<double> real = read_double(reader);
  HETJIT_TRY(real);
  if (!reader.accept(',')) return reader.expected("','");
  Result<double> imag = read_double(reader);
  HETJIT_TRY(imag);
  return Constant{ComplexConstant{*real, *imag}};
}

Result<Constant> read_fixed(WordReader& reader) {
  const auto scalar = find_scalar(reader.peek_plain());
  if (!scalar) return reader.expected("a scalar type");
  reader.plain();
  FixedConstant fixed{*scalar, {}};
  for (uint64_t& bits : fixed.bits) {
    if (!reader.accept(',')) return reader.expected("','");
    const auto value = reader.hex();
    if (!value) return reader.expected("hexadecimal digits");
    bits = *value;
  }
  return Constant{fixed};
}

Result<Constant> read_mask(WordReader& reader) {
  std::optional<Constant> number = parse_number(reader.peek_plain());
  IntConstant* lanes = number ? std::get_if<IntConstant>(&number->value) : nullptr;
  if (!lanes) return reader.expected("an integer");
  reader.plain();
  lanes->mask = true;
  return *number;
}

Result<Constant> read_huge(WordReader& reader) {
  auto digits = reader.word();
  if (!digits) return reader.expected("digits");
  return Constant{HugeConstant{std::move(*digits)}};
}

size_t part_count(TypeId id) {
  const Type& it = type(id);
  return it.kind == TypeKind::Vector ? it.lanes : it.fields.size();
}

Result<Constant> read_record(WordReader& reader) {
  Result<Parameter> shape = read_parameter(reader);
  HETJIT_TRY(shape);
  if (!reader.accept(',')) return reader.expected("','");
  Result<Constant> items = read_constant(reader);
  HETJIT_TRY(items);
  TypeKind kind = type(shape->type).kind;
  TupleConstant* tuple = std::get_if<TupleConstant>(&items->value);
  if (!tuple || (kind != TypeKind::Vector && kind != TypeKind::Struct) ||
      tuple->items.size() != part_count(shape->type))
    return reader.expected("a vector or struct type and its items before");
  return Constant{RecordConstant{shape->type, std::move(tuple->items)}};
}

Result<Constant> read_code(WordReader& reader) {
  const auto index = reader.number(UINT32_MAX);
  if (!index) return reader.expected("the number of a function");
  return Constant{CodeConstant{static_cast<uint32_t>(*index)}};
}

Result<Constant> read_other(WordReader& reader) {
  auto type = reader.word();
  if (!type) return reader.expected("the name of a type");
  return Constant{OtherConstant{std::move(*type)}};
}

Result<Meaning> read_module(WordReader& reader) {
  auto name = reader.word();
  if (!name) return reader.expected("the name of a module");
  return Meaning{ModuleMeaning{std::move(*name)}};
}

template <class T>  // a Constant or a Meaning
Result<T> read_function(WordReader& reader) {
  const auto index = reader.number(UINT32_MAX);
  if (!index) return reader.expected("the number of a function");
  return T{FunctionMeaning{static_cast<uint32_t>(*index)}};
}

template <class T>
Result<T> read_builtin(WordReader& reader) {
  auto name = reader.word();
  if (!name) return reader.expected("the name of a builtin");
  return T{BuiltinMeaning{std::move(*name)}};
}

template <class T>
Result<T> read_type_meaning(WordReader& reader) {
  Result<Parameter> type = read_parameter(reader);
  HETJIT_TRY(type);
  return T{TypeMeaning{*type}};
}

Result<Meaning> read_opaque(WordReader& reader) {
  auto description = reader.word();
  if (!description) return reader.expected("a description");
  return Meaning{OpaqueMeaning{std::move(*description)}};
}

Result<Meaning> read_cxx(WordReader& reader) {
  const auto library = reader.number(UINT32_MAX);
  if (!library || !reader.accept(',')) return reader.expected("the number of a library and ','");
  auto name = reader.word();
  if (!name) return reader.expected("a name in C++");
  return Meaning{CxxMeaning{static_cast<uint32_t>(*library), std::move(*name)}};
}

template <class T>
struct Form {
  std::string_view keyword;
  Result<T> (*read)(WordReader&);
};

constexpr Form<Constant> kConstantForms[] = {
    {"complex", read_complex},
    {"fixed", read_fixed},
    {"huge", read_huge},
    {"mask", read_mask},
    {"code", read_code},
    {"other", read_other},
    {"record", read_record},
    {"function", read_function<Constant>},
    {"builtin", read_builtin<Constant>},
    {"type", read_type_meaning<Constant>},
};
constexpr Form<Meaning> kMeaningForms[] = {
    {"module", read_module},
    {"function", read_function<Meaning>},
    {"builtin", read_builtin<Meaning>},
    {"type", read_type_meaning<Meaning>},
    {"opaque", read_opaque},
    {"cxx", read_cxx},
};

/// keyword ( … )
template <class T>
Result<T> read_form(WordReader& reader, const Form<T>& form) {
  reader.plain();
  if (!reader.accept('(')) return reader.expected("'('");
  Result<T> read = form.read(reader);
  HETJIT_TRY(read);
  if (!reader.accept(')')) return reader.expected("')'");
  return read;
}

std::optional<Constant> simple_constant(std::string_view word) {
  if (word == "None") return Constant{NoneConstant{}};
  if (word == "True") return Constant{true};
  if (word == "False") return Constant{false};
  if (word == "...") return Constant{EllipsisConstant{}};
  return parse_number(word);
}

Result<Constant> read_nested(WordReader& reader, bool slice) {
  if (reader.depth == WordReader::kMaxDepth) return reader.expected("less deep nesting");
  ++reader.depth;
  Result<std::vector<Constant>> items = read_items(reader);
  --reader.depth;
  HETJIT_TRY(items);
  if (slice) return Constant{SliceConstant{std::move(*items)}};
  return Constant{TupleConstant{std::move(*items)}};
}

template <class T>
Result<T> whole(std::string_view text, Result<T> (*read)(WordReader&)) {
  WordReader reader(text);
  Result<T> value = read(reader);
  if (value.ok() && (!reader.at_line_end() || !reader.rest().empty() || reader.next_line()))
    return reader.expected("nothing more");
  return value;
}

}  // namespace

Result<Constant> read_constant(WordReader& reader) {
  if (reader.accept('(')) return read_nested(reader, false);
  if (reader.next_is('"')) {
    auto text = reader.word();
    if (!text) return reader.expected("a string that ends on its line");
    return Constant{std::move(*text)};
  }
  const std::string_view word = reader.peek_plain();
  for (const Form<Constant>& form : kConstantForms)
    if (word == form.keyword) return read_form(reader, form);
  if (word == "slice") {
    reader.plain();
    if (!reader.accept('(')) return reader.expected("'('");
    return read_nested(reader, true);
  }
  auto constant = simple_constant(word);
  if (!constant) return reader.expected("a constant");
  reader.plain();
  return std::move(*constant);
}

Result<Meaning> read_meaning(WordReader& reader) {
  const std::string_view word = reader.peek_plain();
  if (word == "unbound") {
    reader.plain();
    return Meaning{UnboundMeaning{}};
  }
  for (const Form<Meaning>& form : kMeaningForms)
    if (word == form.keyword) return read_form(reader, form);
  Result<Constant> constant = read_constant(reader);
  HETJIT_TRY(constant);
  return Meaning{std::move(*constant)};
}

Result<Parameter> read_parameter(WordReader& reader) {
  const auto text = reader.word();
  if (!text) return reader.expected("a type");
  Result<Signature> signature = parse_signature("(" + *text + ")");
  if (!signature.ok() || signature->parameters.size() != 1) return reader.expected("a type before");
  return signature->parameters[0];
}

std::string write_parameter(const Parameter& parameter) { return write_word(to_text(parameter)); }

std::string to_text(const Constant& constant) {
  return std::visit(PrintConstant{}, constant.value);
}

std::string to_text(const Meaning& meaning) { return std::visit(PrintMeaning{}, meaning); }

Result<Constant> parse_constant(std::string_view text) { return whole(text, read_constant); }

Result<Meaning> parse_meaning(std::string_view text) { return whole(text, read_meaning); }

}  // namespace hetjit
