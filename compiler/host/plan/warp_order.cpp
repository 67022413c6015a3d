#include "compiler/host/plan/warp_order.h"

#include <algorithm>

#include "compiler/host/facts/costs.h"

namespace hetjit::host {
namespace {

/// What one turn of a loop does, in vectors.
struct Turn {
  const Shapes& rows;
  const Roots& roots;
  const Loop& loop;
  const bool likely;
  size_t loads = 0, work = 0;
  bool fits = true;

  void operator()(const ir::Inst& inst) {
    const ir::OpInfo& facts = ir::info(inst.op);
    // It goes with a load, and another thread's may fail first.
    if (facts.is_check()) return;
    if (const auto* load = std::get_if<ir::Load>(&inst.op)) return look(*load);
    // Nobody asks in which order threads do it.
    const auto* update = std::get_if<ir::AtomicUpdate>(&inst.op);
    if (update && update->order == ir::MemoryOrder::Relaxed) return;
    fits &= (facts.effects & ~ir::Ends) == ir::Pure && facts.cost != ir::Cost::Dear;
    work += inst.result.valid() && rows.of(inst.result).spread == Spread::Varying;
  }

 private:
  // Of one place, or of shared memory: near at hand, whoever goes first.
  void look(const ir::Load& op) {
    Shape shape = rows.of(op.in[0]);
    bool moves = loop.holds(rows.home(op.in[0]));
    bool side_by_side =
        (shape.spread == Spread::Affine && std::abs(shape.stride) <= kNeighbours) ||
        (likely && rows.likely_neighbours(op.in[0]));
    fits &= moves && side_by_side && !roots.is_shared(op.in[0]);
    ++loads;
  }
};

}  // namespace

bool is_sweep(const ir::Function& kernel, const Structure& structure, const Shapes& rows,
              const Roots& roots, const Loop& loop, bool likely) {
  Turn turn{rows, roots, loop, likely};
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block) {
    if (!loop.holds(block)) continue;
    if (structure.loop_of(block) != &loop) return false;  // an inner loop is the one to look at
    for (const ir::Inst& inst : kernel.blocks[block].insts) turn(inst);
  }
  size_t carried = 0;
  for (ValueId param : kernel.blocks[loop.header].params)
    carried += rows.of(param).spread == Spread::Varying;
  return turn.fits && turn.loads != 0 && turn.work <= kMostWork * turn.loads &&
         carried <= kMostCarried;
}

std::vector<bool> find_sweeps(const ir::Function& kernel, const Structure& structure) {
  std::vector<bool> found(kernel.blocks.size());
  if (structure.loops().empty()) return found;
  Shapes rows(kernel, structure), block(kernel, structure, {View::Block});
  Roots roots(kernel);
  for (const auto& loop : structure.loops()) {
    if (block.leaves_apart(loop.get())) continue;
    if (!is_sweep(kernel, structure, rows, roots, *loop, /*likely=*/false)) continue;
    for (uint32_t from = 0; from < kernel.blocks.size(); ++from)
      if (loop->holds(from))
        for (const ir::Edge* edge : ir::edges(kernel.blocks[from].insts.back().op))
          if (edge->to.index == loop->header) found[from] = true;
  }
  return found;
}

}  // namespace hetjit::host
