// Stores of one block that together write whole records:
//
//   out[i, j, 0] = red
//   out[i, j, 1] = green       # nothing is read between them
//   out[i, j, 2] = blue
#pragma once

#include <vector>

#include "compiler/ir/uses.h"

namespace hetjit::host {

/// Stores to neighbouring elements along an array's last axis, which constants name. They may all
/// be made where the last one stands.
struct RecordStores {
  std::vector<const ir::Store*> fields;  // as they lie in memory
  const ir::Store* last = nullptr;       // of the block
};

/// Those of a block of two fields and more, none in two of them.
std::vector<RecordStores> record_stores(const ir::Function& kernel,
                                        const ir::Definitions& definitions, const ir::Block& block);

}  // namespace hetjit::host
