// A function made inside another that calls itself.
#pragma once

#include <span>

#include "frontend/ssa/function.h"

namespace hetjit::reader {

/// An assignment to a variable that some inner function captures (ssa::StoreCell).
struct CellStore {
  uint32_t local = 0;
  ValueId value;
};

/// A captured variable that holds the very function that captured it becomes MakeFunction::self.
void find_selves(ssa::Function& function, std::span<const CellStore> stores);

}  // namespace hetjit::reader
