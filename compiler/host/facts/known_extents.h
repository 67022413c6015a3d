// Extents of arrays that one form of a kernel is for: with them known, strides are numbers, and
// neighbours a few elements apart.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"

namespace hetjit::host {

struct KnownExtent {
  uint32_t parameter = 0;  // of the kernel, an array
  uint8_t axis = 0;
  int64_t elements = 0;
  friend bool operator==(const KnownExtent&, const KnownExtent&) = default;
};
using KnownExtents = std::vector<KnownExtent>;

/// Those that a kernel's indices suggest: where each place along the last axes is named
/// (`colour[i, 2]`) or counted (`a[i, row, k]` in loops of four turns), one more than the largest.
/// A guess: a launch is asked.
KnownExtents suggested_extents(const ir::Function& kernel);

/// In elements, from each index along `axis` to the next, of an array in C order; 0: not known.
int64_t known_pitch(const KnownExtents& extents, uint32_t parameter, uint8_t rank, uint8_t axis);

}  // namespace hetjit::host
