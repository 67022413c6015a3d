// Every switch of the compiler in one struct.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include "abi/kernel_limits.h"
#include "abi/signature.h"
#include "abi/target_name.h"
#include "compiler/checks/checks.h"

namespace hetjit {

/// Request: what was asked for, as a text that repeats the compilation (bug_scope.h). Explain: how
/// the kernel runs, in terms of its source.
enum class Phase : uint8_t { Request, Ssa, Typed, Optimized, Plan, Llvm, Assembly, Explain };
std::string_view to_text(Phase phase);

/// "HETJIT_TIER is 'wraps'; known are …": of the first variable whose value means nothing; else "".
std::string wrong_in_environment();

/// Called with the dump of a phase when `wants` asked for it, and with each phase's time.
struct Observer {
  std::function<bool(Phase)> wants;
  std::function<void(Phase, const std::string& dump)> show;
  std::function<void(std::string_view phase, std::chrono::nanoseconds took)> timed;
};

struct Options {
  Signature signature;
  TargetName target;
  bool kernel = true;    // false: functions[0] is a device function (tests, `show`)
  bool contract = true;  // fuse a product that feeds a sum into fma
  bool fastmath = false;
  bool portable_math = false;  // our own math functions on GPUs too, as always on the host
  Checks checks;               // what the program watches itself for
  KernelLimits limits;         // of a GPU's kernel
  bool debug = false;          // line tables that lead back to the Python source
  bool cubin = false;          // NVIDIA: machine code instead of PTX, when nvJitLink is there
  unsigned lanes = 0;          // host: threads in a vector; 0: what suits the CPU; 1: no vectors
  unsigned tier = 0;    // host: the least general way to run kernels that wait; 0: what suits
  bool verify = false;  // verify the IR after every pass
  Observer observer;

  /// HETJIT_SHOW, HETJIT_VERIFY, HETJIT_LANES, HETJIT_TIER, HETJIT_CHECK and
  /// HETJIT_KEEP laid over the defaults
  /// (docs/debugging.md).
  static Options from_environment();
};

}  // namespace hetjit
