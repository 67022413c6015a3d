// One item of many, chosen at run time.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Where a run-time index points among items, counted from the first; read as unsigned it is below
/// their number, or outside of the range.
struct Place {
  Leaf leaf;
  Scalar scalar{};  // of 4 or 8 bytes
};

/// The leaves of the item at `place`, the last where that is outside, of items that become `as`.
/// Constants are numbers in tables, rows of constants of which one was chosen already, too.
std::vector<Leaf> item_of_many(Evaluation& at, const Place& place, const std::vector<Value>& items,
                               const TypeValue& as);

}  // namespace hetjit::typing
