// While it lives, a failed HETJIT_CHECK of this thread leaves a file that repeats the compilation.
#pragma once

#include "abi/status.h"
#include "compiler/pipeline/options.h"
#include "frontend/ssa/function.h"

namespace hetjit {

class BugScope {
 public:
  BugScope(const ssa::Module& code, const Options& options);
  ~BugScope();
  BugScope(const BugScope&) = delete;
  BugScope& operator=(const BugScope&) = delete;

  /// What the file says: the condition that failed, then the request.
  std::string text(const char* condition) const;

  /// The options as comments, then the program as a snapshot (frontend/snapshot), which needs
  /// neither the user's files nor their Python.
  std::string request() const;

 private:
  const ssa::Module& code_;
  const Options& options_;
  BugScope* outer_;  // compilations may nest: a compiler that runs compiled code
  BugReporter outer_reporter_;
};

}  // namespace hetjit
