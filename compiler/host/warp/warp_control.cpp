// Blocks of a warp's code, and the edges between them.
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <set>

#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/head.h"
#include "compiler/host/facts/rejoins.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;

namespace {

bool is_same(const Spreading& a, const Spreading& b) {
  return a.spread == b.spread && a.stride == b.stride && a.leaves == b.leaves;
}

}  // namespace

// ---- guards

Warp::Guard::Guard(Warp& warp, const Mask* mask, bool wanted) : warp_(warp) {
  Value* some = wanted ? warp.masks_.any_of(*mask) : nullptr;
  if (!some) return;
  llvm::LLVMContext& context = warp.build_.getContext();
  head_ = warp.build_.GetInsertBlock();
  auto* inside = llvm::BasicBlock::Create(context, "some", &warp.function_);
  join_ = llvm::BasicBlock::Create(context, "joined");
  warp.build_.CreateCondBr(some, inside, join_);
  warp.build_.SetInsertPoint(inside);
}

void Warp::Guard::close() {
  if (!join_) return;
  end_ = warp_.build_.GetInsertBlock();
  warp_.build_.CreateBr(join_);
  join_->insertInto(&warp_.function_);
  warp_.build_.SetInsertPoint(join_);
}

Value* Warp::Guard::escape(Value* value) {
  auto* made = value ? llvm::dyn_cast<llvm::Instruction>(value) : nullptr;
  if (!join_ || !made) return value;
  llvm::PHINode* phi = warp_.build_.CreatePHI(value->getType(), 2);
  phi->addIncoming(value, end_);
  phi->addIncoming(llvm::Constant::getNullValue(value->getType()), head_);
  return phi;
}

// Empty where the guarded code did not run.
const Mask* Warp::Guard::escape(const Mask* mask) {
  if (!join_) return mask;
  const Mask*& known = escaped_[mask];
  if (known) return known;
  Mask made = *mask;
  llvm::PHINode* ran = warp_.build_.CreatePHI(warp_.build_.getInt1Ty(), 2);
  ran->addIncoming(mask->flag ? mask->flag : warp_.build_.getTrue(), end_);
  ran->addIncoming(warp_.build_.getFalse(), head_);
  made.flag = ran;
  made.lanes = escape(made.lanes);
  return known = warp_.masks_.add(made);
}

// ---- where ways meet

const Mask* Warp::gather(const std::vector<Arrival>& arrivals) {
  std::vector<const Mask*> masks;
  for (const Arrival& arrival : arrivals)
    if (std::find(masks.begin(), masks.end(), arrival.mask) == masks.end())
      masks.push_back(arrival.mask);
  return masks_.unite(std::move(masks));
}

/// The one that most edges bring; of several the last. Its edges' masks need not be known, and that
/// of an exit is collected in each turn of a loop.
const Spreading& Warp::most_brought(size_t index, const std::vector<Arrival>& arrivals) {
  auto saved = [&](const Arrival& one) {
    size_t sum = 0;
    for (const Arrival& other : arrivals)
      if (is_same(one.arguments[index], other.arguments[index]))
        sum += other.mask->carried ? arrivals.size() : 1;
    return sum;
  };
  return std::ranges::max_element(arrivals.rbegin(), arrivals.rend(), {}, saved)->arguments[index];
}

// What stays as it was where lanes go on by many edges is no choice between them: a turn's
// `continue`s, the ends of a chain of comparisons.
Spreading Warp::blend(ValueId param, size_t index, const std::vector<Arrival>& arrivals) {
  Shape shape = shapes_.of(param);
  const Spreading& most = most_brought(index, arrivals);
  bool vector = shape.spread == Spread::Varying;
  Spreading value{shape.spread, shape.stride, vector ? vectors(most) : most.leaves};
  for (const Arrival& arrival : arrivals) {
    const Spreading& other = arrival.arguments[index];
    HETJIT_CHECK(vector || other.spread != Spread::Varying);
    if (is_same(other, most)) continue;
    for (size_t leaf = 0; leaf < value.leaves.size(); ++leaf) {
      Value* one = vector ? vector_of(other, leaf) : other.leaves[leaf];
      if (one == value.leaves[leaf]) continue;
      Value* chosen = vector ? masks_.lanes_of(*arrival.mask) : masks_.any_of(*arrival.mask);
      value.leaves[leaf] = chosen ? build_.CreateSelect(chosen, one, value.leaves[leaf]) : one;
    }
  }
  return value;
}

std::vector<Spreading> Warp::blended(uint32_t block, const std::vector<Arrival>& arrivals) {
  std::vector<Spreading> values;
  const std::vector<ValueId>& params = ir_.blocks[block].params;
  for (size_t i = 0; i < params.size(); ++i) values.push_back(blend(params[i], i, arrivals));
  return values;
}

// ---- blocks

void Warp::write_items(const std::vector<Item>& items) {
  for (const Item& item : items) {
    if (item.loop)
      write_loop(*item.loop);
    else if (region_->loop && item.block == region_->loop->header)
      write_body(item.block, region_->base);
    else
      write_block(item.block);
  }
}

void Warp::write_block(uint32_t block) {
  if (block == 0) return write_body(0, region_->base);
  auto found = coming_.find(block);
  if (found == coming_.end()) return;  // all lanes went another way
  std::vector<Arrival> arrivals = std::move(found->second);
  coming_.erase(found);
  const Mask* mask = gather(arrivals);
  if (rejoins_[block] != kNowhere) mask = masks_of_[rejoins_[block]];
  std::vector<Spreading> values = blended(block, arrivals);
  for (size_t i = 0; i < values.size(); ++i) at(ir_.blocks[block].params[i]) = std::move(values[i]);
  write_body(block, mask);
}

// A few plain operations cost less than asking whether anyone wants them. Where lanes wait must not
// be written when none does.
bool Warp::worth_a_branch(uint32_t block) const {
  const std::vector<ir::Inst>& insts = ir_.blocks[block].insts;
  if (plan_ && std::holds_alternative<ir::Return>(insts.back().op)) return true;
  // When no lane is left in a loop that lanes leave apart, it ends with this turn anyway.
  const Loop* loop = region_->loop;
  bool last_turn = loop && shapes_.leaves_apart(loop) && loop->goes_on[block];
  if ((insts.size() > kFewOperations && !last_turn) ||
      std::holds_alternative<ir::Raise>(insts.back().op))
    return true;
  return std::any_of(insts.begin(), insts.end(), [](const ir::Inst& inst) {
    const ir::OpInfo& facts = ir::info(inst.op);
    return facts.effects & (ir::Reads | ir::Writes | ir::Calls) || facts.cost == ir::Cost::Dear;
  });
}

void Warp::write_body(uint32_t block, const Mask* mask) {
  const bool ends = is_part_ && asks_for_periods(block) && ends_without_lanes(*mask);
  Guard guard(*this, mask, !ends && mask != region_->base && worth_a_branch(block));
  mask_ = masks_of_[block] = mask;
  block_ = block;
  const std::vector<ir::Inst>& insts = ir_.blocks[block].insts;
  for (size_t i = 0; i + 1 < insts.size(); ++i) write(insts[i]);
  if (!ir::edges(insts.back().op).size()) write(insts.back());
  guard.close();
  for (size_t i = 0; i + 1 < insts.size(); ++i)
    if (ValueId id = insts[i].result; id.valid() && used_elsewhere_[id.index]) guard.escape(at(id));
  leave(block, mask);
}

// ---- edges

void Warp::leave(uint32_t block, const Mask* mask) {
  const ir::Op& last = ir_.blocks[block].insts.back().op;
  if (const ir::Jump* jump = std::get_if<ir::Jump>(&last)) return arrive(jump->to, mask);
  if (const ir::Branch* branch = std::get_if<ir::Branch>(&last)) leave_by(block, mask, *branch);
}

void Warp::leave_by(uint32_t block, const Mask* mask, const ir::Branch& op) {
  const Spreading& condition = at(op.in[0]);
  Mask yes{mask->flag, mask->lanes, mask, &op, 2}, no = yes;
  if (condition.spread == Spread::Uniform) {
    if (leave_loop_together(block, mask, op) || go_on_in_all_rows(mask, op) ||
        return_together(mask, op))
      return;
    Value* holds = condition.leaves[0];
    yes.flag = masks_.both(mask->flag, holds);
    no.flag = masks_.both(mask->flag, build_.CreateNot(holds));
  } else {
    if (stay_together(block, mask, op) || leave_loop_together(block, mask, op) ||
        stay_within(block, mask, op) || stay_between_ends(block, mask, op))
      return;
    Value* holds = condition.leaves[0];
    yes.lanes = masks_.both(mask->lanes, holds);
    no.lanes = masks_.both(mask->lanes, build_.CreateNot(holds));
  }
  arrive(op.yes, masks_.add(yes));
  arrive(op.no, masks_.add(no));
}

// `while condition:` of all lanes alike is a loop of LLVM's, without a mask; so is one that ends
// when the first lane would leave it.
bool Warp::leave_loop_together(uint32_t block, const Mask* mask, const ir::Branch& op) {
  const Loop* loop = region_->loop;
  if (!loop || block != loop->header || loop->exits != 1 || mask != region_->base) return false;
  const bool uniform = at(op.in[0]).spread == Spread::Uniform;
  if (!uniform && !region_->while_all_stay) return false;
  bool leaves_by_no = !loop->holds(op.no.to.index);
  if (leaves_by_no == !loop->holds(op.yes.to.index)) return false;
  const ir::Edge &out = leaves_by_no ? op.no : op.yes, &on = leaves_by_no ? op.yes : op.no;
  if (on.to.index == block) return false;  // a loop of one block ends at its end
  llvm::LLVMContext& context = build_.getContext();
  auto* body = llvm::BasicBlock::Create(context, "body", &function_);
  region_->left = llvm::BasicBlock::Create(context, "left");
  Value* leave = at(op.in[0]).leaves[0];
  if (leaves_by_no) leave = build_.CreateNot(leave);
  if (!uniform)
    leave = mask->lanes ? masks_.any(masks_.both(mask->lanes, leave))
                        : some_give(block, op, !leaves_by_no);
  if (region_->turns_within)
    leave = build_.CreateOr(
        leave, build_.CreateICmpSGE(build_.CreateZExt(region_->turn, build_.getInt64Ty()),
                                    region_->turns_within));
  build_.CreateCondBr(leave, region_->left, body);
  arrive(out, mask);
  build_.SetInsertPoint(body);
  arrive(on, mask);
  return true;
}

/// The end of a whole kernel.
void Warp::return_done() {
  if (is_part_)
    build_.CreateRet(build_.CreateLoad(build_.getInt32Ty(), done_));
  else
    build_.CreateRetVoid();
}

/// Where all lanes of a whole kernel's warp go to its end together, that is a jump, and the others
/// are all that there are behind it.
bool Warp::return_together(const Mask* mask, const ir::Branch& op) {
  if (plan_ || region_->loop || mask != region_->base) return false;
  const bool by_yes = only_returns(ir_.blocks[op.yes.to.index]);
  if (by_yes == only_returns(ir_.blocks[op.no.to.index])) return false;
  llvm::LLVMContext& context = build_.getContext();
  auto* end = llvm::BasicBlock::Create(context, "end", &function_);
  auto* on = llvm::BasicBlock::Create(context, "on", &function_);
  build_.CreateCondBr(at(op.in[0]).leaves[0], by_yes ? end : on, by_yes ? on : end);
  build_.SetInsertPoint(end);
  return_done();
  build_.SetInsertPoint(on);
  arrive(by_yes ? op.no : op.yes, mask);
  return true;
}

/// Rows that are one piece of code go on together, or begin again one by one.
bool Warp::go_on_in_all_rows(const Mask* mask, const ir::Branch& op) {
  const bool by_yes = op.yes.to.index == again_;
  if (!by_yes && op.no.to.index != again_) return false;
  HETJIT_CHECK(mask == region_->base && !wrote_memory_);
  Value* parts = at(op.in[0]).leaves[0];
  begin_again_unless(by_yes ? build_.CreateNot(parts) : parts);
  arrive(by_yes ? op.no : op.yes, mask);
  return true;
}

/// A form that warps begin again in, for all lanes from `lane` on that it has.
Value* Warp::call_again(llvm::Function* form, bool has_mask, unsigned lane) {
  llvm::SmallVector<Value*, 32> arguments;
  for (llvm::Argument& argument : function_.args()) arguments.push_back(&argument);
  auto coordinates = arguments.end() - lower::kCoordinates;
  Value*& x = coordinates[static_cast<unsigned>(lower::Coordinate::Thread)];
  if (lane) x = build_.CreateAdd(x, build_.getInt32(lane));
  if (has_mask) {
    const auto count = llvm::ElementCount::getFixed(retry_width_);
    Value* all = llvm::ConstantVector::getSplat(count, build_.getTrue());
    arguments.insert(coordinates - (plan_ ? kFrameArguments : 0), all);
  }
  return build_.CreateCall(form, arguments);
}

/// Do some lanes give that answer? Of what steps evenly the first one and the last are asked.
Value* Warp::some_give(uint32_t block, const ir::Branch& op, bool answer) {
  const std::optional<BoundsQuestion> asked = place_question(ir_, shapes_, block, !answer);
  if (asked && at(asked->number).spread == Spread::Affine)
    return build_.CreateNot(build_.CreateFreeze(holds_for_all(*asked)));
  Value* holds = at(op.in[0]).leaves[0];
  return masks_.any(answer ? holds : build_.CreateNot(holds));
}

/// Where that does not hold, which is rare, the warp begins again, as nothing was written yet.
void Warp::begin_again_unless(Value* holds) { begin_again_unless(holds, retry_, retry_has_mask_); }

void Warp::begin_again_unless(Value* holds, llvm::Function* form, bool has_mask) {
  llvm::LLVMContext& context = build_.getContext();
  auto* again = llvm::BasicBlock::Create(context, "again", &function_);
  auto* on = llvm::BasicBlock::Create(context, "on", &function_);
  build_.CreateCondBr(holds, on, again, llvm::MDBuilder(context).createLikelyBranchWeights());
  build_.SetInsertPoint(again);
  Value* result = nullptr;
  for (unsigned lane = 0; lane < width_; lane += retry_width_)
    result = call_again(form, has_mask, lane);
  if (plan_)
    build_.CreateRet(result);
  else
    build_.CreateRetVoid();
  build_.SetInsertPoint(on);
}

// `if i >= n: return` at the head of a kernel, or an assert: in nearly every warp all lanes stay.
// The others begin again, with masks; here no mask is needed from now on.
bool Warp::stay_together(uint32_t block, const Mask* mask, const ir::Branch& op) {
  if (!retry_ || wrote_memory_ || region_->loop || mask != region_->base) return false;
  const bool leaves_by_yes = gives_up(ir_, shapes_, block, op.yes);
  if (!leaves_by_yes && !gives_up(ir_, shapes_, block, op.no)) return false;
  begin_again_unless(build_.CreateNot(some_give(block, op, leaves_by_yes)));
  arrive(leaves_by_yes ? op.no : op.yes, mask);
  return true;
}

void Warp::arrive(const ir::Edge& edge, const Mask* mask) {
  Arrival arrival{mask, {}};
  for (ValueId argument : edge.args) arrival.arguments.push_back(at(argument));
  deliver(edge, std::move(arrival));
}

void Warp::deliver(const ir::Edge& edge, Arrival arrival) {
  uint32_t to = edge.to.index;
  if (region_->loop && to == region_->loop->header)
    region_->back.push_back(std::move(arrival));
  else if (region_->loop && !region_->loop->holds(to))
    region_->exits[&edge] = std::move(arrival);
  else
    coming_[to].push_back(std::move(arrival));
}

}  // namespace hetjit::host
