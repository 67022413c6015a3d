// Extents and strides of arrays that one form of a kernel is for: with them known, neighbours are a
// few elements apart, or none.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/ir/ir.h"

namespace hetjit::host {

struct KnownExtent {
  uint32_t parameter = 0;  // of the kernel, an array
  uint8_t axis = 0;
  int64_t elements = 0;
  bool is_stride = false;  // not how many there are, but from each index to the next
  friend bool operator==(const KnownExtent&, const KnownExtent&) = default;
};
using KnownExtents = std::vector<KnownExtent>;

/// Those that a kernel's indices suggest: where each place along the last axes is named
/// (`colour[i, 2]`) or counted (`a[i, row, k]` in loops of four turns), one more than the largest.
/// A guess: a launch is asked.
KnownExtents suggested_extents(const ir::Function& kernel);

/// That the elements of all arrays that are not in C order follow one another along their first
/// axis, as Fortran has them: of those with several axes.
KnownExtents in_columns(const ir::Function& kernel);

/// In elements, from each index along `axis` of a parameter, an array, to the next.
std::optional<int64_t> known_pitch(const KnownExtents& extents, uint32_t parameter,
                                   const Type& array, uint8_t axis);

}  // namespace hetjit::host
