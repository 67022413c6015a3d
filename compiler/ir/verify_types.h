// The type rule of each op. Private to compiler/ir.
#pragma once

#include <string>

#include "compiler/ir/ir.h"

namespace hetjit::ir {

/// What is wrong with the types of this instruction's operands, attributes and result; empty:
/// nothing. Values, blocks and spans it names must exist.
std::string check_types(const Module& module, const Function& function, const Inst& inst);

}  // namespace hetjit::ir
