// A libcuda.so.1 with one GPU that does nothing with a launch: what a launch costs over it is ours.
// An ellipsis takes whatever it is called with; results are where the caller waits for some.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define SAYS_YES(name) \
  extern "C" int name(...) { return 0; }

SAYS_YES(cuInit)
SAYS_YES(cuModuleUnload)
SAYS_YES(cuMemcpyHtoDAsync_v2)
SAYS_YES(cuMemcpyDtoHAsync_v2)
SAYS_YES(cuMemcpyDtoDAsync_v2)
SAYS_YES(cuMemsetD8Async)
SAYS_YES(cuStreamQuery)
SAYS_YES(cuStreamDestroy_v2)
SAYS_YES(cuStreamSynchronize)
SAYS_YES(cuStreamWaitEvent)
SAYS_YES(cuEventDestroy_v2)
SAYS_YES(cuEventRecord)
SAYS_YES(cuEventQuery)
SAYS_YES(cuEventSynchronize)
SAYS_YES(cuEventElapsedTime)
SAYS_YES(cuGetErrorName)
SAYS_YES(cuGetErrorString)
SAYS_YES(cuCtxSetCurrent)
SAYS_YES(cuFuncGetAttribute)
SAYS_YES(cuLaunchKernelEx)

namespace {

int context_of_all, function_of_all;

int give(void** to, void* what) {
  *to = what;
  return 0;
}

}  // namespace

extern "C" int cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                              unsigned, void*, void**, void**) {
  return 0;
}
extern "C" int cuDeviceGetCount(int* count) { return (*count = 1), 0; }
extern "C" int cuDeviceGet(int* device, int index) { return (*device = index), 0; }
extern "C" int cuDeviceGetName(char* name, int bytes, int) {
  return std::snprintf(name, bytes, "idle"), 0;
}
extern "C" int cuDeviceGetAttribute(int* value, int attribute, int) {
  return (*value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 97 ? 232448 : 65535), 0;
}
extern "C" int cuDevicePrimaryCtxRetain(void** context, int) {
  return give(context, &context_of_all);
}
extern "C" int cuCtxGetCurrent(void** context) { return give(context, &context_of_all); }
extern "C" int cuModuleLoadDataEx(void** module, const void*, ...) {
  return give(module, &function_of_all);
}
extern "C" int cuModuleGetFunction(void** function, ...) {
  return give(function, &function_of_all);
}
extern "C" int cuModuleGetGlobal_v2(void** address, size_t*, ...) {
  return give(address, &function_of_all);
}
extern "C" int cuMemAlloc_v2(void** memory, size_t bytes) {
  return give(memory, std::malloc(bytes));
}
extern "C" int cuMemFree_v2(void* memory) { return std::free(memory), 0; }
extern "C" int cuMemGetInfo_v2(size_t* free, size_t* total) {
  return (*free = *total = size_t{1} << 32), 0;
}
extern "C" int cuStreamCreateWithPriority(void** stream, ...) {
  return give(stream, &function_of_all);
}
extern "C" int cuEventCreate(void** event, ...) { return give(event, &function_of_all); }
extern "C" int cuPointerGetAttribute(int* value, ...) { return (*value = 0), 0; }
