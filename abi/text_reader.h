// A cursor over one of abi's text forms. Private to abi.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "abi/status.h"
#include "abi/type.h"

namespace hetjit {

class TextReader {
 public:
  explicit TextReader(std::string_view text) : text_(text) {}

  /// Takes `symbol` when it comes next, after blanks.
  bool accept(char symbol);
  /// Takes `word` when it comes next and ends there.
  bool accept_word(std::string_view word);
  bool next_is(char symbol);
  /// The next run of letters, digits, underscores and dots; empty when there is none.
  std::string_view word();
  std::string_view peek_word();
  /// A name as print_name writes it: a word, or a quoted string with escapes.
  std::optional<std::string> name();
  /// A decimal number below 2^31.
  std::optional<uint32_t> number();
  bool at_end();

  /// `found X where Y was expected, at column N of 'text'`.
  Error expected(std::string_view what);
  /// `message, at column N of 'text'`.
  Error error(std::string message);

  /// Types nest; text from outside must not be able to exhaust the stack.
  static constexpr int kMaxDepth = 64;
  int depth = 0;

 private:
  void skip_blanks();
  std::string_view text_;
  size_t at_ = 0;
};

/// Writes a struct's or field's name so that TextReader::name reads it back.
std::string print_name(std::string_view name);

/// A struct's name without what tells apart classes of one name.
std::string_view shown_name(std::string_view name);
/// The how manieth struct it is of those of its name and fields, from 1.
uint32_t struct_ordinal(TypeId id);

/// Reads one type, in the spellings of parse_type.
Result<TypeId> read_type(TextReader& reader);

/// The Python spelling of a type when it says everything about it, so that it parses back to it.
std::optional<std::string> exact_python(TypeId id);

}  // namespace hetjit
