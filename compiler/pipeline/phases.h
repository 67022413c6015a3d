// What compile.cpp needs round each phase. Private to pipeline/.
#pragma once

#include <chrono>
#include <string>

#include "abi/status.h"
#include "compiler/host/plan/plan.h"
#include "compiler/lower/lower.h"
#include "compiler/pipeline/options.h"
#include "compiler/target/target.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/ssa/function.h"

namespace hetjit {

/// The dump of a phase, made only when somebody wants it.
template <class MakeDump>
void show(const Options& options, Phase phase, MakeDump&& dump) {
  const Observer& observer = options.observer;
  if (observer.show && observer.wants && observer.wants(phase)) observer.show(phase, dump());
}

/// Runs the work and tells the observer how long it took.
template <class Work>
auto timed(const Options& options, std::string_view phase, Work&& work) {
  struct Clock {
    const Options& options;
    std::string_view phase;
    std::chrono::steady_clock::time_point started = std::chrono::steady_clock::now();
    ~Clock() {
      if (options.observer.timed)
        options.observer.timed(phase, std::chrono::steady_clock::now() - started);
    }
  } clock{options, phase};
  return work();
}

/// What lowering is told, for the program and the options.
lower::Options lower_options(const ssa::Module& code, const Options& options);

/// Whether math functions are the math library's: on the host always, on a GPU when asked for, and
/// where the vendor's are not installed.
bool wants_own_math(const Options& options);
/// Whether the target's own function is wrong where ours is not: libdevice's hypot of float64 is
/// infinite when one of its numbers is close to the largest.
bool is_mended(const Options& options, ir::MathFunction function, Scalar format);
/// Whether the target's own function is as good in every bit, and fast-math flags reach it: the
/// host's quotient by a root of float32.
bool is_made_in_place(const Options& options, ir::MathFunction function, Scalar format);

/// Whether a place is in a function of ours whose numbers are the same on every target.
bool is_portable(const ssa::Module& code, const Span& where);

/// local_memory.cpp: whether the target's threads have room for a program's local arrays. If not,
/// the user is told of the first that has none.
bool fits_local_memory(const ir::Module& module, const Options& options, Diagnostics& diags);

/// A machine's condition met while compiling, as a diagnostic at the function's first line.
Failed report(const Error& error, const ssa::Module& code, const Options& options,
              Diagnostics& diags);

/// Machine code to read; when it cannot be made, the sentence that says why.
std::string assembly_text(const ir::Module& module, const std::optional<host::Plan>& plan,
                          const lower::Options& options, target::Target& target);

}  // namespace hetjit
