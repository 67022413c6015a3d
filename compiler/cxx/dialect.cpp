#include "compiler/cxx/dialect.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "compiler/target/host_symbols.h"

namespace hetjit::cxx {
namespace {

using Options = std::vector<std::string>;

Result<Options> host(const std::string&, Headers) { return Options{"-x", "c++", "-fPIC"}; }

Result<Options> cuda(const std::string& arch, Headers headers) {
  Options options{"-nogpulib",
                  "-fgpu-rdc",
                  "-cuid=hetjit",
                  "-x",
                  "cuda",
                  "--cuda-device-only",
                  "--cuda-gpu-arch=" + arch,
                  "-Wno-unknown-cuda-version"};
  if (headers == Headers::None) {
    options.push_back("-nogpuinc");
    return options;
  }
  Result<std::string> folder = find_cuda();
  HETJIT_TRY(folder);
  for (const std::string& word :
       {"--cuda-path=" + *folder, std::string("-isystem"), *folder + "/include/cccl"})
    options.push_back(word);
  return options;
}

Result<Options> hip(const std::string& arch, Headers headers) {
  Options options{"-nogpulib", "-fgpu-rdc", "-cuid=hetjit",          "-x",
                  "hip",       "-nogpuinc", "--offload-device-only", "--offload-arch=" + arch};
  if (headers == Headers::Vendors)
    options.insert(options.end(), {"-include", "__clang_hip_runtime_wrapper.h"});
  return options;
}

bool host_provides(const std::string& symbol) { return target::host_provides(symbol.c_str()); }

bool cuda_provides(const std::string& symbol) {
  constexpr const char* kSystem[] = {"vprintf", "malloc", "free", "__assertfail"};
  return symbol.starts_with("__nv_") || std::ranges::find(kSystem, symbol) != std::end(kSystem);
}

bool hip_provides(const std::string& symbol) {
  return symbol.starts_with("__ocml_") ||
         (symbol.starts_with("__ockl_") && !symbol.starts_with("__ockl_printf"));
}

constexpr Dialect kHost{.has_two_sides = false,
                        .division_traps = true,
                        .is_nvrtcs = false,
                        .prints_by_printf = false,
                        .options = host,
                        .provides = host_provides};
constexpr Dialect kCuda{.has_two_sides = true,
                        .division_traps = false,
                        .is_nvrtcs = true,
                        .prints_by_printf = true,
                        .options = cuda,
                        .provides = cuda_provides};
constexpr Dialect kHip{.has_two_sides = true,
                       .division_traps = false,
                       .is_nvrtcs = false,
                       .prints_by_printf = false,
                       .options = hip,
                       .provides = hip_provides};

}  // namespace

Result<std::string> find_cuda() {
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH", ""}) {
    const char* given = std::getenv(variable);
    const std::string folder = *variable ? (given ? given : "") : "/usr/local/cuda";
    if (!folder.empty() && access((folder + "/include/cuda.h").c_str(), R_OK) == 0) return folder;
  }
  return Error{ErrorCode::Unavailable,
               "C++ for NVIDIA needs CUDA's headers, which were not found; set CUDA_HOME to the "
               "toolkit's folder"};
}

const Dialect& dialect(TargetKind kind) {
  switch (kind) {
    case TargetKind::Host:
      return kHost;
    case TargetKind::Nvidia:
      return kCuda;
    case TargetKind::Amd:
      return kHip;
  }
  fail_check("a kind of target without C++", __FILE__, __LINE__);
}

}  // namespace hetjit::cxx
