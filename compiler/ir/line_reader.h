// A cursor over one line of the typed graph's text form. Private to compiler/ir.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "abi/status.h"
#include "abi/type.h"
#include "frontend/diag/span.h"
#include "frontend/ssa/ids.h"

namespace hetjit::ir {

/// Every function reads after blanks and moves on only when it found what it is named after.
class LineReader {
 public:
  LineReader(std::string_view line, uint32_t number) : line_(line), number_(number) {}

  bool accept(std::string_view symbol);
  bool at_end();
  /// The next run of characters that are neither blank nor one of `,():=`.
  std::string_view token();
  std::optional<uint32_t> number();
  std::optional<ValueId> value();  // v12
  std::optional<BlockId> block();  // b3
  std::optional<std::string> name();
  /// A type in the spelling of to_text. It ends before a `,`, `)` or `=` of this line's own.
  Result<TypeId> type();
  /// `@1 7:12-18` or `7:12-8:3`.
  std::optional<Span> span();

  /// `line 7, column 3: message`.
  Error error(std::string_view message) const;

 private:
  std::optional<uint32_t> id(char letter);
  void skip_blanks();
  std::string_view line_;
  uint32_t number_;
  size_t at_ = 0;
};

}  // namespace hetjit::ir
