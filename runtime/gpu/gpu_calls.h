// How a GpuDevice calls its driver. Private to gpu_*.cpp.
#pragma once

#include <atomic>
#include <map>
#include <string>

#include "abi/fork_safe_mutex.h"
#include "runtime/gpu/gpu_device.h"

namespace hetjit::runtime {

inline constexpr int kRelaxed = 2;  // mode of captures, both vendors

// How much dynamic shared memory the driver lets a function have is a state of the function: it is
// raised when a launch wants more.
struct GpuDevice::Function {
  Handle handle = nullptr;
  std::string entry;
  bool waits = false;  // its code waits for the launches before it, so that it may begin early
  std::atomic<uint32_t> shared_bytes{0};
};

struct GpuDevice::LoadedModule {
  Handle handle = nullptr;
  bool waits = false;  // as of its functions
  ForkSafeMutex mutex;
  std::map<std::string, Function> functions;
};

// The device is current on this thread as long as one of these lives.
class GpuDevice::Entered {
 public:
  explicit Entered(GpuContext& context) : context_(context), status_(context.enter(before_)) {}
  ~Entered() {
    if (status_.ok()) context_.leave(before_);
  }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  const Status& status() const { return status_; }

 private:
  GpuContext& context_;
  Handle before_ = nullptr;
  Status status_;
};

// Some calls would spoil a capture of a graph, anybody's, on whatever stream, although they have
// nothing to do with it. Not as long as one of these lives.
class GpuDevice::BesideCaptures {
 public:
  explicit BesideCaptures(const GpuApi& api) : api_(api) { exchange(); }
  ~BesideCaptures() { exchange(); }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  void exchange() {
    if (api_.capture_mode) api_.capture_mode(&mode_);
  }
  const GpuApi& api_;
  int mode_ = kRelaxed;
};

template <class... Taken, class... Given>
Status GpuDevice::ask(const char* what, int (*call)(Taken...), Given... given) {
  Entered here(*context_);
  HETJIT_TRY(here.status());
  return check(call(given...), what);
}

}  // namespace hetjit::runtime
