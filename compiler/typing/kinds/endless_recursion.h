// Functions that only ever call themselves.
#pragma once

#include "compiler/typing/core/instance.h"

namespace hetjit::typing {

/// Whether a function, which has been inferred, calls no other one, cannot raise, and returns
/// nothing but what it computes of calls of itself: no call of it ever ends.
bool never_returns(const Instance& instance);

}  // namespace hetjit::typing
