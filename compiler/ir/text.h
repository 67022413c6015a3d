// What the printer and the parser of the text form agree on. Private to compiler/ir.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "abi/messages.h"
#include "abi/status.h"
#include "abi/type.h"

namespace hetjit::ir {

/// By Comparison.
inline constexpr std::array<std::string_view, 6> kComparisonWords = {"lt", "le", "eq",
                                                                     "ne", "gt", "ge"};

/// Characters a name may have without quotes: those of Python's qualified names.
constexpr bool is_name_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '<' || c == '>' || static_cast<unsigned char>(c) >= 0x80;
}

std::string name_text(std::string_view name);  // quoted where it must be
std::string float_text(double value);          // shortest text that reads back the same
std::string type_text(TypeId id);              // "?" for an invalid id

/// A line per site: `site 0 raise ValueError at f "file.py" 12, "bad index ", i32 ""`.
std::string sites_text(const Sites& sites);
class LineReader;
/// Whether a line is a site's.
bool is_site_line(LineReader line);
Status read_site(LineReader& line, Sites& sites);

}  // namespace hetjit::ir
