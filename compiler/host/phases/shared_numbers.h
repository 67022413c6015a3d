// The same integer computed again is the one that was computed before, and so is the same element
// loaded again.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// `if 0 <= i + k < n: … x[i + k]`: what a branch has found out about the first sum then holds for
/// the second, which lies behind it. That goes before the rules that ask for ranges. And
/// `x[i, k] * x[i, k]` is one load, which LLVM does not see where rows are read some turns at once.
/// True: some were found.
bool share_numbers(ir::Function& function);

}  // namespace hetjit::host
