#include "abi/target_name.h"

#include <algorithm>
#include <cstdlib>

namespace hetjit {
namespace {

bool all_of(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

// sm_90, and with a suffix for features of one architecture (a) or one family (f).
bool is_nvidia_arch(std::string_view arch) {
  if (!arch.starts_with("sm_")) return false;
  arch.remove_prefix(3);
  if (arch.ends_with('a') || arch.ends_with('f')) arch.remove_suffix(1);
  return arch.size() >= 2 && arch.size() <= 3 && all_of(arch, "0123456789");
}

// gfx942, gfx90a, gfx9-4-generic; the processor only, without `:xnack+` and the like.
bool is_amd_arch(std::string_view arch) {
  if (!arch.starts_with("gfx")) return false;
  arch.remove_prefix(3);
  if (arch.ends_with("-generic")) {
    arch.remove_suffix(8);
    return !arch.empty() && all_of(arch, "0123456789-");
  }
  return arch.size() >= 3 && arch.size() <= 4 && all_of(arch, "0123456789abcdef");
}

bool is_host_arch(std::string_view arch) {
  constexpr std::string_view kKnown[] = {"native", "x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"};
  return std::ranges::find(kKnown, arch) != std::end(kKnown);
}

struct Row {
  TargetKind kind;
  std::string_view prefix;
  bool (*is_arch)(std::string_view);
  std::string_view example;
};
constexpr Row kRows[] = {
    {TargetKind::Host, "cpu", is_host_arch, "cpu:native, cpu:x86-64, cpu:x86-64-v2 to v4"},
    {TargetKind::Nvidia, "cuda", is_nvidia_arch, "cuda:sm_90"},
    {TargetKind::Amd, "hip", is_amd_arch, "hip:gfx942"},
};

}  // namespace

std::string to_text(const TargetName& target) {
  for (const Row& row : kRows)
    if (row.kind == target.kind) return std::string(row.prefix) + ":" + target.arch;
  HETJIT_CHECK(false);
}

bool overlaps_launches(const TargetName& target) {
  return target.kind == TargetKind::Nvidia && std::atoi(target.arch.c_str() + 3) >= 90;
}

// gfx9 has 64 and can nothing else. Those after it can, too, and nobody has them do so.
uint32_t warp_size(const TargetName& target) {
  return target.kind == TargetKind::Amd && target.arch.starts_with("gfx9") ? 64 : 32;
}

Result<TargetName> parse_target(std::string_view text) {
  if (text == "cpu") return TargetName{};
  size_t colon = text.find(':');
  std::string_view prefix = text.substr(0, colon);
  for (const Row& row : kRows) {
    if (row.prefix != prefix) continue;
    std::string_view arch = colon == text.npos ? "" : text.substr(colon + 1);
    if (row.is_arch(arch)) return TargetName{row.kind, std::string(arch)};
    return Error{ErrorCode::Invalid, "'" + std::string(text) +
                                         "' names no architecture that is known; write it like " +
                                         std::string(row.example)};
  }
  return Error{ErrorCode::Invalid,
               "'" + std::string(text) + "' is no target; write cpu:..., cuda:... or hip:..."};
}

}  // namespace hetjit
