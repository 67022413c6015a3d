// The text form of the untyped graph, both ways.
#pragma once

#include <string>
#include <string_view>

#include "abi/status.h"
#include "frontend/ssa/function.h"

namespace hetjit::ssa {

std::string to_text(const Function& function, bool with_spans = true);
Result<Function> parse(std::string_view text);

}  // namespace hetjit::ssa
