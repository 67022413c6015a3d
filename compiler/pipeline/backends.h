// What the pipeline does another way for each kind of target: a row each. Private to pipeline/ and
// tests.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "abi/target_name.h"
#include "compiler/host/plan/plan.h"
#include "compiler/lower/lower.h"

namespace hetjit {

/// What becomes of what a function prints that C++ calls.
enum class CxxPrints : uint8_t { Shown, ByPrintf, Nowhere };

struct Backend {
  bool is_planned;  // compiler/host chooses how a kernel runs, and lowers it
  bool is_gpu;      // which some passes are for (PassOptions)
  bool own_math;    // mathlib's functions even where the vendor's are there
  bool own_hypot;   // of float64, mathlib's: libdevice's is infinite near the largest number
  CxxPrints cxx_prints;
  /// Bytes of a thread for local arrays.
  uint32_t (*most_local)(std::string_view arch);
};

const Backend& backend(const TargetName& target);

/// How a module runs, for backends that choose; else nothing. `lanes`: 0: what suits the CPU.
/// `tier`: of kernels that wait, none before it: 0, what suits; 1, blocks as lanes wherever it may
/// be; then those of host::Tier, without that.
std::optional<host::Plan> planned(const ir::Module& module, const target::Target& target,
                                  unsigned lanes = 0, unsigned tier = 0, bool verify = false);

/// A module as it was planned, if it was: by host::to_llvm, or lower::to_llvm.
LlvmModule lowered(const ir::Module& module, const std::optional<host::Plan>& plan,
                   const std::string& name, target::Target& target,
                   const lower::Options& options = {});

/// For C++ to call, by way of `name`.
LlvmModule lowered_for_cxx(const ir::Module& module, const std::string& name,
                           target::Target& target, const lower::Options& options = {});

}  // namespace hetjit
