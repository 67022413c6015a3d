// Calls of Python functions whose arguments are matched already.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// A call of a FunctionType with a value for each parameter, in their order, each to be passed as
/// one of such a type.
Value call_with(Evaluation& at, const Value& callee, const std::vector<Value>& values,
                const TypeValues& types);

/// An argument as the annotation of its parameter has it (`n: device.int64`); reported when it does
/// not fit.
Value annotated(Evaluation& at, const Snapshot& callee, size_t index, const Value& value);

}  // namespace hetjit::typing
