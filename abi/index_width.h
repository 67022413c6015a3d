// How large an array may be whose indices are computed in 32 bits (ArrayFacts::index_bits).
#pragma once

#include <cstdint>

namespace hetjit {

/// The largest extent of such an array, and one more than the distance of any two of its elements.
/// Not all that fits int32: so twice an index, the sum of two extents and the like fit as well, and
/// nobody has to ask whether they have become negative.
inline constexpr int64_t kMostIndex32 = (int64_t{1} << 30) - 1;

}  // namespace hetjit
