// Owners of what a Device hands out raw: each releases what it holds when it goes. They can be
// moved, not copied, and the device must outlive them (devices live as long as the process).
#pragma once

#include <string>
#include <utility>

#include "runtime/device.h"

namespace hetjit::runtime {

/// What the owners share. `Raw` is what they hold, `give_back` the device's call that takes
/// it.
template <class Raw, Status (Device::*give_back)(Raw)>
class Owner {
 public:
  Owner() = default;
  Owner(Device& device, Raw raw) : device_(&device), raw_(raw) {}
  Owner(Owner&& other) noexcept
      : device_(std::exchange(other.device_, nullptr)), raw_(other.raw_) {}
  Owner& operator=(Owner&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(raw_, other.raw_);
    return *this;
  }
  // A destructor has nobody to tell of a failure; who wants to know calls close().
  ~Owner() { (void)close(); }

  explicit operator bool() const { return device_ != nullptr; }
  Device& device() const { return *device_; }
  Raw get() const { return raw_; }
  /// Gives up ownership: the caller releases it now.
  Raw let_go() {
    device_ = nullptr;
    return raw_;
  }
  /// Releases now; a second time does nothing.
  Status close() {
    if (!device_) return ok();
    return (std::exchange(device_, nullptr)->*give_back)(raw_);
  }

 private:
  Device* device_ = nullptr;
  Raw raw_{};
};

/// Device memory.
class Buffer : public Owner<Address, &Device::release> {
 public:
  static Result<Buffer> make(Device& device, size_t bytes) {
    Result<Address> address = device.allocate(bytes);
    if (!address) return address.error();
    return Buffer(device, *address, bytes);
  }
  Buffer() = default;

  Address address() const { return get(); }
  size_t bytes() const { return bytes_; }
  /// The whole buffer, in the order of the stream (Device::copy_in, copy_out).
  Status copy_in(const void* from, Handle stream = nullptr) {
    return device().copy_in(address(), from, bytes_, stream);
  }
  Status copy_out(void* to, Handle stream = nullptr) {
    return device().copy_out(to, address(), bytes_, stream);
  }

 private:
  Buffer(Device& device, Address address, size_t bytes) : Owner(device, address), bytes_(bytes) {}
  size_t bytes_ = 0;
};

/// Loaded code. Functions found in it die with it.
class Module : public Owner<Handle, &Device::unload> {
 public:
  static Result<Module> load(Device& device, const KernelImage& image) {
    Result<Handle> handle = device.load(image);
    if (!handle) return handle.error();
    return Module(device, *handle);
  }
  Module() = default;

  Result<Handle> find(const std::string& entry) { return device().find(get(), entry); }

 private:
  using Owner::Owner;
};

class Event : public Owner<Handle, &Device::destroy_event> {
 public:
  static Result<Event> make(Device& device, bool timed = false) {
    Result<Handle> handle = device.make_event(timed);
    if (!handle) return handle.error();
    return Event(device, *handle);
  }
  /// Already recorded: all that was enqueued on the stream before.
  static Result<Event> of(Device& device, Handle stream) {
    Result<Event> made = make(device);
    if (made) HETJIT_TRY(made->record(stream));
    return made;
  }
  Event() = default;

  Status record(Handle stream) { return device().record(get(), stream); }
  /// The stream's work from now on comes after it.
  Status precede(Handle stream) const { return device().follow(get(), stream); }
  Result<bool> passed() const { return device().passed(get()); }
  Status wait() const { return device().wait_event(get()); }

 private:
  using Owner::Owner;
};

/// What was taken in of a stream's work.
class Graph : public Owner<Handle, &Device::destroy_graph> {
 public:
  /// Ends what Device::begin_capture began.
  static Result<Graph> end(Device& device, Handle stream) {
    Result<Handle> handle = device.end_capture(stream);
    if (!handle) return handle.error();
    return Graph(device, *handle);
  }
  Graph() = default;

  Status launch(Handle stream) const { return device().launch_graph(get(), stream); }

 private:
  using Owner::Owner;
};

class Stream : public Owner<Handle, &Device::destroy_stream> {
 public:
  static Result<Stream> make(Device& device, int priority = 0) {
    Result<Handle> handle = device.make_stream(priority);
    if (!handle) return handle.error();
    return Stream(device, *handle);
  }
  Stream() = default;

  Status wait() { return device().wait(get()); }
  Result<bool> done() const { return device().done(get()); }

 private:
  using Owner::Owner;
};

}  // namespace hetjit::runtime
