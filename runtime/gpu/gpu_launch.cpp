// Launches on a GPU: parameters as one packed block, and what a launch has beside the usual.
#include <algorithm>
#include <vector>

#include "runtime/gpu/gpu_calls.h"

namespace hetjit::runtime {
namespace {

// Words of the list of launch extras, the same for both vendors but for its end.
void* const kExtraBuffer = reinterpret_cast<void*>(1);
void* const kExtraBytes = reinterpret_cast<void*>(2);

constexpr int kMaxThreadsPerBlock = 0;          // function attribute, both vendors
constexpr int kOutOfResources = 701;            // launch error, both vendors
constexpr int kTooManyBlocks = 720;             // the same, of a cooperative launch
constexpr int kCooperative = 2, kPriority = 8;  // launch attributes, both vendors
constexpr int kClusterDimension = 4;            // CUDA's
constexpr int kProgrammaticSerialization = 6;   // the same

uint64_t blocks_of(const uint32_t (&cluster)[3]) {
  return uint64_t{cluster[0]} * cluster[1] * cluster[2];
}

/// What a launch asks for beside the usual. `early`: it may begin before what is before it is done,
/// which a programmatic launch allows and does not demand.
std::vector<LaunchAttribute> attributes_of(const Geometry& geometry, bool early) {
  const Schedule& schedule = geometry.schedule;
  std::vector<LaunchAttribute> made;
  const auto add = [&](int id) -> int* {
    return made.emplace_back(LaunchAttribute{.id = id}).value;
  };
  if (geometry.cooperative) *add(kCooperative) = 1;
  if (blocks_of(schedule.cluster) > 1) std::copy_n(schedule.cluster, 3, add(kClusterDimension));
  if (schedule.programmatic && early) *add(kProgrammaticSerialization) = 1;
  if (schedule.has_priority) *add(kPriority) = schedule.priority;
  return made;
}

}  // namespace

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
  if (geometry.cooperative || geometry.schedule != Schedule{}) {
    const bool early = kernel->waits && overlaps_launches(info().target);
    const std::vector<LaunchAttribute> asked = attributes_of(geometry, early);
    if (!asked.empty())
      return launch_with(*kernel, geometry, stream, asked, bytes ? extra : nullptr);
  }
  const int code =
      api_.launch(kernel->handle, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                  geometry.shared_bytes, stream, nullptr, bytes ? extra : nullptr);
  return code == 0 ? ok() : launch_error(code, *kernel, geometry);
}

Status GpuDevice::launch_with(Function& kernel, const Geometry& geometry, Handle stream,
                              const std::vector<LaunchAttribute>& attributes, void** extra) {
  if (!api_.launch_with)
    return Error{ErrorCode::Unsupported,
                 name() +
                     " can launch neither cooperatively nor in clusters, by priority or "
                     "programmatically: " +
                     api_.library + " is too old for it"};
  if (blocks_of(geometry.schedule.cluster) > kPortableCluster)
    HETJIT_TRY(context_->allow_large_clusters(kernel.handle));
  LaunchAttributes launch{};
  std::copy_n(geometry.grid, 3, launch.grid);
  std::copy_n(geometry.block, 3, launch.block);
  launch.shared_bytes = geometry.shared_bytes;
  launch.stream = stream;
  launch.attributes = attributes.data();
  launch.attribute_count = static_cast<unsigned>(attributes.size());
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

}  // namespace hetjit::runtime
