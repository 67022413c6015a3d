// `not (a and b)`: where only the truth of a joined value is asked. Private to frontend/build.
#pragma once

#include "frontend/ssa/function.h"

namespace hetjit::reader {

/// A word of the stack that paths join and of which only the truth is ever used joins truths, so
/// that its parts may be of any types. Locals stay: their values have a name and a message.
void join_truths(ssa::Function& function);

}  // namespace hetjit::reader
