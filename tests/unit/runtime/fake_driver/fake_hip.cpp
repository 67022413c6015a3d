// A libamdhip64.so with two devices.
#include "fake_driver.h"

using fake::begin;
using Pointer = void*;

namespace {

thread_local int current_device = 0;

int begin_on_device(const char* name, const std::string& details = "") {
  const std::string where = "[" + std::to_string(current_device) + "]";
  return begin(name, details.empty() ? where : where + " " + details);
}

Pointer address(uint64_t value) { return reinterpret_cast<Pointer>(value); }

}  // namespace

FAKE_EXPORT int hipInit(unsigned) {
  fake::state().started_by = getpid();
  return begin("hipInit");
}
FAKE_EXPORT int hipGetDeviceCount(int* count) {
  *count = static_cast<int>(fake::setting("devices", 2));
  return begin("hipGetDeviceCount");
}
FAKE_EXPORT int hipDeviceGet(int* device, int index) {
  *device = index;
  return begin("hipDeviceGet");
}
FAKE_EXPORT int hipDeviceGetName(char* name, int bytes, int device) {
  std::snprintf(name, static_cast<size_t>(bytes), "Fake GPU %d", device);
  return begin("hipDeviceGetName");
}
FAKE_EXPORT int hipDeviceGetAttribute(int* value, int attribute, int) {
  static const std::map<int, int> values = {{26, 1024},       {27, 1024},  {28, 1024},
                                            {29, 2147483647}, {30, 65536}, {31, 65536},
                                            {56, 1024},       {63, 304},   {74, 65536}};
  *value = values.at(attribute);
  return begin("hipDeviceGetAttribute");
}
FAKE_EXPORT int hipDeviceGetPCIBusId(char* text, int bytes, int device) {
  std::snprintf(text, static_cast<size_t>(bytes), "0000:c%d:00.0", device);
  return begin("hipDeviceGetPCIBusId");
}
FAKE_EXPORT int hipGetDevice(int* device) {
  *device = current_device;
  return fake::state().started_by == getpid() ? 0 : fake::kNotInitialized;
}
FAKE_EXPORT int hipSetDevice(int device) {
  current_device = device;
  return begin("hipSetDevice", std::to_string(device));
}
FAKE_EXPORT int hipModuleLoadData(Pointer* module, const void*) {
  if (const int code = begin_on_device("hipModuleLoadData")) return code;
  if (fake::spoils_capture()) return fake::kCaptureSpoiled;
  return fake::make("module", module);
}
FAKE_EXPORT int hipDeviceGetLimit(size_t* value, int limit) {
  *value = static_cast<size_t>(fake::setting("limit " + std::to_string(limit), 1024));
  return begin_on_device("hipDeviceGetLimit", std::to_string(limit));
}
FAKE_EXPORT int hipDeviceSetLimit(int limit, size_t value) {
  return begin_on_device("hipDeviceSetLimit", std::to_string(limit) + " " + std::to_string(value));
}
FAKE_EXPORT int hipModuleUnload(Pointer module) {
  if (const int code = begin_on_device("hipModuleUnload")) return code;
  return fake::end("module", module);
}
FAKE_EXPORT int hipModuleGetFunction(Pointer* function, Pointer, const char* entry) {
  if (const int code = begin_on_device("hipModuleGetFunction", entry)) return code;
  if (std::strcmp(entry, "missing") == 0) return fake::kNotFound;
  *function = fake::function(entry);
  return 0;
}
FAKE_EXPORT int hipModuleGetGlobal(uint64_t* address, size_t* bytes, Pointer, const char* name) {
  if (const int code = begin_on_device("hipModuleGetGlobal", name)) return code;
  return fake::global(address, bytes, name);
}
FAKE_EXPORT int hipFuncGetAttribute(int* value, int attribute, Pointer) {
  *value = fake::function_attribute(attribute);
  return begin_on_device("hipFuncGetAttribute");
}
FAKE_EXPORT int hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Pointer,
                                                                   int threads,
                                                                   size_t shared_bytes) {
  *blocks = 2048 / threads;
  return begin_on_device("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor",
                         std::to_string(threads) + " " + std::to_string(shared_bytes));
}
FAKE_EXPORT int hipMalloc(Pointer* memory, size_t bytes) {
  if (const int code = begin_on_device("hipMalloc", std::to_string(bytes))) return code;
  if (fake::spoils_capture()) return fake::kCaptureSpoiled;
  return fake::allocate(memory, bytes, current_device);
}
FAKE_EXPORT int hipFree(Pointer memory) {
  if (const int code = begin_on_device("hipFree")) return code;
  return fake::release(memory);
}
FAKE_EXPORT int hipMallocManaged(Pointer* memory, size_t bytes, unsigned flags) {
  const std::string details = std::to_string(bytes) + " " + std::to_string(flags);
  if (const int code = begin_on_device("hipMallocManaged", details)) return code;
  return fake::allocate(memory, bytes, current_device);
}
FAKE_EXPORT int hipHostMalloc(Pointer* memory, size_t bytes, unsigned flags) {
  const std::string details = std::to_string(bytes) + " " + std::to_string(flags);
  if (const int code = begin_on_device("hipHostMalloc", details)) return code;
  return fake::allocate(memory, bytes, current_device);
}
FAKE_EXPORT int hipHostFree(Pointer memory) {
  if (const int code = begin_on_device("hipHostFree")) return code;
  return fake::release(memory);
}
FAKE_EXPORT int hipDeviceCanAccessPeer(int* reached, int, int) {
  *reached = static_cast<int>(fake::setting("peers", 1));
  return begin("hipDeviceCanAccessPeer");
}
FAKE_EXPORT int hipDeviceEnablePeerAccess(int peer, unsigned flags) {
  const std::string details = std::to_string(peer) + " " + std::to_string(flags);
  if (const int code = begin_on_device("hipDeviceEnablePeerAccess", details)) return code;
  return fake::reach(current_device, peer);
}
FAKE_EXPORT int hipExtMallocWithFlags(Pointer* memory, size_t bytes, unsigned flags) {
  const std::string details = std::to_string(bytes) + " " + std::to_string(flags);
  if (const int code = begin_on_device("hipExtMallocWithFlags", details)) return code;
  return fake::allocate(memory, bytes, current_device);
}
FAKE_EXPORT int hipMallocAsync(Pointer* memory, size_t bytes, Pointer stream) {
  const std::string details = std::to_string(bytes) + " " + fake::number(stream);
  if (const int code = begin_on_device("hipMallocAsync", details)) return code;
  return fake::allocate(memory, bytes, current_device);
}
FAKE_EXPORT int hipMallocFromPoolAsync(Pointer* memory, size_t bytes, Pointer pool,
                                       Pointer stream) {
  const std::string details =
      std::to_string(bytes) + " " + fake::number(pool) + " " + fake::number(stream);
  if (const int code = begin_on_device("hipMallocFromPoolAsync", details)) return code;
  return fake::allocate(memory, bytes, current_device);
}
FAKE_EXPORT int hipFreeAsync(Pointer memory, Pointer stream) {
  if (const int code = begin_on_device("hipFreeAsync", fake::number(stream))) return code;
  return fake::release(memory);
}
FAKE_EXPORT int hipMemPoolCreate(Pointer* pool, const void* properties) {
  if (const int code = begin_on_device("hipMemPoolCreate", fake::describe_pool(properties)))
    return code;
  return fake::make("pool", pool);
}
FAKE_EXPORT int hipMemPoolDestroy(Pointer pool) {
  if (const int code = begin_on_device("hipMemPoolDestroy", fake::number(pool))) return code;
  return fake::end("pool", pool);
}
FAKE_EXPORT int hipMemPoolTrimTo(Pointer pool, size_t most) {
  const std::string details = fake::number(pool) + " " + std::to_string(most);
  if (const int code = begin_on_device("hipMemPoolTrimTo", details)) return code;
  return fake::use(pool);
}
FAKE_EXPORT int hipMemGetInfo(size_t* free, size_t* total) {
  *free = static_cast<size_t>(fake::setting("free", 3 << 20));
  *total = 8 << 20;
  return begin_on_device("hipMemGetInfo");
}
FAKE_EXPORT int hipMemcpyHtoDAsync(Pointer to, const void* from, size_t bytes, Pointer stream) {
  if (const int code = begin_on_device("hipMemcpyHtoDAsync", fake::number(stream))) return code;
  std::memcpy(to, from, bytes);
  return 0;
}
FAKE_EXPORT int hipMemcpyDtoHAsync(void* to, Pointer from, size_t bytes, Pointer stream) {
  if (const int code = begin_on_device("hipMemcpyDtoHAsync", fake::number(stream))) return code;
  std::memcpy(to, from, bytes);
  return 0;
}
FAKE_EXPORT int hipMemcpyDtoDAsync(Pointer to, Pointer from, size_t bytes, Pointer stream) {
  if (const int code = begin_on_device("hipMemcpyDtoDAsync", fake::number(stream))) return code;
  std::memcpy(to, from, bytes);
  return 0;
}
FAKE_EXPORT int hipMemsetD8Async(Pointer to, unsigned char value, size_t bytes, Pointer stream) {
  if (const int code = begin_on_device("hipMemsetD8Async", fake::number(stream))) return code;
  std::memset(to, value, bytes);
  return 0;
}
FAKE_EXPORT int hipStreamCreateWithPriority(Pointer* stream, unsigned flags, int priority) {
  const std::string details = std::to_string(flags) + " " + std::to_string(priority);
  if (const int code = begin_on_device("hipStreamCreateWithPriority", details)) return code;
  return fake::make("stream", stream);
}
FAKE_EXPORT int hipStreamQuery(Pointer stream) {
  if (const int code = begin_on_device("hipStreamQuery", fake::number(stream))) return code;
  return fake::query(stream);
}
FAKE_EXPORT int hipStreamDestroy(Pointer stream) {
  if (const int code = begin_on_device("hipStreamDestroy", fake::number(stream))) return code;
  return fake::end("stream", stream);
}
FAKE_EXPORT int hipDeviceSynchronize() {
  if (const int code = begin_on_device("hipDeviceSynchronize", "")) return code;
  return fake::wait_for_all();
}
FAKE_EXPORT int hipStreamSynchronize(Pointer stream) {
  if (const int code = begin_on_device("hipStreamSynchronize", fake::number(stream))) return code;
  return fake::wait(stream);
}
FAKE_EXPORT int hipStreamWaitEvent(Pointer stream, Pointer event, unsigned) {
  const std::string details = fake::number(stream) + " " + fake::number(event);
  if (const int code = begin_on_device("hipStreamWaitEvent", details)) return code;
  return fake::use(stream) ? fake::kInvalidHandle : fake::use(event);
}
FAKE_EXPORT int hipStreamIsCapturing(Pointer stream, int* status) {
  *status = fake::captured(stream);
  return begin_on_device("hipStreamIsCapturing", fake::number(stream));
}
FAKE_EXPORT int hipStreamBeginCapture(Pointer stream, int mode) {
  if (const int code = begin_on_device("hipStreamBeginCapture", fake::number(stream))) return code;
  return fake::begin_capture(stream, mode);
}
FAKE_EXPORT int hipStreamEndCapture(Pointer stream, Pointer* taken) {
  const bool captured = fake::end_capture(stream);
  if (const int code = begin_on_device("hipStreamEndCapture", fake::number(stream))) return code;
  return captured ? fake::make("taken", taken) : fake::kInvalidValue;
}
FAKE_EXPORT int hipGraphInstantiateWithFlags(Pointer* graph, Pointer taken, unsigned long long) {
  if (const int code = begin_on_device("hipGraphInstantiateWithFlags", fake::number(taken)))
    return code;
  return fake::make("graph", graph);
}
FAKE_EXPORT int hipGraphLaunch(Pointer graph, Pointer stream) {
  const std::string details = fake::number(graph) + " " + fake::number(stream);
  if (const int code = begin_on_device("hipGraphLaunch", details)) return code;
  return fake::launch_graph(graph, stream);
}
FAKE_EXPORT int hipGraphExecDestroy(Pointer graph) {
  if (const int code = begin_on_device("hipGraphExecDestroy", fake::number(graph))) return code;
  return fake::end("graph", graph);
}
FAKE_EXPORT int hipGraphDestroy(Pointer taken) {
  if (const int code = begin_on_device("hipGraphDestroy", fake::number(taken))) return code;
  return fake::end("taken", taken);
}
FAKE_EXPORT int hipThreadExchangeStreamCaptureMode(int* mode) {
  std::swap(*mode, fake::capture_mode);
  return 0;
}
FAKE_EXPORT int hipEventCreateWithFlags(Pointer* event, unsigned flags) {
  if (const int code = begin_on_device("hipEventCreateWithFlags", std::to_string(flags)))
    return code;
  return fake::make("event", event);
}
FAKE_EXPORT int hipEventDestroy(Pointer event) {
  if (const int code = begin_on_device("hipEventDestroy", fake::number(event))) return code;
  return fake::end("event", event);
}
FAKE_EXPORT int hipEventRecord(Pointer event, Pointer stream) {
  const std::string details = fake::number(event) + " " + fake::number(stream);
  if (const int code = begin_on_device("hipEventRecord", details)) return code;
  return fake::record(event, stream);
}
FAKE_EXPORT int hipEventQuery(Pointer event) {
  if (const int code = begin_on_device("hipEventQuery", fake::number(event))) return code;
  return fake::query(event);
}
FAKE_EXPORT int hipEventSynchronize(Pointer event) {
  if (const int code = begin_on_device("hipEventSynchronize", fake::number(event))) return code;
  return fake::use(event);
}
FAKE_EXPORT int hipEventElapsedTime(float* milliseconds, Pointer, Pointer) {
  *milliseconds = 1.5f;
  return begin_on_device("hipEventElapsedTime");
}
FAKE_EXPORT int hipPointerGetAttribute(Pointer value, int attribute, uint64_t address) {
  if (const int code = begin_on_device("hipPointerGetAttribute")) return code;
  return fake::owner(value, attribute, address);
}
FAKE_EXPORT int hipModuleLaunchKernel(Pointer function, unsigned grid_x, unsigned grid_y,
                                      unsigned grid_z, unsigned block_x, unsigned block_y,
                                      unsigned block_z, unsigned shared_bytes, Pointer stream,
                                      Pointer* parameters, Pointer* extra) {
  const fake::LaunchShape shape{
      {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
  const int code =
      begin_on_device("hipModuleLaunchKernel", fake::describe(function, shape, stream) +
                                                   (parameters ? " both" : "") + " parameters " +
                                                   fake::parameters(extra, address(3)));
  return code ? code : fake::use(stream);
}
FAKE_EXPORT int hipDrvLaunchKernelEx(const fake::LaunchConfig* config, Pointer function,
                                     Pointer* parameters, Pointer* extra) {
  const int code = begin_on_device("hipDrvLaunchKernelEx",
                                   fake::describe(function, *config) + (parameters ? " both" : "") +
                                       " parameters " + fake::parameters(extra, address(3)));
  return code ? code : fake::use(config->stream);
}
FAKE_EXPORT const char* hipGetErrorName(int error) {
  static const std::map<int, const char*> names = {
      {1, "hipErrorInvalidValue"},          {2, "hipErrorOutOfMemory"},
      {3, "hipErrorNotInitialized"},        {100, "hipErrorNoDevice"},
      {209, "hipErrorNoBinaryForGpu"},      {218, "hipErrorInvalidKernelFile"},
      {400, "hipErrorInvalidHandle"},       {500, "hipErrorNotFound"},
      {701, "hipErrorLaunchOutOfResources"}};
  auto found = names.find(error);
  return found == names.end() ? nullptr : found->second;
}
FAKE_EXPORT const char* hipGetErrorString(int error) {
  return error == 100 ? "no ROCm-capable device is detected" : "as the fake driver says";
}
