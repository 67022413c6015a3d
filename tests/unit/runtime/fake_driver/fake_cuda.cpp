// A libcuda.so.1 with two devices of architecture sm_90.
#include "fake_driver.h"

using fake::begin;
using Pointer = void*;

namespace {

thread_local Pointer current_context = nullptr;

// Contexts 1 and 2 of devices 0 and 1. Calls that need one fail without.
int begin_in_context(const char* name, const std::string& details = "") {
  const std::string where = "[" + fake::number(current_context) + "]";
  if (const int code = begin(name, details.empty() ? where : where + " " + details)) return code;
  return current_context ? 0 : fake::kInvalidContext;
}

int device_of_context() {
  return static_cast<int>(reinterpret_cast<intptr_t>(current_context) - 1);
}

Pointer address(uint64_t value) { return reinterpret_cast<Pointer>(value); }

}  // namespace

FAKE_EXPORT int cuInit(unsigned) {
  fake::state().started_by = getpid();
  return begin("cuInit");
}
FAKE_EXPORT int cuDeviceGetCount(int* count) {
  *count = static_cast<int>(fake::setting("devices", 2));
  return begin("cuDeviceGetCount");
}
FAKE_EXPORT int cuDeviceGet(int* device, int index) {
  *device = index;
  return begin("cuDeviceGet");
}
FAKE_EXPORT int cuDeviceGetName(char* name, int bytes, int device) {
  std::snprintf(name, static_cast<size_t>(bytes), "Fake GPU %d", device);
  return begin("cuDeviceGetName");
}
FAKE_EXPORT int cuDeviceGetAttribute(int* value, int attribute, int) {
  static const std::map<int, int> values = {
      {1, 1024},  {2, 1024}, {3, 1024}, {4, 64}, {5, 2147483647}, {6, 65535}, {7, 65535},
      {8, 49152}, {16, 132}, {75, 9},   {76, 0}, {97, 232448},    {120, 1}};
  *value = values.at(attribute);
  return begin("cuDeviceGetAttribute");
}
FAKE_EXPORT int cuDevicePrimaryCtxRetain(Pointer* context, int device) {
  *context = address(static_cast<uint64_t>(device) + 1);
  return begin("cuDevicePrimaryCtxRetain");
}
FAKE_EXPORT int cuCtxGetCurrent(Pointer* context) {
  *context = current_context;
  return fake::state().started_by == getpid() ? 0 : fake::kNotInitialized;
}
FAKE_EXPORT int cuCtxSetCurrent(Pointer context) {
  current_context = context;
  return begin("cuCtxSetCurrent", fake::number(context));
}
FAKE_EXPORT int cuModuleLoadDataEx(Pointer* module, const void*, unsigned count, int* options,
                                   Pointer* values) {
  if (const int code = begin_in_context("cuModuleLoadDataEx")) {
    for (unsigned i = 0; i < count; i++)
      if (options[i] == 5)
        std::strcpy(static_cast<char*>(values[i]), "ptxas line 3: unknown instruction 'frob'\n");
    return code;
  }
  if (fake::spoils_capture()) return fake::kCaptureSpoiled;
  return fake::make("module", module);
}
FAKE_EXPORT int cuCtxGetLimit(size_t* value, int limit) {
  *value = static_cast<size_t>(fake::setting("limit " + std::to_string(limit), 1024));
  return begin_in_context("cuCtxGetLimit", std::to_string(limit));
}
FAKE_EXPORT int cuCtxSetLimit(int limit, size_t value) {
  return begin_in_context("cuCtxSetLimit", std::to_string(limit) + " " + std::to_string(value));
}
FAKE_EXPORT int cuModuleUnload(Pointer module) {
  if (const int code = begin_in_context("cuModuleUnload")) return code;
  return fake::end("module", module);
}
FAKE_EXPORT int cuModuleGetFunction(Pointer* function, Pointer, const char* entry) {
  if (const int code = begin_in_context("cuModuleGetFunction", entry)) return code;
  if (std::strcmp(entry, "missing") == 0) return fake::kNotFound;
  *function = fake::function(entry);
  return 0;
}
FAKE_EXPORT int cuModuleGetGlobal_v2(uint64_t* address, size_t* bytes, Pointer, const char* name) {
  if (const int code = begin_in_context("cuModuleGetGlobal", name)) return code;
  return fake::global(address, bytes, name);
}
FAKE_EXPORT int cuFuncSetAttribute(Pointer, int attribute, int value) {
  return begin_in_context("cuFuncSetAttribute",
                          std::to_string(attribute) + " " + std::to_string(value));
}
FAKE_EXPORT int cuFuncGetAttribute(int* value, int attribute, Pointer) {
  *value = fake::function_attribute(attribute);
  return begin_in_context("cuFuncGetAttribute");
}
FAKE_EXPORT int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Pointer, int threads,
                                                            size_t shared_bytes) {
  *blocks = 2048 / threads;
  return begin_in_context("cuOccupancyMaxActiveBlocksPerMultiprocessor",
                          std::to_string(threads) + " " + std::to_string(shared_bytes));
}
FAKE_EXPORT int cuMemAlloc_v2(uint64_t* memory, size_t bytes) {
  if (const int code = begin_in_context("cuMemAlloc_v2", std::to_string(bytes))) return code;
  if (fake::spoils_capture()) return fake::kCaptureSpoiled;
  return fake::allocate(reinterpret_cast<Pointer*>(memory), bytes, device_of_context());
}
FAKE_EXPORT int cuMemFree_v2(uint64_t memory) {
  if (const int code = begin_in_context("cuMemFree_v2")) return code;
  return fake::release(address(memory));
}
FAKE_EXPORT int cuMemAllocManaged(uint64_t* memory, size_t bytes, unsigned flags) {
  const std::string details = std::to_string(bytes) + " " + std::to_string(flags);
  if (const int code = begin_in_context("cuMemAllocManaged", details)) return code;
  return fake::allocate(reinterpret_cast<Pointer*>(memory), bytes, device_of_context());
}
FAKE_EXPORT int cuMemHostAlloc(uint64_t* memory, size_t bytes, unsigned flags) {
  const std::string details = std::to_string(bytes) + " " + std::to_string(flags);
  if (const int code = begin_in_context("cuMemHostAlloc", details)) return code;
  return fake::allocate(reinterpret_cast<Pointer*>(memory), bytes, device_of_context());
}
FAKE_EXPORT int cuMemFreeHost(uint64_t memory) {
  if (const int code = begin_in_context("cuMemFreeHost")) return code;
  return fake::release(address(memory));
}
FAKE_EXPORT int cuDeviceCanAccessPeer(int* reached, int, int) {
  *reached = static_cast<int>(fake::setting("peers", 1));
  return begin("cuDeviceCanAccessPeer");
}
FAKE_EXPORT int cuCtxEnablePeerAccess(Pointer peer, unsigned flags) {
  const std::string details = fake::number(peer) + " " + std::to_string(flags);
  if (const int code = begin_in_context("cuCtxEnablePeerAccess", details)) return code;
  return fake::reach(device_of_context(), static_cast<long>(reinterpret_cast<intptr_t>(peer)) - 1);
}
FAKE_EXPORT int cuMemAllocAsync(uint64_t* memory, size_t bytes, Pointer stream) {
  const std::string details = std::to_string(bytes) + " " + fake::number(stream);
  if (const int code = begin_in_context("cuMemAllocAsync", details)) return code;
  return fake::allocate(reinterpret_cast<Pointer*>(memory), bytes, device_of_context());
}
FAKE_EXPORT int cuMemAllocFromPoolAsync(uint64_t* memory, size_t bytes, Pointer pool,
                                        Pointer stream) {
  const std::string details =
      std::to_string(bytes) + " " + fake::number(pool) + " " + fake::number(stream);
  if (const int code = begin_in_context("cuMemAllocFromPoolAsync", details)) return code;
  return fake::allocate(reinterpret_cast<Pointer*>(memory), bytes, device_of_context());
}
FAKE_EXPORT int cuMemFreeAsync(uint64_t memory, Pointer stream) {
  if (const int code = begin_in_context("cuMemFreeAsync", fake::number(stream))) return code;
  return fake::release(address(memory));
}
FAKE_EXPORT int cuMemPoolCreate(Pointer* pool, const void* properties) {
  if (const int code = begin_in_context("cuMemPoolCreate", fake::describe_pool(properties)))
    return code;
  return fake::make("pool", pool);
}
FAKE_EXPORT int cuMemPoolDestroy(Pointer pool) {
  if (const int code = begin_in_context("cuMemPoolDestroy", fake::number(pool))) return code;
  return fake::end("pool", pool);
}
FAKE_EXPORT int cuMemPoolTrimTo(Pointer pool, size_t most) {
  const std::string details = fake::number(pool) + " " + std::to_string(most);
  if (const int code = begin_in_context("cuMemPoolTrimTo", details)) return code;
  return fake::use(pool);
}
FAKE_EXPORT int cuMemGetInfo_v2(size_t* free, size_t* total) {
  *free = static_cast<size_t>(fake::setting("free", 3 << 20));
  *total = 8 << 20;
  return begin_in_context("cuMemGetInfo_v2");
}
// The first form of the call had 32-bit addresses. Whoever binds the plain name gets this one.
FAKE_EXPORT int cuMemAlloc(uint32_t*, unsigned) { std::abort(); }
FAKE_EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, Pointer stream) {
  if (const int code = begin_in_context("cuMemcpyHtoDAsync_v2", fake::number(stream))) return code;
  std::memcpy(address(to), from, bytes);
  return 0;
}
FAKE_EXPORT int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, Pointer stream) {
  if (const int code = begin_in_context("cuMemcpyDtoHAsync_v2", fake::number(stream))) return code;
  std::memcpy(to, address(from), bytes);
  return 0;
}
FAKE_EXPORT int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, Pointer stream) {
  if (const int code = begin_in_context("cuMemcpyDtoDAsync_v2", fake::number(stream))) return code;
  std::memcpy(address(to), address(from), bytes);
  return 0;
}
FAKE_EXPORT int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, Pointer stream) {
  if (const int code = begin_in_context("cuMemsetD8Async", fake::number(stream))) return code;
  std::memset(address(to), value, bytes);
  return 0;
}
FAKE_EXPORT int cuStreamCreateWithPriority(Pointer* stream, unsigned flags, int priority) {
  const std::string details = std::to_string(flags) + " " + std::to_string(priority);
  if (const int code = begin_in_context("cuStreamCreateWithPriority", details)) return code;
  return fake::make("stream", stream);
}
FAKE_EXPORT int cuStreamQuery(Pointer stream) {
  if (const int code = begin_in_context("cuStreamQuery", fake::number(stream))) return code;
  return fake::query(stream);
}
FAKE_EXPORT int cuStreamDestroy_v2(Pointer stream) {
  if (const int code = begin_in_context("cuStreamDestroy_v2", fake::number(stream))) return code;
  return fake::end("stream", stream);
}
FAKE_EXPORT int cuCtxSynchronize() {
  if (const int code = begin_in_context("cuCtxSynchronize", "")) return code;
  return fake::wait_for_all();
}
FAKE_EXPORT int cuStreamSynchronize(Pointer stream) {
  if (const int code = begin_in_context("cuStreamSynchronize", fake::number(stream))) return code;
  return fake::wait(stream);
}
FAKE_EXPORT int cuStreamWaitEvent(Pointer stream, Pointer event, unsigned) {
  const std::string details = fake::number(stream) + " " + fake::number(event);
  if (const int code = begin_in_context("cuStreamWaitEvent", details)) return code;
  return fake::use(stream) ? fake::kInvalidHandle : fake::use(event);
}
FAKE_EXPORT int cuStreamIsCapturing(Pointer stream, int* status) {
  *status = fake::captured(stream);
  return begin_in_context("cuStreamIsCapturing", fake::number(stream));
}
FAKE_EXPORT int cuStreamBeginCapture_v2(Pointer stream, int mode) {
  if (const int code = begin_in_context("cuStreamBeginCapture_v2", fake::number(stream)))
    return code;
  return fake::begin_capture(stream, mode);
}
FAKE_EXPORT int cuStreamEndCapture(Pointer stream, Pointer* taken) {
  const bool captured = fake::end_capture(stream);
  if (const int code = begin_in_context("cuStreamEndCapture", fake::number(stream))) return code;
  return captured ? fake::make("taken", taken) : fake::kInvalidValue;
}
FAKE_EXPORT int cuGraphInstantiateWithFlags(Pointer* graph, Pointer taken, unsigned long long) {
  if (const int code = begin_in_context("cuGraphInstantiateWithFlags", fake::number(taken)))
    return code;
  return fake::make("graph", graph);
}
FAKE_EXPORT int cuGraphLaunch(Pointer graph, Pointer stream) {
  const std::string details = fake::number(graph) + " " + fake::number(stream);
  if (const int code = begin_in_context("cuGraphLaunch", details)) return code;
  return fake::launch_graph(graph, stream);
}
FAKE_EXPORT int cuGraphExecDestroy(Pointer graph) {
  if (const int code = begin_in_context("cuGraphExecDestroy", fake::number(graph))) return code;
  return fake::end("graph", graph);
}
FAKE_EXPORT int cuGraphDestroy(Pointer taken) {
  if (const int code = begin_in_context("cuGraphDestroy", fake::number(taken))) return code;
  return fake::end("taken", taken);
}
FAKE_EXPORT int cuThreadExchangeStreamCaptureMode(int* mode) {
  std::swap(*mode, fake::capture_mode);
  return 0;
}
FAKE_EXPORT int cuEventCreate(Pointer* event, unsigned flags) {
  if (const int code = begin_in_context("cuEventCreate", std::to_string(flags))) return code;
  return fake::make("event", event);
}
FAKE_EXPORT int cuEventDestroy_v2(Pointer event) {
  if (const int code = begin_in_context("cuEventDestroy_v2", fake::number(event))) return code;
  return fake::end("event", event);
}
FAKE_EXPORT int cuEventRecord(Pointer event, Pointer stream) {
  const std::string details = fake::number(event) + " " + fake::number(stream);
  if (const int code = begin_in_context("cuEventRecord", details)) return code;
  return fake::record(event, stream);
}
FAKE_EXPORT int cuEventQuery(Pointer event) {
  if (const int code = begin_in_context("cuEventQuery", fake::number(event))) return code;
  return fake::query(event);
}
FAKE_EXPORT int cuEventSynchronize(Pointer event) {
  if (const int code = begin_in_context("cuEventSynchronize", fake::number(event))) return code;
  return fake::use(event);
}
FAKE_EXPORT int cuEventElapsedTime(float* milliseconds, Pointer, Pointer) {
  *milliseconds = 1.5f;
  return begin_in_context("cuEventElapsedTime");
}
FAKE_EXPORT int cuPointerGetAttribute(Pointer value, int attribute, uint64_t address) {
  if (const int code = begin_in_context("cuPointerGetAttribute")) return code;
  return fake::owner(value, attribute, address);
}
FAKE_EXPORT int cuLaunchKernel(Pointer function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                               unsigned block_x, unsigned block_y, unsigned block_z,
                               unsigned shared_bytes, Pointer stream, Pointer* parameters,
                               Pointer* extra) {
  const fake::LaunchShape shape{
      {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
  const int code = begin_in_context(
      "cuLaunchKernel", fake::describe(function, shape, stream) + (parameters ? " both" : "") +
                            " parameters " + fake::parameters(extra, nullptr));
  return code ? code : fake::use(stream);
}
FAKE_EXPORT int cuLaunchKernelEx(const fake::LaunchConfig* config, Pointer function,
                                 Pointer* parameters, Pointer* extra) {
  const int code = begin_in_context(
      "cuLaunchKernelEx", fake::describe(function, *config) + (parameters ? " both" : "") +
                              " parameters " + fake::parameters(extra, nullptr));
  return code ? code : fake::use(config->stream);
}
FAKE_EXPORT int cuGetErrorName(int error, const char** text) {
  static const std::map<int, const char*> names = {{1, "CUDA_ERROR_INVALID_VALUE"},
                                                   {2, "CUDA_ERROR_OUT_OF_MEMORY"},
                                                   {3, "CUDA_ERROR_NOT_INITIALIZED"},
                                                   {100, "CUDA_ERROR_NO_DEVICE"},
                                                   {209, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
                                                   {218, "CUDA_ERROR_INVALID_PTX"},
                                                   {400, "CUDA_ERROR_INVALID_HANDLE"},
                                                   {500, "CUDA_ERROR_NOT_FOUND"},
                                                   {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"}};
  auto found = names.find(error);
  *text = found == names.end() ? nullptr : found->second;
  return found == names.end() ? 1 : 0;
}
FAKE_EXPORT int cuGetErrorString(int error, const char** text) {
  *text = error == 100 ? "no CUDA-capable device is detected" : "as the fake driver says";
  return error == 12345 ? (*text = nullptr, 1) : 0;
}

// Asking by version: the base name gives the newest form.
FAKE_EXPORT int cuGetProcAddress_v2(const char* symbol, Pointer* function, int version, uint64_t,
                                    int*) {
  static const std::map<std::string, Pointer> newest = {
      {"cuMemAlloc", reinterpret_cast<Pointer>(cuMemAlloc_v2)},
      {"cuMemFree", reinterpret_cast<Pointer>(cuMemFree_v2)},
      {"cuLaunchKernel", reinterpret_cast<Pointer>(cuLaunchKernel)}};
  auto found = newest.find(symbol);
  *function = found == newest.end() || version < 11030 ? nullptr : found->second;
  return *function ? 0 : fake::kNotFound;
}
