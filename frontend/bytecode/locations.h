// Which place in the source each instruction came from.
#pragma once

#include <vector>

#include "frontend/bytecode/decode.h"

namespace hetjit::bytecode {

/// One span per instruction of `decoded`; line 0 where Python has none. `source` is what
/// Span::source gets. Loads that CPython fused share one position in its table; the second one is
/// found again in the source text when that is at hand.
std::vector<Span> locations(const Snapshot& snapshot, const Decoded& decoded, uint32_t source);

}  // namespace hetjit::bytecode
