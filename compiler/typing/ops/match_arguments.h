// Positional, keyword, default and star arguments of a call to a Python function, as Python matches
// them.
#pragma once

#include <optional>
#include <vector>

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// One value per parameter of the function's graph; nullopt: reported. `defaults` are the values of
/// its last positional parameters where the function was made in compiled code.
std::optional<std::vector<Value>> match_arguments(Evaluation& at, const Value& callee,
                                                  const Arguments& arguments);

}  // namespace hetjit::typing
