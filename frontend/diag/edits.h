// What a source is once the edits of a diagnostic are made.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "frontend/diag/diagnostic.h"

namespace hetjit {

struct ChangedLine {
  uint32_t line = 0;
  std::string text;
};

/// The lines that edits change, as they are then, in the order of the source. None when the text of
/// one of them is not at hand, or when an edit goes over the end of a line.
std::vector<ChangedLine> changed_lines(std::span<const Edit> edits,
                                       std::span<const Source> sources);

}  // namespace hetjit
