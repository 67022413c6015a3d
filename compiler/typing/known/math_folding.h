// Math functions of literals, computed while compiling.
#pragma once

#include <vector>

#include "compiler/ir/ops_arith.h"
#include "compiler/typing/known/literal.h"

namespace hetjit::typing {

/// In double precision, with the host's math library; as many arguments as the function takes.
double fold_math(ir::MathFunction function, const std::vector<double>& arguments);

/// 10 ** |digits|, infinite where a double is. As exact as a double up to 22 digits.
double power_of_ten(Integer digits);
/// round(x, digits), or NumPy's, which takes what scaling gives for exact.
double round_to_digits(double x, Integer digits, bool numpy);

}  // namespace hetjit::typing
