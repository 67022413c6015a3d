#include "runtime/prompt_device.h"

#include <sys/sysinfo.h>

#include <mutex>

namespace hetjit::runtime {
namespace {

Error no_such(const Device& device, const char* what) {
  return {ErrorCode::Invalid, device.name() + " has no such " + what};
}

Error without_multiprocessors(const Device& device) {
  return {
      ErrorCode::Unsupported,
      device.name() + " has no multiprocessors, which hold as many blocks as their registers " +
          "suffice for: what a kernel needs of them is known when it has been launched on a GPU"};
}

}  // namespace

Status PromptDevice::check_stream(Handle stream) {
  if (!stream) return ok();
  std::lock_guard lock(mutex_);
  return streams_.count(stream) ? ok() : Status(no_such(*this, "stream"));
}

Result<MemoryInfo> PromptDevice::memory() {
  struct sysinfo host;
  if (sysinfo(&host) != 0)
    return Error{ErrorCode::Unavailable, name() + " cannot tell how much memory it has"};
  return MemoryInfo{uint64_t{host.freeram + host.bufferram} * host.mem_unit,
                    uint64_t{host.totalram} * host.mem_unit};
}

// All of it is the host's, which its threads see alike.
Result<Address> PromptDevice::allocate_as(MemoryKind kind, size_t bytes) {
  if (kind == MemoryKind::Uncached)
    return Error{ErrorCode::Unsupported, name() + " has no memory that is not cached"};
  return allocate(bytes);
}

Status PromptDevice::reach(Device& other) {
  if (this == &other) return ok();
  return Error{ErrorCode::Unsupported,
               name() + " cannot reach the memory of " + other.name() + " directly"};
}

Result<Address> PromptDevice::allocate_on(Handle stream, Handle pool, size_t bytes) {
  HETJIT_TRY(check_stream(stream));
  if (pool) HETJIT_TRY(check_pool(pool));
  return allocate(bytes);
}

Status PromptDevice::release_on(Handle stream, Address address) {
  HETJIT_TRY(check_stream(stream));
  return release(address);
}

Status PromptDevice::check_pool(Handle pool) {
  std::lock_guard lock(mutex_);
  return pools_.count(pool) ? ok() : Status(no_such(*this, "pool"));
}

Result<Handle> PromptDevice::make_pool() {
  std::lock_guard lock(mutex_);
  Handle handle = reinterpret_cast<Handle>(next_++);
  pools_.insert(handle);
  return handle;
}

Status PromptDevice::destroy_pool(Handle pool) {
  std::lock_guard lock(mutex_);
  return pools_.erase(pool) ? ok() : Status(no_such(*this, "pool"));
}

Status PromptDevice::trim_pool(Handle pool, size_t) { return check_pool(pool); }

Error PromptDevice::no_graphs() const {
  return {ErrorCode::Unsupported,
          name() + " has no graphs: what is launched on it is done at once"};
}

Result<bool> PromptDevice::done(Handle stream) {
  HETJIT_TRY(check_stream(stream));
  return true;
}

Result<uint32_t> PromptDevice::registers(Handle) { return without_multiprocessors(*this); }

Result<uint32_t> PromptDevice::occupancy(Handle, uint32_t, uint32_t) {
  return without_multiprocessors(*this);
}

Result<Handle> PromptDevice::make_stream(int) {
  std::lock_guard lock(mutex_);
  Handle handle = reinterpret_cast<Handle>(next_++);
  streams_.insert(handle);
  return handle;
}

Status PromptDevice::destroy_stream(Handle stream) {
  std::lock_guard lock(mutex_);
  return streams_.erase(stream) ? ok() : Status(no_such(*this, "stream"));
}

Result<Handle> PromptDevice::make_event(bool timed) {
  std::lock_guard lock(mutex_);
  Handle handle = reinterpret_cast<Handle>(next_++);
  events_[handle] = {timed, std::nullopt};
  return handle;
}

Status PromptDevice::destroy_event(Handle event) {
  std::lock_guard lock(mutex_);
  return events_.erase(event) ? ok() : Status(no_such(*this, "event"));
}

Status PromptDevice::check_event(Handle event) {
  std::lock_guard lock(mutex_);
  return events_.count(event) ? ok() : Status(no_such(*this, "event"));
}

Status PromptDevice::record(Handle event, Handle stream) {
  HETJIT_TRY(check_stream(stream));
  HETJIT_TRY(check_event(event));
  std::lock_guard lock(mutex_);
  events_[event].at = std::chrono::steady_clock::now();
  return ok();
}

Status PromptDevice::follow(Handle event, Handle stream) {
  HETJIT_TRY(check_stream(stream));
  return check_event(event);
}

Result<bool> PromptDevice::passed(Handle event) {
  HETJIT_TRY(check_event(event));
  return true;
}

Result<float> PromptDevice::elapsed(Handle from, Handle to) {
  HETJIT_TRY(check_event(from));
  HETJIT_TRY(check_event(to));
  std::lock_guard lock(mutex_);
  const Mark &first = events_[from], &last = events_[to];
  if (!first.timed || !last.timed)
    return Error{ErrorCode::Invalid, name() + ": an event made with timed=False has no time"};
  if (!first.at || !last.at)
    return Error{ErrorCode::Invalid, name() + ": an event never recorded has no time"};
  return std::chrono::duration<float, std::milli>(*last.at - *first.at).count();
}

}  // namespace hetjit::runtime
