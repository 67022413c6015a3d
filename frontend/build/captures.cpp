#include "frontend/build/captures.h"

#include <algorithm>

namespace hetjit::reader {
namespace {

using ssa::Block;
using ssa::Function;
using ssa::Inst;

/// A captured variable that holds the function itself is no capture.
void find_self(const Function& function, std::span<const CellStore> stores, ValueId made,
               ssa::MakeFunction& make) {
  for (const CellStore& store : stores) {
    if (store.value != made) continue;
    auto found =
        std::find(make.captures.begin(), make.captures.end(), function.local_names[store.local]);
    if (found == make.captures.end()) continue;
    make.self = *found;
    make.in.erase(make.in.begin() + make.default_count + (found - make.captures.begin()));
    make.captures.erase(found);
    return;
  }
}

}  // namespace

void find_selves(Function& function, std::span<const CellStore> stores) {
  for (Block& block : function.blocks)
    for (Inst& inst : block.insts)
      if (auto* make = std::get_if<ssa::MakeFunction>(&inst.op))
        find_self(function, stores, inst.result, *make);
}

}  // namespace hetjit::reader
