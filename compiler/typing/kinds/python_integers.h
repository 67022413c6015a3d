// Python integers that only the launch knows beside those of a fixed format. Arithmetic takes the
// fixed format, in which they wrap; comparisons and ranges tell what they are, and do not.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// Is one of them of a fixed format, the other a Python integer that only the launch knows? Or a
/// literal that does not fit, and stands for one. (varies_between_copies)
bool meets_python_integer(const NumberType& a, const NumberType& b);

/// The format that holds both of such a pair. nullopt: no such pair, or none does. (uint64)
std::optional<Scalar> format_of_both(const NumberType& a, const NumberType& b);

/// How such a pair compares.
Leaf compare_with_python(Evaluation& at, ssa::CompareKind kind, const Value& a, const Value& b);

/// An integer, or 0 where it is negative.
Value not_below_zero(Evaluation& at, const Value& integer);

}  // namespace hetjit::typing
