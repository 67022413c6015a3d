// Closures capture values here, variables in Python. Private to frontend/build.
#pragma once

#include <span>

#include "frontend/diag/diagnostic.h"
#include "frontend/ssa/function.h"

namespace hetjit::reader {

/// An assignment to a variable that some inner function captures.
struct CellStore {
  uint32_t block = 0;
  size_t inst = 0;  // the assignment happens before this instruction of the block
  uint32_t local = 0;
  ValueId value;
  SpanId where;
};

/// Makes capturing by value right. A captured variable that holds the very function that captured
/// it becomes MakeFunction::self. A function that may be used after a variable it captured got
/// another value is refused (Code::CapturedChanges); one that is made anew before its next use, as
/// in a loop, is not. What a call of the function returns counts as a plain value.
/// False: the user was told.
bool settle_captures(ssa::Function& function, std::span<const CellStore> stores,
                     Diagnostics& diags);

}  // namespace hetjit::reader
