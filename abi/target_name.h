// Names of what we compile for: `cuda:sm_90`, `hip:gfx942`, `cpu:native`, `cpu:x86-64-v3`.
#pragma once

#include <string>
#include <string_view>

#include "abi/status.h"

namespace hetjit {

enum class TargetKind : uint8_t { Host, Nvidia, Amd };

struct TargetName {
  TargetKind kind = TargetKind::Host;
  std::string arch = "native";  // sm_90 | gfx942 | native, x86-64, x86-64-v2..v4
  friend bool operator==(const TargetName&, const TargetName&) = default;
};

std::string to_text(const TargetName& target);
Result<TargetName> parse_target(std::string_view text);

/// Whether launches of one stream may overlap where they say so: NVIDIA's from compute capability
/// 9.0 on (PTX ISA 7.8, griddepcontrol).
bool overlaps_launches(const TargetName& target);

/// Threads of a warp of the language: lanes that a GPU runs in step.
uint32_t warp_size(const TargetName& target);

}  // namespace hetjit
