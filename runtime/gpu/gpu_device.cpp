#include "runtime/gpu/gpu_device.h"
#include "abi/fork_safe_mutex.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

namespace hetjit::runtime {
namespace {

// Words of the list of launch extras, the same for both vendors but for its end.
void* const kExtraBuffer = reinterpret_cast<void*>(1);
void* const kExtraBytes = reinterpret_cast<void*>(2);

constexpr unsigned kStreamNonBlocking = 1;            // does not wait for the default stream
constexpr unsigned kEventWithoutTime = 2;             // cheaper to record
constexpr int kMaxThreadsPerBlock = 0;                // function attribute, both vendors
constexpr int kRegisters = 4;                         // the same
constexpr int kNoDevice = 100, kInvalidDevice = 101;  // how the drivers say that there is none
constexpr int kOutOfResources = 701;                  // launch error, both vendors
constexpr int kTooManyBlocks = 720;                   // the same, of a cooperative launch
constexpr int kNotReady = 600;                        // of an event that has not been passed
constexpr int kDeviceOrdinal = 9;                     // pointer attribute, both vendors
constexpr int kOfThread = 1, kRelaxed = 2;            // modes of captures, both vendors
constexpr int kCooperative = 2;                       // launch attribute, both vendors
constexpr unsigned kForAllStreams = 1;                // of managed memory, both vendors
constexpr unsigned kFineGrained = 1, kUncached = 3;   // HIP's flags of memory

}  // namespace

// How much dynamic shared memory the driver lets a function have is a state of the function: it is
// raised when a launch wants more.
struct GpuDevice::Function {
  Handle handle = nullptr;
  std::string entry;
  std::atomic<uint32_t> shared_bytes{0};
};

struct GpuDevice::LoadedModule {
  Handle handle = nullptr;
  ForkSafeMutex mutex;
  std::map<std::string, Function> functions;
};

// The device is current on this thread as long as one of these lives.
class GpuDevice::Entered {
 public:
  explicit Entered(GpuContext& context) : context_(context), status_(context.enter(before_)) {}
  ~Entered() {
    if (status_.ok()) context_.leave(before_);
  }
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
  const Status& status() const { return status_; }

 private:
  GpuContext& context_;
  Handle before_ = nullptr;
  Status status_;
};

// Some calls would spoil a capture of a graph, anybody's, on whatever stream, although they have
// nothing to do with it. Not as long as one of these lives.
class GpuDevice::BesideCaptures {
 public:
  explicit BesideCaptures(const GpuApi& api) : api_(api) { exchange(); }
  ~BesideCaptures() { exchange(); }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  void exchange() {
    if (api_.capture_mode) api_.capture_mode(&mode_);
  }
  const GpuApi& api_;
  int mode_ = kRelaxed;
};

GpuDevice::GpuDevice(const GpuApi& api, std::unique_ptr<GpuContext> context, int index)
    : api_(api), context_(std::move(context)), index_(index) {}

GpuDevice::~GpuDevice() = default;

Result<std::unique_ptr<GpuDevice>> GpuDevice::make(const GpuApi& api, int index) {
  Result<std::unique_ptr<GpuContext>> context =
      api.vendor == Vendor::Cuda ? make_cuda_context(api, index) : make_hip_context(api, index);
  if (!context) return context.error();
  return std::unique_ptr<GpuDevice>(new GpuDevice(api, std::move(*context), index));
}

template <class... Taken, class... Given>
Status GpuDevice::ask(const char* what, int (*call)(Taken...), Given... given) {
  Entered here(*context_);
  HETJIT_TRY(here.status());
  return check(call(given...), what);
}

Status GpuDevice::check_image(const KernelImage& image) const {
  const bool is_text = image.kind == ImageKind::Ptx && info().binary == ImageKind::Cubin;
  const bool ours = is_text || image.kind == info().binary;
  if (!ours)
    return Error{ErrorCode::Unsupported, name() + " cannot run an image for " +
                                             to_text(image.target) + "; it needs one for " +
                                             to_text(info().target)};
  // The driver reads until it meets the end, so the end must be there.
  if (image.code.empty() || (image.kind == ImageKind::Ptx && image.code.back() != std::byte{0}))
    return Error{ErrorCode::Invalid, "the image of '" + image.entry + "' is cut short"};
  return ok();
}

Result<Handle> GpuDevice::load(const KernelImage& image) {
  HETJIT_TRY(check_image(image));
  Entered here(*context_);
  HETJIT_TRY(here.status());
  const BesideCaptures beside(api_);
  if (image.stack_bytes) HETJIT_TRY(allow_stack(api_, name(), image.stack_bytes));
  Result<Handle> handle = context_->load(image);
  if (!handle) return handle.error();
  auto* module = new LoadedModule;
  module->handle = *handle;
  return Handle(module);
}

Status GpuDevice::unload(Handle module) {
  std::unique_ptr<LoadedModule> gone(static_cast<LoadedModule*>(module));
  Entered here(*context_);
  HETJIT_TRY(here.status());
  const BesideCaptures beside(api_);
  return check(api_.module_unload(gone->handle), "unload a module");
}

Result<Handle> GpuDevice::find(Handle module, const std::string& entry) {
  auto* loaded = static_cast<LoadedModule*>(module);
  {
    std::lock_guard lock(loaded->mutex);
    auto known = loaded->functions.find(entry);
    if (known != loaded->functions.end()) return Handle(&known->second);
  }
  // Without the lock: a machine that stands in for a driver runs Python, and other threads
  // meanwhile.
  Entered here(*context_);
  HETJIT_TRY(here.status());
  Handle handle = nullptr;
  const int code = api_.module_find(&handle, loaded->handle, entry.c_str());
  if (code != 0) return api_.error(code, name(), "find the entry '" + entry + "'");
  std::lock_guard lock(loaded->mutex);
  Function& function = loaded->functions[entry];
  if (!function.handle) {  // nobody was quicker
    function.handle = handle;
    function.entry = entry;
  }
  return Handle(&function);
}

Result<Address> GpuDevice::global(Handle module, const std::string& symbol) {
  Entered here(*context_);
  HETJIT_TRY(here.status());
  Address address = 0;
  size_t bytes = 0;
  const Handle handle = static_cast<LoadedModule*>(module)->handle;
  const int code = api_.module_global(&address, &bytes, handle, symbol.c_str());
  if (code != 0) return api_.error(code, name(), "find the variable '" + symbol + "'");
  return address;
}

Result<Address> GpuDevice::allocate(size_t bytes) {
  Entered here(*context_);
  HETJIT_TRY(here.status());
  const BesideCaptures beside(api_);
  Address address = 0;
  const int code = api_.allocate(&address, std::max<size_t>(bytes, 1));
  if (code != 0) return api_.error(code, name(), "allocate " + std::to_string(bytes) + " bytes");
  return address;
}

Status GpuDevice::release(Address address) {
  const BesideCaptures beside(api_);
  return address == 0 ? ok() : ask("release memory", api_.release, address);
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

Status GpuDevice::launch(Handle function, const Geometry& geometry, Params params, Handle stream) {
  Entered here(*context_);
  HETJIT_TRY(here.status());
  auto* kernel = static_cast<Function*>(function);
  if (geometry.shared_bytes > kernel->shared_bytes.load(std::memory_order_relaxed)) {
    HETJIT_TRY(context_->allow_shared(kernel->handle, geometry.shared_bytes));
    kernel->shared_bytes.store(geometry.shared_bytes, std::memory_order_relaxed);
  }
  size_t bytes = params.bytes;
  void* extra[] = {kExtraBuffer, const_cast<std::byte*>(params.data), kExtraBytes, &bytes,
                   context_->end_of_extras()};
  const uint32_t(&grid)[3] = geometry.grid;
  const uint32_t(&block)[3] = geometry.block;
  if (geometry.cooperative)
    return launch_cooperative(*kernel, geometry, stream, bytes ? extra : nullptr);
  const int code =
      api_.launch(kernel->handle, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                  geometry.shared_bytes, stream, nullptr, bytes ? extra : nullptr);
  return code == 0 ? ok() : launch_error(code, *kernel, geometry);
}

Status GpuDevice::launch_cooperative(const Function& kernel, const Geometry& geometry,
                                     Handle stream, void** extra) {
  if (!api_.launch_with)
    return Error{ErrorCode::Unsupported,
                 name() + " cannot launch cooperatively: its driver is too old for it"};
  LaunchAttribute together{};
  together.id = kCooperative;
  together.value = 1;
  LaunchAttributes launch{};
  std::copy_n(geometry.grid, 3, launch.grid);
  std::copy_n(geometry.block, 3, launch.block);
  launch.shared_bytes = geometry.shared_bytes;
  launch.stream = stream;
  launch.attributes = &together;
  launch.attribute_count = 1;
  const int code = api_.launch_with(&launch, kernel.handle, nullptr, extra);
  if (code == 0) return ok();
  Status failed = launch_error(code, kernel, geometry);
  if (code != kTooManyBlocks) return failed;
  return Error{ErrorCode::Invalid, failed.error().text +
                                       "; the blocks of a cooperative launch run all at a time: " +
                                       "launch fewer, and let each do more"};
}

Status GpuDevice::launch_error(int code, const Function& function, const Geometry& geometry) const {
  Error error = api_.error(code, name(), "launch '" + function.entry + "'");
  int most = 0;
  const uint64_t threads = uint64_t{geometry.block[0]} * geometry.block[1] * geometry.block[2];
  if (code == kOutOfResources &&
      api_.function_attribute(&most, kMaxThreadsPerBlock, function.handle) == 0 &&
      threads > static_cast<uint64_t>(most))
    error.text += "; with the registers it needs, its blocks can have at most " +
                  std::to_string(most) + " threads, not " + std::to_string(threads);
  return error;
}

Result<uint32_t> GpuDevice::registers(Handle function) {
  int count = 0;
  HETJIT_TRY(ask("tell a kernel's registers", api_.function_attribute, &count, kRegisters,
                 static_cast<Function*>(function)->handle));
  return static_cast<uint32_t>(count);
}

Result<uint32_t> GpuDevice::occupancy(Handle function, uint32_t threads, uint32_t shared_bytes) {
  int blocks = 0;
  if (!api_.function_occupancy)
    return Error{ErrorCode::Unsupported, name() + " cannot tell a kernel's occupancy: " +
                                             api_.library + " is too old for it"};
  HETJIT_TRY(ask("tell a kernel's occupancy", api_.function_occupancy, &blocks,
                 static_cast<Function*>(function)->handle, static_cast<int>(threads),
                 size_t{shared_bytes}));
  return static_cast<uint32_t>(blocks);
}

Status GpuDevice::wait(Handle stream) {
  return ask("finish what was launched on it", api_.stream_wait, stream);
}

Result<bool> GpuDevice::ready(const char* what, int (*query)(Handle), Handle asked) {
  Entered here(*context_);
  HETJIT_TRY(here.status());
  const BesideCaptures beside(api_);
  const int code = query(asked);
  if (code != kNotReady) HETJIT_TRY(check(code, what));
  return code == 0;
}

Result<bool> GpuDevice::captures(Handle stream) {
  int status = 0;
  if (stream && api_.stream_capturing)
    HETJIT_TRY(ask("ask whether a stream is captured", api_.stream_capturing, stream, &status));
  return status != 0;
}

Status GpuDevice::begin_capture(Handle stream) {
  if (!api_.capture_begin || !api_.graph_make)
    return Error{ErrorCode::Unsupported, name() + " cannot take launches into a graph: " +
                                             api_.library + " is too old for it"};
  return ask("begin a graph", api_.capture_begin, stream, kOfThread);
}

Result<Handle> GpuDevice::end_capture(Handle stream) {
  Handle taken = nullptr, graph = nullptr;
  HETJIT_TRY(ask("end a graph", api_.capture_end, stream, &taken));
  const Status made = ask("make a graph ready", api_.graph_make, &graph, taken, 0ull);
  (void)ask("destroy what a graph was made of", api_.taken_destroy, taken);
  if (!made.ok()) return made.error();
  return graph;
}

Status GpuDevice::launch_graph(Handle graph, Handle stream) {
  return ask("launch a graph", api_.graph_launch, graph, stream);
}

Status GpuDevice::destroy_graph(Handle graph) {
  return ask("destroy a graph", api_.graph_destroy, graph);
}

Result<bool> GpuDevice::done(Handle stream) {
  return ready("ask whether a stream is done", api_.stream_query, stream);
}

Result<Handle> GpuDevice::make_stream(int priority) {
  Handle stream = nullptr;
  HETJIT_TRY(ask("make a stream", api_.stream_make, &stream, kStreamNonBlocking, priority));
  return stream;
}

Status GpuDevice::destroy_stream(Handle stream) {
  return ask("destroy a stream", api_.stream_destroy, stream);
}

Result<Handle> GpuDevice::make_event(bool timed) {
  Handle event = nullptr;
  HETJIT_TRY(ask("make an event", api_.event_make, &event, timed ? 0 : kEventWithoutTime));
  return event;
}

Status GpuDevice::destroy_event(Handle event) {
  return ask("destroy an event", api_.event_destroy, event);
}

Status GpuDevice::record(Handle event, Handle stream) {
  return ask("record an event", api_.event_record, event, stream);
}

Status GpuDevice::follow(Handle event, Handle stream) {
  return ask("let a stream wait for an event", api_.stream_follow, stream, event, 0u);
}

Result<bool> GpuDevice::passed(Handle event) {
  return ready("ask whether an event has been passed", api_.event_query, event);
}

Status GpuDevice::wait_event(Handle event) {
  return ask("finish what an event is behind of", api_.event_wait, event);
}

Result<float> GpuDevice::elapsed(Handle from, Handle to) {
  float milliseconds = 0;
  HETJIT_TRY(ask("tell the time between events", api_.event_elapsed, &milliseconds, from, to));
  return milliseconds;
}

Result<EmulatedDevice> open_emulated(Vendor vendor, const std::string& name,
                                     void* (*find)(const char* symbol)) {
  Result<std::unique_ptr<GpuApi>> api = emulated_gpu_api(vendor, name, find);
  if (!api) return api.error();
  HETJIT_TRY((*api)->check((*api)->start(0), name, "start"));
  Result<std::unique_ptr<GpuDevice>> device = GpuDevice::make(**api, 0);
  if (!device) return device.error();
  return EmulatedDevice{std::move(*api), std::move(*device)};
}

Result<GpuDriver> open_driver(Vendor vendor) {
  const std::string name = to_text(vendor);
  Result<std::unique_ptr<GpuApi>> opened = open_gpu_api(vendor);
  if (!opened) return Error{opened.error().code, name + ": " + opened.error().text};
  GpuDriver driver{std::move(*opened), 0};
  const GpuApi& api = *driver.api;
  int code = api.start(0);
  if (code == 0) code = api.device_count(&driver.devices);
  if (code == 0 && driver.devices > 0) return driver;
  // Whatever the driver calls it, a vendor that cannot start is one that is not there.
  const bool no_device = code == 0 || code == kNoDevice || code == kInvalidDevice;
  std::string text = name + ": " + api.library + (no_device ? " finds no device" : " cannot start");
  if (code != 0) text += ": " + api.words(code);
  return Error{ErrorCode::Unavailable, std::move(text)};
}

}  // namespace hetjit::runtime
