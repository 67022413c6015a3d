// How deep recursion goes, for those who must not see the front end or LLVM.
#pragma once

#include <cstdint>

namespace hetjit::target {

/// Calls at a time of functions that call themselves: as many as typing lets them make, and the one
/// that raises.
inline constexpr uint32_t kCallDepth = 129;

}  // namespace hetjit::target
