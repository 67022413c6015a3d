// How large an array may be whose indices are computed in 32 bits (ArrayFacts::index_bits).
#pragma once

#include <cstdint>

namespace hetjit {

/// So many numbers after an index fit wherever an index does: what a constant of it takes away.
inline constexpr int64_t kBeyondIndex32 = 1 << 12;

/// The largest extent of such an array, and one more than the distance of any two of its elements.
/// Not all that fits int32: so twice an index, the sum of two extents and the like fit as well, and
/// nobody has to ask whether they have become negative; and four times an index, without a sign.
inline constexpr int64_t kMostIndex32 = (int64_t{1} << 30) - 1 - kBeyondIndex32;

/// The largest elements, in bytes, whose places in such an array are all below 2^32, in bytes.
inline constexpr uint64_t kMostWordSize = (uint64_t{1} << 32) / (kMostIndex32 + 1);

}  // namespace hetjit
