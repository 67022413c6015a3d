// A stable hash of everything in a Program that can change the compiled code: what caches find it
// by (compiler/images/image_key.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/snapshot/snapshot.h"

namespace hetjit {

/// 128 bits, the same in every process and on every machine. Where a function stands does not
/// count: not its file, and of its lines those alone that code stands on, by their order. Of its
/// source counts what code stands on, for messages quote it; comments do not.
struct Fingerprint {
  uint64_t high = 0, low = 0;
  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};
Fingerprint fingerprint(const Program& program);
Fingerprint fingerprint(std::string_view text);
/// The lines that a function's code begins or ends on, its first one among them, ascending: two
/// functions with one fingerprint have as many.
std::vector<uint32_t> code_lines(const Snapshot& function);
std::string to_text(Fingerprint fingerprint);  // 32 hexadecimal digits

}  // namespace hetjit
