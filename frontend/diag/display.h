// Private to this folder: how wide a line of source is on a screen.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hetjit {

/// A source line made printable: tabs become spaces (stops every four columns), control characters
/// and bytes that are no UTF-8 become a replacement character.
std::string printable(std::string_view line);

/// Columns that the first `bytes` bytes of `line` take on the screen. Wide characters take two,
/// combining ones none. A `bytes` behind the end means the end.
uint32_t display_column(std::string_view line, uint32_t bytes);

/// Characters in the first `bytes` bytes: what an editor calls the column, counted from 0.
uint32_t character_column(std::string_view line, uint32_t bytes);

}  // namespace hetjit
