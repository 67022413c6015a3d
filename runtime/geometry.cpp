// Is this grid one that the device can run? The messages name the value found and the limit.
#include <algorithm>
#include <cstdint>
#include <string>

#include "runtime/device.h"

namespace hetjit::runtime {
namespace {

constexpr const char* kAxis[3] = {"x", "y", "z"};

Error invalid(std::string text) { return Error{ErrorCode::Invalid, std::move(text)}; }

Error zero_error(const char* what, int axis) {
  return invalid(std::string(what) + " is 0 in " + kAxis[axis] +
                 ": every dimension must be at least 1");
}

Error axis_error(const char* what, int axis, uint32_t found, uint32_t limit,
                 const std::string& device) {
  return invalid(std::string(what) + " of " + std::to_string(found) + " in " + kAxis[axis] +
                 " is more than the " + std::to_string(limit) + " that " + device + " allows");
}

Error threads_error(const uint32_t (&block)[3], uint64_t threads, const DeviceInfo& info) {
  return invalid("block of " + std::to_string(threads) + " threads (" + std::to_string(block[0]) +
                 ", " + std::to_string(block[1]) + ", " + std::to_string(block[2]) +
                 ") is more than the " + std::to_string(info.max_threads_per_block) + " that " +
                 info.name + " allows: launch more blocks of fewer threads, or kernel.forall(n)");
}

// A thread's place along an axis is an int of 32 bits (device.tid), and code relies on it.
Error places_error(int axis, uint64_t places) {
  return invalid("grid times block is " + std::to_string(places) + " threads in " + kAxis[axis] +
                 ", more than an int of 32 bits can number (2147483647); let each thread do more");
}

// The largest 64-bit number when the product does not fit.
uint64_t count_threads(const uint32_t (&block)[3]) {
  uint64_t all = 0;
  if (__builtin_mul_overflow(uint64_t{block[0]} * block[1], uint64_t{block[2]}, &all))
    return UINT64_MAX;
  return all;
}

Status check_cluster(const Geometry& geometry, const DeviceInfo& info) {
  const uint32_t(&cluster)[3] = geometry.schedule.cluster;
  uint64_t blocks = 1;
  for (int axis = 0; axis < 3; axis++) {
    if (cluster[axis] == 0) return zero_error("cluster", axis);
    blocks = std::min<uint64_t>(blocks * cluster[axis], UINT32_MAX);
    if (geometry.grid[axis] % cluster[axis] == 0) continue;
    return invalid("grid of " + std::to_string(geometry.grid[axis]) + " blocks in " + kAxis[axis] +
                   " is no multiple of the cluster's " + std::to_string(cluster[axis]) +
                   ": a grid is of whole clusters");
  }
  if (blocks <= info.max_cluster) return ok();
  if (info.max_cluster == 1)
    return Error{ErrorCode::Unsupported,
                 info.name + " (" + info.target.arch +
                     ") has no clusters of blocks: NVIDIA's GPUs have them from sm_90 on, with a "
                     "driver of CUDA 11.8 or newer; launch without cluster="};
  return invalid("cluster of " + std::to_string(blocks) + " blocks is more than the " +
                 std::to_string(info.max_cluster) + " that " + info.name + " allows");
}

}  // namespace

Status check_geometry(const Geometry& geometry, const DeviceInfo& info) {
  for (int axis = 0; axis < 3; axis++) {
    if (geometry.grid[axis] == 0) return zero_error("grid", axis);
    if (geometry.block[axis] == 0) return zero_error("block", axis);
  }
  for (int axis = 0; axis < 3; axis++)
    if (geometry.grid[axis] > info.max_grid[axis])
      return axis_error("grid", axis, geometry.grid[axis], info.max_grid[axis], info.name);
  const uint64_t threads = count_threads(geometry.block);
  if (threads > info.max_threads_per_block) return threads_error(geometry.block, threads, info);
  for (int axis = 0; axis < 3; axis++)
    if (geometry.block[axis] > info.max_block[axis])
      return axis_error("block", axis, geometry.block[axis], info.max_block[axis], info.name);
  for (int axis = 0; axis < 3; axis++) {
    const uint64_t places = uint64_t{geometry.grid[axis]} * geometry.block[axis];
    if (places > INT32_MAX) return places_error(axis, places);
  }
  if (geometry.shared_bytes > info.max_shared_bytes)
    return invalid(std::to_string(geometry.shared_bytes) +
                   " bytes of dynamic shared memory are more than the " +
                   std::to_string(info.max_shared_bytes) + " that " + info.name + " allows");
  return check_cluster(geometry, info);
}

}  // namespace hetjit::runtime
