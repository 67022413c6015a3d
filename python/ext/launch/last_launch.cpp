#include "python/ext/launch/last_launch.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "python/ext/handles/errors.h"
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

// Of a library that asks nothing of who uses its arrays, where no stream is to be followed. False:
// it is another one.
bool see_lent(ArgumentType type, PyObject* object, bool anywhere, SeenArgument& to) {
  const Lender& lender = *type.lender;
  if (!type.api->dltensor_from_py_object_no_sync || lender.announce || lender.is_conjugated ||
      lender.is_negated)
    return false;
  DLTensor tensor;
  if (type.api->dltensor_from_py_object_no_sync(object, &tensor) != 0) return forget(), false;
  if (tensor.ndim < 0 || tensor.ndim > kMaxRank) return false;
  if (!anywhere && !is_host_memory(tensor.device)) return false;
  to.kind = SeenArgument::LentArray;
  to.kept = Handle::share(reinterpret_cast<PyObject*>(Py_TYPE(object)));
  to.api = type.api;
  to.data = tensor.data;
  to.word = tensor.byte_offset;
  to.rank = tensor.ndim;
  to.place = tensor.device;
  to.dtype = tensor.dtype;
  to.compact = !tensor.strides;
  std::copy_n(tensor.shape, to.rank, to.extents.begin());
  if (!to.compact) std::copy_n(tensor.strides, to.rank, to.strides.begin());
  return true;
}

// False: what this one means cannot be told without reading it.
bool see(const State& state, PyObject* object, bool anywhere, SeenArgument& to) {
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
  if (is_instance(object, state.array_type)) {
    see_ours(object, to);
    return true;
  }
  const ArgumentType* type = state.argument_types.find(Py_TYPE(object));
  return type && type->way == Way::ExchangeApi && see_lent(*type, object, anywhere, to);
}

}  // namespace

bool SeenArgument::is_lent(PyObject* object) const {
  if (reinterpret_cast<PyObject*>(Py_TYPE(object)) != kept.get()) return false;
  DLTensor now;
  if (api->dltensor_from_py_object_no_sync(object, &now) != 0) return forget(), false;
  if (now.data != data || now.byte_offset != word || now.ndim != rank ||
      std::memcmp(&now.dtype, &dtype, sizeof dtype) != 0 ||
      now.device.device_type != place.device_type || now.device.device_id != place.device_id ||
      compact != !now.strides)
    return false;
  return lies_so(now.shape, compact ? strides.data() : now.strides);
}

void LastLaunch::Use::borrow(PyObject* const* given) {
  for (uint32_t i : reading_.borrowed_) {
    Loaned& loaned = reading_.arguments_->loaned;
    loaned.loans.push_back({.object = owner_of(given[i]).dup().release()});
    loaned.bytes += array_of(given[i]).bytes();
  }
}

std::vector<SeenArgument> LastLaunch::look(const KernelData& kernel, const Parameters& parameters,
                                           PyObject* const* given) {
  const uint32_t misses = ++misses_;
  if (misses == 1 ||
      (misses < kMostOften ? !std::has_single_bit(misses) : misses % kMostOften != 0))
    return {};
  std::vector<SeenArgument> seen(parameters.count());
  for (SeenArgument& one : seen)
    if (!see(*kernel.state, *given++, kernel.runs_anywhere(), one)) return {};
  return seen;
}

bool LastLaunch::is_so(const KernelData& kernel, const std::vector<SeenArgument>& seen,
                       PyObject* const* given) {
  const PyTypeObject* numpy_array = kernel.state->numpy.readable_array();
  return std::ranges::all_of(
      seen, [&](const SeenArgument& one) { return one.is(*given++, numpy_array); });
}

void LastLaunch::keep(const KernelData& kernel, const Arguments& read,
                      std::vector<SeenArgument> seen) {
  Reading& to = readings_[older_];
  if (to.uses_) return;
  std::vector<uint32_t> borrowed;
  for (uint32_t i = 0; i < read.count; ++i)
    if (seen[i].kind == SeenArgument::OurArray && !is_host_memory(seen[i].place) &&
        !kernel.runs_anywhere())
      borrowed.push_back(i);
  to.arguments_ = copy_of(read);
  to.ready_ = nullptr;
  to.readable_ = kernel.state->numpy.readable_array();
  to.number_ = kernel.readings;
  to.borrowed_.swap(borrowed);
  older_ ^= 1;
  to.seen_.swap(seen);  // the old ones end last: that may run a finaliser, which may launch
}

}  // namespace hetjit::python
