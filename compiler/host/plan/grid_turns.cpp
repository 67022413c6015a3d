#include "compiler/host/plan/grid_turns.h"

#include <algorithm>
#include <vector>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/counted_loops.h"
#include "compiler/host/facts/shape.h"
#include "compiler/host/plan/free_turns.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

/// The counter of a loop that threads share out.
struct Counter {
  ValueId number;  // the header's parameter
  ValueId first;   // the thread's place
  ValueId step;    // the threads of the launch
  ValueId limit;   // what the head compares it with
  bool inclusive = false;
};

class Search {
 public:
  Search(const ir::Function& kernel, const Structure& structure)
      : kernel_(kernel), structure_(structure), definitions_(kernel) {}

  std::optional<Counter> run() {
    if (structure_.loops().size() != 1) return std::nullopt;
    loop_ = structure_.loops()[0].get();
    if (!begins_at_once() || !ends_at_head() || !asks_for_x_only() || !goes_turn_by_turn())
      return std::nullopt;
    return counter();
  }
  const Loop& loop() const { return *loop_; }
  /// The block behind the loop.
  BlockId behind() const {
    const auto& branch = std::get<ir::Branch>(kernel_.blocks[loop_->header].insts.back().op);
    return loop_->holds(branch.yes.to.index) ? branch.no.to : branch.yes.to;
  }

 private:
  template <class Holds>
  bool all_insts(Holds holds) const {
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block)
      for (const ir::Inst& inst : kernel_.blocks[block].insts)
        if (structure_.reachable(block) && !holds(block, inst)) return false;
    return true;
  }

  bool begins_at_once() const {
    const auto* jump = std::get_if<ir::Jump>(&kernel_.blocks[0].insts.back().op);
    return jump && jump->to.to.index == loop_->header;
  }

  /// One exit, at the head, that hands nothing over.
  bool ends_at_head() const {
    const auto* branch = std::get_if<ir::Branch>(&kernel_.blocks[loop_->header].insts.back().op);
    if (!branch || loop_->exits != 1 || !loop_->holds(branch->yes.to.index)) return false;
    return !loop_->holds(branch->no.to.index) && branch->no.args.empty();
  }

  bool asks_for_x_only() const {
    return all_insts(
        [](uint32_t, const ir::Inst& inst) { return ir::axis_asked(inst.op).value_or(0) == 0; });
  }

  /// Outside of the loop and at its head nothing is done that may not be done again in each turn;
  /// inside of it no thread ends, keeps anything for the next turn, or goes through memory that is
  /// near at hand.
  bool goes_turn_by_turn() const {
    const Shapes shapes(kernel_, structure_, {View::Row, kWidestWarp, 1, /*of_grid=*/true});
    bool neighbours = false;
    const bool fits = all_insts([&](uint32_t block, const ir::Inst& inst) {
      const ir::OpInfo& facts = ir::info(inst.op);
      if (std::holds_alternative<ir::LocalMemory>(inst.op) || facts.raises) return false;
      if (!loop_->holds(block) || block == loop_->header)
        return (facts.effects & ~ir::Ends) == ir::Pure;
      if (std::holds_alternative<ir::Unreachable>(inst.op)) return false;
      if (!facts.access) return true;
      const ValueId address = ir::operands(inst.op)[0];
      if (shapes.of(address) == kUniform) return true;
      neighbours = neighbours || are_neighbours(shapes, address);
      return loop_->holds(definitions_.home(address));
    });
    return fits && neighbours;
  }

  bool are_neighbours(const Shapes& shapes, ValueId address) const {
    const Type& pointer = type(kernel_.type_of(address));
    const int64_t apart = layout(without_align(pointer.element)).stride();
    return shapes.of(address) == affine(apart) || shapes.likely_neighbours(address);
  }

  std::optional<Counter> counter() const {
    const std::vector<ValueId>& params = kernel_.blocks[loop_->header].params;
    if (params.size() != 1) return std::nullopt;
    const auto& enter = std::get<ir::Jump>(kernel_.blocks[0].insts.back().op).to;
    const std::optional<ValueId> next = next_turn(kernel_, *loop_, 0);
    const auto* sum = next ? definitions_.made_by<ir::Add>(*next) : nullptr;
    if (!sum || (sum->in[0] != params[0] && sum->in[1] != params[0])) return std::nullopt;
    Counter made{params[0], enter.args[0], sum->in[sum->in[0] == params[0]], {}};
    if (ir::axis_of_place(definitions_, number_behind(made.first)) != 0 ||
        ir::axis_of_all_threads(definitions_, number_behind(made.step)) != 0)
      return std::nullopt;
    return asks_of(made) ? std::optional(made) : std::nullopt;
  }

  /// Is what the head asks whether the counter is below something that is the same for all? Then no
  /// thread has a turn that one before it has not.
  bool asks_of(Counter& counter) const {
    const auto& branch = std::get<ir::Branch>(kernel_.blocks[loop_->header].insts.back().op);
    const auto* compare = definitions_.made_by<ir::Compare>(branch.in[0]);
    if (!compare) return false;
    for (int side : {0, 1}) {
      const ir::Comparison kind = side ? ir::mirrored(compare->kind) : compare->kind;
      if (kind != ir::Comparison::Lt && kind != ir::Comparison::Le) continue;
      counter.limit = compare->in[1 - side];
      counter.inclusive = kind == ir::Comparison::Le;
      if (number_behind(compare->in[side]) == counter.number && is_of_launch(counter.limit))
        return true;
    }
    return false;
  }

  /// Is a number made of nothing but what a launch gives to all of its threads?
  bool is_of_launch(ValueId id, int depth = 0) const {
    const ir::Op* op = definitions_.of(id);
    if (!op) return definitions_.home(id) == 0;
    const std::span<const ValueId> in = ir::operands(*op);
    const bool given = std::holds_alternative<ir::BlockDimension>(*op) ||
                       std::holds_alternative<ir::GridDimension>(*op) ||
                       std::holds_alternative<ir::ConstInt>(*op) ||
                       std::holds_alternative<ir::ConstFloat>(*op);
    if (in.empty()) return given;
    return depth < 2 * kStepDepth && std::ranges::all_of(in, [&](ValueId operand) {
             return is_of_launch(operand, depth + 1);
           });
  }

  ValueId number_behind(ValueId id) const { return host::number_behind(kernel_, definitions_, id); }

  const ir::Function& kernel_;
  const Structure& structure_;
  const ir::Definitions definitions_;
  const Loop* loop_ = nullptr;
};

/// The kernel with one turn in place of the loop.
class Rewriting {
 public:
  Rewriting(const ir::Function& kernel, const Search& search, const Counter& counter)
      : made_(kernel), search_(search), counter_(counter) {}

  ir::Function run() {
    bring_out(counter_.step);
    ir::Inst jump = std::move(entry().back());
    entry().pop_back();
    where_ = jump.where;
    std::get<ir::Jump>(jump.op).to.args = {number()};
    entry().push_back(std::move(jump));
    for (uint32_t block = 0; block < made_.blocks.size(); ++block)
      if (search_.loop().holds(block))
        for (ir::Edge* edge : ir::edges(made_.blocks[block].insts.back().op))
          if (edge->to.index == search_.loop().header) *edge = {search_.behind(), {}};
    return std::move(made_);
  }

 private:
  std::vector<ir::Inst>& entry() { return made_.blocks[0].insts; }

  /// A number that a turn computes of nothing that changes: it is computed before the first.
  void bring_out(ValueId id) {
    for (uint32_t block = 0; block < made_.blocks.size(); ++block) {
      if (!search_.loop().holds(block)) continue;
      std::vector<ir::Inst>& insts = made_.blocks[block].insts;
      const auto found = std::ranges::find(insts, id, &ir::Inst::result);
      if (found == insts.end()) continue;
      ir::Inst inst = std::move(*found);
      insts.erase(found);
      const std::span<const ValueId> in = ir::operands(std::as_const(inst.op));
      for (ValueId operand : std::vector<ValueId>(in.begin(), in.end())) bring_out(operand);
      entry().insert(entry().end() - 1, std::move(inst));
      return;
    }
  }

  ValueId emit(ir::Op op, TypeId type) {
    const ValueId result{static_cast<uint32_t>(made_.types.size())};
    made_.types.push_back(type);
    entry().push_back({std::move(op), result, where_});
    return result;
  }
  template <class AnyOp>
  ValueId make(TypeId type, ValueId a, ValueId b) {
    AnyOp op;
    op.in = {a, b};
    return emit(std::move(op), type);
  }
  /// Of the turn, as the counter's type has it.
  ValueId word(uint8_t axis) {
    ir::ThreadIndex index;
    index.axis = axis;
    ir::Convert convert;
    convert.in = {emit(index, scalar_type(Scalar::UInt32))};
    const TypeId of = made_.type_of(counter_.number);
    return of == scalar_type(Scalar::UInt32) ? convert.in[0] : emit(convert, of);
  }

  ValueId number() {
    const TypeId of = made_.type_of(counter_.number);
    ValueId turn = word(1);
    if (info(type(of).scalar).bits > 32) {
      ir::ConstInt words;
      words.bits = uint64_t{1} << 32;
      turn = make<ir::Add>(of, make<ir::Mul>(of, word(2), emit(words, of)), turn);
    }
    return make<ir::Add>(of, counter_.first, make<ir::Mul>(of, turn, counter_.step));
  }

  ir::Function made_;
  const Search& search_;
  const Counter& counter_;
  SpanId where_;
};

/// What `turn` knows of a value at the loop's head, as a function of its own.
ir::Function telling(const ir::Function& turn, uint32_t header, ValueId value, const char* called) {
  ir::Function made = turn;
  made.name += called;
  made.result = turn.type_of(value);
  made.blocks = {turn.blocks[0], turn.blocks[header]};
  std::get<ir::Jump>(made.blocks[0].insts.back().op).to.to = {1};
  ir::Return answer;
  answer.in = {value};
  made.blocks[1].insts.back().op = answer;
  return made;
}

}  // namespace

std::optional<GridTurns> take_turns(ir::Function& kernel, const Structure& structure) {
  Search search(kernel, structure);
  const std::optional<Counter> counter = search.run();
  if (!counter) return std::nullopt;
  const uint32_t header = search.loop().header;
  const ir::Inst& head = kernel.blocks[header].insts.back();
  const ValueId condition = ir::operands(head.op)[0];
  const std::vector<uint32_t> written = written_apart(kernel, search.loop(), counter->number);
  if (written.empty()) return std::nullopt;
  ir::Function turn = Rewriting(kernel, search, *counter).run();
  GridTurns made{telling(turn, header, condition, ".more"),
                 telling(turn, header, counter->limit, ".limit"), counter->inclusive, written,
                 head.where.valid() ? kernel.spans[head.where.index].line : 0};
  kernel = std::move(turn);
  return made;
}

}  // namespace hetjit::host
