// Diagnostics as text with carets.
#pragma once

#include <span>
#include <string>

#include "frontend/diag/diagnostic.h"

namespace hetjit {

/// `sources` is indexed by Span::source. Plain text, or ANSI colours.
std::string render(const Diagnostic& diagnostic, std::span<const Source> sources,
                   bool colour = false);
std::string render(const Diagnostics& diagnostics, std::span<const Source> sources,
                   bool colour = false);

}  // namespace hetjit
