// The same integer computed again is the one that was computed before.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// `if 0 <= i + k < n: … x[i + k]`: what a branch has found out about the first sum then holds for
/// the second, which lies behind it. That goes before the rules that ask for ranges. True: some
/// were found.
bool share_numbers(ir::Function& function);

}  // namespace hetjit::host
