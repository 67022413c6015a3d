// What a backend must do, with raw handles; owning wrappers are in handles.h. Adding a backend:
// copy null/, see README.md. All calls are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "abi/host_calls.h"
#include "abi/kernel_image.h"
#include "abi/status.h"

namespace hetjit::runtime {

using Handle = void*;      // a module, function, stream, event or graph; null is the default stream
using Address = uint64_t;  // device memory

/// Memory that is not the device's alone.
enum class MemoryKind : uint8_t {
  FineGrained,  // what kernels write others see while they run
  Uncached,     // the same, past the device's caches
  Managed,      // the host reaches it at the same address
  Pinned,       // the host's own, kept in place for the device, which reaches it, too
};

/// The bytes of a parameter block (abi/layout.h, parameter_block). The host's kernels read them in
/// place, so `data` must be aligned as the block is (BlockLayout::align).
struct Params {
  const std::byte* data = nullptr;
  size_t bytes = 0;
};

/// Where launches run: on the CPU, done when the call returns; on a GPU, in the order of its
/// stream; nowhere (null/).
enum class DeviceKind : uint8_t { Host, Gpu, Null };

/// Bytes of a device's memory; of the host's for one that has none of its own.
struct MemoryInfo {
  uint64_t free = 0, total = 0;
};

/// Facts that compilation and launches need.
struct DeviceInfo {
  DeviceKind kind = DeviceKind::Gpu;
  std::string name;                          // Device::name(), for messages
  TargetName target;                         // what to compile for
  ImageKind binary = ImageKind::HostObject;  // what an ELF file that it loads is
  std::string description;                   // "NVIDIA H200", "AMD EPYC, 2 threads"
  uint32_t max_threads_per_block = 1024;
  uint32_t max_block[3] = {1024, 1024, 64};
  uint32_t max_grid[3] = {2147483647u, 65535, 65535};
  uint32_t max_shared_bytes = 49152;
  uint32_t max_cluster = 16;  // blocks; 1: it has no clusters. The host's are all alike
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
  /// Where a global variable of a module lies: memory that copy_in and copy_out take.
  virtual Result<Address> global(Handle module, const std::string& symbol) = 0;
  /// 0 bytes give an address too, one that nothing may be read from. Errors: OutOfMemory.
  virtual Result<Address> allocate(size_t bytes) = 0;
  /// Of an address that allocate gave; 0 is none and does nothing. Errors: Invalid or DriverFailed
  /// for an address that is not ours.
  virtual Status release(Address) = 0;
  /// As allocate, of a kind. Errors: Unsupported where there is none of it.
  virtual Result<Address> allocate_as(MemoryKind kind, size_t bytes) = 0;
  /// Memory for what is enqueued on the stream from now on, of a pool of the device's; null: of its
  /// own. release() takes it back, too. Errors: Unsupported where streams have no memory.
  virtual Result<Address> allocate_on(Handle stream, Handle pool, size_t bytes) = 0;
  /// Takes memory of allocate_on back when all is done that was enqueued on the stream so far.
  virtual Status release_on(Handle stream, Address) = 0;
  /// A pool keeps what is given back to it for the next who asks it.
  virtual Result<Handle> make_pool() = 0;
  /// Also while somebody has memory of it.
  virtual Status destroy_pool(Handle pool) = 0;
  /// Gives what it keeps back to the driver until no more than that is left.
  virtual Status trim_pool(Handle pool, size_t most) = 0;
  virtual Result<MemoryInfo> memory() = 0;
  /// The number of the device, of those whose driver is the same, that memory belongs to. Errors:
  /// for what is no memory of theirs.
  virtual Result<int> owner_of(Address) = 0;
  /// Whether kernels of this device can use memory of the other, once reach() has let them.
  virtual Result<bool> reaches(Device& other) = 0;
  /// From now on they can. Errors: Unsupported.
  virtual Status reach(Device& other) = 0;
  /// Copies run in the order of the stream. The memory on the host's side must stay as it is until
  /// wait(stream) returns; only then is what copy_out wrote complete.
  virtual Status copy_in(Address to, const void* from, size_t bytes, Handle stream) = 0;
  virtual Status copy_out(void* to, Address from, size_t bytes, Handle stream) = 0;
  /// From one place of the device's memory to another, which do not overlap.
  virtual Status copy_within(Address to, Address from, size_t bytes, Handle stream) = 0;
  /// Each byte becomes `value`.
  virtual Status fill(Address to, uint8_t value, size_t bytes, Handle stream) = 0;
  /// Asynchronous on GPUs, synchronous on the host. The parameters are copied before it returns.
  /// The geometry has passed check_geometry. A stream of the vendor's own, made elsewhere, is
  /// welcome.
  virtual Status launch(Handle function, const Geometry& geometry, Params params,
                        Handle stream) = 0;
  /// Registers of a thread. Errors: Unsupported where threads share none.
  virtual Result<uint32_t> registers(Handle function) = 0;
  /// Blocks of so many threads that a multiprocessor holds at a time, each with that much dynamic
  /// shared memory.
  virtual Result<uint32_t> occupancy(Handle function, uint32_t threads, uint32_t shared_bytes) = 0;
  virtual Status wait(Handle stream) = 0;
  /// The same for all of its streams, whoever made them.
  virtual Status wait_for_all() = 0;
  /// Whether work for the stream is taken into a graph now, and not done.
  virtual Result<bool> captures(Handle stream) = 0;
  /// From now on it is: of a stream that is not the default one. Errors: Unsupported where there
  /// are no graphs.
  virtual Status begin_capture(Handle stream) = 0;
  /// What was taken in, ready to be launched as often as one likes. The thread that began ends it.
  virtual Result<Handle> end_capture(Handle stream) = 0;
  virtual Status launch_graph(Handle graph, Handle stream) = 0;
  /// Also while it runs.
  virtual Status destroy_graph(Handle graph) = 0;
  /// Whether all its work is done.
  virtual Result<bool> done(Handle stream) = 0;
  /// Work of a stream with a lower number begins first, where the device can choose; a number
  /// beyond what it knows is the nearest that it knows.
  virtual Result<Handle> make_stream(int priority) = 0;
  virtual Status destroy_stream(Handle stream) = 0;
  /// An event marks a point in the work of a stream: behind all that was enqueued there before
  /// record(). One that was never recorded has been passed. `timed`: elapsed() may be asked.
  virtual Result<Handle> make_event(bool timed) = 0;
  /// Also while somebody follows it.
  virtual Status destroy_event(Handle event) = 0;
  virtual Status record(Handle event, Handle stream) = 0;
  /// What is enqueued on the stream from now on begins when the event, as it was recorded last, has
  /// been passed. Only the device waits.
  virtual Status follow(Handle event, Handle stream) = 0;
  virtual Result<bool> passed(Handle event) = 0;
  virtual Status wait_event(Handle event) = 0;
  /// Milliseconds between two timed events that have been passed.
  virtual Result<float> elapsed(Handle from, Handle to) = 0;
};

/// Host object bytes to callable code; passed in by python/ext, so that runtime/ never sees LLVM.
class HostCode {
 public:
  virtual ~HostCode() = default;
  virtual void* find(const std::string& symbol) = 0;
};
using HostLinker = std::function<Result<std::unique_ptr<HostCode>>(
    std::span<const std::byte> object, std::span<const HostSymbol> calls)>;

/// Checks a launch's geometry against the device: ErrorCode::Invalid with a sentence that names the
/// value found and the limit (grid of 0, block of 2000 threads, …).
Status check_geometry(const Geometry& geometry, const DeviceInfo& info);

}  // namespace hetjit::runtime
