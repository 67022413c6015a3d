// A launch with the arguments of one before, as in most loops: they are not read again. Two
// readings are kept, as many loops take turns: two buffers, two kinds of arrays. Arrays are told by
// where and how they lie, so that none is kept alive for it; of another library's its C functions
// tell that each time. Numbers, which cannot change, are told by their objects.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "python/ext/arguments/read_arguments.h"
#include "python/ext/arrays/array_object.h"
#include "python/ext/handles/handle.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/types/numpy.h"

namespace hetjit::python {

/// What the reading of one argument looked at.
struct SeenArgument {
  enum Kind : uint8_t { Number, NumpyArray, OurArray, LentArray };

  Kept kept;  // a number, the dtype of NumPy's array, the type of ours or of a library's
  Kind kind = Number;
  int rank = 0, flags = 0;
  const void* data = nullptr;
  uint64_t word = 0;  // of our array; of a library's where its elements begin
  DLDevice place{};
  const DLPackExchangeAPI* api = nullptr;  // of a library's
  DLDataType dtype{};                      // the same
  bool compact = false;                    // the same: it says nothing of strides
  std::array<Py_ssize_t, kMaxRank> extents, strides;

  bool is(PyObject* object, const PyTypeObject* numpy_array) const {
    if (kind == Number) return object == kept.get();
    if (kind == NumpyArray) return Py_TYPE(object) == numpy_array && is_numpy(object);
    return kind == OurArray ? is_ours(object) : is_lent(object);
  }

 private:
  bool is_numpy(PyObject* object) const {
    const auto& head = *reinterpret_cast<const ArrayHead*>(object);
    return head.data == data && head.descr == kept.get() && head.flags == flags &&
           head.rank == rank && lies_so(head.extents, head.strides);
  }
  bool is_ours(PyObject* object) const {
    if (reinterpret_cast<PyObject*>(Py_TYPE(object)) != kept.get()) return false;
    const DeviceArray& array = array_of(object);
    return array.value.data == data && array.word == word && array.value.rank == rank &&
           array.place.device_type == place.device_type &&
           array.place.device_id == place.device_id &&
           lies_so(array.value.shape, array.value.strides);
  }
  /// Asks the library, which may run Python.
  bool is_lent(PyObject* object) const;
  template <class Number>
  bool lies_so(const Number* shape, const Number* steps) const {
    for (int axis = 0; axis < rank; ++axis)
      if (shape[axis] != extents[axis] || steps[axis] != strides[axis]) return false;
    return true;
  }
};

/// Of one Bound. Guarded by the GIL.
class LastLaunch {
 public:
  /// What reading one argument for each parameter gave.
  class Reading {
   public:
    bool same(const KernelData& kernel, PyObject* const* given) {
      if (seen_.empty() || number_ != kernel.readings || (uses_ && !borrowed_.empty()))
        return false;
      ++uses_;  // for as long as a library is asked it stays
      bool all = true;
      for (const SeenArgument& seen : seen_)
        if (!(all = seen.is(*given++, readable_))) break;
      --uses_;
      return all;
    }

    /// What ran them last, as long as nothing has changed since. Null: it has to be found; an
    /// exception is set where looking failed.
    Specialization* ready(const KernelData& kernel) const {
      if (!ready_ || kernel.generations.empty()) return nullptr;
      const Generation& now = *kernel.generations.front();
      return now.number == generation_ && now.watches.hold() ? ready_ : nullptr;
    }
    /// It is what runs them, of a generation that may be the current one no more: it was compiled
    /// meanwhile. Where no array says on which device, that is asked each time.
    void served_by(const KernelData& kernel, Specialization& ready) {
      ready_ = kernel.options.on || arguments_->array >= 0 ? &ready : nullptr;
      generation_ = ready.generation;
    }

   private:
    friend LastLaunch;
    std::unique_ptr<Arguments> arguments_;
    Specialization* ready_ = nullptr;
    uint64_t generation_ = 0;
    std::vector<SeenArgument> seen_;  // empty: nothing is kept
    std::vector<uint32_t> borrowed_;  // arrays that each launch has to keep alive
    const PyTypeObject* readable_ = nullptr;
    uint64_t number_ = 0;  // KernelData::readings then
    uint32_t uses_ = 0;
  };

  /// The reading of these; null: it is not kept.
  Reading* find(const KernelData& kernel, PyObject* const* given) {
    for (Reading& reading : readings_)
      if (reading.same(kernel, given)) return &reading;
    return nullptr;
  }
  /// What arguments look like before they are read, where they are to be kept. Empty: they are not,
  /// or some are of other kinds, or the last few launches were all given others. Libraries may be
  /// asked, and run Python.
  std::vector<SeenArgument> look(const KernelData& kernel, const Parameters& parameters,
                                 PyObject* const* given);
  /// Whether they look so still, when they have been read.
  static bool is_so(const KernelData& kernel, const std::vector<SeenArgument>& seen,
                    PyObject* const* given);
  /// After a launch with what was read of them.
  void keep(const KernelData& kernel, const Arguments& read, std::vector<SeenArgument> seen);

  /// The arguments that are kept, for one launch: they stay as they are until it is done.
  class Use {
   public:
    Use(Reading& reading, PyObject* const* given) : reading_(reading) {
      ++reading.uses_;
      if (!reading.borrowed_.empty()) borrow(given);
    }
    ~Use() {
      if (!reading_.borrowed_.empty()) reading_.arguments_->loaned.give_back();
      --reading_.uses_;
    }
    Use(const Use&) = delete;
    Arguments& arguments() const { return *reading_.arguments_; }

   private:
    void borrow(PyObject* const* given);
    Reading& reading_;
  };

 private:
  std::array<Reading, 2> readings_;
  uint32_t misses_ = 0;
  uint32_t older_ = 0;  // of the two readings
};

}  // namespace hetjit::python
