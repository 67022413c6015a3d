// CUDA: the primary context, which the CUDA run time library and all that use it share.
#include <algorithm>
#include <cstring>
#include <string>

#include "runtime/gpu/gpu_context.h"

namespace hetjit::runtime {
namespace {

// CUdevice_attribute
constexpr LimitAttributes kLimits = {
    .threads_per_block = 1,
    .block = {2, 3, 4},
    .grid = {5, 6, 7},
    .shared_bytes = 97,  // what a function may have when it asks (allow_shared)
    .multiprocessors = 16,
};
constexpr int kCapabilityMajor = 75, kCapabilityMinor = 76;

constexpr int kClusterLaunch = 120;               // a driver before CUDA 11.8 knows it not
constexpr int kMaxDynamicSharedBytes = 8;         // CUfunction_attribute
constexpr int kNonPortableClusters = 14;          // the same
constexpr int kErrorLog = 5, kErrorLogBytes = 6;  // CUjit_option
constexpr size_t kLogBytes = 8192;

class CudaContext final : public GpuContext {
 public:
  CudaContext(const GpuApi& api, DeviceInfo info, Handle context)
      : api_(api), info_(std::move(info)), context_(context) {}

  const DeviceInfo& info() const override { return info_; }

  Status enter(Handle& before) override {
    HETJIT_TRY(api_.check(api_.context_get(&before), info_.name, "be made current"));
    if (before == context_) return ok();
    return api_.check(api_.context_set(context_), info_.name, "be made current");
  }

  void leave(Handle before) override {
    // A thread that had no context keeps ours: the next call finds it there.
    if (before && before != context_) api_.context_set(before);
  }

  Result<Handle> load(const KernelImage& image) override {
    std::string log(kLogBytes, '\0');
    int options[] = {kErrorLog, kErrorLogBytes};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
    Handle module = nullptr;
    const int code = api_.module_load_options(&module, image.code.data(), 2, options, values);
    if (code == 0) return module;
    Error error = api_.error(code, info_.name, "load '" + image.entry + "'");
    log.resize(std::strlen(log.c_str()));
    while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.pop_back();
    if (!log.empty()) error.text += "\n" + log;
    return error;
  }

  Status allow_shared(Handle function, uint32_t bytes) override {
    if (!api_.function_attribute_set) return ok();  // then the launch says what it can do
    return api_.check(
        api_.function_attribute_set(function, kMaxDynamicSharedBytes, static_cast<int>(bytes)),
        info_.name, "give a kernel " + std::to_string(bytes) + " bytes of dynamic shared memory");
  }

  Status allow_large_clusters(Handle function) override {
    if (!api_.function_attribute_set) return ok();
    return api_.check(api_.function_attribute_set(function, kNonPortableClusters, 1), info_.name,
                      "let a kernel run in clusters of more than " +
                          std::to_string(kPortableCluster) + " blocks");
  }

  int reach(const GpuContext& other) override {
    return api_.context_reach(static_cast<const CudaContext&>(other).context_, 0);
  }

  void* end_of_extras() const override { return nullptr; }

 private:
  const GpuApi& api_;
  const DeviceInfo info_;
  const Handle context_;
};

}  // namespace

Result<std::unique_ptr<GpuContext>> make_cuda_context(const GpuApi& api, int index) {
  DeviceInfo info;
  info.name = api.name_of(index);
  Result<int> device = find_device(api, index, info.name);
  if (!device) return device.error();
  HETJIT_TRY(read_limits(api, *device, kLimits, info));
  int major = 0, minor = 0;
  HETJIT_TRY(api.check(api.device_attribute(&major, kCapabilityMajor, *device), info.name,
                       "tell its architecture"));
  HETJIT_TRY(api.check(api.device_attribute(&minor, kCapabilityMinor, *device), info.name,
                       "tell its architecture"));
  int clusters = 0;
  if (api.device_attribute(&clusters, kClusterLaunch, *device) != 0 || !clusters)
    info.max_cluster = 1;
  info.binary = ImageKind::Cubin;
  info.target = {TargetKind::Nvidia, "sm_" + std::to_string(major) + std::to_string(minor)};
  // Kept for the life of the process, as the device is.
  Handle context = nullptr;
  HETJIT_TRY(api.check(api.context_retain(&context, *device), info.name, "be opened"));
  return std::unique_ptr<GpuContext>(new CudaContext(api, std::move(info), context));
}

}  // namespace hetjit::runtime
