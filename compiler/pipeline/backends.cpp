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

constexpr Backend kHost{.is_planned = true,
                        .is_gpu = false,
                        .own_math = true,
                        .own_hypot = false,
                        .cxx_prints = CxxPrints::Shown,
                        .most_local = of_host};
constexpr Backend kNvidia{.is_planned = false,
                          .is_gpu = true,
                          .own_math = false,
                          .own_hypot = true,
                          .cxx_prints = CxxPrints::ByPrintf,
                          .most_local = of_nvidia};
constexpr Backend kAmd{.is_planned = false,
                       .is_gpu = true,
                       .own_math = false,
                       .own_hypot = false,
                       .cxx_prints = CxxPrints::Nowhere,
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

std::optional<host::Plan> planned(const ir::Module& module, const target::Target& target,
                                  unsigned lanes, unsigned tier, bool verify) {
  if (!backend(target::name(target)).is_planned) return std::nullopt;
  host::Machine machine;
  machine.lanes = lanes ? lanes : target::lanes(target);
  machine.lanes_asked = lanes != 0;
  machine.has_masks = target::has_masks(target);
  machine.block_lanes = tier == 0   ? host::BlockLanes::WhereFaster
                        : tier == 1 ? host::BlockLanes::Always
                                    : host::BlockLanes::Never;
  machine.least = static_cast<host::Tier>(std::max(tier, 2u) - 2);
  machine.verify = verify;
  return host::plan(module, machine);
}

LlvmModule lowered(const ir::Module& module, const std::optional<host::Plan>& plan,
                   const std::string& name, target::Target& target, const lower::Options& options) {
  return plan ? host::to_llvm(module, *plan, name, target, options)
              : lower::to_llvm(module, name, target, options);
}

LlvmModule lowered_for_cxx(const ir::Module& module, const std::string& name,
                           target::Target& target, const lower::Options& options) {
  return backend(target::name(target)).is_planned
             ? host::to_llvm_for_cxx(module, name, target, options)
             : lower::to_llvm_for_cxx(module, name, target, options);
}

}  // namespace hetjit
