// Writes argument values into a parameter block. The same block serves CUDA (packed launch buffer),
// HIP and the host backend.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace hetjit {

/// What compiled code receives for an array of rank n: `data`, `shape[n]`, `strides[n]` (elements),
/// contiguous, 8-byte fields. Written field by field, so it needs no heap.
struct ArrayValue {
  void* data = nullptr;
  uint8_t rank = 0;
  int64_t shape[8] = {};
  int64_t strides[8] = {};  // in elements
};

/// Bytes that write_array writes: 8 + 16 * rank.
constexpr uint32_t descriptor_bytes(uint8_t rank) { return 8u + 16u * rank; }

template <class T>
void write_scalar(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

/// One number at a time: a copy of a length that is not known is slow to begin.
inline void write_array(std::byte* to, const ArrayValue& array) {
  write_scalar(to, array.data);
  for (unsigned axis = 0; axis < array.rank; ++axis) {
    write_scalar(to + 8 + 8 * axis, array.shape[axis]);
    write_scalar(to + 8 + 8 * (array.rank + axis), array.strides[axis]);
  }
}

}  // namespace hetjit
