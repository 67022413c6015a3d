// What truly differs between CUDA and HIP: how a device is made current, how it is described, and
// how code is loaded. The rest is GpuDevice.
#pragma once

#include <memory>
#include <string>

#include "runtime/gpu/gpu_api.h"

namespace hetjit::runtime {

/// Blocks of a cluster that every GPU with clusters holds; more one must ask for (CUDA C++
/// programming guide, thread block clusters).
inline constexpr uint32_t kPortableCluster = 8;

class GpuContext {
 public:
  virtual ~GpuContext() = default;

  virtual const DeviceInfo& info() const = 0;
  /// Makes the device current on this thread. `before` receives what leave() needs to put things
  /// back as they were: the thread is not ours, and others have devices current, too.
  virtual Status enter(Handle& before) = 0;
  virtual void leave(Handle before) = 0;
  /// The device is current. Errors carry the driver's own log.
  virtual Result<Handle> load(const KernelImage& image) = 0;
  /// Lets a function have that much dynamic shared memory, where one must ask.
  virtual Status allow_shared(Handle function, uint32_t bytes) = 0;
  /// Lets a function run in clusters of more blocks than any GPU that has clusters can hold.
  virtual Status allow_large_clusters(Handle function) = 0;
  /// Lets this device's kernels use the other's memory, of the same vendor. The driver's code.
  virtual int reach(const GpuContext& other) = 0;
  /// The word that ends the list of launch extras. Not the same for both!
  virtual void* end_of_extras() const = 0;
};

/// For device number `index` of a started driver.
Result<std::unique_ptr<GpuContext>> make_cuda_context(const GpuApi& api, int index);
Result<std::unique_ptr<GpuContext>> make_hip_context(const GpuApi& api, int index);

/// A device's number, name and limits. `attributes`: the vendor's numbers, in the order of the
/// members of DeviceInfo.
struct LimitAttributes {
  int threads_per_block;
  int block[3];
  int grid[3];
  int shared_bytes;
  int multiprocessors;
};
Result<int> find_device(const GpuApi& api, int index, const std::string& name);
/// Lets every thread of the current device have that much stack. Never less than before.
Status allow_stack(const GpuApi& api, const std::string& name, uint32_t bytes);
Status read_limits(const GpuApi& api, int device, const LimitAttributes& attributes,
                   DeviceInfo& info);

}  // namespace hetjit::runtime
