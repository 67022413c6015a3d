#include "runtime/host/host_device.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "abi/memory_limit.h"
#include "abi/new_stack.h"
#include "runtime/host/attention.h"
#include "runtime/host/block_scheduler.h"
#include "runtime/host/cpu_count.h"
#include "runtime/host/float_mode.h"
#include "runtime/host/leaving.h"
#include "runtime/host/watch_worker.h"
#include "runtime/interrupt.h"

namespace hetjit::runtime {
namespace {

constexpr size_t kAlignment = 64;  // bytes: a cache line, and the widest vector
// Dynamic shared memory of a block. Far from what would fill a thread's stack, far above any GPU's.
constexpr uint32_t kSharedBytes = 1 << 20;

Error invalid(std::string text) { return Error{ErrorCode::Invalid, std::move(text)}; }

uint64_t volume(const uint32_t (&size)[3]) { return uint64_t{size[0]} * size[1] * size[2]; }

// Code for a processor that this one is not would end in an illegal instruction.
bool can_run(const std::string& arch) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (arch == "x86-64-v2") return __builtin_cpu_supports("x86-64-v2");
  if (arch == "x86-64-v3") return __builtin_cpu_supports("x86-64-v3");
  if (arch == "x86-64-v4") return __builtin_cpu_supports("x86-64-v4");
#else
  if (arch.starts_with("x86-64")) return false;
#endif
  return true;
}

/// What a thread is doing in a launch, put aside while it asks: a signal handler may launch, too.
struct Aside {
  explicit Aside(FloatMode::Word callers) : mode(callers) {}
  ~Aside() { watch_worker = worker; }
  const FloatModeScope mode;
  const ThreadPool::Outside outside;
  const WatchWorker worker = std::exchange(watch_worker, {});
};

/// Only the thread that waits for the launch asks whether the user wants it to end.
struct StoppableLaunch : HostLaunch {
  StoppableLaunch(AttentionWord* word, uint64_t blocks)
      : attention(word), interruptible(/*is_asked_again=*/blocks > 1) {
    stopped = [](HostLaunch* launch) {
      return static_cast<StoppableLaunch*>(launch)->shall_stop();
    };
  }
  bool shall_stop() {
    if (lacked_memory.load(std::memory_order_relaxed)) return true;
    if (std::this_thread::get_id() != waiting) return interruptible.stopped();
    const bool stopped = interruptible.stopped_or([&](InterruptCheck check) {
      const Aside aside(mode);
      return check() || forked();
    });
    attention.answered(stopped);
    return stopped;
  }
  /// This is the child of a fork in a handler: who worked on the other blocks is not here.
  bool forked() const { return ThreadPool::forks() != forks; }
  Attention attention;
  InterruptibleLaunch interruptible;
  std::atomic<bool> lacked_memory{false};
  const std::thread::id waiting = std::this_thread::get_id();
  const FloatMode::Word mode = FloatMode::read();
  const uint32_t forks = ThreadPool::forks();
};

}  // namespace

struct HostDevice::Function {
  HostEntry entry = nullptr;
  bool watched = false;                // reports what it does with memory
  AttentionWord* attention = nullptr;  // null: it has no loops whose ends nobody knows
  uint32_t blocks_together = 1;        // that its entry takes as one
  LoopCost cost;                       // per thread of a block
};

struct HostDevice::LoadedModule {
  std::unique_ptr<HostCode> code;
  std::map<std::string, Function> functions;  // addresses are handles
};

Result<std::unique_ptr<HostDevice>> HostDevice::make(HostLinker linker) {
  Result<uint32_t> threads = usable_threads();
  if (!threads) return threads.error();
  return std::make_unique<HostDevice>(std::move(linker), *threads);
}

HostDevice::HostDevice(HostLinker linker, uint32_t threads)
    : linker_(std::move(linker)), pool_(threads) {
  info_.kind = DeviceKind::Host;
  info_.name = "cpu";
  const std::string processor = cpu_name();
  info_.description = (processor.empty() ? "processor" : processor) + ", " +
                      std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  info_.max_shared_bytes = kSharedBytes;
  info_.multiprocessors = threads;
}

HostDevice::~HostDevice() {
  for (Address address : memory_) std::free(reinterpret_cast<void*>(address));
}

Result<Handle> HostDevice::load(const KernelImage& image) {
  if (image.kind != ImageKind::HostObject)
    return Error{ErrorCode::Unsupported, "cpu cannot run an image for " + to_text(image.target)};
  if (!can_run(image.target.arch))
    return Error{ErrorCode::Unsupported, "this processor lacks instructions that an image for " +
                                             to_text(image.target) + " uses"};
  if (!linker_)
    return Error{ErrorCode::Unavailable, "cpu has no linker: runtime::configure was not given one"};
  Result<std::unique_ptr<HostCode>> code = linker_(image.code, host_calls());
  if (!code) return code.error();
  auto module = std::make_unique<LoadedModule>();
  module->code = std::move(*code);
  Handle handle = module.get();
  std::lock_guard lock(mutex_);
  modules_[handle] = std::move(module);
  return handle;
}

Status HostDevice::unload(Handle module) {
  std::unique_ptr<LoadedModule> gone;  // freed after the lock: the linker may take its time
  std::lock_guard lock(mutex_);
  auto found = modules_.find(module);
  if (found == modules_.end()) return invalid("cpu has no such module");
  gone = std::move(found->second);
  modules_.erase(found);
  return ok();
}

Result<Handle> HostDevice::find(Handle module, const std::string& entry) {
  std::lock_guard lock(mutex_);
  auto found = modules_.find(module);
  if (found == modules_.end()) return invalid("cpu has no such module");
  void* address = found->second->code->find(entry);
  if (!address) return invalid("the image has no entry '" + entry + "'");
  Function& function = found->second->functions[entry];
  if (function.entry) return Handle(&function);  // may be in use
  if (void* table = found->second->code->find(kWatchSymbol)) {
    *static_cast<const WatchCalls**>(table) = &watch_calls();
    function.watched = true;
  }
  function.attention = static_cast<AttentionWord*>(found->second->code->find(kAttentionSymbol));
  if (const void* together = found->second->code->find(kBlocksTogetherSymbol))
    function.blocks_together = *static_cast<const uint32_t*>(together);
  if (const void* time = found->second->code->find(kRangeTimeSymbol))
    function.cost.chunk_nanoseconds = uint64_t{1000} * *static_cast<const uint32_t*>(time);
  function.entry = reinterpret_cast<HostEntry>(address);
  return Handle(&function);
}

Result<Address> HostDevice::global(Handle module, const std::string& symbol) {
  std::lock_guard lock(mutex_);
  auto found = modules_.find(module);
  if (found == modules_.end()) return invalid("cpu has no such module");
  void* address = found->second->code->find(symbol);
  if (!address) return invalid("the image has no variable '" + symbol + "'");
  return reinterpret_cast<Address>(address);
}

Result<Address> HostDevice::allocate(size_t bytes) {
  void* memory = nullptr;
  if (posix_memalign(&memory, kAlignment, std::max<size_t>(bytes, 1)) != 0)
    return Error{ErrorCode::OutOfMemory, "cpu cannot allocate " + std::to_string(bytes) + " bytes"};
  const auto address = reinterpret_cast<Address>(memory);
  std::lock_guard lock(mutex_);
  memory_.insert(address);
  return address;
}

Status HostDevice::release(Address address) {
  if (address == 0) return ok();
  {
    std::lock_guard lock(mutex_);
    if (memory_.erase(address) == 0)
      return invalid("cpu did not allocate the memory that it is to release");
  }
  std::free(reinterpret_cast<void*>(address));
  return ok();
}

Status HostDevice::copy_in(Address to, const void* from, size_t bytes, Handle stream) {
  HETJIT_TRY(check_stream(stream));
  if (bytes) std::memcpy(reinterpret_cast<void*>(to), from, bytes);
  return ok();
}

Status HostDevice::copy_out(void* to, Address from, size_t bytes, Handle stream) {
  HETJIT_TRY(check_stream(stream));
  if (bytes) std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return ok();
}

Status HostDevice::copy_within(Address to, Address from, size_t bytes, Handle stream) {
  HETJIT_TRY(check_stream(stream));
  if (bytes) std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), bytes);
  return ok();
}

Status HostDevice::fill(Address to, uint8_t value, size_t bytes, Handle stream) {
  HETJIT_TRY(check_stream(stream));
  if (bytes) std::memset(reinterpret_cast<void*>(to), value, bytes);
  return ok();
}

Status HostDevice::launch(Handle function, const Geometry& geometry, Params params, Handle stream) {
  HETJIT_TRY(check_stream(stream));
  auto* kernel = static_cast<Function*>(function);
  const uint64_t blocks = volume(geometry.grid);
  StoppableLaunch launch(kernel->attention, blocks);
  Geometry own = geometry;
  own.launch = &launch;
  std::unique_ptr<RaceWatch> watch;
  if (kernel->watched) watch = std::make_unique<RaceWatch>(geometry);
  const auto run_blocks = [&](uint64_t first, uint64_t last) {
    if (launch.shall_stop() || first == last) return;
    KernelFloatMode mode;
    std::optional<RaceWatch::Scope> watching;
    if (watch) watching.emplace(*watch);
    run_or_leave(own, [&] { kernel->entry(params.data, &own, first, last); });
    if (std::exchange(blocks_lacked_memory, false)) launch.lacked_memory = true;
  };
  // Those that go together are given together, if there are as many for all threads.
  const uint64_t together =
      blocks / kernel->blocks_together >= pool_.threads() ? kernel->blocks_together : 1;
  const auto run_some = [&](uint64_t first, uint64_t last) {
    run_blocks(first * together, std::min(last * together, blocks));
  };
  const auto run_all = [&] {
    pool_.parallel_for((blocks + together - 1) / together, run_some, &kernel->cost,
                       volume(geometry.block) * together);
  };
  const auto meanwhile = [&] {
    launch.shall_stop();
    return launch.forked();
  };
  if (has_stack())
    run_all();
  else if (!within_memory([&] { on_new_stack(run_all, meanwhile); }))
    launch.lacked_memory = true;
  if (launch.forked())
    return Error{ErrorCode::Interrupted,
                 "the launch ended in a child of this process: fork() was "
                 "called while it ran, by what interrupted it"};
  if (launch.interruptible.stopped())
    return Error{ErrorCode::Interrupted, "the launch was interrupted"};
  if (launch.lacked_memory)
    return Error{ErrorCode::OutOfMemory, "cpu has no memory for what the kernel's blocks share"};
  if (watch && !watch->complete())
    return Error{ErrorCode::OutOfMemory, "cpu has no memory to watch all that the kernel uses"};
  return ok();
}

}  // namespace hetjit::runtime
