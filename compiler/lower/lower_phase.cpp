// What a phase of a host kernel keeps for the next one, one thread at a time. The vector form is
// compiler/host/warp_phase.cpp.
#include "compiler/lower/lowering.h"

namespace hetjit::lower {

Leaves lower(Lowering&, const ir::Keep&) { HETJIT_CHECK(false && "only phases have it"); return {}; }
Leaves lower(Lowering&, const ir::Take&) { HETJIT_CHECK(false && "only phases have it"); return {}; }
Leaves lower(Lowering&, const ir::CastVote&) { HETJIT_CHECK(false && "only phases have it"); return {}; }
Leaves lower(Lowering&, const ir::TakeVote&) { HETJIT_CHECK(false && "only phases have it"); return {}; }
Leaves lower(Lowering&, const ir::Post&) { HETJIT_CHECK(false && "only phases have it"); return {}; }
Leaves lower(Lowering&, const ir::Posted&) { HETJIT_CHECK(false && "only phases have it"); return {}; }
Leaves lower(Lowering&, const ir::PostedEqual&) { HETJIT_CHECK(false && "only phases have it"); return {}; }

}  // namespace hetjit::lower
