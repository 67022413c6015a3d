#include "compiler/ir/line_reader.h"

#include <charconv>

#include "compiler/ir/text.h"

namespace hetjit::ir {
namespace {

constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

}  // namespace

void LineReader::skip_blanks() {
  while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
}

bool LineReader::at_end() {
  skip_blanks();
  return at_ == line_.size();
}

bool LineReader::accept(std::string_view symbol) {
  skip_blanks();
  if (line_.substr(at_, symbol.size()) != symbol) return false;
  at_ += symbol.size();
  return true;
}

std::string_view LineReader::token() {
  skip_blanks();
  size_t start = at_;
  while (at_ < line_.size() && !is_blank(line_[at_]) &&
         std::string_view(",():=").find(line_[at_]) == std::string_view::npos)
    ++at_;
  return line_.substr(start, at_ - start);
}

std::optional<uint32_t> LineReader::number() {
  skip_blanks();
  uint32_t value = 0;
  const char* start = line_.data() + at_;
  auto [end, error] = std::from_chars(start, line_.data() + line_.size(), value);
  if (error != std::errc{}) return std::nullopt;
  at_ += static_cast<size_t>(end - start);
  return value;
}

std::optional<uint32_t> LineReader::id(char letter) {
  skip_blanks();
  size_t start = at_;
  if (at_ < line_.size() && line_[at_] == letter) {
    ++at_;
    bool digit = at_ < line_.size() && line_[at_] >= '0' && line_[at_] <= '9';
    if (auto index = digit ? number() : std::nullopt) return index;
  }
  at_ = start;
  return std::nullopt;
}

std::optional<ValueId> LineReader::value() {
  auto index = id('v');
  return index ? std::optional(ValueId{*index}) : std::nullopt;
}

std::optional<BlockId> LineReader::block() {
  auto index = id('b');
  return index ? std::optional(BlockId{*index}) : std::nullopt;
}

std::optional<std::string> LineReader::name() {
  skip_blanks();
  if (!accept("\"")) {
    size_t start = at_;
    while (at_ < line_.size() && is_name_char(line_[at_])) ++at_;
    if (at_ == start) return std::nullopt;
    return std::string(line_.substr(start, at_ - start));
  }
  std::string text;
  while (at_ < line_.size() && line_[at_] != '"') {
    char c = line_[at_++];
    if (c == '\\') {
      int high = at_ + 1 < line_.size() ? hex_digit(line_[at_]) : -1;
      int low = high >= 0 ? hex_digit(line_[at_ + 1]) : -1;
      if (low < 0) return std::nullopt;
      c = static_cast<char>(high * 16 + low);
      at_ += 2;
    }
    text += c;
  }
  return accept("\"") ? std::optional(text) : std::nullopt;
}

Result<TypeId> LineReader::type() {
  skip_blanks();
  size_t end = at_;
  int depth = 0;
  bool quoted = false;
  for (; end < line_.size(); ++end) {
    char c = line_[end];
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (depth == 0 && (c == ',' || c == ')' || c == '=')) break;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  Result<TypeId> found = parse_type(line_.substr(at_, end - at_));
  if (!found.ok()) return error(found.error().text);
  at_ = end;
  return found;
}

std::optional<Span> LineReader::span() {
  Span span;
  if (accept("@")) {
    auto source = number();
    if (!source) return std::nullopt;
    span.source = *source;
  }
  auto line = number();
  if (!line || !accept(":")) return std::nullopt;
  auto column = number();
  if (!column || !accept("-")) return std::nullopt;
  auto end = number();
  if (!end) return std::nullopt;
  span.line = span.end_line = *line;
  span.column = *column;
  span.end_column = *end;
  if (!accept(":")) return span;
  auto end_column = number();
  if (!end_column) return std::nullopt;
  span.end_line = *end;
  span.end_column = *end_column;
  return span;
}

Error LineReader::error(std::string_view message) const {
  return {ErrorCode::Invalid, "line " + std::to_string(number_) + ", column " +
                                  std::to_string(at_ + 1) + ": " + std::string(message)};
}

}  // namespace hetjit::ir
