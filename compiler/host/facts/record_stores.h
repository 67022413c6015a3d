// Stores of one block that together write whole records:
//
//   out[i, j, 0] = red
//   out[i, j, 1] = green       # nothing is read between them
//   out[i, j, 2] = blue
//
//   out[3 * i] = red           # in a flat array, too: whether they are neighbours is asked where
//   out[3 * i + 1] = green     # the program runs, for each may count from the end
#pragma once

#include <vector>

#include "compiler/ir/uses.h"

namespace hetjit::host {

/// Stores to neighbouring elements along an array's last axis, which constants name, or one number
/// and constants that are added to it. They may all be made where the last one stands.
struct RecordStores {
  std::vector<const ir::Store*> fields;    // as they lie in memory, if each names what it seems to
  std::vector<const ir::Store*> in_order;  // of the block
  bool is_sure = true;                     // do constants alone say that they are neighbours?
};

/// Those of a block of two fields and more, none in two of them.
std::vector<RecordStores> record_stores(const ir::Function& kernel,
                                        const ir::Definitions& definitions, const ir::Block& block);

}  // namespace hetjit::host
