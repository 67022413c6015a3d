#include <elf.h>

#include <mutex>

#include "runtime/gpu/gpu_calls.h"

namespace hetjit::runtime {
namespace {

constexpr unsigned kStreamNonBlocking = 1;            // does not wait for the default stream
constexpr unsigned kEventWithoutTime = 2;             // cheaper to record
constexpr int kRegisters = 4;                         // function attribute, both vendors
constexpr int kNoDevice = 100, kInvalidDevice = 101;  // how the drivers say that there is none
constexpr int kNotReady = 600;                        // of an event that has not been passed
constexpr int kOfThread = 1;                          // mode of captures, both vendors

}  // namespace

GpuDevice::GpuDevice(const GpuApi& api, std::unique_ptr<GpuContext> context, int index)
    : api_(api), context_(std::move(context)), index_(index) {}

GpuDevice::~GpuDevice() = default;

Result<std::unique_ptr<GpuDevice>> GpuDevice::make(const GpuApi& api, int index) {
  Result<std::unique_ptr<GpuContext>> context =
      api.vendor == Vendor::Cuda ? make_cuda_context(api, index) : make_hip_context(api, index);
  if (!context) return context.error();
  return std::unique_ptr<GpuDevice>(new GpuDevice(api, std::move(*context), index));
}

Status GpuDevice::check_image(const KernelImage& image) const {
  const bool is_text = image.kind == ImageKind::Ptx && info().binary == ImageKind::Cubin;
  const bool ours = is_text || image.kind == info().binary;
  if (!ours)
    return Error{ErrorCode::Unsupported, name() + " cannot run an image for " +
                                             to_text(image.target) + "; it needs one for " +
                                             to_text(info().target)};
  // The driver reads a text until it meets the end, so the end must be there, and of a binary its
  // heading first.
  const bool whole = image.kind == ImageKind::Ptx
                         ? !image.code.empty() && image.code.back() == std::byte{0}
                         : image.code.size() >= sizeof(Elf64_Ehdr);
  if (!whole) return Error{ErrorCode::Invalid, "the image of '" + image.entry + "' is cut short"};
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
  module->waits = image.grid_dependency && overlaps_launches(image.target);
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
    function.waits = loaded->waits;
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

Status GpuDevice::wait_for_all() { return ask("finish what was launched on it", api_.device_wait); }

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
