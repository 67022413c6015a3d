#include "compiler/host/facts/rejoins.h"

#include "compiler/ir/uses.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::host {
namespace {

/// Who comes before whom to the end of a turn, or of the function: block b is b + 1, the end is 0.
/// What follows an inner loop's turn is not looked at.
ir::BlockLists backwards(const ir::BlockLists& successors, const Structure& structure) {
  ir::BlockLists all(successors.size() + 1);
  for (uint32_t from = 0; from < successors.size(); ++from) {
    if (successors[from].empty()) all[0].push_back(from + 1);
    for (uint32_t to : successors[from]) {
      const Loop* round = structure.loop_at(to);
      all[round && round->holds(from) ? 0 : to + 1].push_back(from + 1);
    }
  }
  return all;
}

}  // namespace

std::vector<uint32_t> rejoins(const ir::Function& function, const Structure& structure) {
  const ir::BlockLists successors = ir::successors(function);
  const Dominators before(successors), behind(backwards(successors, structure));
  std::vector<uint32_t> found(successors.size(), kNowhere);
  for (uint32_t block = 0; block < found.size(); ++block) {
    const uint32_t above = before.reachable(block) ? before.parent(block) : Dominators::kNone;
    if (above != Dominators::kNone && behind.dominates(block + 1, above + 1) &&
        structure.loop_of(block) == structure.loop_of(above))
      found[block] = above;
  }
  return found;
}

}  // namespace hetjit::host
