// A device without hardware: memory is the host's, a launch does nothing. It records what it was
// asked and fails when told to, for tests; it costs next to nothing, for measuring what lies above
// it; and it is the template of a new backend.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "abi/fork_safe_mutex.h"
#include "runtime/prompt_device.h"

namespace hetjit::runtime {

class NullDevice final : public PromptDevice {
 public:
  enum class Call : uint8_t {
    Load,
    Unload,
    Find,
    Global,
    Allocate,
    Release,
    CopyIn,
    CopyOut,
    CopyWithin,
    Fill,
    Launch,
    Wait,
    MakeStream,
    DestroyStream,
    MakeEvent,
    Record,
    Follow,
  };

  NullDevice();
  ~NullDevice() override;

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
  Status wait(Handle stream) override;
  Status wait_for_all() override;
  Result<Handle> make_stream(int priority) override;
  Status destroy_stream(Handle stream) override;
  Result<Handle> make_event(bool timed) override;
  Status record(Handle event, Handle stream) override;
  Status follow(Handle event, Handle stream) override;

  /// From now on, remember each call in words (or no longer). Off at first.
  void record(bool on);
  /// What was remembered, oldest first, and forgets it:
  /// "launch fill grid (4, 1, 1) block (32, 1, 1) shared 0 parameters 24 stream 0".
  std::vector<std::string> take_calls();
  /// The next call of that kind fails with this error; only that one.
  void fail_next(Call call, Error error);
  /// Launches since the device was made, recorded or not.
  uint64_t launches() const { return launches_.load(std::memory_order_relaxed); }

 private:
  struct LoadedModule;
  // Null when the call may go on. Takes the lock only when somebody watches.
  Status begin(Call call, const std::string& text);
  Status no_such(const char* what) const;
  Status check_stream(Handle) override { return ok(); }  // of any library

  DeviceInfo info_;
  std::atomic<bool> watched_{false};  // recording, or a failure is waiting
  std::atomic<uint64_t> launches_{0};
  ForkSafeMutex mutex_;  // all below
  bool recording_ = false;
  std::vector<std::string> calls_;
  std::map<Call, Error> failures_;
  std::map<Handle, std::unique_ptr<LoadedModule>> modules_;
  std::map<Address, size_t> memory_;  // bytes
};

}  // namespace hetjit::runtime
