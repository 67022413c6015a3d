// Math functions of literals, computed while compiling.
#pragma once

#include <vector>

#include "compiler/ir/ops_arith.h"

namespace hetjit::typing {

/// In double precision, with the host's math library; as many arguments as the function takes.
double fold_math(ir::MathFunction function, const std::vector<double>& arguments);

}  // namespace hetjit::typing
