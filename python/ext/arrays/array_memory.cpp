#include "python/ext/arrays/array_memory.h"

#include <algorithm>
#include <memory>
#include <new>
#include <string>

#include "abi/dlpack_view.h"

namespace hetjit::python {
namespace {

using runtime::Address;
using runtime::Device;

// The axes before `outer` count runs of `elements` elements, which lie side by side.
struct Runs {
  int outer;
  int64_t elements = 1;
};

Runs runs_of(const ArrayValue& array) {
  Runs found{array.rank};
  while (found.outer > 0 && array.strides[found.outer - 1] == found.elements)
    found.elements *= array.shape[--found.outer];
  return found;
}

// Calls `with(offset in elements)` for each run, in C order, until it fails.
template <class With>
Status for_each_run(const ArrayValue& array, const Runs& runs, With with) {
  int64_t place[8] = {}, offset = 0;
  for (;;) {
    HETJIT_TRY(with(offset));
    int axis = runs.outer - 1;
    for (; axis >= 0; --axis) {
      offset += array.strides[axis];
      if (++place[axis] < array.shape[axis]) break;
      offset -= array.strides[axis] * array.shape[axis];
      place[axis] = 0;
    }
    if (axis < 0) return ok();
  }
}

Address address_of(const ArrayValue& array, int64_t offset, size_t bytes) {
  return reinterpret_cast<Address>(array.data) +
         static_cast<Address>(offset * static_cast<int64_t>(bytes));
}

}  // namespace

int64_t count_of(const ArrayValue& array) {
  int64_t count = 1;
  for (int axis = 0; axis < array.rank; ++axis) count *= array.shape[axis];
  return count;
}

Extent extent_of(const ArrayValue& array) {
  Extent found{0, 0};
  if (count_of(array) == 0) return {};
  for (int axis = 0; axis < array.rank; ++axis) {
    const int64_t reach = (array.shape[axis] - 1) * array.strides[axis];
    (reach < 0 ? found.first : found.last) += reach;
  }
  return found;
}

Status copy_elements_in(Device& device, const ArrayValue& to, size_t bytes, const std::byte* from) {
  if (count_of(to) == 0) return ok();
  const Runs runs = is_contiguous(to) ? Runs{0, count_of(to)} : runs_of(to);
  const size_t run = static_cast<size_t>(runs.elements) * bytes;
  HETJIT_TRY(for_each_run(to, runs, [&](int64_t offset) {
    const std::byte* next = std::exchange(from, from + run);
    return device.copy_in(address_of(to, offset, bytes), next, run, nullptr);
  }));
  return device.wait(nullptr);
}

// What lies apart comes at once, with what lies between: a copy for each run would take longer.
Status copy_elements_out(Device& device, const ArrayValue& from, size_t bytes, std::byte* to) {
  const Extent extent = extent_of(from);
  if (extent.last < extent.first) return ok();
  const Address begin = address_of(from, extent.first, bytes);
  const size_t whole = static_cast<size_t>(extent.last - extent.first + 1) * bytes;
  const bool together = is_contiguous(from);
  const std::unique_ptr<std::byte[]> apart(together ? nullptr
                                                    : new (std::nothrow) std::byte[whole]);
  if (!together && !apart)
    return Error{ErrorCode::OutOfMemory, std::to_string(whole) + " bytes could not be had"};
  std::byte* landed = together ? to : apart.get();
  HETJIT_TRY(device.copy_out(landed, begin, whole, nullptr));
  HETJIT_TRY(device.wait(nullptr));
  if (together) return ok();
  const Runs runs = runs_of(from);
  const size_t run = static_cast<size_t>(runs.elements) * bytes;
  return for_each_run(from, runs, [&](int64_t offset) {
    const std::byte* at = landed + static_cast<size_t>(offset - extent.first) * bytes;
    to = std::copy_n(at, run, to);
    return ok();
  });
}

}  // namespace hetjit::python
