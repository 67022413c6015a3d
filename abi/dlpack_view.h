// DLPack tensors as our arrays and back, without copying data. Ownership stays with the caller.
#pragma once

#include <cstdint>

#include "abi/dlpack.h"
#include "abi/index_width.h"
#include "abi/param_buffer.h"
#include "abi/status.h"
#include "abi/type.h"

namespace hetjit {

struct DlpackView {
  ArrayValue value;  // `data` includes the tensor's byte_offset
  TypeId element;    // a scalar, or a vector for 2 to 4 lanes; element_at its address
  DLDevice device{};
  bool writable = true;
};

/// What a tensor holds. Missing strides mean C order. Errors: Unsupported for an element type or
/// rank that we do not have, Invalid for what no tensor can be (negative extents, sizes beyond 2^63
/// bytes, elements without data).
Result<DlpackView> view_of(const DLTensor& tensor);

/// The same; takes the read-only flag into account and refuses other major versions, whose tensor
/// must not be looked at (the caller still calls the deleter).
Result<DlpackView> view_of(const DLManagedTensorVersioned& managed);

/// The type that such an array is passed as.
TypeId type_of(const DlpackView& view);

/// The elements of an array that begins at an address: with the alignment that they have there,
/// where it is less than their own. Files and messages deliver such arrays.
TypeId element_at(TypeId element, uintptr_t address);

/// The element type of a DLPack data type, and back. Errors: Unsupported.
Result<TypeId> element_of(DLDataType type);
Result<DLDataType> dlpack_type(TypeId element);

/// A tensor over the same data. Its shape and strides point into `view`, which must outlive it.
Result<DLTensor> tensor_of(DlpackView& view);

/// Whether the elements lie in C order without gaps. The stride of an axis with one element says
/// nothing, and an array without elements lies in any order.
constexpr bool is_contiguous(const ArrayValue& array) {
  bool in_order = true;
  uint64_t next = 1;  // may wrap, but only before an extent of 0
  for (int axis = array.rank - 1; axis >= 0; --axis) {
    if (array.shape[axis] == 0) return true;
    if (array.shape[axis] == 1) continue;
    in_order = in_order && static_cast<uint64_t>(array.strides[axis]) == next;
    next *= static_cast<uint64_t>(array.shape[axis]);
  }
  return in_order;
}

/// Whether every extent and the distance of any two elements, in elements, is so small that indices
/// are computed in 32 bits: so it is in every view of the array too.
constexpr bool fits_index32(const ArrayValue& array) {
  constexpr int64_t kMost = kMostIndex32;
  int64_t first = 0, last = 0;  // offsets of the outermost elements
  bool empty = false, fits = true;
  for (int axis = 0; axis < array.rank; ++axis) {
    if (array.shape[axis] > kMost) return false;
    empty = empty || array.shape[axis] == 0;
    if (array.shape[axis] <= 1 || !fits) continue;
    int64_t steps = array.shape[axis] - 1, stride = array.strides[axis];
    if (stride > kMost || stride < -kMost) {
      fits = false;
      continue;
    }
    (stride < 0 ? first : last) += steps * stride;
    fits = last - first < kMost;
  }
  return empty || fits;
}

/// What the specialisation may know of an array from its shape and strides. On the way of every
/// launch, so inline. Extents must not be negative and their product must fit int64.
constexpr ArrayFacts facts_of(const ArrayValue& array, bool writable = true) {
  return {.order = is_contiguous(array) ? Order::Contiguous : Order::Strided,
          .index_bits = static_cast<uint8_t>(fits_index32(array) ? 32 : 64),
          .writable = writable};
}

}  // namespace hetjit
