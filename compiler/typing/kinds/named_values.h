// Constants, and what is named outside of the function: globals, closure variables, attributes of
// modules, classes and named tuples.
#pragma once

#include <optional>
#include <string>

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

Value module_attribute(Evaluation& at, const ModuleType& module, const std::string& name);
/// The attribute of a value that is named outside of the function, `Cfg.N`, as it was captured;
/// nullopt: it was not.
std::optional<Value> attribute_by_name(Evaluation& at, ValueId whole, const std::string& name);

}  // namespace hetjit::typing
