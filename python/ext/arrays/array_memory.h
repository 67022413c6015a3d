// Elements of an array in a device's memory, in any order of strides, from and to the host.
#pragma once

#include "abi/param_buffer.h"
#include "runtime/device.h"

namespace hetjit::python {

/// Where the elements of an array lie, in elements from its `data`: [first, last], nothing if
/// last < first.
struct Extent {
  int64_t first = 0, last = -1;
  bool within(const Extent& other) const {
    return last < first || (first >= other.first && last <= other.last);
  }
};
Extent extent_of(const ArrayValue& array);

int64_t count_of(const ArrayValue& array);

/// All elements of `bytes` bytes each, in C order. They are there when it returns; what else is
/// enqueued on the default stream is done then, too.
Status copy_elements_in(runtime::Device& device, const ArrayValue& to, size_t bytes,
                        const std::byte* from);
Status copy_elements_out(runtime::Device& device, const ArrayValue& from, size_t bytes,
                         std::byte* to);

}  // namespace hetjit::python
