// The checks of what the lanes of a warp do together. Under check="bounds" a mask names the lane
// that passes it, and a shuffle reads a lane of the warp that the mask names. Under check="warp"
// all lanes of the mask come, and a shuffle reads one that has. `function`: as the message names
// it; `mask`: a leaf of unsigned bits.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// That the mask names the lane that passes it.
void check_caller(Evaluation& at, std::string_view function, Leaf mask);
/// That the lanes of the mask come to this call, but for those that have returned and those that no
/// thread is. The lanes that have come; invalid where nobody asks.
Leaf check_all_come(Evaluation& at, std::string_view function, Leaf mask);
/// That `lane`, an i32, is one of a warp's.
void check_lane(Evaluation& at, std::string_view function, Leaf lane);
/// The amount of a shuffle with which it gives the thread's own value where no thread is the lane
/// that it would read: on GPUs not even that is so by itself.
Leaf source_that_is(Evaluation& at, ir::ShuffleKind kind, Leaf amount);
/// That the lane from which a shuffle reads is in the mask, if there is such a lane in the block.
void check_source(Evaluation& at, std::string_view function, ir::ShuffleKind kind, Leaf mask,
                  Leaf amount);
/// That it is among those that have come (check_all_come); the thread's own is.
void check_source_is_here(Evaluation& at, std::string_view function, ir::ShuffleKind kind,
                          Leaf here, Leaf amount);

}  // namespace hetjit::typing
