// Format specifications, `[[fill]align][sign][z][#][0][width][,|_][.precision][type]`: the host's
// Python does the formatting, so here is only told whether it will, and constant strings are
// padded.
#pragma once

#include <string>
#include <string_view>

#include "abi/scalar.h"

namespace hetjit::typing {

/// Whether Python takes the specification for a number: an int (or bool), a float or a complex.
bool fits_number(std::string_view specification, Scalar number);
/// Whether it takes it for a str.
bool fits_text(std::string_view specification);
/// format(text, specification), which fits.
std::string pad_text(const std::string& text, std::string_view specification);

}  // namespace hetjit::typing
