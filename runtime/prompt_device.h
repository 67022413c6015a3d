// What devices have in common whose work is done when the calls for it return: streams order
// nothing and are mere names, and an event is the moment at which it was recorded.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "abi/fork_safe_mutex.h"
#include "runtime/device.h"

namespace hetjit::runtime {

class PromptDevice : public Device {
 public:
  Result<MemoryInfo> memory() override;
  Result<int> owner_of(Address) override { return 0; }
  Result<bool> reaches(Device& other) override { return this == &other; }
  Status reach(Device& other) override;
  Result<Address> allocate_as(MemoryKind kind, size_t bytes) override;
  Result<Address> allocate_on(Handle stream, Handle pool, size_t bytes) override;
  Status release_on(Handle stream, Address address) override;
  Result<Handle> make_pool() override;
  Status destroy_pool(Handle pool) override;
  Status trim_pool(Handle pool, size_t most) override;
  Result<uint32_t> registers(Handle function) override;
  Result<uint32_t> occupancy(Handle function, uint32_t threads, uint32_t shared_bytes) override;
  Status wait(Handle stream) override { return check_stream(stream); }
  Status wait_for_all() override { return ok(); }
  Result<bool> captures(Handle) override { return false; }
  Status begin_capture(Handle) override { return no_graphs(); }
  Result<Handle> end_capture(Handle) override { return no_graphs(); }
  Status launch_graph(Handle, Handle) override { return no_graphs(); }
  Status destroy_graph(Handle) override { return no_graphs(); }
  Result<bool> done(Handle stream) override;
  Result<Handle> make_stream(int priority) override;
  Status destroy_stream(Handle stream) override;
  Result<Handle> make_event(bool timed) override;
  Status destroy_event(Handle event) override;
  Status record(Handle event, Handle stream) override;
  Status follow(Handle event, Handle stream) override;
  Result<bool> passed(Handle event) override;
  Status wait_event(Handle event) override { return check_event(event); }
  Result<float> elapsed(Handle from, Handle to) override;

 protected:
  /// Whether a stream of that name was made here, or it is the default one.
  virtual Status check_stream(Handle stream);

 private:
  Error no_graphs() const;
  struct Mark {
    bool timed = true;
    std::optional<std::chrono::steady_clock::time_point> at;  // none: never recorded
  };
  Status check_event(Handle event);
  Status check_pool(Handle pool);

  ForkSafeMutex mutex_;  // all below
  std::set<Handle> streams_, pools_;
  std::map<Handle, Mark> events_;
  uintptr_t next_ = 0x10000;  // no number that somebody has for a size or a driver's default stream
};

}  // namespace hetjit::runtime
