// The threads of a row by warps. Private to compiler/host.
#pragma once

#include "compiler/host/entry/entry.h"
#include "compiler/host/entry/warp_functions.h"

namespace hetjit::host {

/// Calls the forms for the threads [from, to) along x, `from` a multiple of the width: several
/// warps side by side, whole ones, then with masks what is left, or all of it.
void loop_over_warps(Entry& at, const WarpFunctions& forms, llvm::Value* from, llvm::Value* to);

}  // namespace hetjit::host
