// A stable hash of everything in a Program that can change the compiled code: the cache key's first
// half.
#pragma once

#include <cstdint>
#include <string>

#include "frontend/snapshot/snapshot.h"

namespace hetjit {

/// 128 bits, the same in every process and on every machine. Source text and positions do not
/// count, line numbers do (they appear in reports).
struct Fingerprint {
  uint64_t high = 0, low = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};
Fingerprint fingerprint(const Program& program);
std::string to_text(Fingerprint fingerprint);  // 32 hexadecimal digits

}  // namespace hetjit
