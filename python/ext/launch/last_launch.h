// A launch with the arguments of the one before, as in most loops: they are not read again. NumPy's
// arrays are told by where and how they lie, so that none is kept alive for it; numbers, which
// cannot change, by their objects.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "python/ext/arguments/read_arguments.h"
#include "python/ext/handles/handle.h"
#include "python/ext/launch/kernel_object.h"
#include "python/ext/types/numpy.h"

namespace hetjit::python {

/// Of one Bound. Guarded by the GIL.
class LastLaunch {
 public:
  /// Whether reading these, one for each parameter, would give the arguments that are kept.
  bool same(const KernelData& kernel, PyObject* const* given) const {
    if (seen_.empty() || reading_ != kernel.readings) return false;
    for (const Seen& seen : seen_)
      if (!seen.is(*given++, readable_)) return false;
    return true;
  }
  /// After a launch: keeps its arguments, unless there are some of other kinds, or the last few
  /// launches were all given others.
  void keep(const KernelData& kernel, const Arguments& read, PyObject* const* given);

  /// The arguments that are kept, for one launch: they stay as they are until it is done.
  class Use {
   public:
    explicit Use(LastLaunch& last) : last_(last) { ++last.uses_; }
    ~Use() { --last_.uses_; }
    Use(const Use&) = delete;
    Arguments& arguments() const { return *last_.arguments_; }

   private:
    LastLaunch& last_;
  };

 private:
  struct Seen {
    Kept kept;  // a number, or the dtype of an array
    bool is_array = false;
    char* data = nullptr;
    int rank = 0, flags = 0;
    std::array<Py_ssize_t, kMaxRank> extents, strides;

    bool is(PyObject* object, const PyTypeObject* array) const {
      if (!is_array) return object == kept.get();
      if (Py_TYPE(object) != array) return false;
      const auto& head = *reinterpret_cast<const ArrayHead*>(object);
      if (head.data != data || head.descr != kept.get() || head.flags != flags || head.rank != rank)
        return false;
      for (int axis = 0; axis < rank; ++axis)
        if (head.extents[axis] != extents[axis] || head.strides[axis] != strides[axis])
          return false;
      return true;
    }
  };

  static bool see(const Numpy& numpy, PyObject* object, Seen& to);

  std::unique_ptr<Arguments> arguments_;
  std::vector<Seen> seen_;  // empty: nothing is kept
  const PyTypeObject* readable_ = nullptr;
  uint64_t reading_ = 0;  // KernelData::readings then
  uint32_t misses_ = 0;
  uint32_t uses_ = 0;
};

}  // namespace hetjit::python
