// Private to this folder: the words of the `.snap` form. A word is a run of plain characters or a
// quoted string; a line ends at '\n'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "abi/status.h"

namespace hetjit {

/// The plain word itself, or the text in quotes with everything but printable ASCII escaped.
std::string write_word(std::string_view text);
std::string write_quoted(std::string_view text);
/// Shortest text that reads back to the same bits; always tells a float from an int.
std::string write_double(double value);
std::string write_hex(uint64_t value);

/// A cursor over a text of lines.
class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  // ---- within the line
  bool accept(char symbol);
  bool accept_word(std::string_view word);
  /// The next plain word; empty when there is none.
  std::string_view plain();
  std::string_view peek_plain();
  /// A plain word or a quoted string.
  std::optional<std::string> word();
  bool next_is(char symbol);
  std::optional<uint64_t> number(uint64_t most = UINT64_MAX);
  std::optional<uint64_t> hex();
  bool at_line_end();

  // ---- lines
  /// The rest of the line, as it is.
  std::string_view rest();
  /// Goes to the next line that is neither blank nor a comment; false at the end of the text.
  bool next_line();
  bool first_line();  // the same for the line the text begins with

  Error expected(std::string_view what) const;

  /// Constants nest; text from outside must not be able to exhaust the stack.
  static constexpr int kMaxDepth = 64;
  int depth = 0;

 private:
  void skip_blanks();
  std::optional<std::string> quoted();
  bool skip_empty_lines();

  std::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
};

}  // namespace hetjit
