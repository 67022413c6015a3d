// A range with a step that is not known goes in strides: its position is a distance from the start,
// grows by the stride, is the largest number where that would be more than there is, and an item is
// the start and so much more or less. Where it counts what is left instead, nothing grows beyond
// anything: a turn takes a minimum away. And items follow one another by the step, whichever sign
// it has. For GPUs, which have the two instructions at hand and no use for the other five.
//
//   b1(p): branch p < length, b2, b3         b1(left, item): branch left != 0, b2, b3
//   b2: item = start + (up ? p : -p)         b2: rest = left > stride ? left - stride : 0
//       next = p + stride                        jump b1(rest, item + step)
//       jump b1(next < p ? -1 : next)
#include <algorithm>

#include "compiler/ir/edit.h"
#include "compiler/ir/numbers.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::passes {
namespace {

/// The loop, by what its position is compared with and grows by.
struct Strides {
  uint32_t head = 0, entry = 0;  // blocks; the entry goes on to the head only
  uint32_t body = 0;             // where the next position is made: on every way back
  size_t place = 0;              // of the position among the head's parameters
  ValueId position, length, stride;
  ValueId sum;  // of the position and the stride
};

class Finder {
 public:
  explicit Finder(const ir::Function& function)
      : function_(function),
        definitions_(function),
        uses_(ir::count_uses(function)),
        tree_(ir::successors(function)),
        incoming_(ir::incoming(function, tree_.reverse_post_order())) {}

  std::optional<Strides> strides(uint32_t head) const {
    auto* branch = std::get_if<ir::Branch>(&function_.blocks[head].insts.back().op);
    auto* compare = branch ? definitions_.made_by<ir::Compare>(branch->in[0]) : nullptr;
    if (!compare || compare->kind != ir::Comparison::Lt || uses_[branch->in[0].index] != 1)
      return std::nullopt;
    const std::vector<ValueId>& params = function_.blocks[head].params;
    const auto found = std::find(params.begin(), params.end(), compare->in[0]);
    if (found == params.end() || !is_invariant(compare->in[1], head)) return std::nullopt;
    Strides it;
    it.head = head;
    it.place = static_cast<size_t>(found - params.begin());
    it.position = *found;
    it.length = compare->in[1];
    const ValueId next = enter_and_return(it);
    const bool goes_on =
        next.valid() && find_stride(it, next) && is_invariant(it.stride, head) && is_of_turns(it);
    return goes_on ? std::optional(it) : std::nullopt;
  }

  /// Of an item, the sum of its start and the position with a sign.
  struct Item {
    ValueId start;
    ValueId step;  // the sign is its; invalid: there is none
  };
  std::optional<Item> item(const Strides& of, ValueId id) const {
    auto* sum = definitions_.made_by<ir::Add>(id);
    // Only low bits of the position count: they are what its steps add up to.
    if (!sum || id == of.sum || !tree_.dominates(of.body, definitions_.home(id)) ||
        info(scalar(id)).bits > info(scalar(of.position)).bits || !is_integer(scalar(id)))
      return std::nullopt;
    for (int side : {0, 1}) {
      if (!is_invariant(sum->in[1 - side], of.head)) continue;
      const ValueId moved = behind(sum->in[side]);
      if (moved == of.position) return Item{sum->in[1 - side], {}};
      if (auto step = sign(of, moved)) return Item{sum->in[1 - side], *step};
    }
    return std::nullopt;
  }

 private:
  bool is_invariant(ValueId id, uint32_t head) const {
    const uint32_t home = definitions_.home(id);
    return home != head && tree_.dominates(home, head);
  }
  ValueId behind(ValueId id) const {
    auto* convert = definitions_.made_by<ir::Convert>(id);
    return convert ? convert->in[0] : id;
  }
  Scalar scalar(ValueId id) const { return type(function_.type_of(id)).scalar; }
  // Of `step > 0 ? position : -position`, the step.
  std::optional<ValueId> sign(const Strides& of, ValueId id) const {
    auto* choice = definitions_.made_by<ir::Select>(id);
    auto* minus = choice ? definitions_.made_by<ir::Neg>(choice->in[2]) : nullptr;
    auto* up = choice ? definitions_.made_by<ir::Compare>(choice->in[0]) : nullptr;
    if (!minus || behind(choice->in[1]) != of.position || behind(minus->in[0]) != of.position)
      return std::nullopt;
    auto* zero = up ? definitions_.made_by<ir::ConstInt>(up->in[1]) : nullptr;
    const bool plain = zero && zero->bits == 0 && up->kind == ir::Comparison::Gt &&
                       info(scalar(id)).bits == info(scalar(of.position)).bits;
    return plain && is_invariant(up->in[0], of.head) ? std::optional(up->in[0]) : std::nullopt;
  }

  // Does nobody ask for the position but in a turn, where the next one is made?
  bool is_of_turns(const Strides& it) const {
    auto uses = [&](std::span<const ValueId> in) {
      return std::ranges::find(in, it.position) != in.end();
    };
    for (uint32_t block = 0; block < function_.blocks.size(); ++block) {
      if (!tree_.reachable(block) || tree_.dominates(it.body, block)) continue;
      for (const ir::Inst& inst : function_.blocks[block].insts) {
        auto* compare = std::get_if<ir::Compare>(&inst.op);
        const bool own = compare && compare->in == std::array{it.position, it.length};
        if (!own && uses(ir::operands(inst.op))) return false;
        for (const ir::Edge* edge : ir::edges(inst.op))
          if (uses(edge->args)) return false;
      }
    }
    return true;
  }

  // Finds the one way in, on which the position is 0. The position on all ways back; invalid: these
  // are other ways.
  ValueId enter_and_return(Strides& it) const {
    ValueId next;
    int entries = 0;
    for (const ir::Incoming& in : incoming_[it.head]) {
      const ValueId given = in.edge->args[it.place];
      if (tree_.dominates(it.head, in.from)) {
        if (next.valid() && next != given) return {};
        next = given;
        continue;
      }
      auto* zero = definitions_.made_by<ir::ConstInt>(given);
      const bool only = ir::edges(function_.blocks[in.from].insts.back().op).size() == 1;
      if (++entries > 1 || !only || !zero || zero->bits != 0) return {};
      it.entry = in.from;
    }
    return entries == 1 ? next : ValueId{};
  }

  // Of `sum < position ? largest : sum`, the sum of the position and a stride.
  bool find_stride(Strides& it, ValueId next) const {
    auto* choice = definitions_.made_by<ir::Select>(next);
    auto* sum = choice ? definitions_.made_by<ir::Add>(choice->in[2]) : nullptr;
    auto* beyond = choice ? definitions_.made_by<ir::Compare>(choice->in[0]) : nullptr;
    auto* largest = choice ? definitions_.made_by<ir::ConstInt>(choice->in[1]) : nullptr;
    if (!sum || !beyond || !largest || is_signed_integer(scalar(it.position))) return false;
    const bool is_largest = largest->bits == ir::wrap_bits(scalar(it.position), ~0ull);
    const bool wraps = beyond->kind == ir::Comparison::Lt && beyond->in[0] == choice->in[2] &&
                       beyond->in[1] == it.position;
    if (!is_largest || !wraps) return false;
    it.body = definitions_.home(next);
    it.sum = choice->in[2];
    for (int side : {0, 1})
      if (sum->in[side] == it.position) it.stride = sum->in[1 - side];
    return it.stride.valid();
  }

  const ir::Function& function_;
  const ir::Definitions definitions_;
  const std::vector<uint32_t> uses_;
  const Dominators tree_;
  const std::vector<std::vector<ir::Incoming>> incoming_;
};

/// Writes a loop anew.
class Writer {
 public:
  explicit Writer(ir::Function& function) : function_(function) {}

  void count_what_is_left(const Strides& of) {
    const TypeId type = function_.type_of(of.position);
    const TypeId truth = scalar_type(Scalar::Bool);
    ir::Block& entry = function_.blocks[of.entry];
    // A stride of all that there is ends the loop as well as a longer one.
    ValueId shorter = before_end(entry, compare(ir::Comparison::Lt, of.stride, of.length), truth);
    ValueId stride = before_end(entry, select(shorter, of.stride, of.length), type);
    ValueId zero = before_end(entry, ir::ConstInt{{}, 0}, type);
    ValueId left = ir::new_value(function_, type);
    ir::Block& head = function_.blocks[of.head];
    const ValueId goes_on = before_end(head, compare(ir::Comparison::Ne, left, zero), truth);
    std::get<ir::Branch>(head.insts.back().op).in[0] = goes_on;
    ir::Block& body = function_.blocks[of.body];
    ValueId more = before_end(body, compare(ir::Comparison::Lt, stride, left), truth);
    ir::Sub less;
    less.in = {left, stride};
    ValueId rest = before_end(body, less, type);
    add_parameter(of, left, of.length, before_end(body, select(more, rest, zero), type));
    // What else uses the position is asked where the loop goes on only.
    for (ir::Block& block : function_.blocks)
      for (ir::Edge* edge : ir::edges(block.insts.back().op))
        if (edge->to.index == of.head && &block != &function_.blocks[of.entry])
          edge->args[of.place] = of.sum;
  }

  /// The item becomes a parameter that steps by itself; what made it is no longer used.
  void step_by_itself(const Strides& of, const Finder::Item& item, ValueId id) {
    const TypeId type = function_.type_of(id);
    ir::Block& entry = function_.blocks[of.entry];
    ValueId step = converted(entry, of.stride, type);
    if (item.step.valid()) {
      ValueId zero = before_end(entry, ir::ConstInt{{}, 0}, function_.type_of(item.step));
      ValueId up = before_end(entry, compare(ir::Comparison::Gt, item.step, zero),
                              scalar_type(Scalar::Bool));
      ir::Neg neg;
      neg.in = {step};
      step = before_end(entry, select(up, step, before_end(entry, neg, type)), type);
    }
    ValueId stepped = ir::new_value(function_, type);
    ir::Add sum;
    sum.in = {stepped, step};
    ValueId next = before_end(function_.blocks[of.body], sum, type);
    add_parameter(of, stepped, item.start, next);
    replace(id, stepped);
  }

 private:
  static ir::Compare compare(ir::Comparison kind, ValueId a, ValueId b) {
    ir::Compare op;
    op.kind = kind;
    op.in = {a, b};
    return op;
  }
  static ir::Select select(ValueId condition, ValueId yes, ValueId no) {
    ir::Select op;
    op.in = {condition, yes, no};
    return op;
  }
  ValueId before_end(ir::Block& block, ir::Op op, TypeId type) {
    const ValueId id = ir::new_value(function_, type);
    block.insts.insert(block.insts.end() - 1, {std::move(op), id, block.insts.back().where});
    return id;
  }
  ValueId converted(ir::Block& block, ValueId id, TypeId to) {
    if (function_.type_of(id) == to) return id;
    ir::Convert op;
    op.in = {id};
    return before_end(block, op, to);
  }
  void replace(ValueId id, ValueId by) {
    for (ir::Block& block : function_.blocks)
      for (ir::Inst& inst : block.insts) {
        std::ranges::replace(ir::operands(inst.op), id, by);
        for (ir::Edge* edge : ir::edges(inst.op)) std::ranges::replace(edge->args, id, by);
      }
  }
  void add_parameter(const Strides& of, ValueId id, ValueId begin, ValueId next) {
    function_.blocks[of.head].params.push_back(id);
    for (uint32_t block = 0; block < function_.blocks.size(); ++block)
      for (ir::Edge* edge : ir::edges(function_.blocks[block].insts.back().op))
        if (edge->to.index == of.head) edge->args.push_back(block == of.entry ? begin : next);
  }

  ir::Function& function_;
};

void count_left(ir::Function& function, const Finder& finder, const Strides& found) {
  std::vector<std::pair<Finder::Item, ValueId>> items;
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts)
      if (inst.result.valid())
        if (auto item = finder.item(found, inst.result)) items.push_back({*item, inst.result});
  Writer writer(function);
  writer.count_what_is_left(found);
  for (const auto& [item, id] : items) writer.step_by_itself(found, item, id);
}

bool count_left(ir::Function& function) {
  bool changed = false;
  std::optional<Finder> finder;
  for (uint32_t head = 1; head < function.blocks.size(); ++head) {
    if (!finder) finder.emplace(function);
    const std::optional<Strides> found = finder->strides(head);
    if (!found) continue;
    count_left(function, *finder, *found);
    finder.reset();  // it speaks of the function as it was
    changed = true;
  }
  return changed;
}

}  // namespace

bool count_left(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= count_left(function);
  return changed;
}

}  // namespace hetjit::passes
