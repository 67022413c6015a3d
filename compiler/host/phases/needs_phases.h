// Which kernels run from wait to wait.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// Does any function of the module have an op that could?
bool may_need_phases(const ir::Module& module);
/// Does anything in the kernel, or in what it calls still (alone()), need more than a vector per
/// value: memory of a block, waits, warps, much memory of a thread's own?
bool needs_phases(const ir::Function& kernel, const ir::Module& module);

}  // namespace hetjit::host
