// Which device an array's DLPack device is, and which one launches without arrays go to.
#pragma once

#include <array>
#include <string>

#include "abi/dlpack.h"
#include "python/ext/handles/handle.h"
#include "runtime/device.h"

namespace hetjit::python {

class Devices {
 public:
  /// The device that can reach memory of that kind. Null: an exception is set.
  runtime::Device* of_memory(DLDevice device);
  /// Whose memory an address is that an object of the CUDA Array Interface gives, which ROCm's
  /// libraries have too. The drivers know; machines in GPUs' place have the same addresses, so one
  /// of several must be `on`, the device of the launch (null: nobody said one). The first GPU where
  /// nobody knows: its launch will say what is wrong.
  DLDevice holder_of(const void* address, const runtime::Device* on);
  /// Whose GPUs such an object numbers: CUDA's, where there are any or none at all.
  DLDeviceType vendor();
  /// By name. Null: an exception is set.
  static runtime::Device* open(const std::string& name);
  /// By the name that a program gives. Null: an exception is set.
  static runtime::Device* named(Borrowed name);
  /// Where launches without arrays go: what use() said, else the first GPU present, else the CPU.
  runtime::Device* current();
  void use(runtime::Device* device) { current_ = device; }

  uint64_t queued = 0;  // launches that were lent nothing, since the last synchronisation
  const bool blocking = asked_to_block();  // a launch returns when it is done, GPUs' too

 private:
  static bool asked_to_block();  // HETJIT_LAUNCH_BLOCKING

  runtime::Device* first_of(DLDeviceType vendor);  // null: there is none

  static constexpr size_t kMost = 64;  // devices of one vendor
  runtime::Device* cpu_ = nullptr;
  runtime::Device* current_ = nullptr;
  std::array<runtime::Device*, kMost> cuda_{}, hip_{};
};

/// Memory that the host's code can read and write.
constexpr bool is_host_memory(DLDevice device) {
  return device.device_type == kDLCPU || device.device_type == kDLCUDAHost ||
         device.device_type == kDLROCMHost;
}

/// The DLPack device of a device's own memory.
DLDevice memory_of(const runtime::Device& device);

/// "the CPU", "cuda:1": for messages.
std::string place_text(DLDevice device);

}  // namespace hetjit::python
