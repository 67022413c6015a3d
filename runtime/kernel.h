// A loaded kernel: module + entry + signature.
#pragma once

#include <list>
#include <memory>
#include <string>
#include <vector>

#include "abi/fork_safe_mutex.h"
#include "abi/messages.h"
#include "runtime/device.h"
#include "runtime/handles.h"

namespace hetjit::runtime {

class Kernel {
 public:
  /// Loads the image on the device.
  static Result<std::unique_ptr<Kernel>> load(Device& device, const KernelImage& image);
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  Device& device() const { return device_; }
  uint32_t parameter_bytes() const { return image_.parameter_bytes; }

  /// Which arrays of its arguments it may store to.
  ArraySet stored() const { return image_.stored; }

  /// Checks the geometry (ErrorCode::Invalid), then enqueues.
  Status launch(const Geometry& geometry, Params params, Handle stream);
  /// Whether it could be launched so. Errors: Invalid.
  Status check_launch(const Geometry& geometry, Params params) const;
  /// What check_launch has found right, for those who launch so again and again.
  Status launch_checked(const Geometry& geometry, Params params, Handle stream) {
    return device_.launch(copies_.front().function, geometry, params, stream);
  }

  /// Of a thread (ErrorCode::Unsupported where threads share none).
  Result<uint32_t> registers();
  /// Blocks of that shape that a multiprocessor holds at a time. Errors: also Invalid, for a block
  /// that could not be launched.
  Result<uint32_t> occupancy(const uint32_t (&block)[3], uint32_t shared_bytes);

  /// Whether its code may raise or print.
  bool speaks() const { return !image_.sites.empty(); }
  const Sites& sites() const { return image_.sites; }
  const std::string& entry() const { return image_.entry; }
  /// What launches have said since it was last asked, of those that are done: wait for their stream
  /// first. Reads and clears device memory, in the order of the stream.
  Result<Report> listen(Handle stream);
  /// Both, for a device whose launches are done when they return. What is said is this launch's:
  /// launches at the same time, of several threads or one inside another, each have a copy of the
  /// module. What was said is in `report` even when the launch failed.
  Status launch_and_listen(const Geometry& geometry, Params params, Handle stream, Report& report);

 private:
  /// A loaded module, its entry, and where it leaves what it says; 0: nothing of the kind is said.
  struct Copy {
    Module module;
    Handle function = nullptr;
    Address error_box = 0, print_box = 0;
  };

  Kernel(Device& device, const KernelImage& image);
  Result<Copy> load_copy(const KernelImage& image) const;
  Status check(const Geometry& geometry) const;
  /// A copy that no launch uses.
  Result<Copy*> take();
  Status launch(const Copy& copy, const Geometry& geometry, Params params, Handle stream);
  Result<Report> listen(const Copy& copy, Handle stream);
  Status read_error_box(const Copy& copy, Handle stream, Report& report);
  Status read_print_box(const Copy& copy, Handle stream, Report& report);

  Device& device_;
  const KernelImage image_;  // without code where one copy is enough

  // What a forked child finds taken stays taken: whose it was is not there.
  ForkSafeMutex mutex_;     // guards the two below, never during a launch
  std::list<Copy> copies_;  // the first one is there from the beginning
  std::vector<Copy*> idle_;
};

}  // namespace hetjit::runtime
