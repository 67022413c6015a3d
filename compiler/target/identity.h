// What machine code depends on beside what was asked for: who keeps it longer than a process has to
// know whether all that is still the same.
#pragma once

#include <string>

#include "abi/target_name.h"

namespace hetjit::target {

/// A line each: this build of the compiler (and of LLVM, where that is a library of its own), the
/// CPU behind "native" with its features, the vendor's library of functions by its content. "": it
/// cannot be told.
std::string identity(const TargetName& target);

/// The CPU behind "native", and its features, as LLVM calls them.
std::string native_cpu();

}  // namespace hetjit::target
