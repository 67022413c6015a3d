// How a kernel runs: what each access of memory, each branch and each loop is for threads side by
// side, and which form the kernel takes on the host, with the reason. Says what a plan has decided;
// decides nothing.
#pragma once

#include <string>
#include <vector>

#include "compiler/host/plan/plan.h"

namespace hetjit::host {

/// One thing at one place of the source: "load", "contiguous", "float32".
struct Remark {
  Span where;
  std::string thing;   // load, store, atomic, branch, loop, barrier; note: nothing but a detail
  std::string word;    // uniform, contiguous, strided, gather, scatter; uniform, divergent
  std::string detail;  // may be empty
  std::string help;    // what to change; may be empty
  friend bool operator==(const Remark&, const Remark&) = default;
};

struct Explanation {
  std::vector<Remark> remarks;       // by place, without repetitions
  std::vector<std::string> summary;  // the kernel as a whole: one sentence each
};

/// Of a kernel on the CPU. `module`: after the passes; `plan`: what was decided of it.
Explanation explain(const ir::Module& module, const Plan& plan);
/// On a GPU, with warps of that size.
Explanation explain_on_gpu(const ir::Module& module, unsigned warp_size);

}  // namespace hetjit::host
