// Which of a kernel's arrays it may store to.
#pragma once

#include "abi/array_numbers.h"
#include "compiler/ir/ir.h"

namespace hetjit::passes {

/// The numbers (abi/array_numbers.h) of those arrays among the arguments of the module's entry
/// whose elements it, or a function that it calls, may store to: by name, through views, in tuples
/// and structs, atomically. What is not in the set is surely not stored to.
ArraySet stored_arrays(const ir::Module& module);

}  // namespace hetjit::passes
