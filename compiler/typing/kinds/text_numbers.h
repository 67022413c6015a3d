// Numbers written as constant texts: float("inf"), int("ff", 16), complex("1+2j"). As Python reads
// them, but for digits and blanks beyond ASCII.
#pragma once

#include <optional>
#include <string_view>

#include "compiler/typing/known/literal.h"

namespace hetjit::typing {

std::optional<double> read_float(std::string_view text);
std::optional<ComplexLiteral> read_complex(std::string_view text);

/// The integer of a base of 2 to 36, or of the base that its prefix says when that is 0; nullopt:
/// it is none. `huge` when it does not fit 64 bits.
std::optional<Integer> read_integer(std::string_view text, unsigned base, bool& huge);

}  // namespace hetjit::typing
