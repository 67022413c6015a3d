// Reads what print.cpp writes. Total: any text gives a module or an Error. What it gives is well
// formed text, not yet a well formed graph: that is verify's question.
#include <charconv>
#include <cmath>

#include "compiler/ir/ir.h"
#include "compiler/ir/line_reader.h"
#include "compiler/ir/numbers.h"
#include "compiler/ir/text.h"

namespace hetjit::ir {
namespace {

// A value's number sizes a table, so text from outside may not choose it freely.
constexpr uint32_t kMaxValues = 1u << 22;

// ---- attributes

Status read(LineReader& line, uint32_t& number) {
  auto found = line.number();
  if (!found) return line.error("expected a number");
  number = *found;
  return {};
}

Status read(LineReader& line, uint8_t& number) {
  auto found = line.number();
  if (!found || *found > 255) return line.error("expected a number below 256");
  number = static_cast<uint8_t>(*found);
  return {};
}

Status read(LineReader& line, SiteId& site) { return read(line, site.index); }

Status read(LineReader& line, std::string& name) {
  auto found = line.name();
  if (!found) return line.error("expected a name");
  name = *found;
  return {};
}

template <class Enum>
requires std::is_enum_v<Enum> Status read(LineReader& line, Enum& value) {
  std::string_view word = line.token();
  std::string expected;
  for (size_t i = 0; i < std::size(Words<Enum>::words); ++i) {
    if (word == Words<Enum>::words[i]) {
      value = static_cast<Enum>(i);
      return {};
    }
    expected += (i ? ", " : "") + std::string(Words<Enum>::words[i]);
  }
  return line.error("expected " + std::string(Words<Enum>::what) + ": " + expected);
}

constexpr MathFunction kMathFunctions[] = {
#define MATH(name, ...) MathFunction::name,
#include "compiler/ir/math.def"
#undef MATH
};

Status read(LineReader& line, MathFunction& function) {
  std::string_view word = line.token();
  for (MathFunction each : kMathFunctions) {
    if (word != info(each).name) continue;
    function = each;
    return {};
  }
  return line.error("expected the name of a math function");
}

template <class AnyOp>
Status read_attributes(LineReader& line, AnyOp& op, TypeId) {
  Status status;
  std::apply([&](auto&... each) { ((status = status.ok() ? read(line, each) : status), ...); },
             op.attributes());
  return status;
}

template <class Number>
std::optional<Number> number_in(std::string_view word) {
  Number value{};
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

Status read_attributes(LineReader& line, ConstInt& op, TypeId id) {
  std::string_view word = line.token();
  if (!id.valid() || !is_scalar(id)) return line.error("a const needs an integer type or bool");
  Scalar scalar = type(id).scalar;
  if (scalar == Scalar::Bool) {
    op.bits = word == "true";
    return word == "true" || word == "false" ? Status{} : line.error("expected true or false");
  }
  if (!is_integer(scalar)) return line.error("a const needs an integer type or bool");
  std::optional<uint64_t> bits;
  if (is_signed_integer(scalar)) {
    if (auto value = number_in<int64_t>(word)) bits = static_cast<uint64_t>(*value);
  } else {
    bits = number_in<uint64_t>(word);
  }
  if (!bits) return line.error("expected an integer");
  op.bits = wrap_bits(scalar, *bits);
  if (extend_bits(scalar, op.bits) != *bits)
    return line.error("the constant does not fit its type");
  return {};
}

Status read_attributes(LineReader& line, ConstFloat& op, TypeId id) {
  if (!id.valid() || !is_scalar(id) || !is_floating(type(id).scalar))
    return line.error("a constf needs a floating type");
  auto value = number_in<double>(line.token());
  if (!value) return line.error("expected a number, inf, -inf or nan");
  op.value = round_to(type(id).scalar, *value);
  if (op.value != *value && !std::isnan(*value))
    return line.error("the constant is not exact in its type");
  return {};
}

Status read_attributes(LineReader& line, TableItem& op, TypeId id) {
  if (!id.valid() || !is_scalar(id)) return line.error("a tableitem needs a scalar type");
  std::vector<uint64_t> table;
  if (!line.accept("(")) return line.error("expected '(' and the table's numbers");
  do {
    if (is_floating(type(id).scalar)) {
      ConstFloat number;
      HETJIT_TRY(read_attributes(line, number, id));
      table.push_back(float_to_bits(type(id).scalar, number.value));
    } else {
      ConstInt number;
      HETJIT_TRY(read_attributes(line, number, id));
      table.push_back(number.bits);
    }
  } while (line.accept(","));
  op.table = std::make_shared<const std::vector<uint64_t>>(std::move(table));
  return line.accept(")") ? Status{} : line.error("expected ',' or ')'");
}

// ---- operands and edges

Status read_operand(LineReader& line, ValueId& to) {
  auto found = line.value();
  if (!found) return line.error("expected a value, such as v2");
  to = *found;
  return {};
}

template <size_t N>
Status read_operands(LineReader& line, std::array<ValueId, N>& in) {
  for (size_t i = 0; i < N; ++i) {
    if (i && !line.accept(",")) return line.error("expected ','");
    HETJIT_TRY(read_operand(line, in[i]));
  }
  return {};
}

// Any number of values, none included.
Status read_operands(LineReader& line, std::vector<ValueId>& in) {
  auto first = line.value();
  if (!first) return {};
  in.push_back(*first);
  while (line.accept(",")) HETJIT_TRY(read_operand(line, in.emplace_back()));
  return {};
}

Status read_edge(LineReader& line, Edge& edge) {
  auto block = line.block();
  if (!block) return line.error("expected a block, such as b1");
  edge.to = *block;
  if (!line.accept("(")) return {};
  HETJIT_TRY(read_operands(line, edge.args));
  return line.accept(")") ? Status{} : line.error("expected ')'");
}

template <class AnyOp>
Status read_edges(LineReader&, AnyOp&) {
  return {};
}
Status read_edges(LineReader& line, Jump& op) { return read_edge(line, op.to); }
Status read_edges(LineReader& line, Branch& op) {
  for (Edge* edge : {&op.yes, &op.no}) {
    if (!line.accept(",")) return line.error("expected ',' and a block");
    HETJIT_TRY(read_edge(line, *edge));
  }
  return {};
}

// ---- ops by their mnemonic

template <class T>
Status read_as(LineReader& line, TypeId type, Op& to) {
  T op;
  HETJIT_TRY(read_attributes(line, op, type));
  HETJIT_TRY(read_operands(line, op.in));
  HETJIT_TRY(read_edges(line, op));
  to = std::move(op);
  return {};
}

struct Reader {
  std::string_view text;
  Status (*read)(LineReader&, TypeId, Op&);
};

template <class... Ops>
constexpr auto make_readers(OpList<Ops...>) {
  return std::array{Reader{Ops::info.text, &read_as<Ops>}...};
}
constexpr auto kReaders = make_readers(AllOps{});

Status read_op(LineReader& line, TypeId type, Op& op) {
  std::string_view word = line.token();
  for (const Reader& reader : kReaders)
    if (reader.text == word) return reader.read(line, type, op);
  return line.error("there is no op '" + std::string(word) + "'");
}

// ---- lines

class Parser {
 public:
  Status read_line(std::string_view text, uint32_t number);
  Result<Module> finish();

 private:
  Status read_header(LineReader line);
  Status read_block(LineReader line);
  Status read_inst(LineReader line);
  Status define(LineReader& line, ValueId id, TypeId type);
  Status read_span(LineReader& line, Inst& inst);
  Status close_function() const;

  Function& function() { return module_.functions.back(); }

  Module module_;
  std::vector<TypeId> parameter_types_;  // of the last function's header
  uint32_t value_count_ = 0;             // of all functions together
};

std::string_view trim_end(std::string_view text) {
  size_t end = text.find_last_not_of(" \t\r");
  return end == std::string_view::npos ? std::string_view{} : text.substr(0, end + 1);
}

Status Parser::read_line(std::string_view text, uint32_t number) {
  text = trim_end(text);
  LineReader line(text, number);
  if (line.at_end() || line.accept("#")) return {};
  if (is_site_line(line)) return read_site(line, module_.sites);
  bool indented = text.front() == ' ' || text.front() == '\t';
  if (!indented && text.back() != ':') return read_header(line);
  if (module_.functions.empty()) return line.error("expected a function's first line");
  return indented ? read_inst(line) : read_block(line);
}

Status Parser::read_header(LineReader line) {
  HETJIT_TRY(close_function());
  module_.functions.emplace_back();
  parameter_types_.clear();
  auto name = line.name();
  if (!name || !line.accept("(")) return line.error("expected a function's name and '('");
  function().name = *name;
  while (!line.accept(")")) {
    if (!parameter_types_.empty() && !line.accept(",")) return line.error("expected ',' or ')'");
    auto parameter = line.name();
    if (!parameter || !line.accept(":")) return line.error("expected a parameter and ':'");
    Result<TypeId> type = line.type();
    HETJIT_TRY(type);
    function().parameter_names.push_back(*parameter);
    parameter_types_.push_back(*type);
  }
  if (!line.accept("->")) return line.error("expected '->'");
  Result<TypeId> result = line.type();
  HETJIT_TRY(result);
  function().result = *result;
  return line.at_end() ? Status{} : line.error("expected the end of the line");
}

Status Parser::read_block(LineReader line) {
  auto id = line.block();
  if (!id || !line.accept("(")) return line.error("expected a block, such as b1(v2: i32):");
  if (id->index != function().blocks.size()) return line.error("blocks are numbered in order");
  function().blocks.emplace_back();
  bool first = true;
  while (!line.accept(")")) {
    if (!first && !line.accept(",")) return line.error("expected ',' or ')'");
    first = false;
    auto value = line.value();
    if (!value || !line.accept(":")) return line.error("expected a parameter, such as v2: i32");
    Result<TypeId> type = line.type();
    HETJIT_TRY(type);
    HETJIT_TRY(define(line, *value, *type));
    function().blocks.back().params.push_back(*value);
  }
  if (!line.accept(":") || !line.at_end()) return line.error("expected ':'");
  return {};
}

Status Parser::define(LineReader& line, ValueId id, TypeId type) {
  std::vector<TypeId>& types = function().types;
  if (id.index >= types.size()) {
    value_count_ += id.index < kMaxValues ? id.index + 1 - types.size() : kMaxValues;
    if (value_count_ >= kMaxValues) return line.error("the number of this value is too large");
    types.resize(id.index + 1);
  }
  if (types[id.index].valid())
    return line.error("v" + std::to_string(id.index) + " is defined twice");
  types[id.index] = type;
  return {};
}

Status Parser::read_inst(LineReader line) {
  if (function().blocks.empty()) return line.error("expected the first block, b0");
  Inst inst;
  TypeId type;
  LineReader ahead = line;
  if (auto value = ahead.value(); value && ahead.accept(":")) {
    line = ahead;
    Result<TypeId> found = line.type();
    HETJIT_TRY(found);
    type = *found;
    HETJIT_TRY(define(line, *value, type));
    inst.result = *value;
    if (!line.accept("=")) return line.error("expected '='");
  }
  HETJIT_TRY(read_op(line, type, inst.op));
  HETJIT_TRY(read_span(line, inst));
  function().blocks.back().insts.push_back(std::move(inst));
  return {};
}

Status Parser::read_span(LineReader& line, Inst& inst) {
  if (line.at_end()) return {};
  auto span = line.span();
  if (!span || !line.at_end()) return line.error("expected a place, such as 7:12-18, or the end");
  std::vector<Span>& spans = function().spans;
  if (spans.empty() || spans.back() != *span) spans.push_back(*span);
  inst.where = {static_cast<uint32_t>(spans.size() - 1)};
  return {};
}

// The header's parameters and the first block's are two views of one thing.
Status Parser::close_function() const {
  if (module_.functions.empty()) return {};
  const Function& function = module_.functions.back();
  auto wrong = [&](std::string_view what) {
    return Error{ErrorCode::Invalid, "function " + name_text(function.name) + std::string(what)};
  };
  if (function.blocks.empty()) return wrong(" has no blocks");
  const std::vector<ValueId>& params = function.blocks[0].params;
  if (params.size() != parameter_types_.size())
    return wrong(" and its first block have different numbers of parameters");
  for (size_t i = 0; i < params.size(); ++i)
    if (function.type_of(params[i]) != parameter_types_[i])
      return wrong(" and its first block have parameters of different types");
  return {};
}

Result<Module> Parser::finish() {
  if (module_.functions.empty()) return Error{ErrorCode::Invalid, "there is no function"};
  HETJIT_TRY(close_function());
  return std::move(module_);
}

}  // namespace

Result<Module> parse(std::string_view text) {
  Parser parser;
  uint32_t number = 0;
  while (!text.empty()) {
    size_t end = std::min(text.find('\n'), text.size());
    HETJIT_TRY(parser.read_line(text.substr(0, end), ++number));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parser.finish();
}

}  // namespace hetjit::ir
