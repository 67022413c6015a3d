// A loaded kernel: module + entry + signature.
#pragma once

#include <memory>

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

  /// Checks the geometry (ErrorCode::Invalid), then enqueues.
  Status launch(const Geometry& geometry, Params params, Handle stream);

 private:
  Kernel(Device& device, Handle module, Handle function, uint32_t parameter_bytes)
      : device_(device), module_(module), function_(function), parameter_bytes_(parameter_bytes) {}
  Device& device_;
  Handle module_, function_;
  uint32_t parameter_bytes_;
};

}  // namespace hetjit::runtime
