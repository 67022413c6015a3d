#include "abi/text_reader.h"

namespace hetjit {
namespace {

// Bytes of multi-byte UTF-8 characters count as letters: Python's identifiers may have them.
bool is_word_byte(char c) {
  auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || byte >= 0x80;
}

bool is_plain_name(std::string_view name) {
  if (name.empty()) return false;
  for (char c : name)
    if (!is_word_byte(c)) return false;
  return true;
}

constexpr std::string_view kHexDigits = "0123456789abcdef";

}  // namespace

void TextReader::skip_blanks() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
    ++at_;
}

bool TextReader::next_is(char symbol) {
  skip_blanks();
  return at_ < text_.size() && text_[at_] == symbol;
}

bool TextReader::accept(char symbol) {
  if (!next_is(symbol)) return false;
  ++at_;
  return true;
}

std::string_view TextReader::peek_word() {
  skip_blanks();
  size_t end = at_;
  while (end < text_.size() && is_word_byte(text_[end])) ++end;
  return text_.substr(at_, end - at_);
}

std::string_view TextReader::word() {
  std::string_view found = peek_word();
  at_ += found.size();
  return found;
}

bool TextReader::accept_word(std::string_view wanted) {
  if (peek_word() != wanted) return false;
  at_ += wanted.size();
  return true;
}

std::optional<uint32_t> TextReader::number() {
  std::string_view digits = peek_word();
  if (digits.empty() || digits.size() > 10) return std::nullopt;
  uint64_t value = 0;
  for (char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + static_cast<uint64_t>(c - '0');
  }
  if (value >= (uint64_t{1} << 31)) return std::nullopt;
  at_ += digits.size();
  return static_cast<uint32_t>(value);
}

std::optional<std::string> TextReader::name() {
  if (!accept('"')) {
    std::string_view plain = word();
    return plain.empty() ? std::nullopt : std::optional(std::string(plain));
  }
  std::string text;
  while (at_ < text_.size() && text_[at_] != '"') {
    char c = text_[at_++];
    if (c != '\\') {
      text += c;
      continue;
    }
    if (at_ + 2 > text_.size()) return std::nullopt;
    size_t high = kHexDigits.find(text_[at_]), low = kHexDigits.find(text_[at_ + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
    text += static_cast<char>(high * 16 + low);
    at_ += 2;
  }
  if (!accept('"')) return std::nullopt;
  return text;
}

bool TextReader::at_end() {
  skip_blanks();
  return at_ == text_.size();
}

Error TextReader::error(std::string message) {
  return {ErrorCode::Invalid, std::move(message) + ", at column " + std::to_string(at_ + 1) +
                                  " of '" + std::string(text_) + "'"};
}

Error TextReader::expected(std::string_view what) {
  std::string found = at_end() ? "the end" : "'" + std::string(peek_word()) + "'";
  if (found == "''") found = "'" + std::string(1, text_[at_]) + "'";
  return error("expected " + std::string(what) + ", found " + found);
}

std::string print_name(std::string_view name) {
  if (is_plain_name(name)) return std::string(name);
  std::string text = "\"";
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    if (c != '"' && c != '\\' && byte >= 0x20) {
      text += c;
      continue;
    }
    text += {'\\', kHexDigits[byte / 16], kHexDigits[byte % 16]};
  }
  return text + "\"";
}

}  // namespace hetjit
