// Barriers that some threads of a block go round, under check="race".
#pragma once

#include "compiler/ir/ir.h"
#include "frontend/diag/span.h"

namespace hetjit::typing {

/// Does the instruction end a thread because somebody wrote `return`, or nothing is known of where
/// it stands?
bool is_written_return(const ir::Function& kernel, const ir::Inst& inst,
                       const std::vector<Source>& sources);

/// Puts a barrier behind the last statement of a kernel that has one elsewhere: whoever comes to
/// the kernel's end without it is found waiting there while others wait for him. `return` goes by:
/// a thread that has returned keeps nobody waiting.
void close_with_barrier(ir::Module& module, const std::vector<Source>& sources);

}  // namespace hetjit::typing
