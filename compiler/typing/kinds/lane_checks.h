// The checks of what the lanes of a warp do together, under check="bounds": a mask names the lane
// that passes it, and a shuffle reads a lane of the warp that the mask names. `function`: as the
// message names it; `mask`: a leaf of unsigned bits.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// That the mask names the lane that passes it.
void check_caller(Evaluation& at, std::string_view function, Leaf mask);
/// That `lane`, an i32, is one of a warp's.
void check_lane(Evaluation& at, std::string_view function, Leaf lane);
/// The amount of a shuffle with which it gives the thread's own value where no thread is the lane
/// that it would read: on GPUs not even that is so by itself.
Leaf source_that_is(Evaluation& at, ir::ShuffleKind kind, Leaf amount);
/// That the lane from which a shuffle reads is in the mask, if there is such a lane in the block.
void check_source(Evaluation& at, std::string_view function, ir::ShuffleKind kind, Leaf mask,
                  Leaf amount);

}  // namespace hetjit::typing
