#include <charconv>

#include "frontend/snapshot/snapshot_text.h"
#include "frontend/ssa/ssa_text.h"
#include "frontend/ssa/text_table.h"

namespace hetjit::ssa {
namespace {

using Text = std::string_view;

constexpr uint32_t kMostValues = 1u << 24;  // more are a slip of the pen, not a function

/// Reads one line from left to right. Nothing is read after the first failure.
class Line {
 public:
  explicit Line(Text text) : rest_(text) { skip(); }

  bool failed() const { return failed_; }
  bool done() const { return rest_.empty(); }
  Text rest() const { return rest_; }
  void fail() { failed_ = true; }

  bool take(Text token) {
    if (failed_ || !rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    skip();
    return true;
  }
  void expect(Text token) {
    if (!take(token)) fail();
  }
  /// Up to the next blank or one of `stops`.
  Text word(Text stops = "") {
    size_t end = 0;
    while (end < rest_.size() && rest_[end] != ' ' && stops.find(rest_[end]) == Text::npos) ++end;
    if (failed_ || end == 0) return fail(), Text();
    Text found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    skip();
    return found;
  }
  uint32_t number() {
    uint32_t value = 0;
    auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failed_ || error != std::errc()) return fail(), 0;
    rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
    skip();
    return value;
  }
  ValueId value() {
    expect("v");
    uint32_t index = number();
    if (index >= kMostValues) fail();
    return {index};
  }

 private:
  void skip() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  Text rest_;
  bool failed_ = false;
};

class Parser {
 public:
  Result<Function> parse(Text text) {
    for (uint32_t line = 1; !text.empty(); ++line) {
      size_t end = std::min(text.find('\n'), text.size());
      Text content = text.substr(0, end);
      if (content.find_first_not_of(' ') != Text::npos && !parse_line(content))
        return Error{ErrorCode::Invalid,
                     "line " + std::to_string(line) +
                         " of the graph cannot be read: " + std::string(content)};
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    if (function_.blocks.empty()) return Error{ErrorCode::Invalid, "a graph without blocks"};
    return std::move(function_);
  }

 private:
  bool parse_line(Text content) {
    if (content[0] != ' ') {
      Line line(content);
      return line.take("function ") ? header(line) : block(line);
    }
    if (!function_.blocks.empty()) return inst(content);
    Line line(content);
    if (line.take("parameters ")) return words(line, function_.parameter_names);
    if (line.take("locals ")) return words(line, function_.local_names);
    return line.take("name ") && name(line);
  }

  bool header(Line& line) {
    function_.name = line.word();
    line.expect("source ");
    function_.source = line.number();
    return !line.failed() && line.done();
  }
  bool words(Line& line, std::vector<std::string>& words) {
    while (!line.done() && !line.failed()) words.emplace_back(line.word());
    return !line.failed();
  }
  bool name(Line& line) {
    std::string path(line.word());
    line.expect("= ");
    if (line.failed()) return false;
    auto meaning = parse_meaning(line.rest());
    if (!meaning) return false;
    function_.names.push_back({std::move(path), std::move(*meaning)});
    return true;
  }

  bool block(Line& line) {
    line.expect("b");
    if (line.number() != function_.blocks.size()) return false;
    Block& block = function_.blocks.emplace_back();
    line.expect("(");
    while (!line.failed() && !line.take(")")) {
      if (!block.params.empty()) line.expect(",");
      block.params.push_back(defined(line.value()));
      block.param_locals.push_back(line.take(":") ? local(line, ",)") : UINT32_MAX);
    }
    line.expect(":");
    return !line.failed() && line.done();
  }

  bool inst(Text content) {
    Inst inst;
    inst.where = take_span(content);
    Line line(content);
    Text first = line.word();
    if (first.size() > 1 && first[0] == 'v' && line.take("=")) {
      Line result(first);
      inst.result = defined(result.value());
      if (result.failed() || !result.done()) return false;
      first = line.word();
    }
    // A call is written `call v0(v1)`; every other op's name ends at a blank.
    if (!make_op(first, inst.op)) return false;
    std::visit([&](auto& op) { body(line, op); }, inst.op);
    function_.blocks.back().insts.push_back(std::move(inst));
    return !line.failed() && line.done();
  }

  ValueId defined(ValueId value) {
    if (value.valid() && value.index < kMostValues)
      function_.value_count = std::max(function_.value_count, value.index + 1);
    return value;
  }

  /// Cuts `  @ 3:4-3:10` off the end.
  SpanId take_span(Text& content) {
    size_t at = content.rfind("  @ ");
    if (at == Text::npos) return {};
    Line line(content.substr(at + 4));
    Span span{.source = function_.source};
    span.line = line.number();
    line.expect(":");
    span.column = line.number();
    line.expect("-");
    span.end_line = line.number();
    line.expect(":");
    span.end_column = line.number();
    if (line.failed() || !line.done()) return {};
    content = content.substr(0, at);
    function_.spans.push_back(span);
    return {static_cast<uint32_t>(function_.spans.size() - 1)};
  }

  uint32_t local(Line& line, Text stops = "") {
    if (line.take("#")) return line.number();
    Text name = line.word(stops);
    for (uint32_t i = 0; i < function_.local_names.size(); ++i)
      if (function_.local_names[i] == name) return i;
    return line.fail(), UINT32_MAX;
  }

  // What follows an op's name, as in ssa_text.cpp.
  template <size_t N>
  void list(Line& line, std::array<ValueId, N>& values) {
    for (size_t i = 0; i < N; ++i) {
      if (i) line.expect(",");
      values[i] = line.value();
    }
  }
  void list(Line& line, std::vector<ValueId>& values) {
    while (!line.failed() && !line.done()) {
      if (!values.empty()) line.expect(",");
      values.push_back(line.value());
    }
  }
  template <class Kind, size_t N>
  Kind symbol(Line& line, const std::array<Text, N>& symbols, Text word) {
    for (size_t i = 0; i < N; ++i)
      if (symbols[i] == word) return static_cast<Kind>(i);
    return line.fail(), Kind{};
  }

  template <class AnyOp>
  void body(Line& line, AnyOp& op) {
    list(line, op.in);
  }
  void body(Line& line, Const& op) {
    auto constant = parse_constant(line.rest());
    if (!constant) return line.fail();
    op.value = std::move(*constant);
    line = Line("");
  }
  void body(Line& line, LoadName& op) {
    if (line.take("#")) return void(op.name = line.number());
    Text path = line.word();
    while (op.name < function_.names.size() && function_.names[op.name].path != path) ++op.name;
    if (op.name == function_.names.size()) line.fail();
  }
  void body(Line& line, Undefined& op) { op.local = local(line); }
  void body(Line& line, StoreCell& op) {
    op.local = local(line);
    list(line, op.in);
  }
  void body(Line& line, MakeFunction& op) {
    op.function = line.number();
    if (line.take("self ")) op.self = line.word();
    while (!line.failed() && !line.done()) {
      if (!op.in.empty()) line.expect(",");
      size_t assign = line.rest().substr(0, line.rest().find(',')).find('=');
      if (assign != Text::npos) {
        op.captures.emplace_back(line.word("="));
        line.expect("=");
      } else if (!op.captures.empty()) {
        line.fail();
      } else {
        ++op.default_count;
      }
      op.in.push_back(line.value());
    }
  }
  void body(Line& line, Unary& op) {
    op.kind = symbol<UnaryKind>(line, kUnarySymbols, line.word());
    list(line, op.in);
  }
  void body(Line& line, Binary& op) {
    Text word = line.word();
    op.in_place = word.ends_with('=');
    if (op.in_place) word.remove_suffix(1);
    op.kind = symbol<BinaryKind>(line, kBinarySymbols, word);
    list(line, op.in);
  }
  void body(Line& line, Compare& op) {
    op.kind = symbol<CompareKind>(line, kCompareSymbols, line.word());
    list(line, op.in);
  }
  void body(Line& line, Is& op) {
    op.negated = line.take("not ");
    list(line, op.in);
  }
  void body(Line& line, Contains& op) {
    op.negated = line.take("not ");
    list(line, op.in);
  }
  void body(Line& line, GetAttribute& op) {
    op.attribute = line.word();
    list(line, op.in);
  }
  void body(Line& line, SetAttribute& op) {
    op.attribute = line.word();
    list(line, op.in);
    if (line.take("local ")) op.local = local(line);
  }
  void body(Line& line, SetItem& op) {
    list(line, op.in);
    if (line.take("local ")) op.local = local(line);
  }
  void body(Line& line, UnpackItem& op) {
    op.index = line.number();
    line.expect("of ");
    op.count = line.number();
    list(line, op.in);
  }
  void body(Line& line, UnpackStar& op) {
    op.before = line.number();
    line.expect("to ");
    op.after = line.number();
    list(line, op.in);
  }
  void body(Line& line, Call& op) {
    op.in.push_back(line.value());
    line.expect("(");
    while (!line.failed() && !line.take(")")) {
      if (op.in.size() > 1) line.expect(",");
      size_t assign = line.rest().substr(0, line.rest().find_first_of(",)")).find('=');
      if (assign != Text::npos) {
        op.keywords.emplace_back(line.word("="));
        line.expect("=");
      } else if (!op.keywords.empty()) {
        line.fail();
      }
      if (line.take("*")) op.spread.push_back(static_cast<uint32_t>(op.in.size()));
      op.in.push_back(line.value());
    }
  }
  void body(Line& line, Jump& op) { edge(line, op.to); }
  void body(Line& line, Branch& op) {
    op.in[0] = line.value();
    edge(line, op.yes);
    edge(line, op.no);
  }

  void edge(Line& line, Edge& edge) {
    line.expect("b");
    edge.to = {line.number()};
    line.expect("(");
    while (!line.failed() && !line.take(")")) {
      if (!edge.args.empty()) line.expect(",");
      edge.args.push_back(line.value());
    }
  }

  Function function_;
};

}  // namespace

Result<Function> parse(std::string_view text) { return Parser().parse(text); }

}  // namespace hetjit::ssa
