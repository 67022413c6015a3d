// The only answer to "how big is it, how is it aligned, where is field n". CUDA C++'s rules on
// every target (requirements §4.1-4.3), so there is no target parameter: the data model is LP64,
// little endian.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abi/type.h"

namespace hetjit {

struct Layout {
  uint32_t size = 0;   // bytes; a multiple of align but for aligned numbers and vectors
  uint32_t align = 1;  // bytes, a power of two
  std::vector<uint32_t>
      offsets;  // Tuple, Struct: per field. Array: data, shape, strides. Vector: lanes

  /// Bytes from one array element to the next. (AMB-19)
  uint32_t stride() const { return (size + align - 1) & ~(align - 1); }
};

/// Layout of a value of this type in memory and in parameter blocks. Vectors: size n * e, alignment
/// e for 1 and 3 lanes, min(2e, 16) for 2, min(4e, 16) for 4. Arrays: the interoperable descriptor
/// {data, shape[rank], strides[rank]}, 8 + 16 * rank bytes; rank 0: {data}. None: a null pointer.
/// Complex: aligned to its size. Empty tuples and structs: 1 byte. Aligned tuples and structs are
/// rounded up to their alignment, aligned numbers and vectors keep their size. (HET-VEC-20,
/// HET-DSC-1, HET-ALN-2, AMB-14/19/23/36)
Layout layout(TypeId id);

/// What a pointer to part `index` of a value points to, when one to the value points to `whole` (a
/// vector, tuple, struct, or one of them with an alignment): the part's type, with an alignment
/// where it is less than natural there.
TypeId part_type(TypeId whole, uint32_t index);

/// Offsets of a kernel's parameters in its block: offset(i) = round_up(end(i-1), align(i)).
struct BlockLayout {
  uint32_t size = 0;
  uint32_t align = 8;
  std::vector<uint32_t> offsets;
};
BlockLayout parameter_block(std::span<const TypeId> parameters);

}  // namespace hetjit
