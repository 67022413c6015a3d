// How many threads this process may use at the same time.
#pragma once

#include <cstdint>
#include <string>

#include "abi/status.h"

namespace hetjit::runtime {

/// HETJIT_NUM_THREADS when it is set; otherwise what affinity and the control groups' quotas allow,
/// at least 1. Errors: Invalid when the variable is not a whole number from 1 to 4096.
Result<uint32_t> usable_threads();

/// Cores that this process's control groups grant (version 2: cpu.max, version 1: cfs quota), the
/// group itself and those above it, rounded up. UINT32_MAX without a limit. `root` goes before
/// /proc and /sys, for tests.
uint32_t quota_threads(const std::string& root = "");

/// The processor's own name, "AMD EPYC"; empty when it has none.
std::string cpu_name(const std::string& root = "");

}  // namespace hetjit::runtime
