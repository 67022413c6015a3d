// Closures capture values here, variables in Python.
#pragma once

#include <optional>
#include <span>
#include <vector>

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

/// A function made here that is used after a variable it captured got another value.
struct CapturedChange {
  CellStore store;
  SpanId use;
};

/// The first that `stores` make of what `inst`, a MakeFunction, makes; blocks that are not `live`
/// count for nothing. For typing, which alone knows whether `v[i] = e` gives `v` another value.
std::optional<CapturedChange> find_captured_change(const ssa::Function& function,
                                                   const ssa::Inst& inst,
                                                   std::span<const CellStore> stores,
                                                   const std::vector<bool>& live);

/// "this function uses it", where it is used, and what helps.
void explain_captured_change(Diagnostics::Builder& error, const ssa::Function& function,
                             const ssa::Inst& made, const CapturedChange& change);

}  // namespace hetjit::reader
