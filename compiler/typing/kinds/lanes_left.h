// Which lanes of a warp cannot come to a call any more, under check="warp": a word of shared memory
// for each warp, that the kernel keeps (run/watched_returns.h).
#pragma once

#include "compiler/ir/build.h"
#include "compiler/typing/core/specializer.h"

namespace hetjit::typing {

/// The number of the shared variable that the words are.
uint32_t lanes_left_variable(Specializer& whole);

/// The address of the warp's word, whose bits are the lanes; `bits`: a mask's type.
ValueId lanes_left_address(ir::Builder& builder, uint32_t variable, Scalar bits);
/// What it says now.
ValueId lanes_left(ir::Builder& builder, uint32_t variable, Scalar bits);

}  // namespace hetjit::typing
