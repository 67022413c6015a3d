#include "runtime/null/null_device.h"

#include <cstdlib>
#include <cstring>
#include <mutex>

namespace hetjit::runtime {
namespace {

constexpr size_t kAlignment = 64;  // bytes

std::string triple(const uint32_t (&size)[3]) {
  return "(" + std::to_string(size[0]) + ", " + std::to_string(size[1]) + ", " +
         std::to_string(size[2]) + ")";
}

std::string number(Handle handle) { return std::to_string(reinterpret_cast<uintptr_t>(handle)); }

}  // namespace

// A function is a name; its address is the handle.
struct NullDevice::LoadedModule {
  std::string entry;
  std::set<std::string> found;
  std::map<std::string, std::vector<std::byte>> globals;
};

// A global variable of any name is there: as many zeros as our largest has.
constexpr size_t kGlobalBytes = 1 << 20;

NullDevice::NullDevice() {
  info_.kind = DeviceKind::Null;
  info_.name = "null";
  info_.description = "a device that records and does nothing";
}

NullDevice::~NullDevice() {
  for (const auto& [address, bytes] : memory_) std::free(reinterpret_cast<void*>(address));
}

void NullDevice::record(bool on) {
  std::lock_guard lock(mutex_);
  recording_ = on;
  watched_ = recording_ || !failures_.empty();
}

std::vector<std::string> NullDevice::take_calls() {
  std::lock_guard lock(mutex_);
  return std::exchange(calls_, {});
}

void NullDevice::fail_next(Call call, Error error) {
  std::lock_guard lock(mutex_);
  failures_[call] = std::move(error);
  watched_ = true;
}

Status NullDevice::begin(Call call, const std::string& text) {
  std::lock_guard lock(mutex_);
  if (recording_) calls_.push_back(text);
  auto found = failures_.find(call);
  if (found == failures_.end()) return ok();
  Error error = std::move(found->second);
  failures_.erase(found);
  watched_ = recording_ || !failures_.empty();
  return error;
}

Status NullDevice::no_such(const char* what) const {
  return Error{ErrorCode::Invalid, std::string("null has no such ") + what};
}

Result<Handle> NullDevice::load(const KernelImage& image) {
  HETJIT_TRY(begin(Call::Load, "load " + image.entry));
  auto module = std::make_unique<LoadedModule>(LoadedModule{image.entry, {}, {}});
  Handle handle = module.get();
  std::lock_guard lock(mutex_);
  modules_[handle] = std::move(module);
  return handle;
}

Status NullDevice::unload(Handle module) {
  HETJIT_TRY(begin(Call::Unload, "unload"));
  std::lock_guard lock(mutex_);
  return modules_.erase(module) ? ok() : no_such("module");
}

Result<Handle> NullDevice::find(Handle module, const std::string& entry) {
  HETJIT_TRY(begin(Call::Find, "find " + entry));
  std::lock_guard lock(mutex_);
  auto found = modules_.find(module);
  if (found == modules_.end()) return no_such("module").error();
  if (found->second->entry != entry)
    return Error{ErrorCode::Invalid, "the image has no entry '" + entry + "'"};
  return Handle(const_cast<std::string*>(&*found->second->found.insert(entry).first));
}

Result<Address> NullDevice::global(Handle module, const std::string& symbol) {
  HETJIT_TRY(begin(Call::Global, "global " + symbol));
  std::lock_guard lock(mutex_);
  auto found = modules_.find(module);
  if (found == modules_.end()) return no_such("module").error();
  std::vector<std::byte>& bytes = found->second->globals[symbol];
  bytes.resize(kGlobalBytes);
  return reinterpret_cast<Address>(bytes.data());
}

Result<Address> NullDevice::allocate(size_t bytes) {
  HETJIT_TRY(begin(Call::Allocate, "allocate " + std::to_string(bytes)));
  void* memory = nullptr;
  if (posix_memalign(&memory, kAlignment, bytes ? bytes : 1) != 0)
    return Error{ErrorCode::OutOfMemory,
                 "null cannot allocate " + std::to_string(bytes) + " bytes"};
  std::lock_guard lock(mutex_);
  memory_[reinterpret_cast<Address>(memory)] = bytes;
  return reinterpret_cast<Address>(memory);
}

Status NullDevice::release(Address address) {
  HETJIT_TRY(begin(Call::Release, "release"));
  if (address == 0) return ok();
  std::lock_guard lock(mutex_);
  if (!memory_.erase(address)) return no_such("memory");
  std::free(reinterpret_cast<void*>(address));
  return ok();
}

Status NullDevice::copy_in(Address to, const void* from, size_t bytes, Handle stream) {
  HETJIT_TRY(begin(Call::CopyIn, "copy_in " + std::to_string(bytes) + " stream " + number(stream)));
  if (bytes) std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return ok();
}

Status NullDevice::copy_out(void* to, Address from, size_t bytes, Handle stream) {
  HETJIT_TRY(
      begin(Call::CopyOut, "copy_out " + std::to_string(bytes) + " stream " + number(stream)));
  if (bytes) std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return ok();
}

Status NullDevice::copy_within(Address to, Address from, size_t bytes, Handle stream) {
  HETJIT_TRY(begin(Call::CopyWithin,
                   "copy_within " + std::to_string(bytes) + " stream " + number(stream)));
  if (bytes) std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return ok();
}

Status NullDevice::fill(Address to, uint8_t value, size_t bytes, Handle stream) {
  HETJIT_TRY(begin(Call::Fill, "fill " + std::to_string(bytes) + " stream " + number(stream)));
  if (bytes) std::memset(reinterpret_cast<void*>(to), value, bytes);
  return ok();
}

Status NullDevice::launch(Handle function, const Geometry& geometry, Params params, Handle stream) {
  // Two at the same time may count as one: an exact count would cost more than all else here.
  launches_.store(launches_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  if (!watched_.load(std::memory_order_relaxed)) return ok();
  return begin(Call::Launch, "launch " + *static_cast<const std::string*>(function) + " grid " +
                                 triple(geometry.grid) + " block " + triple(geometry.block) +
                                 " shared " + std::to_string(geometry.shared_bytes) +
                                 " parameters " + std::to_string(params.bytes) + " stream " +
                                 number(stream));
}

Status NullDevice::wait(Handle stream) { return begin(Call::Wait, "wait " + number(stream)); }

Status NullDevice::wait_for_all() { return begin(Call::Wait, "wait for all"); }

Result<Handle> NullDevice::make_stream(int priority) {
  HETJIT_TRY(begin(Call::MakeStream, "make_stream"));
  return PromptDevice::make_stream(priority);
}

Status NullDevice::destroy_stream(Handle stream) {
  HETJIT_TRY(begin(Call::DestroyStream, "destroy_stream " + number(stream)));
  return PromptDevice::destroy_stream(stream);
}

Result<Handle> NullDevice::make_event(bool timed) {
  HETJIT_TRY(begin(Call::MakeEvent, "make_event"));
  return PromptDevice::make_event(timed);
}

Status NullDevice::record(Handle event, Handle stream) {
  HETJIT_TRY(begin(Call::Record, "record " + number(event) + " stream " + number(stream)));
  return PromptDevice::record(event, stream);
}

Status NullDevice::follow(Handle event, Handle stream) {
  HETJIT_TRY(begin(Call::Follow, "follow " + number(event) + " stream " + number(stream)));
  return PromptDevice::follow(event, stream);
}

}  // namespace hetjit::runtime
