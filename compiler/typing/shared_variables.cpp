#include "compiler/typing/shared_variables.h"

namespace hetjit::typing {

uint32_t SharedVariables::number_of(const MakingPlace& place, uint32_t bytes, uint32_t align) {
  for (uint32_t i = 0; i < variables_.size(); ++i) {
    const Variable& known = variables_[i];
    if (known.place == place && known.bytes == bytes && known.align == align) return i;
  }
  variables_.push_back({place, bytes, align});
  return static_cast<uint32_t>(variables_.size() - 1);
}

uint64_t SharedVariables::total() const {
  uint64_t end = 0;
  for (const Variable& variable : variables_) {
    const uint64_t align = variable.align;
    end = (end + align - 1) / align * align + variable.bytes;
  }
  return end;
}

// NVIDIA: what ptxas lets a kernel declare. AMD: the local data share of a work-group. Host: ours.
uint32_t SharedVariables::most() const {
  constexpr uint32_t kKibibyte = 1024;
  if (target_ == TargetKind::Host) return 1024 * kKibibyte;
  return (target_ == TargetKind::Nvidia ? 48 : 64) * kKibibyte;
}

}  // namespace hetjit::typing
