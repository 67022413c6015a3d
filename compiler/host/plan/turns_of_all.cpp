#include "compiler/host/plan/turns_of_all.h"

#include <algorithm>
#include <set>

#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/counted_loops.h"
#include "compiler/host/facts/roots.h"
#include "compiler/host/facts/shape.h"
#include "compiler/host/facts/written_arrays.h"
#include "compiler/host/plan/free_turns.h"
#include "compiler/host/plan/warp_order.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

/// A loop whose turns go by its threads' places along x.
struct SharedOut {
  const Loop* loop = nullptr;
  size_t counter = 0;  // which of its header's parameters
  size_t side = 0;     // of what the head compares: the counter, as another type maybe
  ValueId place;       // where the thread begins
  bool of_launch = false;
  ValueId limit;  // where all end
  /// The counter begins there, and goes on by `step`.
  ValueId first, step;
  /// Or it is the same for all, and the head compares it with how many turns the thread has `left`:
  /// steps, of a number that the program says, from its place to the limit.
  ValueId left;
  uint64_t stride = 1;
};

class LoopSearch {
 public:
  LoopSearch(const ir::Function& kernel, const Structure& structure)
      : kernel_(kernel),
        definitions_(kernel),
        rows_(kernel, structure),
        block_(kernel, structure, {View::Block}),
        roots_(kernel),
        structure_(structure) {}

  std::optional<SharedOut> look_at(const Loop& loop) const {
    const std::vector<ir::Inst>& head = kernel_.blocks[loop.header].insts;
    const auto* branch = std::get_if<ir::Branch>(&head.back().op);
    if (!branch || loop.exits != 1 || !loop.holds(branch->yes.to.index)) return std::nullopt;
    // It is asked once more, behind the turns that all have.
    for (const ir::Inst& inst : head)
      if ((ir::info(inst.op).effects & ~ir::Ends) != ir::Pure) return std::nullopt;
    const auto* compare = definitions_.made_by<ir::Compare>(branch->in[0]);
    if (!compare || !block_.leaves_apart(&loop)) return std::nullopt;
    for (size_t side : {0, 1}) {
      const ir::Comparison kind = side ? ir::mirrored(compare->kind) : compare->kind;
      if (kind != ir::Comparison::Lt && kind != ir::Comparison::Le) continue;
      if (auto found = counted(loop, *compare, side)) return found;
      if (auto found = counted_from_place(loop, *compare, side)) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<SharedOut> counted(const Loop& loop, const ir::Compare& compare,
                                   size_t side) const {
    SharedOut made{.loop = &loop, .side = side, .limit = compare.in[1 - side]};
    const std::vector<ValueId>& params = kernel_.blocks[loop.header].params;
    const auto found = std::ranges::find(params, behind(compare.in[side]));
    if (found == params.end() || block_.of(made.limit) != kUniform) return std::nullopt;
    made.counter = static_cast<size_t>(found - params.begin());
    const std::optional<ValueId> first = entered_with(loop, made.counter);
    const std::optional<ValueId> next = next_turn(kernel_, loop, made.counter);
    const auto* sum = next ? definitions_.made_by<ir::Add>(*next) : nullptr;
    if (!first || !sum || (sum->in[0] != *found && sum->in[1] != *found)) return std::nullopt;
    made.first = *first;
    made.step = sum->in[sum->in[0] == *found];
    const bool fits = begins_at_place(made, *first) && goes_by_threads(made.step) && sweeps(loop);
    return fits ? std::optional(made) : std::nullopt;
  }

  /// As range() has it: counter < (place < limit ? turns of limit - place : 0).
  std::optional<SharedOut> counted_from_place(const Loop& loop, const ir::Compare& compare,
                                              size_t side) const {
    SharedOut made{.loop = &loop, .side = side, .left = behind(compare.in[1 - side])};
    const std::vector<ValueId>& params = kernel_.blocks[loop.header].params;
    const auto found = std::ranges::find(params, compare.in[side]);
    const auto* left = definitions_.made_by<ir::Select>(made.left);
    if (found == params.end() || block_.of(*found) != kUniform || !left) return std::nullopt;
    made.counter = static_cast<size_t>(found - params.begin());
    const auto* any = definitions_.made_by<ir::Compare>(left->in[0]);
    const auto* apart = distance(left->in[1], made.stride);
    if (!any || any->kind != ir::Comparison::Lt || !apart || !is_number(left->in[2], 0) ||
        behind(any->in[0]) != behind(apart->in[1]) || behind(any->in[1]) != behind(apart->in[0]))
      return std::nullopt;
    made.limit = behind(any->in[1]);
    const bool fits =
        block_.of(made.limit) == kUniform && begins_at_place(made, apart->in[1]) && sweeps(loop);
    return fits ? std::optional(made) : std::nullopt;
  }

  /// Of `turns`, the numbers of which lie so many apart: itself, or (distance - 1) // stride + 1.
  const ir::Sub* distance(ValueId turns, uint64_t& stride) const {
    const auto* sum = definitions_.made_by<ir::Add>(turns);
    if (!sum) return definitions_.made_by<ir::Sub>(turns);
    const auto* shift = definitions_.made_by<ir::ShiftRight>(sum->in[0]);
    const auto* quotient = definitions_.made_by<ir::FloorDiv>(sum->in[0]);
    if (!is_number(sum->in[1], 1) || (!shift && !quotient)) return nullptr;
    const auto* by = definitions_.made_by<ir::ConstInt>(shift ? shift->in[1] : quotient->in[1]);
    const auto* less = definitions_.made_by<ir::Sub>(shift ? shift->in[0] : quotient->in[0]);
    if (!by || by->bits == 0 || !less || !is_number(less->in[1], 1)) return nullptr;
    if (shift && by->bits >= 64) return nullptr;
    stride = shift ? uint64_t{1} << by->bits : by->bits;
    return stride <= kFarthestStep ? definitions_.made_by<ir::Sub>(less->in[0]) : nullptr;
  }
  bool is_number(ValueId id, uint64_t bits) const {
    const auto* number = definitions_.made_by<ir::ConstInt>(id);
    return number && number->bits == bits;
  }
  bool sweeps(const Loop& loop) const {
    return is_sweep(kernel_, structure_, rows_, roots_, loop, /*likely=*/true);
  }

  /// What the one edge into the loop brings.
  std::optional<ValueId> entered_with(const Loop& loop, size_t param) const {
    std::optional<ValueId> found;
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block) {
      if (loop.holds(block) || !structure_.reachable(block)) continue;
      for (const ir::Edge* edge : ir::edges(kernel_.blocks[block].insts.back().op)) {
        if (edge->to.index != loop.header) continue;
        if (found) return std::nullopt;
        found = edge->args[param];
      }
    }
    return found;
  }

  bool begins_at_place(SharedOut& made, ValueId first) const {
    made.place = behind(first);
    const auto* index = definitions_.made_by<ir::ThreadIndex>(made.place);
    made.of_launch = !index;
    return index ? index->axis == 0 : ir::axis_of_place(definitions_, made.place) == 0;
  }

  /// Of the block, of the launch, or as many as the program says.
  bool goes_by_threads(ValueId id) const {
    const ValueId step = behind(id);
    const auto* extent = definitions_.made_by<ir::BlockDimension>(step);
    const auto* number = definitions_.made_by<ir::ConstInt>(step);
    return (extent && extent->axis == 0) || (number && number->bits - 1 < kFarthestStep) ||
           ir::axis_of_all_threads(definitions_, step) == 0;
  }

  ValueId behind(ValueId id) const { return number_behind(kernel_, definitions_, id); }

  static constexpr uint64_t kFarthestStep = 1 << 20;
  const ir::Function& kernel_;
  const ir::Definitions definitions_;
  const Shapes rows_, block_;
  const Roots roots_;
  const Structure& structure_;
};

/// Puts the turns that all threads have before a loop.
class PartedLoop {
 public:
  PartedLoop(ir::Function& kernel, const SharedOut& of)
      : kernel_(kernel),
        of_(of),
        loop_(*of.loop),
        definitions_(kernel),
        where_(kernel.blocks[loop_.header].insts.back().where) {}

  /// False, and nothing has changed: what the loop counts by is made in it, and not of numbers.
  bool run() {
    const std::optional<ValueId> limit = brought_out(of_.limit),
                                 step = of_.left.valid() ? of_.step : brought_out(of_.step);
    if (!limit || !step || (of_.left.valid() && inside(definitions_.home(of_.left)))) return false;
    limit_ = *limit;
    step_ = *step;
    const ValueId others = make<ir::Sub>(
        index_type_, {emit(ir::BlockDimension{}, index_type_), number(1, index_type_)});
    begins_ = of_thread(of_.left.valid() ? of_.place : of_.first, others);
    if (of_.left.valid()) left_ = of_thread(of_.left, others);
    blocks_before_ = blocks().size();
    copy_loop();
    begin();
    return true;
  }

 private:
  std::vector<ir::Block>& blocks() { return kernel_.blocks; }
  /// Blocks that other loops got are of none that was found.
  bool inside(uint32_t block) const { return block < loop_.blocks.size() && loop_.holds(block); }
  std::vector<ValueId>& params() { return blocks()[loop_.header].params; }

  ValueId fresh(TypeId type) {
    kernel_.types.push_back(type);
    return {static_cast<uint32_t>(kernel_.types.size() - 1)};
  }
  ValueId emit(ir::Op op, TypeId type) {
    begin_.push_back({std::move(op), fresh(type), where_});
    return begin_.back().result;
  }
  template <class AnyOp>
  ValueId make(TypeId type, std::initializer_list<ValueId> in) {
    AnyOp op;
    std::ranges::copy(in, op.in.begin());
    return emit(std::move(op), type);
  }
  ValueId number(uint64_t bits, TypeId type) {
    ir::ConstInt op;
    op.bits = bits;
    return emit(op, type);
  }

  /// A number as it is before the loop.
  std::optional<ValueId> brought_out(ValueId id) {
    if (!inside(definitions_.home(id))) return id;
    const ir::Op* op = definitions_.of(id);
    if (!op || ir::info(*op).effects != ir::Pure) return std::nullopt;
    ir::Op copied = *op;
    for (ValueId& operand : ir::operands(copied)) {
      const std::optional<ValueId> one = brought_out(operand);
      if (!one) return std::nullopt;
      operand = *one;
    }
    return emit(std::move(copied), kernel_.type_of(id));
  }

  /// An index that counts from the end where it is negative, which that of no turn of the copy is.
  bool is_of_counter(const ir::Op& op) const {
    const auto* index = std::get_if<ir::WrapIndex>(&op);
    if (!index) return false;
    const ValueId number = behind(index->in[0]);
    if (!of_.left.valid()) return number == counter();
    const auto* sum = definitions_.made_by<ir::Add>(number);
    return sum && ((behind(sum->in[0]) == of_.place && is_way(behind(sum->in[1]))) ||
                   (behind(sum->in[1]) == of_.place && is_way(behind(sum->in[0]))));
  }
  /// How far a thread has come from its place.
  bool is_way(ValueId id) const {
    if (of_.stride == 1) return id == counter();
    const auto* way = definitions_.made_by<ir::Mul>(id);
    const auto* stride = way ? definitions_.made_by<ir::ConstInt>(way->in[1]) : nullptr;
    return stride && stride->bits == of_.stride && behind(way->in[0]) == counter();
  }
  ValueId counter() const { return kernel_.blocks[loop_.header].params[of_.counter]; }
  ValueId behind(ValueId id) const { return number_behind(kernel_, definitions_, id); }

  ValueId copied(ValueId id) const {
    const ir::Op* op = id.index < copies_.size() ? definitions_.of(id) : nullptr;
    if (op && inside(definitions_.home(id)) && is_of_counter(*op))
      return copied(ir::operands(*op)[0]);
    return id.index < copies_.size() && copies_[id.index].valid() ? copies_[id.index] : id;
  }

  // Its blocks follow all others; the first of the loop's begins with what comes before it.
  void copy_loop() {
    const size_t values = kernel_.types.size();
    copies_.resize(values);
    std::vector<uint32_t> where(blocks_before_);
    auto count = static_cast<uint32_t>(blocks_before_);
    for (uint32_t block = 0; block < blocks_before_; ++block) {
      if (!inside(block)) continue;
      where[block] = count++;
      for (ValueId param : blocks()[block].params) copies_[param.index] = fresh_like(param);
      for (const ir::Inst& inst : blocks()[block].insts)
        if (inst.result.valid() && !is_of_counter(inst.op))
          copies_[inst.result.index] = fresh_like(inst.result);
    }
    if (!of_.left.valid()) {
      last_ = fresh_like(params()[of_.counter]);
      next_last_ = fresh_like(last_);
    }
    head_ = where[loop_.header];
    for (uint32_t block = 0; block < blocks_before_; ++block)
      if (inside(block)) blocks().push_back(copy_of(block, where));
    ask_for_the_last();
  }
  ValueId fresh_like(ValueId id) { return fresh(kernel_.type_of(id)); }

  ir::Block copy_of(uint32_t block, const std::vector<uint32_t>& where) {
    ir::Block made;
    for (ValueId param : blocks()[block].params) made.params.push_back(copied(param));
    for (const ir::Inst& inst : blocks()[block].insts) {
      if (is_of_counter(inst.op)) continue;
      ir::Inst one{inst.op, inst.result.valid() ? copied(inst.result) : ValueId{}, inst.where};
      for (ValueId& operand : ir::operands(one.op)) operand = copied(operand);
      for (ir::Edge* edge : ir::edges(one.op)) lead(*edge, where);
      made.insts.push_back(std::move(one));
    }
    return made;
  }

  /// To the copy of a block; or to the loop itself, which has what is left.
  void lead(ir::Edge& edge, const std::vector<uint32_t>& where) {
    for (ValueId& arg : edge.args) arg = copied(arg);
    if (!inside(edge.to.index)) {
      edge = {{loop_.header}, {}};
      for (ValueId param : params()) edge.args.push_back(copied(param));
      return;
    }
    if (edge.to.index == loop_.header && next_last_.valid()) edge.args.push_back(next_last_);
    edge.to.index = where[edge.to.index];
  }

  /// The copy goes on while the last thread of the block has a turn.
  void ask_for_the_last() {
    ir::Block& head = blocks()[head_];
    ir::Inst ends = std::move(head.insts.back());
    head.insts.pop_back();
    ir::Compare compare = *definitions_.made_by<ir::Compare>(condition());
    if (of_.left.valid()) {
      compare.in[of_.side] = copied(compare.in[of_.side]);
      compare.in[1 - of_.side] = as_short(left_, compare.in[1 - of_.side], head);
    } else {
      head.params.push_back(last_);
      ir::Add sum;
      sum.in = {last_, step_};
      head.insts.push_back({sum, next_last_, where_});
      compare.in[of_.side] = as_the_last(compare.in[of_.side], head);
      compare.in[1 - of_.side] = limit_;
    }
    const ValueId has_turn = fresh_like(condition());
    std::get<ir::Branch>(ends.op).in[0] = has_turn;
    head.insts.push_back({compare, has_turn, where_});
    head.insts.push_back(std::move(ends));
  }
  /// In the type of another number, which may have been made shorter than what it is made of.
  ValueId as_short(ValueId id, ValueId like, ir::Block& head) {
    if (kernel_.type_of(id) == kernel_.type_of(like)) return id;
    ir::Convert convert;
    convert.in = {id};
    head.insts.push_back({convert, fresh_like(like), where_});
    return head.insts.back().result;
  }
  /// What the counter is compared as.
  ValueId as_the_last(ValueId id, ir::Block& head) {
    if (id == counter()) return last_;
    return as_short(as_the_last(definitions_.made_by<ir::Convert>(id)->in[0], head), id, head);
  }
  ValueId condition() const {
    return ir::operands(kernel_.blocks[loop_.header].insts.back().op)[0];
  }

  /// What leads to the loop leads to a choice before it.
  void begin() {
    ir::Block made;
    const auto here = static_cast<uint32_t>(blocks().size());
    for (ValueId param : params()) made.params.push_back(fresh_like(param));
    for (uint32_t block = 0; block < blocks_before_; ++block) {
      if (inside(block)) continue;
      for (ir::Edge* edge : ir::edges(blocks()[block].insts.back().op))
        if (edge->to.index == loop_.header) edge->to.index = here;
    }
    ir::Branch choice;
    choice.in = {goes_far()};
    choice.yes = {{head_}, made.params};
    if (!of_.left.valid()) choice.yes.args.push_back(begins_);
    choice.no = {{loop_.header}, made.params};
    made.insts = std::move(begin_);
    made.insts.push_back({choice, {}, where_});
    blocks().push_back(std::move(made));
  }

  /// A number that is made of a thread's place, as that thread along x of the block has it.
  ValueId of_thread(ValueId id, ValueId thread) {
    const ir::Op* op = definitions_.of(id);
    if (!op || !is_of_place(id)) return id;
    if (std::holds_alternative<ir::ThreadIndex>(*op)) return thread;
    ir::Op made = *op;
    for (ValueId& operand : ir::operands(made)) operand = of_thread(operand, thread);
    return emit(std::move(made), kernel_.type_of(id));
  }
  bool is_of_place(ValueId id) const {
    const ir::Op* op = definitions_.of(id);
    return op && (std::holds_alternative<ir::ThreadIndex>(*op) ||
                  std::ranges::any_of(ir::operands(*op),
                                      [&](ValueId operand) { return is_of_place(operand); }));
  }

  /// Is it a long way, on which no sum wraps and nothing is negative?
  ValueId goes_far() {
    const ValueId nobody = number(0, index_type_);
    const unsigned bits = std::min(bits_of(begins_), bits_of(limit_));
    const ValueId quarter = number(uint64_t{1} << (bits - 2), count_type_);
    std::vector<ValueId> small = {limit_, begins_};
    if (of_.of_launch) small.push_back(of_thread(of_.left.valid() ? of_.place : of_.first, nobody));
    if (step_.valid()) small.push_back(step_);
    ValueId all = below(number(kFewestSwept, count_type_), swept());
    for (ValueId one : small)
      all = make<ir::BitAnd>(scalar_type(Scalar::Bool), {all, below(counted(one), quarter)});
    return all;
  }
  unsigned bits_of(ValueId id) const { return info(type(kernel_.type_of(id)).scalar).bits; }
  /// Negative ones are too large.
  ValueId counted(ValueId id) {
    return kernel_.type_of(id) == count_type_ ? id : make<ir::Convert>(count_type_, {id});
  }
  ValueId below(ValueId a, ValueId b) {
    ir::Compare compare;
    compare.in = {a, b};
    compare.kind = ir::Comparison::Lt;
    return emit(compare, scalar_type(Scalar::Bool));
  }
  /// Elements that the launch goes through, if blocks along x have their own.
  ValueId swept() {
    if (of_.of_launch) return counted(limit_);
    const ValueId blocks = emit(ir::GridDimension{}, scalar_type(Scalar::UInt32));
    return make<ir::Mul>(count_type_, {counted(limit_), counted(blocks)});
  }

  const TypeId count_type_ = scalar_type(Scalar::UInt64), index_type_ = scalar_type(Scalar::UInt32);
  ir::Function& kernel_;
  const SharedOut& of_;
  const Loop& loop_;
  const ir::Definitions definitions_;
  const SpanId where_;
  ValueId limit_, step_;         // before the loop
  ValueId begins_, left_;        // of the block's last thread: where it begins; its turns
  std::vector<ir::Inst> begin_;  // of the choice
  std::vector<ValueId> copies_;  // by value; invalid: it is not of the loop
  size_t blocks_before_ = 0;
  uint32_t head_ = 0;         // of the copy
  ValueId last_, next_last_;  // the counter of the block's last thread
};

std::vector<SharedOut> shared_out(const ir::Function& kernel, const Structure& structure) {
  std::vector<SharedOut> found;
  const LoopSearch search(kernel, structure);
  for (const auto& loop : structure.loops())
    if (auto one = search.look_at(*loop)) found.push_back(*one);
  return found;
}

}  // namespace

bool part_turns(ir::Function& kernel, const Structure& structure) {
  bool changed = false;
  for (const SharedOut& one : shared_out(kernel, structure))
    changed |= PartedLoop(kernel, one).run();
  return changed;
}

std::vector<uint32_t> arrays_of_turns(const ir::Function& kernel, const Structure& structure) {
  const ir::Definitions definitions(kernel);
  std::set<uint32_t> arrays;
  for (const SharedOut& one : shared_out(kernel, structure))
    for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
      for (const ir::Inst& inst : kernel.blocks[block].insts)
        if (one.loop->holds(block) && std::holds_alternative<ir::Load>(inst.op))
          if (const auto array = accessed_parameter(kernel, definitions, inst.op))
            arrays.insert(*array);
  return {arrays.begin(), arrays.end()};
}

}  // namespace hetjit::host
