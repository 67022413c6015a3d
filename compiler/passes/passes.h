// Every pass. What each does and why stands at the top of its file; the order in pipeline.cpp.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::passes {

// Each says whether it changed something.
bool fold_constants(ir::Module& module);
bool simplify(ir::Module& module);
bool merge_blocks(ir::Module& module);
bool count_left(ir::Module& module);
bool narrow_counters(ir::Module& module);
bool narrow_values(ir::Module& module);
bool prove_indices(ir::Module& module);
bool split_at_zero(ir::Module& module);
bool prove_checks(ir::Module& module);
bool share_addresses(ir::Module& module);
bool contract(ir::Module& module);
bool remove_dead_code(ir::Module& module);
bool join_conditions(ir::Module& module);
bool join_ways_round(ir::Module& module);

}  // namespace hetjit::passes
