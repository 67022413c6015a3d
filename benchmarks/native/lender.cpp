// A library whose arrays are lent by DLPack's C functions, as cheaply as may be.
#include <cstdint>

#include "abi/dlpack.h"

namespace {

int64_t extent = 1024, stride = 1;
alignas(64) float numbers[1024];
const DLTensor kArray = {numbers, {kDLCPU, 0}, 1, {kDLFloat, 32, 1}, &extent, &stride, 0};

int lend(void*, DLTensor* out) {
  *out = kArray;
  return 0;
}

// Nobody asks for an array to keep.
int give(void*, DLManagedTensorVersioned**) { return -1; }

int current_stream(DLDeviceType, int32_t, void** stream) {
  *stream = nullptr;
  return 0;
}

}  // namespace

extern "C" DLPackExchangeAPI exchange_api;
DLPackExchangeAPI exchange_api = {.header = {{DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION}, nullptr},
                                  .managed_tensor_allocator = nullptr,
                                  .managed_tensor_from_py_object_no_sync = give,
                                  .managed_tensor_to_py_object_no_sync = nullptr,
                                  .dltensor_from_py_object_no_sync = lend,
                                  .current_work_stream = current_stream};

// So often, what a launch asks of it.
extern "C" void ask(long count) {
  DLTensor tensor;
  void* stream;
  for (long i = 0; i < count; ++i) {
    exchange_api.dltensor_from_py_object_no_sync(nullptr, &tensor);
    exchange_api.current_work_stream(kDLCPU, 0, &stream);
    asm volatile("" : : "r"(&tensor), "r"(stream) : "memory");
  }
}
