// A GPU's memory: of which kind, whose, copied.
#include <algorithm>
#include <mutex>

#include "runtime/gpu/gpu_calls.h"

namespace hetjit::runtime {
namespace {

constexpr int kDeviceOrdinal = 9;                    // pointer attribute, both vendors
constexpr unsigned kForAllStreams = 1;               // of managed memory, both vendors
constexpr unsigned kForAllDevices = 1;               // of pinned memory, both vendors
constexpr unsigned kFineGrained = 1, kUncached = 3;  // HIP's flags of memory
constexpr int kReachedAlready = 704;                 // both vendors

}  // namespace

Result<Address> GpuDevice::allocate(size_t bytes) {
  Entered here(*context_);
  HETJIT_TRY(here.status());
  const BesideCaptures beside(api_);
  Address address = 0;
  const int code = api_.allocate(&address, std::max<size_t>(bytes, 1));
  if (code != 0) return api_.error(code, name(), "allocate " + std::to_string(bytes) + " bytes");
  return address;
}

// Memory of the host has a call of its own to be given back by.
bool GpuDevice::take_pinned(Address address) {
  if (!pinned_count_.load(std::memory_order_relaxed)) return false;
  std::lock_guard lock(pinned_mutex_);
  if (!pinned_.erase(address)) return false;
  pinned_count_.fetch_sub(1, std::memory_order_relaxed);
  return true;
}

void GpuDevice::add_pinned(Address address) {
  std::lock_guard lock(pinned_mutex_);
  if (pinned_.insert(address).second) pinned_count_.fetch_add(1, std::memory_order_relaxed);
}

Status GpuDevice::release(Address address) {
  if (address == 0) return ok();
  const BesideCaptures beside(api_);
  if (!take_pinned(address)) return ask("release memory", api_.release, address);
  const Status done = ask("release pinned memory", api_.release_pinned, address);
  if (!done.ok()) add_pinned(address);
  return done;
}

Error GpuDevice::lacks(const char* what) const {
  return {ErrorCode::Unsupported, name() + " has no " + what + ": " + api_.library + " knows none"};
}

template <class... Taken, class... Given>
Result<Address> GpuDevice::allocate_by(const char* kind, int (*call)(Address*, size_t, Taken...),
                                       size_t bytes, Given... given) {
  if (!call) return lacks(kind);
  Entered here(*context_);
  HETJIT_TRY(here.status());
  const BesideCaptures beside(api_);
  Address address = 0;
  const int code = call(&address, std::max<size_t>(bytes, 1), given...);
  if (code == 0) return address;
  return api_.error(code, name(), "allocate " + std::to_string(bytes) + " bytes of " + kind);
}

Result<Address> GpuDevice::allocate_as(MemoryKind kind, size_t bytes) {
  if (kind == MemoryKind::Managed)
    return allocate_by("managed memory", api_.allocate_managed, bytes, kForAllStreams);
  if (kind == MemoryKind::Pinned) {
    Result<Address> made =
        allocate_by("pinned memory", api_.allocate_pinned, bytes, kForAllDevices);
    if (made) add_pinned(*made);
    return made;
  }
  const bool fine = kind == MemoryKind::FineGrained;
  return allocate_by(fine ? "fine-grained memory" : "uncached memory", api_.allocate_flagged, bytes,
                     fine ? kFineGrained : kUncached);
}

Result<Address> GpuDevice::allocate_on(Handle stream, Handle pool, size_t bytes) {
  if (pool) return allocate_by("a pool", api_.allocate_of, bytes, pool, stream);
  return allocate_by("a stream's memory", api_.allocate_on, bytes, stream);
}

Status GpuDevice::release_on(Handle stream, Address address) {
  if (address == 0) return ok();
  if (!api_.release_on) return lacks("memory in the order of streams");
  return ask("release memory", api_.release_on, address, stream);
}

Result<Handle> GpuDevice::make_pool() {
  if (!api_.pool_make) return lacks("pools of memory");
  PoolProperties properties;
  properties.device = index_;
  Handle pool = nullptr;
  HETJIT_TRY(ask("make a pool of memory", api_.pool_make, &pool, &properties));
  return pool;
}

Status GpuDevice::destroy_pool(Handle pool) {
  return ask("destroy a pool of memory", api_.pool_destroy, pool);
}

Status GpuDevice::trim_pool(Handle pool, size_t most) {
  return ask("trim a pool of memory", api_.pool_trim, pool, most);
}

Result<MemoryInfo> GpuDevice::memory() {
  size_t free = 0, total = 0;
  HETJIT_TRY(ask("tell how much memory it has", api_.memory_info, &free, &total));
  return MemoryInfo{free, total};
}

Result<int> GpuDevice::owner_of(Address address) {
  int number = 0;
  if (!api_.pointer_attribute)
    return Error{ErrorCode::Unsupported, api_.library + " cannot tell whose memory an address is"};
  HETJIT_TRY(ask("tell whose memory an address is", api_.pointer_attribute, &number, kDeviceOrdinal,
                 address));
  return number;
}

Result<bool> GpuDevice::reaches(Device& other) {
  if (this == &other) return true;
  const auto* peer = dynamic_cast<const GpuDevice*>(&other);
  if (!peer || &peer->api_ != &api_ || !api_.peer_reached) return false;
  if (!api_.context_reach && !api_.device_reach) return false;
  int reached = 0;
  HETJIT_TRY(ask("tell whether it reaches another's memory", api_.peer_reached, &reached, index_,
                 peer->index_));
  return reached != 0;
}

Status GpuDevice::reach(Device& other) {
  Result<bool> possible = reaches(other);
  if (!possible) return possible.error();
  if (!*possible)
    return Error{ErrorCode::Unsupported,
                 name() + " cannot reach the memory of " + other.name() + " directly"};
  if (this == &other) return ok();
  Entered here(*context_);
  HETJIT_TRY(here.status());
  const BesideCaptures beside(api_);
  const int code = context_->reach(*static_cast<GpuDevice&>(other).context_);
  return code == kReachedAlready ? ok() : check(code, "reach another's memory");
}

Status GpuDevice::copy_in(Address to, const void* from, size_t bytes, Handle stream) {
  return bytes == 0 ? ok() : ask("copy to the device", api_.copy_in, to, from, bytes, stream);
}

Status GpuDevice::copy_out(void* to, Address from, size_t bytes, Handle stream) {
  return bytes == 0 ? ok() : ask("copy from the device", api_.copy_out, to, from, bytes, stream);
}

Status GpuDevice::copy_within(Address to, Address from, size_t bytes, Handle stream) {
  return bytes == 0 ? ok() : ask("copy its memory", api_.copy_within, to, from, bytes, stream);
}

Status GpuDevice::fill(Address to, uint8_t value, size_t bytes, Handle stream) {
  return bytes == 0 ? ok() : ask("fill its memory", api_.fill, to, value, bytes, stream);
}

}  // namespace hetjit::runtime
