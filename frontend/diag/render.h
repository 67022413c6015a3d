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

/// Lines of the sources, each with its labels below it; sources in the order in which labels name
/// them. Where the text of a line is not at hand the label names the place.
std::string annotate(std::span<const Label> labels, std::span<const Source> sources,
                     bool colour = false);

}  // namespace hetjit
