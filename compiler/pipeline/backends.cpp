#include "compiler/pipeline/backends.h"

#include "compiler/host/entry/to_llvm.h"
#include "compiler/target/target.h"

namespace hetjit {
namespace {

// The rest of what GPUs address (gfx9: 131,056 bytes; later ones twice that; NVIDIA: 512 KiB) is
// for registers that do not fit, and for calls.
uint32_t of_nvidia(std::string_view) { return 504 << 10; }
uint32_t of_amd(std::string_view arch) { return arch.starts_with("gfx9") ? 126 << 10 : 248 << 10; }
uint32_t of_host(std::string_view) { return UINT32_MAX; }

constexpr Backend kHost{.to_llvm = host::to_llvm,
                        .is_planned = true,
                        .share_addresses = false,
                        .own_math = true,
                        .most_local = of_host};
constexpr Backend kNvidia{.to_llvm = lower::to_llvm,
                          .is_planned = false,
                          .share_addresses = true,
                          .own_math = false,
                          .most_local = of_nvidia};
constexpr Backend kAmd{.to_llvm = lower::to_llvm,
                       .is_planned = false,
                       .share_addresses = true,
                       .own_math = false,
                       .most_local = of_amd};

}  // namespace

const Backend& backend(const TargetName& target) {
  switch (target.kind) {
    case TargetKind::Host:
      return kHost;
    case TargetKind::Nvidia:
      return kNvidia;
    case TargetKind::Amd:
      return kAmd;
  }
  fail_check("a kind of target without a backend", __FILE__, __LINE__);
}

LlvmModule lowered(const ir::Module& module, const std::string& name, target::Target& target,
                   const lower::Options& options) {
  return backend(target::name(target)).to_llvm(module, name, target, options);
}

}  // namespace hetjit
