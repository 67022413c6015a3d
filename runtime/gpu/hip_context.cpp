// HIP: a device that is current per thread, as in the CUDA run time library.
#include "runtime/gpu/gpu_context.h"
#include "runtime/gpu/hip_arch.h"

namespace hetjit::runtime {
namespace {

// hipDeviceAttribute_t, the same from version 5 on. Version 4 had other numbers.
constexpr LimitAttributes kLimits = {
    .threads_per_block = 56,
    .block = {26, 27, 28},
    .grid = {29, 30, 31},
    .shared_bytes = 74,
    .multiprocessors = 63,
};

class HipContext final : public GpuContext {
 public:
  HipContext(const GpuApi& api, DeviceInfo info, int device)
      : api_(api), info_(std::move(info)), device_(device) {}

  const DeviceInfo& info() const override { return info_; }

  Status enter(Handle& before) override {
    int current = 0;
    HETJIT_TRY(api_.check(api_.device_current(&current), info_.name, "be made current"));
    before = to_handle(current);
    if (current == device_) return ok();
    return api_.check(api_.device_use(device_), info_.name, "be made current");
  }

  void leave(Handle before) override {
    if (before != to_handle(device_)) api_.device_use(to_device(before));
  }

  Result<Handle> load(const KernelImage& image) override {
    Handle module = nullptr;
    const int code = api_.module_load(&module, image.code.data());
    if (code == 0) return module;
    Error error = api_.error(code, info_.name, "load '" + image.entry + "'");
    if (image.target.arch != info_.target.arch)
      error.text += "; it was compiled for " + to_text(image.target) + ", and this device is " +
                    to_text(info_.target);
    return error;
  }

  // All of a compute unit's memory is there for the asking.
  Status allow_shared(Handle, uint32_t) override { return ok(); }

  Status allow_large_clusters(Handle) override { return ok(); }

  int reach(const GpuContext& other) override {
    return api_.device_reach(static_cast<const HipContext&>(other).device_, 0);
  }

  void* end_of_extras() const override { return reinterpret_cast<void*>(3); }

 private:
  // Device numbers travel as handles; one more, so that device 0 is no null.
  static Handle to_handle(int device) {
    return reinterpret_cast<Handle>(static_cast<intptr_t>(device) + 1);
  }
  static int to_device(Handle handle) {
    return static_cast<int>(reinterpret_cast<intptr_t>(handle) - 1);
  }

  const GpuApi& api_;
  const DeviceInfo info_;
  const int device_;
};

// A machine that stands in for a GPU says it by its name, "emu:gfx942".
Result<std::string> find_arch(const GpuApi& api, const DeviceInfo& info, int device) {
  if (!api.machine.empty()) return api.machine.substr(api.machine.find(':') + 1);
  char address[64] = {};
  HETJIT_TRY(api.check(api.device_bus(address, sizeof address - 1, device), info.name,
                       "tell its PCI address"));
  Result<std::string> arch = find_hip_arch(address);
  if (!arch) return Error{arch.error().code, info.name + ": " + arch.error().text};
  return arch;
}

}  // namespace

Result<std::unique_ptr<GpuContext>> make_hip_context(const GpuApi& api, int index) {
  DeviceInfo info;
  info.name = api.name_of(index);
  Result<int> device = find_device(api, index, info.name);
  if (!device) return device.error();
  HETJIT_TRY(read_limits(api, *device, kLimits, info));
  Result<std::string> arch = find_arch(api, info, *device);
  if (!arch) return arch.error();
  info.binary = ImageKind::CodeObject;
  info.max_cluster = 1;
  info.target = {TargetKind::Amd, *arch};
  return std::unique_ptr<GpuContext>(new HipContext(api, std::move(info), *device));
}

}  // namespace hetjit::runtime
