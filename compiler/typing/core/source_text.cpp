#include "compiler/typing/core/source_text.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>
#include <vector>

namespace hetjit::typing {
namespace {

constexpr size_t npos = std::string_view::npos;

// The text of an expression on one line, and how its parts become spans.
struct Text {
  std::string_view text;
  Span whole;

  Span part(size_t begin, size_t end) const {
    while (begin < end && text[begin] == ' ') ++begin;
    while (end > begin && text[end - 1] == ' ') --end;
    if (begin >= end) return {};
    Span span = whole;
    span.column = whole.column + static_cast<uint32_t>(begin);
    span.end_column = whole.column + static_cast<uint32_t>(end);
    return span;
  }
};

// `first_line`: of a statement over several lines, its first one.
std::optional<Text> text_of(const Source& source, const Span& whole, bool first_line = false) {
  if (whole.line < source.first_line) return std::nullopt;
  size_t index = whole.line - source.first_line;
  if (index >= source.lines.size()) return std::nullopt;
  std::string_view line = source.lines[index];
  Span part = whole;
  if (first_line && whole.line != whole.end_line) {
    part.end_line = whole.line;
    part.end_column = static_cast<uint32_t>(line.size());
  }
  bool usable =
      part.line == part.end_line && part.column < part.end_column && part.end_column <= line.size();
  if (!usable) return std::nullopt;
  return Text{line.substr(part.column, part.end_column - part.column), part};
}

// Positions of the characters outside brackets and string literals.
std::vector<size_t> outer_positions(std::string_view text) {
  std::vector<size_t> positions;
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (quote) {
      if (c == '\\')
        ++i;
      else if (c == quote)
        quote = 0;
      continue;
    }
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0) positions.push_back(i);
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (c == '"' || c == '\'') quote = c;
  }
  return positions;
}

bool ends_operand(std::string_view before) {
  while (!before.empty() && before.back() == ' ') before.remove_suffix(1);
  if (before.empty()) return false;
  char c = before.back();
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == ')' || c == ']' ||
         c == '}' || c == '"' || c == '\'' || c == '.' || (c & 0x80);
}

// Whether `symbol` stands at `at`, and is no piece of a longer operator.
bool stands_at(std::string_view text, size_t at, std::string_view symbol) {
  if (text.substr(at, symbol.size()) != symbol || !ends_operand(text.substr(0, at))) return false;
  char next = at + symbol.size() < text.size() ? text[at + symbol.size()] : ' ';
  bool longer = next == '=' || (next == symbol[0] && std::string_view("*/<>").find(next) != npos);
  return !longer || symbol.back() == '=';
}

enum class Which { First, Last, Only };

size_t find_symbol(std::string_view text, std::string_view symbol, Which which) {
  size_t found = npos;
  for (size_t at : outer_positions(text)) {
    if (!stands_at(text, at, symbol)) continue;
    if (which == Which::First) return at;
    if (which == Which::Only && found != npos) return npos;
    found = at;
  }
  return found;
}

// An operator that is a word: "in", "is not".
size_t find_word(std::string_view text, std::string_view word) {
  size_t found = npos;
  for (size_t at : outer_positions(text)) {
    if (at == 0 || text[at - 1] != ' ' || text.substr(at, word.size()) != word) continue;
    if (at + word.size() >= text.size() || text[at + word.size()] != ' ') continue;
    if (found != npos) return npos;
    found = at;
  }
  return found;
}

// The operator of an op and where it was found.
struct Symbol {
  std::string text;
  size_t at = npos;
};

Symbol symbol_in(std::string_view text, const ssa::Op& op) {
  Symbol symbol;
  if (const ssa::Binary* binary = std::get_if<ssa::Binary>(&op)) {
    symbol.text = std::string(ssa::symbol(binary->kind)) + (binary->in_place ? "=" : "");
    bool from_right = binary->kind == ssa::BinaryKind::Power || binary->in_place;
    symbol.at = find_symbol(text, symbol.text, from_right ? Which::First : Which::Last);
  } else if (const ssa::Compare* compare = std::get_if<ssa::Compare>(&op)) {
    symbol.text = ssa::symbol(compare->kind);
    symbol.at = find_symbol(text, symbol.text, Which::Only);
  } else if (const ssa::Is* identity = std::get_if<ssa::Is>(&op)) {
    symbol.text = identity->negated ? "is not" : "is";
    symbol.at = find_word(text, symbol.text);
  } else if (const ssa::Contains* contains = std::get_if<ssa::Contains>(&op)) {
    symbol.text = contains->negated ? "not in" : "in";
    symbol.at = find_word(text, symbol.text);
  }
  return symbol;
}

// Where the bracket that closes at the end of the text opens.
size_t opening(std::string_view text, char open, char close) {
  if (text.empty() || text.back() != close) return npos;
  size_t found = npos;
  for (size_t at : outer_positions(text))
    if (text[at] == open) found = at;
  return found == 0 ? npos : found;
}

Span argument(const Text& text, size_t open, size_t index) {
  std::string_view inside = text.text.substr(open + 1, text.text.size() - open - 2);
  size_t begin = 0;
  std::vector<size_t> commas;
  for (size_t at : outer_positions(inside))
    if (inside[at] == ',') commas.push_back(at);
  commas.push_back(inside.size());
  if (index >= commas.size()) return {};
  if (index > 0) begin = commas[index - 1] + 1;
  size_t end = commas[index];
  std::string_view piece = inside.substr(begin, end - begin);
  size_t equals = piece.find('=');  // a keyword argument: its value
  if (equals != npos && equals + 1 < piece.size() && piece[equals + 1] != '=' &&
      piece.substr(0, equals).find_first_of("<>!([\"'") == npos)
    begin += equals + 1;
  return text.part(open + 1 + begin, open + 1 + end);
}

// The value of an assignment whose target is `whole`: what follows its `=`.
Span assigned_value(const Source& source, const Span& whole) {
  Span rest = whole;
  size_t index = whole.line - source.first_line;
  if (whole.line < source.first_line || index >= source.lines.size()) return {};
  rest.column = whole.end_column;
  rest.end_column = static_cast<uint32_t>(source.lines[index].size());
  std::optional<Text> text = text_of(source, rest);
  if (!text) return {};
  size_t equals = text->text.find('=');
  if (equals == npos || text->text.find_first_not_of(' ') != equals) return {};
  size_t end = text->text.size();
  for (size_t at : outer_positions(text->text))
    if (text->text[at] == '#' || text->text[at] == ';') end = std::min(end, at);
  return text->part(equals + 1, end);
}

// What stands between a keyword and the colon of a statement: the condition of `if`, `while`, what
// `for … in` goes through. The expression itself when there is no such keyword.
Span statement_part(const Text& text, std::string_view keyword) {
  size_t begin = text.text.find(keyword);
  if (begin == npos) return {};
  begin += keyword.size();
  std::string_view rest = text.text.substr(begin);
  for (size_t at : outer_positions(rest))
    if (rest[at] == ':') return text.part(begin, begin + at);
  return {};
}

Span condition_of(const Text& text) {
  for (std::string_view keyword : {"if ", "elif ", "while "})
    if (text.text.substr(0, keyword.size()) == keyword) return statement_part(text, keyword);
  return text.whole;
}

struct FindOperand {
  const Text& text;
  size_t index;

  template <class T>
  Span operator()(const T&) const {
    return {};
  }
  Span operator()(const ssa::Binary& op) const { return sides(symbol_in(text.text, op)); }
  Span operator()(const ssa::Compare& op) const { return sides(symbol_in(text.text, op)); }
  Span operator()(const ssa::Unary& op) const {
    std::string_view symbol = ssa::symbol(op.kind);
    bool starts = text.text.substr(0, symbol.size()) == symbol;
    return starts ? text.part(symbol.size(), text.text.size()) : Span{};
  }
  Span operator()(const ssa::Is& op) const { return sides(symbol_in(text.text, op)); }
  Span operator()(const ssa::Contains& op) const { return sides(symbol_in(text.text, op)); }
  Span operator()(const ssa::GetAttribute& op) const { return before_dot(op.attribute); }
  Span operator()(const ssa::SetAttribute& op) const {
    return index == 0 ? before_dot(op.attribute) : Span{};
  }
  Span operator()(const ssa::GetItem&) const { return subscript(); }
  Span operator()(const ssa::SetItem&) const { return subscript(); }
  Span operator()(const ssa::Call&) const {
    size_t open = opening(text.text, '(', ')');
    if (open == npos) return {};
    return index == 0 ? text.part(0, open) : argument(text, open, index - 1);
  }
  Span operator()(const ssa::Branch&) const { return condition_of(text); }
  Span operator()(const ssa::Iter&) const {
    return text.text.substr(0, 4) == "for " ? statement_part(text, " in ") : text.whole;
  }
  Span operator()(const ssa::Return&) const {
    constexpr std::string_view kReturn = "return ";
    bool starts = text.text.substr(0, kReturn.size()) == kReturn;
    return starts ? text.part(kReturn.size(), text.text.size()) : text.whole;
  }

  Span before_dot(const std::string& attribute) const {
    size_t dot = text.text.rfind('.');
    bool at_end = dot != npos && text.text.substr(dot + 1) == attribute;
    return at_end ? text.part(0, dot) : Span{};
  }
  Span sides(const Symbol& symbol) const {
    if (symbol.at == npos) return {};
    if (index == 0) return text.part(0, symbol.at);
    return text.part(symbol.at + symbol.text.size(), text.text.size());
  }
  Span subscript() const {
    size_t open = opening(text.text, '[', ']');
    if (open == npos || index > 1) return {};
    return index == 0 ? text.part(0, open) : text.part(open + 1, text.text.size() - 1);
  }
};

}  // namespace

Span find_operand(const Source& source, const Span& whole, const ssa::Op& op, size_t index) {
  const bool assigned = (std::holds_alternative<ssa::SetItem>(op) && index == 2) ||
                        (std::holds_alternative<ssa::SetAttribute>(op) && index == 1);
  if (assigned) return assigned_value(source, whole);
  bool statement = std::holds_alternative<ssa::Branch>(op) || std::holds_alternative<ssa::Iter>(op);
  std::optional<Text> text = text_of(source, whole, statement);
  return text ? std::visit(FindOperand{*text, index}, op) : Span{};
}

bool is_own(const Source& source) {
  return source.path.find("/hetjit/library/") != std::string::npos ||
         source.path.find("/hetjit/device/") != std::string::npos;
}

std::string text_at(const Source& source, const Span& span) {
  std::optional<Text> text = span.known() ? text_of(source, span) : std::nullopt;
  return text ? std::string(text->text) : "";
}

Span find_operator(const Source& source, const Span& whole, const ssa::Op& op) {
  std::optional<Text> text = text_of(source, whole);
  if (!text) return {};
  Symbol symbol = symbol_in(text->text, op);
  return symbol.at == npos ? Span{} : text->part(symbol.at, symbol.at + symbol.text.size());
}

namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || (c & 0x80);
}

// Where a word begins that is `name` as a whole; npos: nowhere from `from` on.
size_t find_whole(std::string_view text, std::string_view name, size_t from = 0) {
  for (size_t at = text.find(name, from); at != npos; at = text.find(name, at + 1)) {
    const size_t end = at + name.size();
    const bool begins = at == 0 || !is_word(text[at - 1]);
    if (begins && (end == text.size() || !is_word(text[end]))) return at;
  }
  return npos;
}

// The first character behind `at` that is no blank; 0: there is none.
char next_character(std::string_view text, size_t at) {
  at = text.find_first_not_of(' ', at);
  return at == npos ? '\0' : text[at];
}

}  // namespace

Span find_name(const Source& source, const Span& whole, std::string_view name) {
  std::optional<Text> text = whole.known() ? text_of(source, whole) : std::nullopt;
  if (!text || name.empty()) return {};
  const std::string_view in = text->text;
  for (size_t at = find_whole(in, name); at != npos; at = find_whole(in, name, at + 1)) {
    const size_t end = at + name.size();
    const size_t next = in.find_first_not_of(' ', end);
    const bool keyword = next != npos && in[next] == '=' && next_character(in, next + 1) != '=';
    if (end == in.size() || keyword) return text->part(at, end);
  }
  return {};
}

Span find_parameter(const Source& source, std::string_view name, bool annotated) {
  size_t row = 0;
  while (row < source.lines.size() && find_whole(source.lines[row], "def") == npos) ++row;
  for (; row < source.lines.size(); ++row) {
    const std::string_view line = source.lines[row];
    const size_t at = find_whole(line, name, find_whole(line, "def") == npos ? 0 : line.find('('));
    if (at != npos) {
      const char next = next_character(line, at + name.size());
      const bool bare = next == ',' || next == ')' || next == '=' || next == '\0' || annotated;
      const auto number = source.first_line + static_cast<uint32_t>(row);
      const auto begin = static_cast<uint32_t>(at), end = static_cast<uint32_t>(at + name.size());
      return bare ? Span{0, number, begin, number, end} : Span{};
    }
    if (line.ends_with(':')) break;
  }
  return {};
}

}  // namespace hetjit::typing
