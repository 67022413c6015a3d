// Waits to the ends of blocks; what needs nothing but arguments and the thread's place to the
// kernel's start, from where every phase can take it without a slot.
#include <algorithm>

#include "compiler/host/phases/phases.h"
#include "compiler/ir/uses.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::host {
namespace {

/// Is the op a wait, and for whom? Lanes of a warp wait for one another where threads run one by
/// one; what else they do together went by way of memory then (expand_warp_ops.h).
std::optional<WaitFor> wait_of(const ir::Op& op, bool one_by_one) {
  const ir::Needs needs = ir::info(op).needs;
  if (needs == ir::Needs::Block) return WaitFor::Block;
  if (needs == ir::Needs::Grid) return WaitFor::Grid;
  if (one_by_one && needs == ir::Needs::Warp) return WaitFor::Warp;
  if (one_by_one && needs == ir::Needs::Turn) return WaitFor::Turn;
  return std::nullopt;
}

class Preparer {
 public:
  Preparer(ir::Function kernel, const WaitRule& rule) : rule_(rule) {
    made_.function = std::move(kernel);
    made_.waits.resize(1);
    made_.behind.resize(1);
  }

  Prepared run() {
    join_returns();
    for (uint32_t block = 0; block < blocks().size(); ++block) end_at_wait(block);
    made_.wait_after.resize(blocks().size());
    compute_first();
    return std::move(made_);
  }

 private:
  std::vector<ir::Block>& blocks() { return made_.function.blocks; }

  void join_returns();
  void end_at_wait(uint32_t block);
  bool take_check(std::vector<ir::Inst>& insts, size_t& wait) const;
  void cut(uint32_t block, size_t keep, size_t drop, WaitFor whom, SpanId where);
  void compute_first();

  const WaitRule& rule_;
  Prepared made_;
};

// Lanes that parted and are done meet in one block, and only then come to a phase's end: there
// they are all of one kind, whoever else comes to it.
void Preparer::join_returns() {
  if (made_.function.result != none_type()) return;
  std::vector<uint32_t> returns;
  for (uint32_t block = 0; block < blocks().size(); ++block)
    if (std::holds_alternative<ir::Return>(blocks()[block].insts.back().op))
      returns.push_back(block);
  if (returns.size() < 2) return;
  const auto joined = static_cast<uint32_t>(blocks().size());
  ir::Block end;
  const ir::Inst leave = blocks()[returns[0]].insts.back();
  const ValueId none{static_cast<uint32_t>(made_.function.types.size())};
  made_.function.types.push_back(none_type());
  end.insts.push_back({ir::ConstNone{}, none, leave.where});
  end.insts.push_back(leave);
  ir::operands(end.insts.back().op)[0] = none;
  for (uint32_t block : returns) {
    ir::Jump jump;
    jump.to.to = {joined};
    blocks()[block].insts.back() = {jump, {}, blocks()[block].insts.back().where};
  }
  blocks().push_back(std::move(end));
}

// What follows the wait goes on in a block of its own, which is looked at later.
void Preparer::end_at_wait(uint32_t block) {
  std::vector<ir::Inst>& insts = blocks()[block].insts;
  for (size_t i = 0; i < insts.size(); ++i) {
    std::optional<WaitFor> whom = wait_of(insts[i].op, rule_.warp_barriers);
    if (!whom) continue;
    bool told = rule_.together && *whom == WaitFor::Block && take_check(insts, i);
    cut(block, i, 1, *whom, insts[i].where);
    made_.waits.back().told = told;
    return;
  }
  if (block < rule_.turns.size() && rule_.turns[block])
    cut(block, insts.size() - 1, 0, WaitFor::Turn, insts.back().where);
  else if (block < rule_.steps.size() && rule_.steps[block])
    cut(block, insts.size() - 1, 0, WaitFor::Block, insts.back().where);
}

// That each warp comes to the barrier need not be told when it is told of the block.
bool Preparer::take_check(std::vector<ir::Inst>& insts, size_t& wait) const {
  for (size_t i = 0; i < wait; ++i) {
    auto* check = std::get_if<ir::CheckBarrier>(&insts[i].op);
    if (!check || check->kind != WaitKind::Block) continue;
    insts.erase(insts.begin() + static_cast<ptrdiff_t>(i));
    --wait;
    return true;
  }
  return false;
}

void Preparer::cut(uint32_t block, size_t keep, size_t drop, WaitFor whom, SpanId where) {
  ir::Function& function = made_.function;
  const auto next = static_cast<uint32_t>(function.blocks.size());
  ir::Block& rest = function.blocks.emplace_back();
  std::vector<ir::Inst>& insts = function.blocks[block].insts;
  ir::Inst wait = insts[keep];
  if (auto* vote = std::get_if<ir::BarrierReduce>(&wait.op); vote && drop) {
    ir::TakeVote take;
    take.vote = vote->vote;
    rest.insts.push_back({take, wait.result, where});
  }
  auto from = insts.begin() + static_cast<ptrdiff_t>(keep + drop);
  rest.insts.insert(rest.insts.end(), std::make_move_iterator(from),
                    std::make_move_iterator(insts.end()));
  insts.resize(keep);
  if (auto* vote = std::get_if<ir::BarrierReduce>(&wait.op); vote && drop) {
    ir::CastVote cast;
    cast.in = vote->in;
    insts.push_back({cast, {}, where});
  }
  if (auto* barrier = std::get_if<ir::WarpBarrier>(&wait.op); barrier && drop) {
    ir::Keep keep;
    keep.in = barrier->in;
    keep.slot = kMaskSlot;
    insts.push_back({keep, {}, where});
    made_.keeps_masks = true;
  }
  ir::Jump jump;
  jump.to.to = {next};
  insts.push_back({jump, {}, where});
  made_.wait_after.resize(function.blocks.size());
  made_.wait_after[block] = static_cast<uint32_t>(made_.waits.size());
  made_.waits.push_back({whom, where.valid() ? function.spans[where.index] : Span{}});
  made_.behind.push_back(next);
}

/// May it be computed again in every phase?
bool is_cheap(const ir::OpInfo& op) { return op.effects == ir::Pure && op.cost != ir::Cost::Dear; }

void Preparer::compute_first() {
  ir::Function& function = made_.function;
  std::vector<bool>& first = made_.computed_first;
  first.resize(function.types.size());
  for (ValueId param : blocks()[0].params) first[param.index] = true;
  std::vector<ir::Inst> moved;
  for (uint32_t block : reverse_post_order(ir::successors(function))) {
    std::vector<ir::Inst>& insts = blocks()[block].insts;
    std::erase_if(insts, [&](ir::Inst& inst) {
      if (!inst.result.valid() || !is_cheap(ir::info(inst.op))) return false;
      for (ValueId id : ir::operands(inst.op))
        if (!first[id.index]) return false;
      first[inst.result.index] = true;
      moved.push_back(std::move(inst));
      return true;
    });
  }
  std::vector<ir::Inst>& start = blocks()[0].insts;
  start.insert(start.begin(), std::make_move_iterator(moved.begin()),
               std::make_move_iterator(moved.end()));
}

}  // namespace

Prepared prepare(ir::Function kernel, const WaitRule& rule) {
  return Preparer(std::move(kernel), rule).run();
}

}  // namespace hetjit::host
