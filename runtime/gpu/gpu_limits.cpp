// What both vendors answer alike about a device.
#include "runtime/gpu/gpu_context.h"

namespace hetjit::runtime {

Result<int> find_device(const GpuApi& api, int index, const std::string& name) {
  int device = 0;
  HETJIT_TRY(api.check(api.device_get(&device, index), name, "be opened"));
  return device;
}

Status read_limits(const GpuApi& api, int device, const LimitAttributes& attributes,
                   DeviceInfo& info) {
  char text[256] = {};
  HETJIT_TRY(api.check(api.device_name(text, sizeof text - 1, device), info.name, "be described"));
  info.description = text;
  const struct {
    int attribute;
    uint32_t* value;
  } rows[] = {
      {attributes.threads_per_block, &info.max_threads_per_block},
      {attributes.block[0], &info.max_block[0]},
      {attributes.block[1], &info.max_block[1]},
      {attributes.block[2], &info.max_block[2]},
      {attributes.grid[0], &info.max_grid[0]},
      {attributes.grid[1], &info.max_grid[1]},
      {attributes.grid[2], &info.max_grid[2]},
      {attributes.shared_bytes, &info.max_shared_bytes},
      {attributes.multiprocessors, &info.multiprocessors},
  };
  for (const auto& row : rows) {
    int value = 0;
    HETJIT_TRY(api.check(api.device_attribute(&value, row.attribute, device), info.name,
                         "tell attribute " + std::to_string(row.attribute)));
    *row.value = static_cast<uint32_t>(value);
  }
  return ok();
}

Status allow_stack(const GpuApi& api, const std::string& name, uint32_t bytes) {
  constexpr int kStackLimit = 0;          // of both vendors' limits
  constexpr uint32_t kUndisputed = 1024;  // what both give without being asked
  if (bytes <= kUndisputed) return ok();
  const std::string what = "give threads " + std::to_string(bytes) + " bytes of stack";
  if (!api.limit_get || !api.limit_set)
    return Error{ErrorCode::Unsupported,
                 name + " cannot " + what + ": " + api.library + " is too old"};
  size_t now = 0;
  HETJIT_TRY(api.check(api.limit_get(&now, kStackLimit), name, "tell its stack"));
  if (now >= bytes) return ok();
  return api.check(api.limit_set(kStackLimit, bytes), name, what);
}

}  // namespace hetjit::runtime
