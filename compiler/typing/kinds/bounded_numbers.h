// Numbers that a program keeps within bounds itself: whoever wrote the bound has thought of how
// large they become, and is not warned.
#pragma once

#include "compiler/typing/core/instance.h"

namespace hetjit::typing {

/// Whether a number is compared with a positive constant that 32 bits hold, or is the least of such
/// a one and another.
bool is_held_below(const Instance& instance, ValueId number);

/// Whether it is ordered against a number of 32 bits anywhere: `while t < n: t *= 2`.
bool is_ordered(const Instance& instance, ValueId number);

/// Whether a block's parameter that becomes itself plus, minus or times another number in a loop of
/// known length stays within 32 bits: `for k in range(10): t += k * k`.
bool stays_small(const Instance& instance, ValueId param, ssa::BinaryKind kind, ValueId other);

}  // namespace hetjit::typing
