#include "compiler/typing/known/target_facts.h"

namespace hetjit::typing {
namespace {

constexpr uint32_t kKibibyte = 1024;

constexpr TargetFacts kHost{.word = "host",
                            .name = "the host",
                            .is_gpu = false,
                            .shared_bytes = 1024 * kKibibyte,
                            .is_watched = true,
                            .has_wide_accesses = true};
constexpr TargetFacts kNvidia{.word = "nvidia",
                              .name = "NVIDIA",
                              .is_gpu = true,
                              .shared_bytes = 48 * kKibibyte,  // what ptxas lets a kernel declare
                              .is_watched = false,
                              .has_wide_accesses = true};
constexpr TargetFacts kAmd{.word = "amd",
                           .name = "AMD",
                           .is_gpu = true,
                           .shared_bytes = 64 * kKibibyte,  // the local data share
                           .is_watched = false,
                           .has_wide_accesses = false};

}  // namespace

const TargetFacts& target_facts(TargetKind kind) {
  switch (kind) {
    case TargetKind::Host:
      return kHost;
    case TargetKind::Nvidia:
      return kNvidia;
    case TargetKind::Amd:
      return kAmd;
  }
  fail_check("a kind of target without facts", __FILE__, __LINE__);
}

}  // namespace hetjit::typing
