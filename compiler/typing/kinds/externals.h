// C++ libraries and what they declare (device.cxx).
#pragma once

#include <optional>
#include <string>

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// `library.name`, `library.space.name`.
Value external_attribute(const ExternalType& whole, const std::string& name);
/// `library.name[float, 4]`: with these arguments of a template.
Value external_item(Evaluation& at, const ExternalType& whole, const Value& index);
Value call_external(Evaluation& at, const Value& callee, const Arguments& arguments);

}  // namespace hetjit::typing
