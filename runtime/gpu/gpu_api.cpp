#include "runtime/gpu/gpu_api.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>
#include <vector>

namespace hetjit::runtime {
namespace {

// The version of the CUDA interface that we were written against: the first that can be asked for
// symbols by version, 11.3. Asking matters: the same plain name may have had another form before.
constexpr int kCudaVersion = 11030;

// Numbers that both vendors use alike.
constexpr int kOutOfMemory = 2;
constexpr int kNotInitialized = 3;
constexpr int kNoBinaryForGpu = 209;
constexpr int kUnsupportedPtxVersion = 222;  // CUDA
constexpr int kNotSupported = 801;

std::vector<std::string> libraries(Vendor vendor) {
  const bool cuda = vendor == Vendor::Cuda;
  const char* chosen = std::getenv(cuda ? "HETJIT_CUDA_LIBRARY" : "HETJIT_HIP_LIBRARY");
  if (chosen && *chosen) return {chosen};
  if (cuda) return {"libcuda.so.1"};
  // Versions from 5 on share the numbers of attributes that hip_context.cpp asks for.
  return {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"};
}

std::string loader_error() {
  const char* text = dlerror();
  return text ? text : "unknown reason";
}

// One of several libraries suffices, so the reason to report is that of one which exists but cannot
// be used; else that none exists.
Result<void*> open_first(const std::vector<std::string>& names, std::string& opened) {
  std::string first, telling;
  for (const std::string& name : names) {
    if (void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      opened = name;
      return library;
    }
    const std::string reason = loader_error();
    if (first.empty()) first = reason;
    if (telling.empty() && !reason.starts_with(name + ": cannot open shared object file"))
      telling = reason;
  }
  return Error{ErrorCode::Unavailable, telling.empty() ? first : telling};
}

// Finds symbols. CUDA's own lookup goes first where there is one.
class Binder {
 public:
  Binder(void* (*find)(const char*), std::string name)
      : library_(nullptr), name_(std::move(name)), emulated_(find) {}
  Binder(void* library, std::string name, Vendor vendor)
      : library_(library), name_(std::move(name)) {
    if (vendor != Vendor::Cuda) return;
    ask_with_status_ = reinterpret_cast<AskWithStatus*>(dlsym(library, "cuGetProcAddress_v2"));
    ask_ = reinterpret_cast<Ask*>(dlsym(library, "cuGetProcAddress"));
  }

  template <class F>
  void bind(F*& member, const char* symbol, bool optional = false) {
    member = reinterpret_cast<F*>(find(symbol));
    if (!member && !optional && missing_.empty()) missing_ = symbol;
  }
  Status status() const {
    if (missing_.empty()) return ok();
    return Error{ErrorCode::Unavailable, name_ + " has no " + missing_ + ": it is too old"};
  }

 private:
  using AskWithStatus = int(const char*, void**, int version, uint64_t flags, int* status);
  using Ask = int(const char*, void**, int version, uint64_t flags);

  void* find(const char* symbol) {
    if (emulated_) return emulated_(symbol);
    std::string base = symbol;  // asked for by its name alone; the version says which form
    if (base.ends_with("_v2")) base.resize(base.size() - 3);
    void* address = nullptr;
    int status = 0;
    if (ask_with_status_ &&
        ask_with_status_(base.c_str(), &address, kCudaVersion, 0, &status) == 0 && address)
      return address;
    if (ask_ && ask_(base.c_str(), &address, kCudaVersion, 0) == 0 && address) return address;
    return dlsym(library_, symbol);
  }

  void* library_;
  std::string name_, missing_;
  void* (*emulated_)(const char*) = nullptr;
  AskWithStatus* ask_with_status_ = nullptr;
  Ask* ask_ = nullptr;
};

void bind_all(GpuApi& api, Binder& binder) {
  const bool cuda = api.vendor == Vendor::Cuda;
#define GPU_CALL(member, cuda_name, hip_name, ...) \
  binder.bind(api.member, cuda ? #cuda_name : #hip_name);
#define CUDA_CALL(member, symbol, ...) \
  if (cuda) binder.bind(api.member, #symbol);
#define GPU_OPTIONAL(member, cuda_name, hip_name, ...) \
  binder.bind(api.member, cuda ? #cuda_name : #hip_name, true);
#define CUDA_OPTIONAL(member, symbol, ...) \
  if (cuda) binder.bind(api.member, #symbol, true);
#define HIP_CALL(member, symbol, ...) \
  if (!cuda) binder.bind(api.member, #symbol);
#define HIP_OPTIONAL(member, symbol, ...) \
  if (!cuda) binder.bind(api.member, #symbol, true);
#include "runtime/gpu/gpu_calls.def"
#undef GPU_CALL
#undef CUDA_CALL
#undef GPU_OPTIONAL
#undef CUDA_OPTIONAL
#undef HIP_CALL
#undef HIP_OPTIONAL
}

ErrorCode classify(int code) {
  if (code == kOutOfMemory) return ErrorCode::OutOfMemory;
  if (code == kNoBinaryForGpu || code == kUnsupportedPtxVersion || code == kNotSupported)
    return ErrorCode::Unsupported;
  return ErrorCode::DriverFailed;
}

}  // namespace

const char* to_text(Vendor vendor) { return vendor == Vendor::Cuda ? "cuda" : "hip"; }

std::string GpuApi::name_of(int index) const {
  return machine.empty() ? std::string(to_text(vendor)) + ":" + std::to_string(index) : machine;
}

std::string GpuApi::words(int code) const {
  const char *name = nullptr, *text = nullptr;
  if (vendor == Vendor::Cuda) {
    cuda_error_name(code, &name);
    cuda_error_text(code, &text);
  } else {
    name = hip_error_name(code);
    text = hip_error_text(code);
  }
  std::string all = (name ? std::string(name) : "error") + " (" + std::to_string(code) + ")";
  if (text && (!name || std::string_view(text) != name)) all += std::string(", ") + text;
  return all;
}

Error GpuApi::error(int code, const std::string& who, const std::string& what) const {
  std::string text = who + " cannot " + what + ": " + words(code);
  if (code == kNotInitialized && getpid() != opened_by)
    text +=
        "; the driver was started before this process was forked, and it works only in the "
        "process that started it";
  return Error{classify(code), std::move(text)};
}

Status GpuApi::check(int code, const std::string& who, const std::string& what) const {
  return code == 0 ? ok() : Status(error(code, who, what));
}

Result<std::unique_ptr<GpuApi>> open_gpu_api(Vendor vendor) {
  auto api = std::make_unique<GpuApi>();
  api->vendor = vendor;
  api->opened_by = getpid();
  // Never closed: drivers start threads of their own and do not expect to be unloaded.
  Result<void*> library = open_first(libraries(vendor), api->library);
  if (!library) return library.error();
  Binder binder(*library, api->library, vendor);
  bind_all(*api, binder);
  HETJIT_TRY(binder.status());
  return api;
}

Result<std::unique_ptr<GpuApi>> emulated_gpu_api(Vendor vendor, const std::string& device,
                                                 void* (*find)(const char* symbol)) {
  auto api = std::make_unique<GpuApi>();
  api->vendor = vendor;
  api->opened_by = getpid();
  api->library = api->machine = device;
  Binder binder(find, device);
  bind_all(*api, binder);
  HETJIT_TRY(binder.status());
  return api;
}

}  // namespace hetjit::runtime
