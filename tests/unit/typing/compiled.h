// Programs from recordings, compiled for a signature and run by the interpreter on values written
// as text.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "abi/signature.h"
#include "compiler/ir/ir.h"
#include "frontend/diag/diagnostic.h"
#include "frontend/ssa/function.h"

namespace hetjit::typing {

/// A recorded program; functions[0] of it stands for the function that a test compiles.
class Recording {
 public:
  /// A path from the repository's root. The recording must be readable.
  explicit Recording(const std::string& path);

  /// The graph with the named function in the first place; null when there is none.
  const ssa::Module* with_entry(std::string_view name);

 private:
  std::shared_ptr<Program> program_;
  ssa::Module module_;
};

struct Outcome {
  std::optional<ir::Module> module;
  Diagnostics diags;
  std::string messages;  // rendered
};
Outcome compile(const ssa::Module& module, std::string_view signature, bool kernel = false);

/// `type value` of functions[0] for arguments as text: `7`, `2.5`, `nan`, `[1,2]`, `(1,2)`.
std::string run(const ir::Module& module, const std::vector<std::string>& arguments);

}  // namespace hetjit::typing
