#include "python/ext/launch/last_launch.h"

#include <algorithm>
#include <bit>

#include "python/ext/state.h"

namespace hetjit::python {
namespace {

// Who passes others every time shall not pay for it each time.
constexpr uint32_t kMostOften = 64;  // launches

bool is_number(PyObject* object) {
  return Py_TYPE(object) == &PyLong_Type || Py_TYPE(object) == &PyFloat_Type ||
         PyBool_Check(object) || object == Py_None;
}

// What was read, without what belongs to one launch alone.
std::unique_ptr<Arguments> copy_of(const Arguments& read) {
  auto made = std::make_unique<Arguments>();
  made->parameters = read.parameters;
  made->count = read.count;
  made->size = read.size;
  made->array = read.array;
  made->device = read.device;
  made->stream = read.stream;
  std::copy_n(read.words.begin(), read.count, made->words.begin());
  std::copy_n(read.block.begin(), read.size, made->block.begin());
  return made;
}

}  // namespace

bool LastLaunch::see(const Numpy& numpy, PyObject* object, Seen& to) {
  to.is_array = Py_TYPE(object) == numpy.readable_array();
  if (!to.is_array) {
    to.kept = Handle::share(object);
    return is_number(object);
  }
  const auto& head = *reinterpret_cast<const ArrayHead*>(object);
  const auto& dtype = *reinterpret_cast<const DtypeHead*>(head.descr);
  if (head.rank > kMaxRank || !numpy.format_of_head(dtype).type.valid()) return false;
  to.kept = Handle::share(head.descr);
  to.data = head.data;
  to.rank = head.rank;
  to.flags = head.flags;
  std::copy_n(head.extents, head.rank, to.extents.begin());
  std::copy_n(head.strides, head.rank, to.strides.begin());
  return true;
}

void LastLaunch::keep(const KernelData& kernel, const Arguments& read, PyObject* const* given) {
  const uint32_t misses = ++misses_;
  if (uses_ || misses == 1 ||
      (misses < kMostOften ? !std::has_single_bit(misses) : misses % kMostOften != 0))
    return;
  std::vector<Seen> seen(read.count);
  for (size_t i = 0; i < read.count; ++i)
    if (!see(kernel.state->numpy, given[i], seen[i])) return;
  arguments_ = copy_of(read);
  readable_ = kernel.state->numpy.readable_array();
  reading_ = kernel.readings;
  seen_.swap(seen);  // the old ones end last: that may run a finaliser, which may launch
}

}  // namespace hetjit::python
