// A loop that counts from a number of which nobody knows the sign asks at each access whether its
// index counts from the end, and LLVM, to which the index is any number then, takes no turns
// together. The sign changes where a number passes zero, so a loop round the loop goes from one
// sign to the next, and what an index of one sign needs is known before its turns begin. For the
// CPU, where a thread goes by itself (docs/performance.md). On GPUs a turn becomes a tenth shorter
// and the whole longer by a third to a half (benchmarks/codegen_wide.py: spmv_csr).
//
//   b1(p, s): branch p < n, b2, b4          b5(p, s): limit = where the sign changes, or n
//   b2: i = start + p                                 base = start + (start + p < 0 ? extent : 0)
//       … wrapindex i, extent …                       jump b1(p, s)
//       jump b1(p + 1, s')                  b1(p, s): branch p < limit, b2, b6
//   b4: …                                   b2: … base + p …
//                                           b6: branch p < n, b5(p, s), b4
//
// Numbers of 32 bits wrap, so what begins negative may end so, too; of a number i all are of its
// sign up to the one 2^31 - i mod 2^31 from it.
#include <algorithm>
#include <map>
#include <tuple>

#include "compiler/ir/edit.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/limits.h"
#include "compiler/passes/passes.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::passes {
namespace {

using Back = ir::Incoming;

/// An index that is wrapped in the loop.
struct Wrapped {
  uint32_t block;
  size_t inst;
  ValueId item;  // the number that grows with the counter, one by one
  ValueId extent;
  TypeId type;  // of what stands for it
};

/// Where a block ends: the loop goes on while a number is less than the bound.
struct Question {
  uint32_t block;
  ValueId number, bound;
};

struct Counted {
  uint32_t head = 0;
  std::vector<bool> blocks;  // by block: is it in the loop?
  size_t place = 0;          // of the counter among the head's parameters
  ValueId counter, bound;
  std::vector<Question> questions;  // the head's, or those of all ways back
  std::vector<Wrapped> wrapped;
};

class Finder {
 public:
  explicit Finder(const ir::Function& function)
      : function_(function),
        definitions_(function),
        tree_(ir::successors(function)),
        incoming_(ir::incoming(function, tree_.reverse_post_order())) {
    count_indices();
  }

  std::optional<Counted> counted(uint32_t head) const {
    Counted loop{.head = head, .blocks = blocks_of(head)};
    if (loop.blocks.empty() || !is_simple(loop) || !find_questions(loop)) return std::nullopt;
    find_wrapped(loop);
    return loop.wrapped.empty() ? std::nullopt : std::optional(std::move(loop));
  }
  bool is_outside(const Counted& loop, ValueId id) const {
    const uint32_t home = definitions_.home(id);
    return home != loop.head && tree_.dominates(home, loop.head);
  }
  const ir::Definitions& definitions() const { return definitions_; }

 private:
  void count_indices();
  std::vector<bool> blocks_of(uint32_t head) const;
  bool is_simple(const Counted& loop) const;
  bool find_questions(Counted& loop) const;
  bool asks_at_head(Counted& loop) const;
  bool asks_on_ways_back(Counted& loop) const;
  bool fits(Counted& loop, const Question& question, ValueId counter) const;
  bool steps_by_one(const Counted& loop, ValueId next) const;
  void find_wrapped(Counted& loop) const;
  bool grows_by_one(const Counted& loop, ValueId id) const;
  bool stays(const Counted& loop, ValueId id) const;

  Scalar scalar(ValueId id) const { return type(function_.type_of(id)).scalar; }
  std::vector<Back> ways_back(uint32_t head) const {
    std::vector<Back> found = incoming_[head];
    std::erase_if(found, [&](const Back& way) { return !tree_.dominates(head, way.from); });
    return found;
  }
  std::optional<Question> question(const Counted& loop, uint32_t block) const {
    const auto* branch = std::get_if<ir::Branch>(&function_.blocks[block].insts.back().op);
    const auto* asked = branch ? definitions_.made_by<ir::Compare>(branch->in[0]) : nullptr;
    if (!asked || !is_integer(scalar(asked->in[0]))) return std::nullopt;
    const bool on_yes = loop.blocks[branch->yes.to.index];
    if (on_yes == loop.blocks[branch->no.to.index]) return std::nullopt;
    const ir::Comparison kind = on_yes ? asked->kind : ir::opposite(asked->kind);
    if (kind == ir::Comparison::Lt) return Question{block, asked->in[0], asked->in[1]};
    if (kind == ir::Comparison::Gt) return Question{block, asked->in[1], asked->in[0]};
    return std::nullopt;
  }

  const ir::Function& function_;
  const ir::Definitions definitions_;
  const Dominators tree_;
  const std::vector<std::vector<ir::Incoming>> incoming_;
  std::vector<uint32_t> uses_, only_indices_;  // by value; as the one index of an array among them
};

void Finder::count_indices() {
  uses_ = ir::count_uses(function_);
  only_indices_.resize(uses_.size());
  for (const ir::Block& block : function_.blocks)
    for (const ir::Inst& inst : block.insts)
      if (const auto* element = std::get_if<ir::ElementAddress>(&inst.op);
          element && element->in.size() == 2)
        ++only_indices_[element->in[1].index];
}

std::vector<bool> Finder::blocks_of(uint32_t head) const {
  if (!tree_.reachable(head)) return {};
  std::vector<uint32_t> open;
  for (const Back& way : ways_back(head)) open.push_back(way.from);
  if (open.empty()) return {};
  std::vector<bool> found(function_.blocks.size());
  found[head] = true;
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    if (found[block]) continue;
    found[block] = true;
    for (const ir::Incoming& edge : incoming_[block]) open.push_back(edge.from);
  }
  return found;
}

// Threads that change the sign in other turns than others come to what they do together in the
// same turns, and not at the same time.
bool Finder::is_simple(const Counted& loop) const {
  for (uint32_t block = 0; block < loop.blocks.size(); ++block) {
    if (!loop.blocks[block]) continue;
    if (block != loop.head && !ways_back(block).empty()) return false;
    for (const ir::Inst& inst : function_.blocks[block].insts) {
      const ir::OpInfo& facts = ir::info(inst.op);
      if (facts.needs > ir::Needs::Memory || (facts.effects & ir::Calls)) return false;
    }
  }
  return true;
}

bool Finder::find_questions(Counted& loop) const {
  if (!asks_at_head(loop) && !asks_on_ways_back(loop)) return false;
  const auto* last = definitions_.made_by<ir::ConstInt>(loop.bound);
  if (last && last->bits <= kShortLoop) return false;  // it is written out
  return std::ranges::all_of(ways_back(loop.head), [&](const Back& way) {
    return steps_by_one(loop, way.edge->args[loop.place]);
  });
}

/// Is it a question of the loop's one counter and bound?
bool Finder::fits(Counted& loop, const Question& question, ValueId counter) const {
  const std::vector<ValueId>& params = function_.blocks[loop.head].params;
  const auto found = std::ranges::find(params, counter);
  const bool is_first = loop.questions.empty();
  if (found == params.end() || !is_outside(loop, question.bound)) return false;
  if (info(scalar(counter)).bits < 32) return false;  // its items wrap sooner
  if (!is_first && (loop.counter != counter || loop.bound != question.bound)) return false;
  loop.counter = counter;
  loop.bound = question.bound;
  loop.place = static_cast<size_t>(found - params.begin());
  loop.questions.push_back(question);
  return true;
}

// The head comes twice where the limit is not the bound, so nothing must show of it.
bool Finder::asks_at_head(Counted& loop) const {
  const std::optional<Question> asked = question(loop, loop.head);
  const std::vector<ir::Inst>& insts = function_.blocks[loop.head].insts;
  const bool only_asks = std::all_of(insts.begin(), insts.end() - 1, [](const ir::Inst& inst) {
    return ir::info(inst.op).effects == ir::Pure && !std::holds_alternative<ir::WrapIndex>(inst.op);
  });
  return asked && only_asks && fits(loop, *asked, asked->number);
}

bool Finder::asks_on_ways_back(Counted& loop) const {
  return std::ranges::all_of(ways_back(loop.head), [&](const Back& way) {
    const std::optional<Question> asked = question(loop, way.from);
    const auto* next = asked ? definitions_.made_by<ir::Add>(asked->number) : nullptr;
    return next && fits(loop, *asked, next->in[0]) && way.edge->args[loop.place] == asked->number;
  });
}

// A position may go by more, as it ends at the largest number (count_left.cpp).
bool Finder::steps_by_one(const Counted& loop, ValueId next) const {
  const auto* choice = definitions_.made_by<ir::Select>(next);
  const auto* beyond = choice ? definitions_.made_by<ir::Compare>(choice->in[0]) : nullptr;
  if (beyond)
    return beyond->kind == ir::Comparison::Lt && beyond->in[0] == choice->in[2] &&
           beyond->in[1] == loop.counter && !is_signed_integer(scalar(loop.counter));
  const auto* sum = definitions_.made_by<ir::Add>(next);
  const auto* one = sum ? definitions_.made_by<ir::ConstInt>(sum->in[1]) : nullptr;
  return one && one->bits == 1 && sum->in[0] == loop.counter;
}

void Finder::find_wrapped(Counted& loop) const {
  std::vector<ValueId> items;
  for (uint32_t block = 0; block < loop.blocks.size(); ++block) {
    if (!loop.blocks[block]) continue;
    const std::vector<ir::Inst>& insts = function_.blocks[block].insts;
    for (size_t i = 0; i < insts.size(); ++i) {
      const auto* wrap = std::get_if<ir::WrapIndex>(&insts[i].op);
      if (!wrap) continue;
      const auto* widened = definitions_.made_by<ir::Convert>(wrap->in[0]);
      const ValueId item = widened ? widened->in[0] : wrap->in[0];
      if (!is_signed_integer(scalar(item)) || !grows_by_one(loop, item) ||
          !stays(loop, wrap->in[1]))
        continue;
      if (std::ranges::find(items, item) == items.end()) items.push_back(item);
      if (items.size() > kSignsOfLoop) continue;
      const uint32_t result = insts[i].result.index;
      const bool is_only = uses_[result] == only_indices_[result];
      loop.wrapped.push_back({block, i, item, wrap->in[1],
                              is_only ? scalar_type(Scalar::Int64) : function_.types[result]});
    }
  }
}

bool Finder::grows_by_one(const Counted& loop, ValueId id) const {
  if (info(scalar(id)).bits != info(scalar(loop.counter)).bits || !is_integer(scalar(id)))
    return false;
  if (id == loop.counter) return true;
  if (const auto* other = definitions_.made_by<ir::Convert>(id))
    return grows_by_one(loop, other->in[0]);
  if (const auto* sum = definitions_.made_by<ir::Add>(id))
    return (grows_by_one(loop, sum->in[0]) && stays(loop, sum->in[1])) ||
           (stays(loop, sum->in[0]) && grows_by_one(loop, sum->in[1]));
  const auto* less = definitions_.made_by<ir::Sub>(id);
  return less && grows_by_one(loop, less->in[0]) && stays(loop, less->in[1]);
}

bool Finder::stays(const Counted& loop, ValueId id) const {
  if (is_outside(loop, id)) return true;
  const ir::Op* op = definitions_.of(id);
  const bool is_made_anew =
      op && (std::holds_alternative<ir::ConstInt>(*op) || std::holds_alternative<ir::Extent>(*op) ||
             std::holds_alternative<ir::Convert>(*op));
  return is_made_anew &&
         std::ranges::all_of(ir::operands(*op), [&](ValueId in) { return stays(loop, in); });
}

/// Writes a loop anew.
class Writer {
 public:
  Writer(ir::Function& function, const Finder& finder, const Counted& loop)
      : function_(function),
        finder_(finder),
        loop_(loop),
        where_(function.blocks[loop.head].insts.back().where),
        outer_(static_cast<uint32_t>(function.blocks.size())),
        unsigned_(unsigned_of(type_of(loop.counter))) {}

  void run() {
    for (ValueId param : function_.blocks[loop_.head].params) {
      block_.params.push_back(ir::new_value(function_, type_of(param)));
      here_[param.index] = block_.params.back();
    }
    enter_through();
    const ValueId limit = find_limit();
    std::vector<ValueId> bases;
    for (const Wrapped& each : loop_.wrapped) bases.push_back(base(each));
    ir::Jump jump;
    jump.to = {{loop_.head}, block_.params};
    block_.insts.push_back({jump, {}, where_});
    function_.blocks.push_back(std::move(block_));
    // Nothing is asked of the finder any more.
    for (size_t i = bases.size(); i-- > 0;) replace(loop_.wrapped[i], bases[i]);
    for (const Question& question : loop_.questions) ask_twice(question, limit);
  }

 private:
  TypeId type_of(ValueId id) const { return function_.type_of(id); }
  static TypeId unsigned_of(TypeId id) {
    return scalar_type(info(type(id).scalar).bits == 64 ? Scalar::UInt64 : Scalar::UInt32);
  }
  ValueId counter() { return here_.at(loop_.counter.index); }

  ValueId emit(ir::Op op, TypeId type) {
    block_.insts.push_back({std::move(op), ir::new_value(function_, type), where_});
    return block_.insts.back().result;
  }
  template <class AnyOp, class... In>
  ValueId make(TypeId type, In... in) {
    AnyOp op;
    op.in = {in...};
    return emit(op, type);
  }
  ValueId number(uint64_t bits, TypeId type) { return emit(ir::ConstInt{{}, bits}, type); }
  ValueId converted(ValueId id, TypeId to) {
    return type_of(id) == to ? id : make<ir::Convert>(to, id);
  }
  ir::Inst converting(ValueId id, TypeId to, SpanId where) {
    ir::Convert op;
    op.in = {id};
    return {op, ir::new_value(function_, to), where};
  }
  ValueId is_less(ValueId a, ValueId b) {
    ir::Compare less;
    less.kind = ir::Comparison::Lt;
    less.in = {a, b};
    return emit(less, scalar_type(Scalar::Bool));
  }
  ValueId least(ValueId a, ValueId b) { return make<ir::Select>(type_of(a), is_less(a, b), a, b); }

  void enter_through();
  ValueId at_outer(ValueId id);
  ValueId find_limit();
  ValueId base(const Wrapped& of);
  void replace(const Wrapped& each, ValueId base);
  void ask_twice(const Question& question, ValueId limit);

  ir::Function& function_;
  const Finder& finder_;
  const Counted& loop_;
  const SpanId where_;
  const uint32_t outer_;
  const TypeId unsigned_;
  ir::Block block_;                                                  // the outer loop's head
  std::map<uint32_t, ValueId> here_;                                 // by value of the loop
  std::map<std::tuple<uint32_t, uint32_t, TypeId>, ValueId> bases_;  // by item, extent and type
};

void Writer::enter_through() {
  for (uint32_t from = 0; from < function_.blocks.size(); ++from)
    for (ir::Edge* edge : ir::edges(function_.blocks[from].insts.back().op))
      if (edge->to.index == loop_.head && !loop_.blocks[from]) edge->to = {outer_};
}

/// What a value of the loop is where the outer loop's turn begins.
ValueId Writer::at_outer(ValueId id) {
  if (finder_.is_outside(loop_, id)) return id;
  if (const auto known = here_.find(id.index); known != here_.end()) return known->second;
  ir::Op op = *finder_.definitions().of(id);
  for (ValueId& in : ir::operands(op)) in = at_outer(in);
  return here_[id.index] = emit(std::move(op), type_of(id));
}

/// Where the counter is no less than the bound, a loop that asks at its end has one turn, and what
/// follows may be any number: the limit is the least then, and the bound is asked.
ValueId Writer::find_limit() {
  const ValueId first = converted(counter(), unsigned_);
  ValueId turns = make<ir::Sub>(unsigned_, converted(loop_.bound, unsigned_), first);
  const uint64_t half = uint64_t{1} << (info(type(unsigned_).scalar).bits - 1);
  std::vector<ValueId> items;
  for (const Wrapped& each : loop_.wrapped) {
    if (std::ranges::find(items, each.item) != items.end()) continue;
    items.push_back(each.item);
    const ValueId item = converted(at_outer(each.item), unsigned_);
    const ValueId low = make<ir::BitAnd>(unsigned_, item, number(half - 1, unsigned_));
    turns = least(make<ir::Sub>(unsigned_, number(half, unsigned_), low), turns);
  }
  const TypeId type_of_counter = type_of(loop_.counter);
  const bool is_signed = is_signed_integer(type(type_of_counter).scalar);
  const ValueId limit = converted(make<ir::Add>(unsigned_, first, turns), type_of_counter);
  const ValueId lowest = converted(number(is_signed ? half : 0, unsigned_), type_of_counter);
  return make<ir::Select>(type_of_counter, is_less(counter(), loop_.bound), limit, lowest);
}

/// What the counter is added to.
ValueId Writer::base(const Wrapped& of) {
  ValueId& made = bases_[{of.item.index, of.extent.index, of.type}];
  if (made.valid()) return made;
  const ValueId item = at_outer(of.item), extent = converted(at_outer(of.extent), of.type);
  const ValueId more = make<ir::Select>(of.type, is_less(item, number(0, type_of(item))), extent,
                                        number(0, of.type));
  const ValueId index = make<ir::Add>(of.type, converted(item, of.type), more);
  return made = make<ir::Sub>(of.type, index, converted(counter(), of.type));
}

/// From the last one of a block on, as one comes before each.
void Writer::replace(const Wrapped& each, ValueId base) {
  std::vector<ir::Inst>& insts = function_.blocks[each.block].insts;
  ir::Inst& wrap = insts[each.inst];
  ir::Add sum;
  sum.in = {base, loop_.counter};
  std::optional<ir::Inst> moved;
  if (type_of(loop_.counter) != each.type) {
    moved = converting(loop_.counter, each.type, wrap.where);
    sum.in[1] = moved->result;
  }
  wrap.op = sum;
  function_.types[wrap.result.index] = each.type;
  if (moved) insts.insert(insts.begin() + static_cast<ptrdiff_t>(each.inst), *std::move(moved));
}

/// First for the limit, then for the bound.
void Writer::ask_twice(const Question& question, ValueId limit) {
  const auto rest = static_cast<uint32_t>(function_.blocks.size());
  std::vector<ir::Inst>& insts = function_.blocks[question.block].insts;
  ir::Branch of_bound = std::get<ir::Branch>(insts.back().op);
  ir::Edge& again = loop_.blocks[of_bound.yes.to.index] ? of_bound.yes : of_bound.no;
  ir::Compare is_below;
  is_below.kind = ir::Comparison::Lt;
  is_below.in = {question.number, limit};
  ir::Branch of_limit;
  of_limit.in = {ir::new_value(function_, scalar_type(Scalar::Bool))};
  of_limit.yes = again;
  of_limit.no = {{rest}, {}};
  insts.insert(insts.end() - 1, {is_below, of_limit.in[0], insts.back().where});
  insts.back().op = of_limit;
  again = {{outer_},
           question.number == loop_.counter ? function_.blocks[loop_.head].params : again.args};
  ir::Block asking;
  asking.insts.push_back({of_bound, {}, insts.back().where});
  function_.blocks.push_back(std::move(asking));
}

bool split_at_zero(ir::Function& function) {
  bool changed = false;
  std::optional<Finder> finder;
  const auto count = static_cast<uint32_t>(function.blocks.size());
  for (uint32_t head = 1; head < count; ++head) {
    if (!finder) finder.emplace(function);
    const std::optional<Counted> found = finder->counted(head);
    if (!found) continue;
    Writer(function, *finder, *found).run();
    finder.reset();  // it speaks of the function as it was
    changed = true;
  }
  return changed;
}

}  // namespace

bool split_at_zero(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= split_at_zero(function);
  return changed;
}

}  // namespace hetjit::passes
