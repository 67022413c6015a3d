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

void see_numpy(const ArrayHead& head, SeenArgument& to) {
  to.kind = SeenArgument::NumpyArray;
  to.kept = Handle::share(head.descr);
  to.data = head.data;
  to.rank = head.rank;
  to.flags = head.flags;
  std::copy_n(head.extents, head.rank, to.extents.begin());
  std::copy_n(head.strides, head.rank, to.strides.begin());
}

void see_ours(PyObject* object, SeenArgument& to) {
  const DeviceArray& array = array_of(object);
  to.kind = SeenArgument::OurArray;
  to.kept = Handle::share(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  to.data = array.value.data;
  to.rank = array.value.rank;
  to.word = array.word;
  to.place = array.place;
  std::copy_n(array.value.shape, to.rank, to.extents.begin());
  std::copy_n(array.value.strides, to.rank, to.strides.begin());
}

// False: what this one means cannot be told without reading it.
bool see(const State& state, PyObject* object, SeenArgument& to) {
  const Numpy& numpy = state.numpy;
  if (Py_TYPE(object) == numpy.readable_array()) {
    const auto& head = *reinterpret_cast<const ArrayHead*>(object);
    const auto& dtype = *reinterpret_cast<const DtypeHead*>(head.descr);
    if (head.rank > kMaxRank || !numpy.format_of_head(dtype).type.valid()) return false;
    see_numpy(head, to);
    return true;
  }
  if (is_number(object)) {
    to.kept = Handle::share(object);
    return true;
  }
  if (!is_instance(object, state.array_type)) return false;
  see_ours(object, to);
  return true;
}

}  // namespace

void LastLaunch::Use::borrow(PyObject* const* given) {
  for (uint32_t i : reading_.borrowed_) {
    Loaned& loaned = reading_.arguments_->loaned;
    loaned.loans.push_back({.object = owner_of(given[i]).dup().release()});
    loaned.bytes += array_of(given[i]).bytes();
  }
}

void LastLaunch::keep(const KernelData& kernel, const Arguments& read, PyObject* const* given) {
  const uint32_t misses = ++misses_;
  Reading& to = readings_[older_];
  if (to.uses_ || misses == 1 ||
      (misses < kMostOften ? !std::has_single_bit(misses) : misses % kMostOften != 0))
    return;
  std::vector<SeenArgument> seen(read.count);
  std::vector<uint32_t> borrowed;
  for (uint32_t i = 0; i < read.count; ++i) {
    if (!see(*kernel.state, given[i], seen[i])) return;
    if (seen[i].kind == SeenArgument::OurArray && !is_host_memory(seen[i].place) &&
        !kernel.runs_anywhere())
      borrowed.push_back(i);
  }
  to.arguments_ = copy_of(read);
  to.readable_ = kernel.state->numpy.readable_array();
  to.number_ = kernel.readings;
  to.borrowed_.swap(borrowed);
  older_ ^= 1;
  to.seen_.swap(seen);  // the old ones end last: that may run a finaliser, which may launch
}

}  // namespace hetjit::python
