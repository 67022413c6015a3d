// What the pipeline does another way for each kind of target: a row each. Private to pipeline/ and
// tests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "abi/target_name.h"
#include "compiler/lower/lower.h"

namespace hetjit {

struct Backend {
  using ToLlvm = LlvmModule(const ir::Module&, const std::string&, target::Target&,
                            const lower::Options&);
  ToLlvm* to_llvm;       // lower::to_llvm, or host::to_llvm
  bool is_planned;       // compiler/host chooses how a kernel runs, or says why it cannot
  bool share_addresses;  // passes/share_addresses.cpp pays
  bool own_math;         // mathlib's functions even where the vendor's are there
  /// Bytes of a thread for local arrays.
  uint32_t (*most_local)(std::string_view arch);
};

const Backend& backend(const TargetName& target);

/// A module for the target that it was made for.
LlvmModule lowered(const ir::Module& module, const std::string& name, target::Target& target,
                   const lower::Options& options = {});

}  // namespace hetjit
