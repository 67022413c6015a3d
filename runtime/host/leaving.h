// A kernel that is left in the middle: from a call that a loop of it makes (attend) back to where
// it was begun, past frames of compiled code, which have nothing to give back.
#pragma once

#include <utility>

#include "abi/kernel_image.h"

namespace hetjit::runtime {

/// Where a thread goes that leaves; while one lives.
class LeavingPoint {
 public:
  explicit LeavingPoint(const Geometry& geometry)
      : geometry_(geometry), outer_(std::exchange(innermost_, this)) {}
  ~LeavingPoint() { innermost_ = outer_; }
  LeavingPoint(const LeavingPoint&) = delete;
  LeavingPoint& operator=(const LeavingPoint&) = delete;

  static const LeavingPoint* innermost() { return innermost_; }
  const Geometry& geometry() const { return geometry_; }
  [[noreturn]] void leave() const { __builtin_longjmp(const_cast<void**>(place), 1); }

  void* place[5];  // __builtin_setjmp's

 private:
  const Geometry& geometry_;
  LeavingPoint* const outer_;
  static inline thread_local LeavingPoint* innermost_ = nullptr;
};

/// Runs work that calls the kernel of a launch. Between the two no function may have anything to
/// give back.
template <class Work>
[[gnu::noinline]] void run_or_leave(const Geometry& geometry, Work&& work) {
  LeavingPoint point(geometry);
  if (__builtin_setjmp(point.place) == 0) work();
}

}  // namespace hetjit::runtime
