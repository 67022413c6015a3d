#include "frontend/snapshot/words.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace hetjit {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";
constexpr uint64_t kUsualNan = 0x7FF8000000000000;

// Bytes of multi-byte UTF-8 characters count as plain: Python's identifiers may have them.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '<' || c == '>' || c == '-' || c == '+' || c == '/' ||
         static_cast<uint8_t>(c) >= 0x80;
}

}  // namespace

std::string write_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (char c : text) {
    const auto byte = static_cast<uint8_t>(c);
    if (c == '"' || c == '\\')
      quoted += {'\\', c};
    else if (c == '\n')
      quoted += "\\n";
    else if (byte >= 0x20 && byte < 0x7F)
      quoted += c;
    else
      quoted += {'\\', 'x', kHexDigits[byte / 16], kHexDigits[byte % 16]};
  }
  return quoted + "\"";
}

std::string write_word(std::string_view text) {
  for (char c : text)
    if (!is_plain(c)) return write_quoted(text);
  return text.empty() ? "\"\"" : std::string(text);
}

std::string write_double(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  if (std::isnan(value)) return bits == kUsualNan ? "nan" : "nan." + write_hex(bits);
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  std::string text(buffer, end);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string write_hex(uint64_t value) {
  char buffer[16];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, 16).ptr);
}

void WordReader::skip_blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\r'))
    ++at_;
}

bool WordReader::next_is(char symbol) {
  skip_blanks();
  return at_ < text_.size() && text_[at_] == symbol;
}

bool WordReader::accept(char symbol) {
  if (!next_is(symbol)) return false;
  ++at_;
  return true;
}

std::string_view WordReader::peek_plain() {
  skip_blanks();
  size_t end = at_;
  while (end < text_.size() && is_plain(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

std::string_view WordReader::plain() {
  const std::string_view found = peek_plain();
  at_ += found.size();
  return found;
}

bool WordReader::accept_word(std::string_view wanted) {
  if (peek_plain() != wanted) return false;
  at_ += wanted.size();
  return true;
}

std::optional<std::string> WordReader::word() {
  if (next_is('"')) return quoted();
  const std::string_view found = plain();
  if (found.empty()) return std::nullopt;
  return std::string(found);
}

std::optional<std::string> WordReader::quoted() {
  std::string text;
  for (size_t at = at_ + 1; at < text_.size() && text_[at] != '\n'; ++at) {
    if (text_[at] == '"') {
      at_ = at + 1;
      return text;
    }
    if (text_[at] != '\\') {
      text += text_[at];
      continue;
    }
    if (++at == text_.size()) break;
    if (text_[at] == 'n') {
      text += '\n';
    } else if (text_[at] == '"' || text_[at] == '\\') {
      text += text_[at];
    } else {
      uint8_t byte = 0;
      if (text_[at] != 'x' || at + 2 >= text_.size()) break;
      const char* digits = text_.data() + at + 1;
      if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) break;
      text += static_cast<char>(byte);
      at += 2;
    }
  }
  return std::nullopt;
}

std::optional<uint64_t> WordReader::number(uint64_t most) {
  const std::string_view digits = peek_plain();
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || value > most)
    return std::nullopt;
  at_ += digits.size();
  return value;
}

std::optional<uint64_t> WordReader::hex() {
  const std::string_view digits = peek_plain();
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  at_ += digits.size();
  return value;
}

bool WordReader::at_line_end() {
  skip_blanks();
  return at_ == text_.size() || text_[at_] == '\n';
}

std::string_view WordReader::rest() {
  const size_t end = std::min(text_.find('\n', at_), text_.size());
  const std::string_view found = text_.substr(at_, end - at_);
  at_ = end;
  return found;
}

bool WordReader::next_line() {
  rest();
  if (at_ == text_.size()) return false;
  ++at_;
  ++line_;
  return skip_empty_lines();
}

bool WordReader::first_line() { return skip_empty_lines(); }

bool WordReader::skip_empty_lines() {
  while (at_line_end() || next_is('#')) {
    rest();
    if (at_ == text_.size()) return false;
    ++at_;
    ++line_;
  }
  return true;
}

Error WordReader::expected(std::string_view what) const {
  const size_t end = std::min(text_.find('\n', at_), text_.size());
  constexpr size_t kShown = 40;
  const std::string_view found = text_.substr(at_, std::min(end - at_, kShown));
  return {ErrorCode::Invalid,
          "line " + std::to_string(line_) + ": expected " + std::string(what) +
              (found.empty() ? ", found the end of the line" : ", found " + write_quoted(found))};
}

}  // namespace hetjit
