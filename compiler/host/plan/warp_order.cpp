#include "compiler/host/plan/warp_order.h"

#include <algorithm>

#include "compiler/host/facts/origin.h"

namespace hetjit::host {
namespace {

constexpr size_t kMostCarried = 2;   // vectors, from turn to turn
constexpr size_t kMostWork = 8;      // vector operations for a load
constexpr int64_t kNeighbours = 16;  // bytes: lanes at most so far apart read side by side

/// What one turn of a loop does, in vectors.
struct Turn {
  const ir::Function& kernel;
  const Shapes& rows;
  const Loop& loop;
  size_t loads = 0, work = 0;
  bool fits = true;

  void operator()(const ir::Inst& inst) {
    std::visit([&](const auto& op) { look(op, inst); }, inst.op);
  }

 private:
  bool varying(const ir::Inst& inst) const {
    return inst.result.valid() && rows.of(inst.result).spread == Spread::Varying;
  }
  template <class Op>
  void look(const Op&, const ir::Inst& inst) {
    constexpr bool kPlain = (Op::info.effects & ~ir::Ends) == ir::Pure;
    fits &= kPlain;
    work += varying(inst);
  }
  // They go with a load, and another thread's may fail first.
  void look(const ir::CheckBelow&, const ir::Inst&) {}
  void look(const ir::CheckAccess&, const ir::Inst&) {}
  void look(const ir::Math&, const ir::Inst&) { fits = false; }
  void look(const ir::Div&, const ir::Inst&) { fits = false; }
  void look(const ir::FloorDiv&, const ir::Inst&) { fits = false; }
  void look(const ir::Mod&, const ir::Inst&) { fits = false; }
  // Of one place, or of shared memory: near at hand, whoever goes first.
  void look(const ir::Load& op, const ir::Inst&) {
    Shape shape = rows.of(op.in[0]);
    bool moves = loop.holds(rows.home(op.in[0]));
    bool side_by_side = shape.spread == Spread::Affine && std::abs(shape.stride) <= kNeighbours;
    fits &= moves && side_by_side && !is_shared(rows, op.in[0]);
    ++loads;
  }
  // Nobody asks in which order threads do it.
  void look(const ir::AtomicUpdate& op, const ir::Inst&) {
    fits &= op.order == ir::MemoryOrder::Relaxed;
  }
};

bool sweeps(const ir::Function& kernel, const Structure& structure, const Shapes& rows,
            const Loop& loop) {
  Turn turn{kernel, rows, loop};
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

}  // namespace

std::vector<bool> find_sweeps(const ir::Function& kernel, const Structure& structure) {
  std::vector<bool> found(kernel.blocks.size());
  if (structure.loops().empty()) return found;
  Shapes rows(kernel, structure, View::Row), block(kernel, structure, View::Block);
  for (const auto& loop : structure.loops()) {
    if (block.leaves_apart(loop.get()) || !sweeps(kernel, structure, rows, *loop)) continue;
    for (uint32_t from = 0; from < kernel.blocks.size(); ++from)
      if (loop->holds(from))
        for (const ir::Edge* edge : ir::edges(kernel.blocks[from].insts.back().op))
          if (edge->to.index == loop->header) found[from] = true;
  }
  return found;
}

}  // namespace hetjit::host
