// The meaning of the ops that compute one scalar from scalars. Shared by the interpreter and by
// constant folding, so that folding cannot change a result.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::ir {

/// From the bits (numbers.h) of up to three operands to the bits of the result. Operands an op does
/// not have are ignored. A float result that is NaN is the quiet NaN, but for ops on the sign bit.
using ScalarFunction = uint64_t (*)(uint64_t, uint64_t, uint64_t);

/// What an op does for operands of type `of` (the type of in[0]) and a result of type `to`. The
/// types are those that verify allows.
ScalarFunction meaning(const Add&, Scalar of, Scalar to);
ScalarFunction meaning(const Sub&, Scalar of, Scalar to);
ScalarFunction meaning(const Mul&, Scalar of, Scalar to);
ScalarFunction meaning(const Div&, Scalar of, Scalar to);
ScalarFunction meaning(const FloorDiv&, Scalar of, Scalar to);
ScalarFunction meaning(const Mod&, Scalar of, Scalar to);
ScalarFunction meaning(const Neg&, Scalar of, Scalar to);
ScalarFunction meaning(const Abs&, Scalar of, Scalar to);
ScalarFunction meaning(const BitAnd&, Scalar of, Scalar to);
ScalarFunction meaning(const BitOr&, Scalar of, Scalar to);
ScalarFunction meaning(const BitXor&, Scalar of, Scalar to);
ScalarFunction meaning(const BitNot&, Scalar of, Scalar to);
ScalarFunction meaning(const ShiftLeft&, Scalar of, Scalar to);
ScalarFunction meaning(const ShiftRight&, Scalar of, Scalar to);
ScalarFunction meaning(const CountOnes&, Scalar of, Scalar to);
ScalarFunction meaning(const ReverseBits&, Scalar of, Scalar to);
ScalarFunction meaning(const LeadingZeros&, Scalar of, Scalar to);
ScalarFunction meaning(const TrailingZeros&, Scalar of, Scalar to);
ScalarFunction meaning(const Reinterpret&, Scalar of, Scalar to);
ScalarFunction meaning(const Fma&, Scalar of, Scalar to);
ScalarFunction meaning(const Compare&, Scalar of, Scalar to);
ScalarFunction meaning(const Convert&, Scalar of, Scalar to);
ScalarFunction meaning(const Math&, Scalar of, Scalar to);
ScalarFunction meaning(const WrapIndex&, Scalar of, Scalar to);

template <class T>
concept ScalarOp = requires(const T& op, Scalar s) {
  meaning(op, s, s);
};

}  // namespace hetjit::ir
