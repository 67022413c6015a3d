// What its user promises of a kernel's launches, and asks of its registers. A GPU's multiprocessor
// divides its registers among threads; the host has nothing of the kind.
#pragma once

#include <cstdint>
#include <string>

namespace hetjit {

/// 0: as the device allows, and as suits the code.
struct KernelLimits {
  uint32_t threads = 0;    // of a block, at most
  uint32_t blocks = 0;     // that a multiprocessor shall hold, at least; where `threads` is known
  uint32_t registers = 0;  // of a thread, at most

  bool any() const { return threads || blocks || registers; }
};

/// "256,2,64".
inline std::string to_text(const KernelLimits& limits) {
  return std::to_string(limits.threads) + "," + std::to_string(limits.blocks) + "," +
         std::to_string(limits.registers);
}

}  // namespace hetjit
