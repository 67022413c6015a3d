// Private to this folder: constants and meanings as parts of longer lines.
#pragma once

#include "frontend/snapshot/snapshot_text.h"
#include "frontend/snapshot/words.h"

namespace hetjit {

Result<Constant> read_constant(WordReader& reader);
Result<Meaning> read_meaning(WordReader& reader);
Result<Parameter> read_parameter(WordReader& reader);  // a quoted or plain word
std::string write_parameter(const Parameter& parameter);

/// MemberKind in words, in its order.
inline constexpr std::string_view kMemberKinds[] = {"value", "method", "classmethod", "property"};

}  // namespace hetjit
