// How a kernel runs: what each access of memory, each branch and each loop is for threads side by
// side, and which form the kernel takes on the host, with the reason. Says what other files of this
// room decide; decides nothing.
#pragma once

#include <string>
#include <vector>

#include "compiler/host/plan/tier.h"
#include "compiler/ir/ir.h"

namespace hetjit::host {

/// One thing at one place of the source: "load", "contiguous", "float32".
struct Remark {
  Span where;
  std::string thing;   // load, store, atomic, branch, loop, barrier; note: nothing but a detail
  std::string word;    // uniform, contiguous, strided, gather, scatter; uniform, divergent
  std::string detail;  // may be empty
  friend bool operator==(const Remark&, const Remark&) = default;
};

struct Explanation {
  std::vector<Remark> remarks;       // by place, without repetitions
  std::vector<std::string> summary;  // the kernel as a whole: one sentence each
};

/// Where the kernel is to run.
struct Machine {
  bool host = true;
  unsigned lanes = 1;        // host: threads in a vector; GPU: threads of a warp
  bool lanes_asked = false;  // by an option, not by the CPU
  Tier least = Tier::Whole;  // host: no tier before it
};

/// `module`: after the passes, as lowering gets it.
Explanation explain(const ir::Module& module, const Machine& machine);

}  // namespace hetjit::host
