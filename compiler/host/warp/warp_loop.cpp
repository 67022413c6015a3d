// Loops of a warp's code. Lanes that leave together leave by a jump. Where they leave at different
// times, the loop goes on for those that are left in it, and what each lane had when it left is
// kept in vectors, lane by lane.
#include "compiler/host/facts/bounds.h"
#include "compiler/host/facts/counted_loops.h"
#include "compiler/host/warp/warp.h"
#include "compiler/target/host_attention.h"

namespace hetjit::host {

using llvm::Value;

/// A vector that collects what lanes had when they left.
struct Collected {
  llvm::PHINode* before = nullptr;  // at the head of the loop
  Value* now = nullptr;
};

struct Warp::LoopState {
  const Loop& loop;
  const Mask* enter = nullptr;
  bool apart = false;  // lanes leave at different times
  llvm::BasicBlock *before = nullptr, *head = nullptr;
  llvm::PHINode* live = nullptr;                                // apart: the lanes in this turn
  std::vector<std::vector<llvm::PHINode*>> params;              // of the header, by leaf
  std::map<ValueId, std::vector<Collected>> values;             // live after the loop, by leaf
  std::map<const ir::Edge*, Collected> lanes;                   // by exit: who left there
  std::map<const ir::Edge*, std::vector<Collected>> arguments;  // by exit: all leaves in a row
  Region region{};
};

namespace {

std::vector<const ir::Edge*> exits(const ir::Function& ir, const Loop& loop) {
  std::vector<const ir::Edge*> out;
  for (uint32_t block = 0; block < ir.blocks.size(); ++block)
    if (loop.holds(block))
      for (const ir::Edge* edge : ir::edges(ir.blocks[block].insts.back().op))
        if (!loop.holds(edge->to.index)) out.push_back(edge);
  return out;
}

}  // namespace

/// Is it an exit by which all lanes that are left in the loop leave it together, or none? Then its
/// values are those of the last turn, and nothing need be kept from turn to turn.
bool Warp::leave_at_last(const Loop& loop, const ir::Edge& edge) const {
  for (uint32_t block = 0; block < ir_.blocks.size(); ++block)
    for (const ir::Edge* own : ir::edges(ir_.blocks[block].insts.back().op))
      if (own == &edge)
        return structure_.loop_of(block) == &loop && loop.goes_on[block] &&
               !shapes_.diverges(block);
  return false;
}

/// May it be another in each turn?
bool Warp::changes_in(const Loop& loop, ValueId id) const {
  return loop.holds(shapes_.home(id)) && !shapes_.is_constant(id);
}

Warp::LoopState Warp::enter_loop(const Loop& loop, const Mask* enter, std::vector<Spreading> first,
                                 bool apart, bool counts_turns) {
  LoopState state{loop, enter, apart};
  Value* lanes = state.apart ? masks_.lanes_of(*enter) : enter->lanes;
  state.before = build_.GetInsertBlock();
  state.head = llvm::BasicBlock::Create(build_.getContext(), "loop", &function_);
  build_.CreateBr(state.head);
  build_.SetInsertPoint(state.head);
  auto phi = [&](llvm::Type* type, Value* at_first) {
    llvm::PHINode* made = build_.CreatePHI(type, 2);
    made->addIncoming(at_first ? at_first : llvm::Constant::getNullValue(type), state.before);
    return made;
  };
  if (state.apart) lanes = state.live = phi(lanes->getType(), lanes);
  const std::vector<ValueId>& params = ir_.blocks[loop.header].params;
  for (size_t i = 0; i < params.size(); ++i) {
    state.params.emplace_back();
    for (Value*& leaf : first[i].leaves) {
      state.params.back().push_back(phi(leaf->getType(), leaf));
      leaf = state.params.back().back();
    }
    at(params[i]) = std::move(first[i]);
  }
  auto vector = [&](const lower::Leaf& leaf) -> Collected {
    return {phi(llvm::FixedVectorType::get(leaf.type, width_), nullptr), nullptr};
  };
  auto vectors_for = [&](ValueId id, std::vector<Collected>& to) {
    for (const lower::Leaf& leaf : module_.types.leaves(ir_.type_of(id)))
      to.push_back(vector(leaf));
  };
  state.region = {&loop, masks_.add({nullptr, lanes}), {}, {}};
  if (!state.apart && (counts_turns || reads_rows(loop)))
    state.region.turn = phi(build_.getInt32Ty(), build_.getInt32(0));
  if (!state.apart) return state;
  for (ValueId id : live_out_.at(&loop)) vectors_for(id, state.values[id]);
  for (const ir::Edge* edge : exits(ir_, loop)) {
    if (leave_at_last(loop, *edge)) {
      for (ValueId argument : edge->args)
        state.arguments[edge].resize(state.arguments[edge].size() + leaf_count(argument));
      continue;
    }
    if (loop.exits > 1) state.lanes[edge] = {phi(lanes->getType(), nullptr), nullptr};
    for (ValueId argument : edge->args) vectors_for(argument, state.arguments[edge]);
  }
  return state;
}

// At the end of a turn: whoever left in it takes its values along.
void Warp::remember_leavers(LoopState& state) {
  Value* leavers = nullptr;
  auto keep = [&](Collected& to, Value* chosen, Value* value) {
    to.now = !to.before ? value
             : chosen   ? build_.CreateSelect(chosen, value, to.before)
                        : to.before;
  };
  for (const ir::Edge* edge : exits(ir_, state.loop)) {
    auto left = state.region.exits.find(edge);
    Value* lanes = left == state.region.exits.end() ? nullptr : masks_.lanes_of(*left->second.mask);
    if (lanes) leavers = leavers ? build_.CreateOr(leavers, lanes) : lanes;
    if (state.loop.exits > 1) {
      Collected& who = state.lanes[edge];
      who.now = !lanes ? who.before : !who.before ? lanes : build_.CreateOr(who.before, lanes);
    }
    size_t next = 0;
    for (size_t i = 0; i < edge->args.size(); ++i)
      for (size_t leaf = 0; leaf < leaf_count(edge->args[i]); ++leaf)
        keep(state.arguments[edge][next++], lanes,
             lanes ? vector_of(left->second.arguments[i], leaf) : nullptr);
  }
  for (auto& [id, leaves] : state.values)
    for (size_t leaf = 0; leaf < leaves.size(); ++leaf)
      keep(leaves[leaf], leavers, vector_of(at(id), leaf));
}

// Back to the head as long as a lane goes on.
void Warp::close_loop(LoopState& state) {
  std::vector<Arrival>& back = state.region.back;
  const Mask* again = back.empty() ? nullptr : gather(back);
  Value* goes_on = again ? masks_.any_of(*again) : build_.getFalse();
  if (again == state.region.base || !goes_on) goes_on = build_.getTrue();
  std::vector<Spreading> next;
  if (again) next = blended(state.loop.header, back);
  // It only goes on when the mask's flag is true.
  Value* live = !again || !state.apart ? nullptr : again->lanes ? again->lanes : masks_.all_lanes();
  llvm::BasicBlock* latch = build_.GetInsertBlock();
  auto close = [&](llvm::PHINode* phi, Value* value) {
    if (phi) phi->addIncoming(value ? value : llvm::Constant::getNullValue(phi->getType()), latch);
  };
  if (state.live) close(state.live, live);
  for (size_t i = 0; i < state.params.size(); ++i)
    for (size_t leaf = 0; leaf < state.params[i].size(); ++leaf)
      close(state.params[i][leaf], again ? next[i].leaves[leaf] : nullptr);
  for (auto& [edge, lanes] : state.lanes) close(lanes.before, lanes.now);
  for (auto& [edge, leaves] : state.arguments)
    for (Collected& leaf : leaves) close(leaf.before, leaf.now);
  for (auto& [id, leaves] : state.values)
    for (Collected& leaf : leaves) close(leaf.before, leaf.now);
  if (state.region.turn)
    close(state.region.turn, build_.CreateAdd(state.region.turn, build_.getInt32(1)));
  llvm::BasicBlock* after = state.region.left;
  llvm::Instruction* next_turn;
  if (after) {
    next_turn = build_.CreateBr(state.head);
    after->insertInto(&function_);
  } else {
    after = llvm::BasicBlock::Create(build_.getContext(), "left", &function_);
    next_turn = build_.CreateCondBr(goes_on, state.head, after);
  }
  if (counts(ir_, structure_, shapes_.definitions(), state.loop)) target::mark_counted(*next_turn);
  build_.SetInsertPoint(after);
}

/// What the code behind the loop sees of an exit.
Warp::Arrival Warp::exit_of(LoopState& state, const ir::Edge& edge) {
  Arrival arrival = std::move(state.region.exits[&edge]);
  Mask mask{nullptr, state.enter->lanes, state.enter, &state.loop, state.loop.exits};
  if (!state.apart) {
    // Where lanes have parted and met on the way to the exit, the lanes know whether any came.
    bool parted = arrival.mask->lanes != state.region.base->lanes;
    mask.flag = parted ? masks_.any_of(*arrival.mask) : arrival.mask->flag;
    if (!mask.flag) mask.flag = build_.getTrue();
  } else if (state.loop.exits > 1) {
    mask.lanes = state.lanes[&edge].now;
    mask.carried = true;
  }
  arrival.mask = state.loop.exits == 1 ? state.enter : masks_.add(mask);
  size_t next = 0;
  for (size_t i = 0; state.apart && i < edge.args.size(); ++i) {
    Spreading value{Spread::Varying, 0, {}};
    for (size_t leaf = leaf_count(edge.args[i]); leaf > 0; --leaf)
      value.leaves.push_back(state.arguments[&edge][next++].now);
    // What is the same in every turn keeps its shape.
    if (changes_in(state.loop, edge.args[i])) arrival.arguments[i] = std::move(value);
  }
  return arrival;
}

// The turns in which all lanes stay, without a question who is left. From the turn on in which one
// leaves, the loop that follows is given the parameters.
std::vector<Spreading> Warp::write_whole_turns(const Loop& loop, const Mask* enter,
                                               std::vector<Spreading> first) {
  Region counted{.loop = &loop};
  if (!enter->lanes && asks_for_bounds(ir_, structure_, shapes_, loop))
    count_turns_within(counted, first);
  LoopState state = enter_loop(loop, enter, std::move(first), /*apart=*/false,
                               /*counts_turns=*/counted.turns_within != nullptr);
  state.region.while_all_stay = true;
  state.region.turns_within = counted.turns_within;
  state.region.within = std::move(counted.within);
  std::vector<Spreading> last;
  for (ValueId param : ir_.blocks[loop.header].params) last.push_back(at(param));
  Region* outer = std::exchange(region_, &state.region);
  write_items(loop.items);
  HETJIT_CHECK(state.region.left);  // its head has asked whether all stay
  close_loop(state);
  region_ = outer;
  return last;
}

/// The loop behind the whole turns, which is jumped over where nobody has a turn left. What is used
/// behind it is then what the whole turns' head had.
class Warp::LastTurns {
 public:
  LastTurns(Warp& warp, const Loop& loop) : warp_(warp) {
    const std::vector<ir::Inst>& head = warp.ir_.blocks[loop.header].insts;
    const auto& branch = std::get<ir::Branch>(head.back().op);
    const bool stays = loop.holds(branch.yes.to.index);
    const auto asked = place_question(warp.ir_, warp.shapes_, loop.header, stays);
    if (!asked || warp.at(asked->number).spread != Spread::Affine) return;
    auto keep = [&](ValueId id) {
      for (size_t leaf = 0; leaf < warp.leaf_count(id); ++leaf)
        at_head_.push_back(warp.vector_of(warp.at(id), leaf));
    };
    for (ValueId id : warp.live_out_.at(&loop)) keep(id);
    for (const ir::Edge* edge : exits(warp.ir_, loop)) std::ranges::for_each(edge->args, keep);
    Value* some = warp.some_give(loop.header, branch, stays);
    llvm::LLVMContext& context = warp.build_.getContext();
    auto* turns = llvm::BasicBlock::Create(context, "last.turns", &warp.function_);
    head_ = warp.build_.GetInsertBlock();
    behind_ = llvm::BasicBlock::Create(context, "behind");
    warp.build_.CreateCondBr(some, turns, behind_);
    warp.build_.SetInsertPoint(turns);
  }

  void close(const Loop& loop, LoopState& state) {
    if (!behind_) return;
    llvm::IRBuilder<>& build = warp_.build_;
    llvm::BasicBlock* end = build.GetInsertBlock();
    build.CreateBr(behind_);
    behind_->insertInto(&warp_.function_);
    build.SetInsertPoint(behind_);
    auto kept = at_head_.begin();
    auto join = [&](Collected& leaf) {
      llvm::PHINode* phi = build.CreatePHI(leaf.now->getType(), 2);
      phi->addIncoming(leaf.now, end);
      phi->addIncoming(*kept++, head_);
      leaf.now = phi;
    };
    for (ValueId id : warp_.live_out_.at(&loop)) std::ranges::for_each(state.values.at(id), join);
    for (auto& [edge, leaves] : state.arguments) std::ranges::for_each(leaves, join);
  }

 private:
  Warp& warp_;
  std::vector<Value*> at_head_;  // as vectors
  llvm::BasicBlock *head_ = nullptr, *behind_ = nullptr;
};

void Warp::write_loop(const Loop& loop) {
  auto found = coming_.find(loop.header);
  if (found == coming_.end()) return;
  std::vector<Arrival> arrivals = std::move(found->second);
  coming_.erase(found);
  const Mask* enter = gather(arrivals);
  std::vector<Spreading> first = blended(loop.header, arrivals);
  Guard guard(*this, enter, enter != region_->base);
  const bool within = !enter->lanes && asks_for_bounds(ir_, structure_, shapes_, loop);
  std::optional<LastTurns> last;
  if (within || shapes_.leaves_in_steps(loop))
    first = write_whole_turns(loop, enter, std::move(first));
  if (shapes_.leaves_in_steps(loop)) last.emplace(*this, loop);
  LoopState state = enter_loop(loop, enter, std::move(first), shapes_.leaves_apart(&loop));
  Region* outer = std::exchange(region_, &state.region);
  write_items(loop.items);
  if (state.apart) remember_leavers(state);
  close_loop(state);
  if (last) last->close(loop, state);
  region_ = outer;
  std::vector<std::pair<const ir::Edge*, Arrival>> left;
  for (const ir::Edge* edge : exits(ir_, loop))
    if (state.region.exits.contains(edge)) left.emplace_back(edge, exit_of(state, *edge));
  for (auto& [id, leaves] : state.values) {
    at(id) = {Spread::Varying, 0, {}};
    for (Collected& leaf : leaves) at(id).leaves.push_back(leaf.now);
  }
  guard.close();
  for (auto& [edge, arrival] : left) {
    if (arrival.mask != enter) arrival.mask = guard.escape(arrival.mask);
    // What was made before the loop is there behind it, whether the loop ran or not.
    for (size_t i = 0; i < edge->args.size(); ++i)
      if (changes_in(loop, edge->args[i])) guard.escape(arrival.arguments[i]);
  }
  for (ValueId id : live_out_.at(&loop)) guard.escape(at(id));
  for (auto& [edge, arrival] : left) deliver(*edge, std::move(arrival));
}

}  // namespace hetjit::host
