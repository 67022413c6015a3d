// What a backend must do, with raw handles; owning wrappers are in handles.h. Adding a backend:
// copy null/, see README.md. All calls are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "abi/kernel_image.h"
#include "abi/status.h"

namespace hetjit::runtime {

using Handle = void*;  // a module, function or stream of the backend; null is the default stream
using Address = uint64_t;  // device memory

/// The bytes of a parameter block (abi/layout.h, parameter_block).
struct Params {
  const std::byte* data = nullptr;
  size_t bytes = 0;
};

/// Facts that compilation and launches need.
struct DeviceInfo {
  TargetName target;        // what to compile for
  std::string description;  // "NVIDIA H200", "AMD EPYC, 2 threads"
  uint32_t max_threads_per_block = 1024;
  uint32_t max_block[3] = {1024, 1024, 64};
  uint32_t max_grid[3] = {2147483647u, 65535, 65535};
  uint32_t max_shared_bytes = 49152;
  uint32_t multiprocessors = 1;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const std::string& name() const = 0;  // "cuda:0", "hip:1", "cpu", "null"
  virtual const DeviceInfo& info() const = 0;
  virtual Result<Handle> load(const KernelImage& image) = 0;  // a module
  virtual Status unload(Handle module) = 0;
  virtual Result<Handle> find(Handle module, const std::string& entry) = 0;  // a function
  virtual Result<Address> allocate(size_t bytes) = 0;
  virtual Status release(Address) = 0;
  virtual Status copy_in(Address to, const void* from, size_t bytes, Handle stream) = 0;
  virtual Status copy_out(void* to, Address from, size_t bytes, Handle stream) = 0;
  /// Asynchronous on GPUs, synchronous on the host. The parameters are copied before it returns.
  virtual Status launch(Handle function, const Geometry& geometry, Params params,
                        Handle stream) = 0;
  virtual Status wait(Handle stream) = 0;
  virtual Result<Handle> make_stream() = 0;
  virtual Status destroy_stream(Handle stream) = 0;
};

/// Host object bytes to callable code; passed in by python/ext, so that runtime/ never sees LLVM.
class HostCode {
 public:
  virtual ~HostCode() = default;
  virtual void* find(const std::string& symbol) = 0;
};
using HostLinker =
    std::function<Result<std::unique_ptr<HostCode>>(std::span<const std::byte> object)>;

/// Checks a launch's geometry against the device: ErrorCode::Invalid with a sentence that names the
/// value found and the limit (grid of 0, block of 2000 threads, …).
Status check_geometry(const Geometry& geometry, const DeviceInfo& info);

}  // namespace hetjit::runtime
