// Finds operands and operators in the text of one instruction. Bytecode gives an instruction's
// whole expression a place, but a local variable read by it often none of its own.
#pragma once

#include <string>
#include <string_view>

#include "frontend/diag/span.h"
#include "frontend/ssa/ops.h"

namespace hetjit::typing {

/// Where operand `index` of an op stands, given where the whole op does; unknown when the text is
/// not available, runs over several lines, or cannot be read with certainty.
Span find_operand(const Source& source, const Span& whole, const ssa::Op& op, size_t index);

/// The text of a place on one line; "" when it is not known.
std::string text_at(const Source& source, const Span& span);

/// Whether it is hetjit's own: nobody changes that.
bool is_own(const Source& source);

/// Where the operator of a binary operation or comparison stands; unknown for all else.
Span find_operator(const Source& source, const Span& whole, const ssa::Op& op);

/// Where a name stands in the text of a place: at its end, else as the name of an argument.
Span find_name(const Source& source, const Span& whole, std::string_view name);

/// Where a `def` names a parameter that it does not annotate, or that it may; unknown: nowhere.
Span find_parameter(const Source& source, std::string_view name, bool annotated = false);

}  // namespace hetjit::typing
