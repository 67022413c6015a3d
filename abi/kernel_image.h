// What the compiler hands to the runtime, in memory and on disk: compiler and runtime meet only
// here.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "abi/array_numbers.h"
#include "abi/messages.h"
#include "abi/signature.h"
#include "abi/status.h"
#include "abi/target_name.h"

namespace hetjit {

enum class ImageKind : uint8_t {
  Ptx,  // NUL-terminated text, the NUL inside `code`
  Cubin,
  CodeObject,  // AMD, linked
  HostObject,  // ELF relocatable; entry symbol has type HostEntry
};

/// A launch on the host as its kernel sees it: what the threads that run its blocks share.
struct HostLaunch {
  /// Shall the kernel end early? Asked by blocks that wait for others.
  bool (*stopped)(HostLaunch* launch) = nullptr;
  /// Of the kernel's own, made by the first who needs it; `drop` ends it after the launch.
  std::atomic<void*> shared{nullptr};
  void (*drop)(void* shared) = nullptr;
  ~HostLaunch() {
    if (void* made = shared.load()) drop(made);
  }
};

/// When and where a GPU runs the blocks of a launch, beside the usual way. The host runs them as
/// ever. CUDA's launch attributes of the same names.
struct Schedule {
  uint32_t cluster[3] = {1, 1, 1};  // blocks that run at a time and near to one another
  bool programmatic = false;        // it may begin before what is before it in its stream is done
  bool has_priority = false;
  int32_t priority = 0;  // in place of its stream's: the lower, the sooner

  bool operator==(const Schedule&) const = default;
};

/// Number of blocks and threads of a launch; x is the fastest axis.
struct Geometry {
  uint32_t grid[3] = {1, 1, 1};
  uint32_t block[3] = {1, 1, 1};
  uint32_t shared_bytes = 0;     // dynamic shared memory
  bool cooperative = false;      // all blocks run at a time: a barrier of the grid can be kept
  HostLaunch* launch = nullptr;  // set where the host runs it
  Schedule schedule;             // which no kernel sees

  bool operator==(const Geometry&) const = default;
};

/// What a host kernel's entry symbol is. `parameters` is the parameter block (abi/layout.h,
/// parameter_block); blocks [first_block, last_block) of the grid are run, linear ids, x fastest.
using HostEntry = void (*)(const std::byte* parameters, const Geometry* geometry,
                           uint64_t first_block, uint64_t last_block);

/// Bumped whenever HostEntry, the parameter block or the image's own form on disk changes.
inline constexpr uint32_t kImageVersion = 7;

struct KernelImage {
  TargetName target;
  ImageKind kind = ImageKind::HostObject;
  std::string entry;  // symbol
  Signature signature;
  uint32_t parameter_bytes = 0;  // size of the parameter block
  uint32_t stack_bytes = 0;      // that a GPU's thread needs for calls; 0: as many as usual
  uint32_t most_threads = 0;     // of a block, as the code was made for it; 0: any number
  uint32_t least_shared = 0;     // dynamic shared memory, in bytes, that a launch must give
  bool grid_barrier = false;     // the launch must be cooperative
  bool grid_dependency = false;  // it waits itself for what is before it in its stream
  ArraySet stored;               // arrays of the signature that the code may store to
  Sites sites;                   // what the code may raise or print
  std::vector<std::byte> code;
};

/// The form on disk; `load_image` refuses other versions and damaged data (ErrorCode::Invalid).
std::vector<std::byte> save_image(const KernelImage& image);
Result<KernelImage> load_image(std::span<const std::byte> bytes);

}  // namespace hetjit
