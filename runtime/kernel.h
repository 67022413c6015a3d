// A loaded kernel: module + entry + signature.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <memory>
#include <mutex>
#include <string>

#include "abi/fork_safe_mutex.h"
#include "abi/messages.h"
#include "runtime/device.h"

namespace hetjit::runtime {

class Kernel {
 public:
  /// Loads the image on the device.
  static Result<std::unique_ptr<Kernel>> load(Device& device, const KernelImage& image);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  Device& device() const { return device_; }
  uint32_t parameter_bytes() const { return parameter_bytes_; }

  /// Which arrays of its arguments it may store to.
  ArraySet stored() const { return stored_; }

  /// Checks the geometry (ErrorCode::Invalid), then enqueues.
  Status launch(const Geometry& geometry, Params params, Handle stream);

  /// Whether its code may raise or print.
  bool speaks() const { return !sites_.empty(); }
  const Sites& sites() const { return sites_; }
  const std::string& entry() const { return entry_; }
  /// What launches have said since it was last asked, of those that are done: wait for their stream
  /// first. Reads and clears device memory, in the order of the stream.
  Result<Report> listen(Handle stream);
  /// Both, for a device whose launches are done when they return. One at a time, so that what is
  /// said is this launch's. What was said is in `report` even when the launch failed.
  Status launch_and_listen(const Geometry& geometry, Params params, Handle stream, Report& report);

 private:
  Kernel(Device& device, Handle module, Handle function, const KernelImage& image)
      : device_(device),
        module_(module),
        function_(function),
        parameter_bytes_(image.parameter_bytes),
        grid_barrier_(image.grid_barrier),
        stored_(image.stored),
        sites_(image.sites),
        entry_(image.entry) {}
  Status find_boxes();
  Status read_error_box(Handle stream, Report& report);
  Status read_print_box(Handle stream, Report& report);

  Device& device_;
  Handle module_, function_;
  uint32_t parameter_bytes_;
  const bool grid_barrier_;
  const ArraySet stored_;
  const Sites sites_;
  const std::string entry_;
  Address error_box_ = 0, print_box_ = 0;  // 0: nothing of the kind is said

  /// One launch at a time says something. A forked child has a lock of its own: the thread that may
  /// have held the parent's is not there.
  std::mutex& speaking();
  ForkSafeMutex choosing_;  // guards the two below
  pid_t speaker_ = getpid();
  std::unique_ptr<std::mutex> speaking_ = std::make_unique<std::mutex>();
};

}  // namespace hetjit::runtime
