// What a program may count on, by the kind of its target: a row each.
#pragma once

#include <string_view>

#include "abi/target_name.h"

namespace hetjit::typing {

struct TargetFacts {
  std::string_view word;  // "nvidia" for device.is_nvidia
  std::string_view name;  // in sentences: "AMD"
  bool is_gpu;
  uint32_t shared_bytes;   // of a block's variables, at most
  bool is_watched;         // the runtime hears what threads do with memory (abi/watch.h)
  bool has_wide_accesses;  // 16 bytes are read and written as a whole
};

const TargetFacts& target_facts(TargetKind kind);

}  // namespace hetjit::typing
