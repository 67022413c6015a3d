// Finds operands and operators in the text of one instruction. Bytecode gives an instruction's
// whole expression a place, but a local variable read by it often none of its own.
#pragma once

#include "frontend/diag/span.h"
#include "frontend/ssa/ops.h"

namespace hetjit::typing {

/// Where operand `index` of an op stands, given where the whole op does; unknown when the text is
/// not available, runs over several lines, or cannot be read with certainty.
Span find_operand(const Source& source, const Span& whole, const ssa::Op& op, size_t index);

/// The text of a place on one line; "" when it is not known.
std::string text_at(const Source& source, const Span& span);

/// Where the operator of a binary operation or comparison stands; unknown for all else.
Span find_operator(const Source& source, const Span& whole, const ssa::Op& op);

}  // namespace hetjit::typing
