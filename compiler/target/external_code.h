// Bitcode of C++ functions, for those who must not see LLVM.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abi/status.h"
#include "abi/target_name.h"
#include "compiler/target/nvrtc.h"

namespace hetjit::target {

/// What a source says of a function's result: the constants `symbol` + "_result", "_size",
/// "_align" and "_type".
struct ExternalResult {
  int64_t number = 0, size = 0, align = 1;
  std::string type;
};

/// What a function calls or reads that its text does not define.
struct Needed {
  std::string symbol, name;  // for linkers, for the user
  bool is_variable = false;
};

/// A function of C++, ready to be linked.
struct ExternalCode {
  ExternalResult result;
  bool pure = false;    // looks at what it is given and at nothing else, and always returns
  std::string bitcode;  // optimised
  /// Of the addresses that it takes, result first: whether it may keep it, and, of arguments,
  /// whether it may write there.
  std::vector<bool> kept, changed;
  std::vector<Needed> needed;  // none where files are linked
};

/// What becomes of the bitcode of a function `symbol`, of which nothing was optimised yet. Errors:
/// Invalid when it cannot be read; Unsupported when something of it would have to run before
/// everything else. `division_traps`: that of integers is made safe, as it is in our own functions.
Result<ExternalCode> prepare_external(const std::string& bitcode, const std::string& symbol,
                                      bool division_traps);

/// The same of a function that NVRTC has compiled to PTX, of so many addresses. Its bitcode only
/// declares it, and says what is compiled when it is linked, where all that functions of a library
/// have in common is one thing: `library`, then the `call` of each function that is called.
struct CudaCall {
  CudaSource library;
  std::string call;
};
/// Nullopt: the PTX does not define it.
std::optional<ExternalCode> prepare_cuda(const CudaCall& call, const std::string& symbol,
                                         size_t addresses, const std::string& ptx);

}  // namespace hetjit::target
