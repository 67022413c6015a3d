// Two steps lead several edges to a block through one block before it:
//
//   b0: branch i < n, b1(i), b5           b0: jump b6(i)
//   b1(k): …                              b6(j): branch j < n, b1(j), b5     asks at the head
//   b4: branch k' < n, b1(k'), b5         b4: jump b6(k')
//
//   b2: v1 = add k, 1; jump b1(v1)        b2: jump b7
//   b3: v2 = add k, 1; jump b1(v2)        b3: jump b7
//                                         b7: v3 = add k, 1; jump b1(v3)     one latch
#include "compiler/host/phases/straighten_loops.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

#include "compiler/host/facts/structure.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::host {
namespace {

using Edge = ir::IncomingEdge<ir::Edge>;

/// Ops that counters and their ends are made with: the same of the same numbers are the same.
template <class Op, class... Any>
constexpr bool kIsAny = (std::is_same_v<Op, Any> || ...);
template <class Op>
constexpr bool kCounts =
    kIsAny<Op, ir::ConstInt, ir::Add, ir::Sub, ir::Mul, ir::Convert, ir::Compare, ir::Select,
           ir::Extent>;

bool same(const ir::Compare& a, const ir::Compare& b) { return a.kind == b.kind; }
bool same(const ir::ConstInt& a, const ir::ConstInt& b) { return a.bits == b.bits; }
bool same(const ir::ConstFloat& a, const ir::ConstFloat& b) {
  return std::bit_cast<uint64_t>(a.value) == std::bit_cast<uint64_t>(b.value);
}
bool same(const ir::Extent& a, const ir::Extent& b) { return a.axis == b.axis; }
bool same(const auto&, const auto&) { return true; }

/// A block where edges meet on their way to another one.
class Meeting {
 public:
  Meeting(ir::Function& function, const ir::Definitions& definitions, std::vector<Edge> edges)
      : function_(function),
        definitions_(definitions),
        edges_(std::move(edges)),
        where_(function.blocks[edges_[0].from].insts.back().where) {}

  /// What the edges bring as that argument, where they have met.
  ValueId argument(size_t index) {
    std::vector<ValueId> ids = column(index);
    if (std::optional<ValueId> one = common(ids)) return *one;
    brought_.push_back(std::move(ids));
    block_.params.push_back(fresh(function_.type_of(brought_.back()[0])));
    return block_.params.back();
  }

  /// The one value that these are, one for each edge; computed here where each has made its own.
  std::optional<ValueId> common(std::vector<ValueId> ids) {
    if (std::ranges::count(ids, ids[0]) == std::ssize(ids)) return ids[0];
    for (size_t edge = 0; edge < ids.size(); ++edge)
      ids[edge] = brought_in_type(edge, ids[edge], type_of(ids.back()));
    auto known = std::ranges::find_if(brought_, [&](const std::vector<ValueId>& other) {
      return std::ranges::equal(other, ids, std::bind_front(&Meeting::alike, this));
    });
    if (known != brought_.end()) return block_.params[known - brought_.begin()];
    const ir::Op* first = definitions_.of(ids[0]);
    auto like_last = [&](ValueId id) { return is_the_same_in(id, type_of(ids.back())); };
    if (!first || !std::ranges::all_of(ids, like_last)) return std::nullopt;
    return std::visit([&](const auto& op) { return made_alike(op, ids); }, *first);
  }

  /// The edges lead here from now on.
  void close(ir::Op terminator) {
    const auto here = static_cast<uint32_t>(function_.blocks.size());
    for (size_t edge = 0; edge < edges_.size(); ++edge) {
      std::vector<ValueId> args;
      for (const std::vector<ValueId>& ids : brought_) args.push_back(ids[edge]);
      *edges_[edge].edge = {{here}, std::move(args)};
    }
    block_.insts.push_back({std::move(terminator), {}, where_});
    function_.blocks.push_back(std::move(block_));
  }

 private:
  TypeId type_of(ValueId id) const { return function_.type_of(id); }
  ValueId fresh(TypeId type) {
    function_.types.push_back(type);
    return {static_cast<uint32_t>(function_.types.size() - 1)};
  }
  std::vector<ValueId> column(size_t index) const {
    std::vector<ValueId> ids;
    for (const Edge& each : edges_) ids.push_back(each.edge->args[index]);
    return ids;
  }

  bool alike(ValueId a, ValueId b) const {
    return a == b || same_constant<ir::ConstInt>(a, b) || same_constant<ir::ConstFloat>(a, b);
  }
  template <class Op>
  bool same_constant(ValueId a, ValueId b) const {
    const auto *one = definitions_.made_by<Op>(a), *other = definitions_.made_by<Op>(b);
    return one && other && type_of(a) == type_of(b) && same(*one, *other);
  }

  // Two questions of one loop may have been narrowed to different types.

  bool fits(ValueId id, TypeId to) const {
    if (!is_scalar(to) || !is_integer(type(to).scalar)) return false;
    const passes::Interval numbers =
        passes::ValueRanges(function_).interval(id, {definitions_.home(id)});
    return passes::numbers_of(type(to).scalar).holds(numbers);
  }
  /// The number in that type, if the edge brings it so.
  ValueId brought_in_type(size_t edge, ValueId id, TypeId wanted) const {
    if (type_of(id) == wanted) return id;
    for (ValueId other : edges_[edge].edge->args)
      if (const auto* convert = definitions_.made_by<ir::Convert>(other);
          convert && convert->in[0] == id && type_of(other) == wanted && fits(id, wanted))
        return other;
    return id;
  }
  /// May the op that makes it make that type instead?
  bool is_the_same_in(ValueId id, TypeId wanted) const {
    if (type_of(id) == wanted) return true;
    const auto* convert = definitions_.made_by<ir::Convert>(id);
    return convert && fits(convert->in[0], type_of(id)) && fits(convert->in[0], wanted);
  }

  template <class Op>
  std::optional<ValueId> made_alike(const Op&, const std::vector<ValueId>&) {
    return std::nullopt;
  }
  template <class Op>
  requires kCounts<Op> std::optional<ValueId> made_alike(const Op& first,
                                                         const std::vector<ValueId>& ids) {
    for (ValueId id : ids)
      if (const auto* op = definitions_.made_by<Op>(id); !op || !same(*op, first))
        return std::nullopt;
    Op one = first;
    for (size_t i = 0; i < one.in.size(); ++i) {
      std::vector<ValueId> operands;
      for (ValueId id : ids) operands.push_back(definitions_.made_by<Op>(id)->in[i]);
      std::optional<ValueId> operand = common(operands);
      if (!operand) return std::nullopt;
      one.in[i] = *operand;
    }
    ValueId made = fresh(type_of(ids.back()));
    block_.insts.push_back({one, made, where_});
    return made;
  }

  ir::Function& function_;
  const ir::Definitions& definitions_;
  std::vector<Edge> edges_;
  const SpanId where_;
  std::vector<std::vector<ValueId>> brought_;  // by parameter of the block: by edge
  ir::Block block_;
};

/// A function whose loops are changed, each by itself.
class Loops {
 public:
  explicit Loops(ir::Function& function)
      : function_(function),
        structure_(Structure::find(function)),
        definitions_(function),
        incoming_(ir::incoming(function)),
        changed_(function.blocks.size()) {}

  bool ask_at_heads() {
    bool changed = false;
    for (size_t i = 0; structure_ && i < structure_->loops().size(); ++i)
      changed |= ask_at_head(*structure_->loops()[i]);
    return changed;
  }
  void give_one_latch_each() {
    for (size_t i = 0; structure_ && i < structure_->loops().size(); ++i)
      give_one_latch(*structure_->loops()[i]);
  }

 private:
  /// The branch that an edge is of, if its other way leads out of the loop.
  struct Question {
    const ir::Branch* branch;
    bool on_yes;  // by which way the loop goes on
    const ir::Edge& out() const { return on_yes ? branch->no : branch->yes; }
  };

  std::vector<Edge> edges_to(const Loop& loop, bool back) const {
    std::vector<Edge> found = incoming_[loop.header];
    std::erase_if(found, [&](const Edge& each) { return loop.holds(each.from) != back; });
    return found;
  }
  std::optional<Question> question_of(const Loop& loop, const Edge& edge) const {
    const auto* branch = std::get_if<ir::Branch>(&function_.blocks[edge.from].insts.back().op);
    if (!branch || changed_[edge.from]) return std::nullopt;
    Question made{branch, &branch->yes == edge.edge};
    return loop.holds(made.out().to.index) ? std::nullopt : std::optional(made);
  }
  bool ask_at_head(const Loop& loop);
  void give_one_latch(const Loop& loop);

  ir::Function& function_;
  const std::optional<Structure> structure_;
  const ir::Definitions definitions_;
  const std::vector<std::vector<Edge>> incoming_;  // by block
  std::vector<bool> changed_;  // by block: what is known of the edges from it or to it is no more
};

bool Loops::ask_at_head(const Loop& loop) {
  std::vector<Edge> edges = edges_to(loop, /*back=*/false), back = edges_to(loop, /*back=*/true);
  if (edges.size() != 1 || back.size() != 1 || changed_[loop.header]) return false;
  edges.push_back(back[0]);
  std::optional<Question> first = question_of(loop, edges[0]), later = question_of(loop, edges[1]);
  if (!first || !later || first->on_yes != later->on_yes) return false;
  const ir::Edge out = first->out(), out_later = later->out();
  if (out.to != out_later.to) return false;
  Meeting head(function_, definitions_, edges);
  ir::Edge on{{loop.header}, {}}, leave{out.to, {}};
  for (size_t i = 0; i < edges[0].edge->args.size(); ++i) on.args.push_back(head.argument(i));
  std::optional<ValueId> condition = head.common({first->branch->in[0], later->branch->in[0]});
  if (!condition) return false;
  for (size_t i = 0; i < out.args.size(); ++i) {
    std::optional<ValueId> brought = head.common({out.args[i], out_later.args[i]});
    if (!brought) return false;
    leave.args.push_back(*brought);
  }
  ir::Branch ask;
  ask.in = {*condition};
  ask.yes = first->on_yes ? on : leave;
  ask.no = first->on_yes ? leave : on;
  head.close(ask);
  for (const Edge& each : edges) {
    ir::Jump jump;
    jump.to = *each.edge;
    function_.blocks[each.from].insts.back().op = jump;
    changed_[each.from] = true;
  }
  changed_[loop.header] = changed_[out.to.index] = true;
  return true;
}

void Loops::give_one_latch(const Loop& loop) {
  std::vector<Edge> back = edges_to(loop, /*back=*/true);
  if (back.size() < 2) return;
  Meeting latch(function_, definitions_, back);
  ir::Jump again;
  again.to.to = {loop.header};
  for (size_t i = 0; i < function_.blocks[loop.header].params.size(); ++i)
    again.to.args.push_back(latch.argument(i));
  latch.close(again);
}

bool only_returns(const ir::Block& block) {
  return block.params.empty() && std::ranges::all_of(block.insts, [](const ir::Inst& inst) {
           return std::holds_alternative<ir::ConstNone>(inst.op) ||
                  std::holds_alternative<ir::Return>(inst.op);
         });
}

// Where nothing follows a loop, CPython returns behind each of its questions.
void join_returns(ir::Function& function) {
  std::vector<std::vector<Edge>> incoming = ir::incoming(function);
  std::optional<uint32_t> first;
  for (uint32_t block = 1; block < function.blocks.size(); ++block) {
    if (!only_returns(function.blocks[block])) continue;
    if (!first) first = block;
    for (const Edge& edge : incoming[block]) edge.edge->to.index = *first;
  }
}

// A `continue` goes by way of the question's old place, where it is asked no more.
void merge_blocks(ir::Function& function) {
  ir::Module module;
  module.functions.push_back(std::move(function));
  passes::remove_dead_code(module);
  passes::merge_blocks(module);
  function = std::move(module.functions[0]);
}

}  // namespace

void straighten_loops(ir::Function& function) {
  join_returns(function);
  bool changed = false;
  while (Loops(function).ask_at_heads()) changed = true;  // one loop's end may be another's head
  if (changed) merge_blocks(function);
  Loops(function).give_one_latch_each();
}

}  // namespace hetjit::host
