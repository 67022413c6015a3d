// Functions that return an address, or an array, of memory that ends with their call.
#pragma once

#include <vector>

#include "compiler/ir/ir.h"

namespace hetjit::ir {

/// By function: whether what it returns may lie in a local array of its own, or of a function that
/// it called. It must become part of its callers, so that the memory is theirs.
std::vector<bool> return_own_memory(const Module& module);

/// The `return` of such a value; null: there is none. `given`: what return_own_memory() says.
const Inst* returned_own_memory(const Function& function, const std::vector<bool>& given);

}  // namespace hetjit::ir
