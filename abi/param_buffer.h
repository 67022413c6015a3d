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

inline void write_array(std::byte* to, const ArrayValue& array) {
  std::memcpy(to, &array.data, 8);
  std::memcpy(to + 8, array.shape, 8u * array.rank);
  std::memcpy(to + 8 + 8u * array.rank, array.strides, 8u * array.rank);
}

template <class T>
void write_scalar(std::byte* to, T value) {
  std::memcpy(to, &value, sizeof value);
}

}  // namespace hetjit
