// The text form of the untyped graph, both ways.
#pragma once

#include <string>
#include <string_view>

#include "abi/status.h"
#include "frontend/ssa/function.h"

namespace hetjit::ssa {

/// The whole function: what it calls its parameters, locals and outside names, then its blocks.
/// `call v0(v1, *v2, k=v3)`, `binary += v0, v1`, `setattr x v0, v1 local p`, `branch v4 b1()
/// b2(v3)`. With spans, an instruction ends with `  @ 3:4-3:10`: lines, and columns from 0.
std::string to_text(const Function& function, bool with_spans = true);

/// The inverse: printing the result gives `text` again. What comes back has the shape of a graph
/// but may still be wrong in itself; verify() tells. Errors: ErrorCode::Invalid with the line.
Result<Function> parse(std::string_view text);

}  // namespace hetjit::ssa
