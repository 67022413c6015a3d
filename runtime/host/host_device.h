// The processor as a device: threads take blocks of the grid. Launches are done when they return.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "abi/fork_safe_mutex.h"
#include "runtime/host/thread_pool.h"
#include "runtime/prompt_device.h"

namespace hetjit::runtime {

class HostDevice final : public PromptDevice {
 public:
  /// Errors: Invalid for a HETJIT_NUM_THREADS that is no number.
  static Result<std::unique_ptr<HostDevice>> make(HostLinker linker);
  HostDevice(HostLinker linker, uint32_t threads);
  ~HostDevice() override;

  const std::string& name() const override { return info_.name; }
  const DeviceInfo& info() const override { return info_; }
  Result<Handle> load(const KernelImage& image) override;
  Status unload(Handle module) override;
  Result<Handle> find(Handle module, const std::string& entry) override;
  Result<Address> global(Handle module, const std::string& symbol) override;
  Result<Address> allocate(size_t bytes) override;
  Status release(Address address) override;
  Status copy_in(Address to, const void* from, size_t bytes, Handle stream) override;
  Status copy_out(void* to, Address from, size_t bytes, Handle stream) override;
  Status copy_within(Address to, Address from, size_t bytes, Handle stream) override;
  Status fill(Address to, uint8_t value, size_t bytes, Handle stream) override;
  Status launch(Handle function, const Geometry& geometry, Params params, Handle stream) override;

 private:
  struct Function;
  struct LoadedModule;

  const HostLinker linker_;
  DeviceInfo info_;
  ThreadPool pool_;
  ForkSafeMutex mutex_;  // all below
  std::map<Handle, std::unique_ptr<LoadedModule>> modules_;
  std::set<Address> memory_;
};

}  // namespace hetjit::runtime
