// A GPU, CUDA or HIP. Stream handles are the vendor's own.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "abi/fork_safe_mutex.h"
#include "runtime/gpu/gpu_context.h"

namespace hetjit::runtime {

class GpuDevice final : public Device {
 public:
  /// The driver is started (open_driver). `api` must outlive the device.
  static Result<std::unique_ptr<GpuDevice>> make(const GpuApi& api, int index);
  ~GpuDevice() override;

  const std::string& name() const override { return info().name; }
  const DeviceInfo& info() const override { return context_->info(); }
  Result<Handle> load(const KernelImage& image) override;
  Status unload(Handle module) override;
  Result<Handle> find(Handle module, const std::string& entry) override;
  Result<Address> global(Handle module, const std::string& symbol) override;
  Result<Address> allocate(size_t bytes) override;
  Status release(Address address) override;
  Result<Address> allocate_as(MemoryKind kind, size_t bytes) override;
  Result<Address> allocate_on(Handle stream, Handle pool, size_t bytes) override;
  Status release_on(Handle stream, Address address) override;
  Result<Handle> make_pool() override;
  Status destroy_pool(Handle pool) override;
  Status trim_pool(Handle pool, size_t most) override;
  Result<MemoryInfo> memory() override;
  Result<int> owner_of(Address address) override;
  Result<bool> reaches(Device& other) override;
  Status reach(Device& other) override;
  Status copy_in(Address to, const void* from, size_t bytes, Handle stream) override;
  Status copy_out(void* to, Address from, size_t bytes, Handle stream) override;
  Status copy_within(Address to, Address from, size_t bytes, Handle stream) override;
  Status fill(Address to, uint8_t value, size_t bytes, Handle stream) override;
  Status launch(Handle function, const Geometry& geometry, Params params, Handle stream) override;
  Result<uint32_t> registers(Handle function) override;
  Result<uint32_t> occupancy(Handle function, uint32_t threads, uint32_t shared_bytes) override;
  Status wait(Handle stream) override;
  Status wait_for_all() override;
  Result<bool> captures(Handle stream) override;
  Status begin_capture(Handle stream) override;
  Result<Handle> end_capture(Handle stream) override;
  Status launch_graph(Handle graph, Handle stream) override;
  Status destroy_graph(Handle graph) override;
  Result<bool> done(Handle stream) override;
  Result<Handle> make_stream(int priority) override;
  Status destroy_stream(Handle stream) override;
  Result<Handle> make_event(bool timed) override;
  Status destroy_event(Handle event) override;
  Status record(Handle event, Handle stream) override;
  Status follow(Handle event, Handle stream) override;
  Result<bool> passed(Handle event) override;
  Status wait_event(Handle event) override;
  Result<float> elapsed(Handle from, Handle to) override;

 private:
  struct Function;
  struct LoadedModule;
  class Entered;
  class BesideCaptures;
  GpuDevice(const GpuApi& api, std::unique_ptr<GpuContext> context, int index);
  Status check(int code, const char* what) const { return api_.check(code, name(), what); }
  /// A call of the driver with the device current.
  template <class... Taken, class... Given>
  Status ask(const char* what, int (*call)(Taken...), Given... given);
  /// One of the calls that allocate; null where the library has it not.
  template <class... Taken, class... Given>
  Result<Address> allocate_by(const char* kind, int (*call)(Address*, size_t, Taken...),
                              size_t bytes, Given... given);
  Error lacks(const char* what) const;
  bool take_pinned(Address address);  // whether it was there
  void add_pinned(Address address);
  Result<bool> ready(const char* what, int (*query)(Handle), Handle asked);
  Status check_image(const KernelImage& image) const;
  Status launch_with(Function& kernel, const Geometry& geometry, Handle stream,
                     const std::vector<LaunchAttribute>& attributes, void** extra);
  Status launch_error(int code, const Function& function, const Geometry& geometry) const;

  const GpuApi& api_;
  const std::unique_ptr<GpuContext> context_;
  const int index_;
  std::atomic<uint32_t> pinned_count_{0};
  ForkSafeMutex pinned_mutex_;  // not held in a call of the driver
  std::set<Address> pinned_;
};

/// A machine that stands in for a GPU (emulated_gpu_api). Its calls may run Python, so no lock of
/// ours may be held.
struct EmulatedDevice {
  std::unique_ptr<GpuApi> api;
  std::unique_ptr<GpuDevice> device;
};
Result<EmulatedDevice> open_emulated(Vendor vendor, const std::string& name,
                                     void* (*find)(const char* symbol));

/// A vendor's library, opened and started, and its number of devices, at least 1.
struct GpuDriver {
  std::unique_ptr<GpuApi> api;
  int devices = 0;
};
/// Errors: Unavailable, "cuda: libcuda.so.1: cannot open shared object file: …", "cuda:
/// libcuda.so.1 finds no device: CUDA_ERROR_NO_DEVICE (100), …".
Result<GpuDriver> open_driver(Vendor vendor);

}  // namespace hetjit::runtime
