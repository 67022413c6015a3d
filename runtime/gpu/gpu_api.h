// A vendor's library, opened at run time: nothing of CUDA or HIP is needed to build.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include "abi/status.h"
#include "runtime/device.h"

namespace hetjit::runtime {

enum class Vendor : uint8_t { Cuda, Hip };

/// "cuda", "hip": the first part of its devices' names.
const char* to_text(Vendor vendor);

/// How a launch is when not in the usual way; CUlaunchConfig and HIP_LAUNCH_CONFIG.
struct LaunchAttribute {
  int id;
  int padding;
  int value[16];
};
struct LaunchAttributes {
  unsigned grid[3], block[3], shared_bytes;
  Handle stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};
/// What a pool of memory is for; CUmemPoolProps and hipMemPoolProps.
struct PoolProperties {
  int allocation = 1;  // pinned memory
  int handle_types = 0;
  int location = 1;  // a device
  int device = 0;
  const void* security = nullptr;
  size_t most_bytes = 0;
  unsigned char reserved[56] = {};
};
static_assert(sizeof(PoolProperties) == 88 && offsetof(PoolProperties, security) == 16);
static_assert(sizeof(LaunchAttribute) == 72 && offsetof(LaunchAttribute, value) == 8);
static_assert(offsetof(LaunchAttributes, stream) == 32 && sizeof(LaunchAttributes) == 56);

/// The vendor's calls as members, `api.copy_in(…)`. Calls of the other vendor are null.
struct GpuApi {
  Vendor vendor = Vendor::Cuda;
  std::string library;  // the file that was opened
  pid_t opened_by = 0;  // neither driver works in a child of the process that started it
  std::string machine;  // the only one's name, where a machine stands in for a driver; else empty

#define GPU_CALL(member, cuda, hip, ...) std::type_identity_t<__VA_ARGS__>* member = nullptr;
#define CUDA_CALL(member, symbol, ...) std::type_identity_t<__VA_ARGS__>* member = nullptr;
#define GPU_OPTIONAL(member, cuda, hip, ...) std::type_identity_t<__VA_ARGS__>* member = nullptr;
#define CUDA_OPTIONAL(member, symbol, ...) std::type_identity_t<__VA_ARGS__>* member = nullptr;
#define HIP_CALL(member, symbol, ...) std::type_identity_t<__VA_ARGS__>* member = nullptr;
#define HIP_OPTIONAL(member, symbol, ...) std::type_identity_t<__VA_ARGS__>* member = nullptr;
#include "runtime/gpu/gpu_calls.def"
#undef GPU_CALL
#undef CUDA_CALL
#undef GPU_OPTIONAL
#undef CUDA_OPTIONAL
#undef HIP_CALL
#undef HIP_OPTIONAL

  /// "cuda:0", or the machine's own name.
  std::string name_of(int index) const;
  /// What a call returned, as a Status: "cuda:0 cannot copy: CUDA_ERROR_INVALID_VALUE (1), invalid
  /// argument". `who` and `what` are the text before the colon. OutOfMemory and Unsupported are
  /// told from DriverFailed by the vendors' common numbers.
  Status check(int code, const std::string& who, const std::string& what) const;
  /// "CUDA_ERROR_INVALID_VALUE (1), invalid argument"
  std::string words(int code) const;
  /// The same as an Error, for a code that is not 0.
  Error error(int code, const std::string& who, const std::string& what) const;
};

/// Opens the library that HETJIT_CUDA_LIBRARY or HETJIT_HIP_LIBRARY names, else the vendor's usual
/// ones. Calls nothing in it. Errors: Unavailable with the loader's reason.
Result<std::unique_ptr<GpuApi>> open_gpu_api(Vendor vendor);

/// The calls of a machine that stands in for the vendor's driver, with one device of this name.
/// `find` gives a call by its symbol, or null.
Result<std::unique_ptr<GpuApi>> emulated_gpu_api(Vendor vendor, const std::string& device,
                                                 void* (*find)(const char* symbol));

}  // namespace hetjit::runtime
