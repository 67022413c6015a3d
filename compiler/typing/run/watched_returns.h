// Which lanes of a warp have returned, under check="warp".
#pragma once

#include "compiler/ir/ir.h"
#include "frontend/diag/span.h"

namespace hetjit::typing {

/// Keeps the words of kinds/lanes_left.h in a kernel that asks for them: where it begins, the lanes
/// that no thread is, and before each `return` the one that leaves. Whoever comes to the kernel's
/// end without a `return` has gone round what others wait at. `lanes`: of a warp.
void watch_returns(ir::Module& module, const std::vector<Source>& sources, uint32_t variable,
                   unsigned lanes);

}  // namespace hetjit::typing
