// Bitcode of C++ functions, for those who must not see LLVM.
#pragma once

#include <cstdint>
#include <string>

#include "abi/status.h"

namespace hetjit::target {

/// A function of C++, ready to be linked.
struct ExternalCode {
  int64_t result = 0;   // the value of the constant `symbol` + "_result"
  bool pure = false;    // looks at what it is given and at nothing else, and always returns
  std::string bitcode;  // optimised
};

/// What becomes of the bitcode of a function `symbol`, of which nothing was optimised yet. Errors:
/// Invalid when it cannot be read; Unsupported when something of it would have to run before
/// everything else.
Result<ExternalCode> prepare_external(const std::string& bitcode, const std::string& symbol);

}  // namespace hetjit::target
