// The meaning of the ops that compute one scalar from scalars. Shared by the interpreter and by
// constant folding, so that folding cannot change a result.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::ir {

/// From the bits (numbers.h) of up to three operands to the bits of the result. Operands an op does
/// not have are ignored. A float result that is NaN is the quiet NaN, but for ops on the sign bit.
using ScalarFunction = uint64_t (*)(uint64_t, uint64_t, uint64_t);

template <class AnyOp>
concept ScalarOp = AnyOp::info.scalar.value;

/// What an op does for operands of type `of` (the type of in[0]) and a result of type `to`. The
/// types are those that verify allows. A specialisation for each; one that is missing does not
/// link.
template <ScalarOp AnyOp>
ScalarFunction meaning(const AnyOp&, Scalar of, Scalar to);

}  // namespace hetjit::ir
