//   b1(x): …                              b1(x, left): …
//   b2: v1 = …                            b2: v1 = …; v2 = sub left, 1
//       jump b1(v1)                           branch v2 != 0, b3(v2), b4
//                                         b3(next): jump b1(v1, next)
//                                         b4: jump b3(1)                     the others' turn
#include "compiler/host/phases/patient_loops.h"

#include <algorithm>

#include "compiler/host/facts/costs.h"

namespace hetjit::host {
namespace {

struct WaitLoop {
  uint32_t header;
  std::vector<uint32_t> latches;
};

class Patience {
 public:
  Patience(ir::Function& function, std::vector<bool>& waits) : function_(function), waits_(waits) {}

  void run(std::vector<WaitLoop> loops) {
    for (size_t i = 0; i < loops.size(); ++i) {
      const WaitLoop loop = loops[i];
      const ValueId left = count_turns(loop);
      for (uint32_t latch : loop.latches) {
        const uint32_t back = end_turn(loop, latch, left);
        for (WaitLoop& other : loops) std::ranges::replace(other.latches, latch, back);
      }
    }
  }

 private:
  ValueId fresh(TypeId type) {
    function_.types.push_back(type);
    return {static_cast<uint32_t>(function_.types.size() - 1)};
  }
  ValueId number(uint64_t value, std::vector<ir::Inst>& to, SpanId where) {
    ir::ConstInt op;
    op.bits = value;
    const ValueId made = fresh(kCount);
    to.push_back({op, made, where});
    return made;
  }
  template <class Op>
  ValueId binary(Op op, ValueId a, ValueId b, TypeId type, std::vector<ir::Inst>& to,
                 SpanId where) {
    op.in = {a, b};
    const ValueId made = fresh(type);
    to.push_back({op, made, where});
    return made;
  }

  /// The turns that are left, a parameter of the header: all of them for who enters the loop.
  ValueId count_turns(const WaitLoop& loop) {
    const ValueId left = fresh(kCount);
    function_.blocks[loop.header].params.push_back(left);
    for (uint32_t block = 0; block < function_.blocks.size(); ++block) {
      if (std::ranges::count(loop.latches, block)) continue;
      std::vector<ir::Inst>& insts = function_.blocks[block].insts;
      for (size_t edge = 0; edge < ir::edges(insts.back().op).size(); ++edge) {
        if (ir::edges(insts.back().op)[edge]->to.index != loop.header) continue;
        ir::Inst end = std::move(insts.back());
        insts.pop_back();
        ir::edges(end.op)[edge]->args.push_back(number(kTurnsInARow, insts, end.where));
        insts.push_back(std::move(end));
      }
    }
    return left;
  }

  /// The block that leads back to the header from now on.
  uint32_t end_turn(const WaitLoop& loop, uint32_t latch, ValueId left) {
    const auto back = static_cast<uint32_t>(function_.blocks.size()), pause = back + 1;
    function_.blocks.resize(function_.blocks.size() + 2);
    waits_.resize(function_.blocks.size());
    waits_[latch] = false;
    waits_[pause] = true;
    std::vector<ir::Inst>& insts = function_.blocks[latch].insts;
    ir::Inst end = std::move(insts.back());
    insts.pop_back();
    const SpanId where = end.where;

    const ValueId next =
        binary(ir::Sub{}, left, number(1, insts, where), kCount, insts, where);
    ir::Compare differs;
    differs.kind = ir::Comparison::Ne;
    ir::Branch goes_on;
    goes_on.in = {binary(differs, next, number(0, insts, where), scalar_type(Scalar::Bool), insts,
                         where)};
    goes_on.yes = {{back}, {next}};
    goes_on.no = {{pause}, {}};
    insts.push_back({goes_on, {}, where});

    ir::Block& again = function_.blocks[back];
    again.params = {fresh(kCount)};
    for (ir::Edge* edge : ir::edges(end.op))
      if (edge->to.index == loop.header) edge->args.push_back(again.params[0]);
    again.insts.push_back(std::move(end));

    ir::Jump on;
    std::vector<ir::Inst>& waiting = function_.blocks[pause].insts;
    on.to = {{back}, {number(1, waiting, where)}};
    waiting.push_back({on, {}, where});
    return back;
  }

  const TypeId kCount = scalar_type(Scalar::UInt32);
  ir::Function& function_;
  std::vector<bool>& waits_;
};

}  // namespace

void make_patient(ir::Function& function, const Structure& structure, std::vector<bool>& waits) {
  std::vector<WaitLoop> found;
  for (const auto& loop : structure.loops()) {
    WaitLoop made{loop->header, {}};
    for (uint32_t block = 0; block < waits.size(); ++block) {
      if (!waits[block] || !loop->holds(block)) continue;
      const auto edges = ir::edges(function.blocks[block].insts.back().op);
      if (std::ranges::any_of(edges,
                              [&](const ir::Edge* edge) { return edge->to.index == made.header; }))
        made.latches.push_back(block);
    }
    if (!made.latches.empty()) found.push_back(std::move(made));
  }
  Patience(function, waits).run(std::move(found));
}

}  // namespace hetjit::host
