// Removes checks that cannot fail: those whose numbers lie apart whatever happens, and those that a
// condition on the way to them has made already.
//
// Of an index that is checked, what it is when it counts from the end is computed once.
//
// Numbers are compared as `root + offset`, with the root a value or the extent of an array: so
// `if 0 < i < n - 1` proves what stands behind it of i - 1, i and i + 1.
#include <algorithm>
#include <array>

#include "compiler/ir/edit.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/limits.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::passes {
namespace {

/// A number as a sum that never overflowed.
struct Linear {
  enum class Root : uint8_t { Zero, Value, Extent };
  Root root = Root::Zero;
  uint32_t id = 0;  // of the value; of the array
  uint32_t axis = 0;
  Wide offset = 0;
  bool same_root(const Linear& other) const {
    return root == other.root && id == other.id && axis == other.axis;
  }
};

/// a <= b - distance holds where it stands.
struct Fact {
  Linear a, b;
  Wide distance = 0;
};

class Prover {
 public:
  explicit Prover(const ir::Function& function)
      : function_(function),
        ranges_(function),
        tree_(ir::successors(function)),
        incoming_(ir::incoming(function, tree_.reverse_post_order())),
        definitions_(function) {}

  /// Of all checks before `index` in the block the facts are given along.
  bool holds(const ir::CheckBelow& check, uint32_t block, const std::vector<Fact>& before) {
    block_ = block;
    Interval number = ranges_.interval(check.in[0], {block});
    Interval limit = ranges_.interval(check.in[1], {block});
    if (number.lo < 0 || limit.lo < 0) return false;
    if (number.hi < limit.lo) return true;
    Linear a = linear(check.in[0]), b = linear(check.in[1]);
    auto proves = [&](const Fact& fact) {
      return fact.a.same_root(a) && fact.b.same_root(b) &&
             a.offset - fact.a.offset <= b.offset - fact.b.offset + fact.distance - 1;
    };
    if (std::any_of(before.begin(), before.end(), proves)) return true;
    return on_the_way(block, proves);
  }

  /// What a check says once it holds; nothing when it speaks of a limit that may be negative.
  std::optional<Fact> said_by(const ir::CheckBelow& check, uint32_t block) {
    block_ = block;
    if (ranges_.interval(check.in[1], {block}).lo < 0) return std::nullopt;
    return Fact{linear(check.in[0]), linear(check.in[1]), 1};
  }

  uint32_t parent(uint32_t block) const { return tree_.parent(block); }
  const std::vector<uint32_t>& order() const { return tree_.reverse_post_order(); }

 private:
  template <class AnyOp>
  const AnyOp* made_by(ValueId id) const {
    return definitions_.made_by<AnyOp>(id);
  }
  bool is_integer_value(ValueId id) const {
    TypeId type_id = function_.type_of(id);
    return is_scalar(type_id) && is_integer(type(type_id).scalar);
  }
  Interval numbers(ValueId id) const { return numbers_of(type(function_.type_of(id)).scalar); }

  Linear linear(ValueId id, int depth = 0) {
    Linear plain{Linear::Root::Value, id.index, 0, 0};
    if (depth > kProofDepth || !is_integer_value(id)) return plain;
    if (auto* constant = made_by<ir::ConstInt>(id))
      return {Linear::Root::Zero, 0, 0,
              number_of(type(function_.type_of(id)).scalar, constant->bits)};
    if (auto* extent = made_by<ir::Extent>(id))
      return {Linear::Root::Extent, extent->in[0].index, extent->axis, 0};
    if (auto* convert = made_by<ir::Convert>(id)) {
      bool kept = is_integer_value(convert->in[0]) &&
                  numbers(id).holds(ranges_.interval(convert->in[0], {block_}));
      return kept ? linear(convert->in[0], depth + 1) : plain;
    }
    if (auto* sum = made_by<ir::Add>(id)) return moved(id, sum->in, 1, depth);
    if (auto* difference = made_by<ir::Sub>(id)) return moved(id, difference->in, -1, depth);
    return plain;
  }

  // A number plus or minus a constant, if that stays within its type.
  Linear moved(ValueId id, const std::array<ValueId, 2>& in, int sign, int depth) {
    Linear plain{Linear::Root::Value, id.index, 0, 0};
    for (int side : {1, 0}) {
      auto* constant = made_by<ir::ConstInt>(in[side]);
      if (!constant || (sign < 0 && side == 0)) continue;
      Wide by = sign * linear(in[side]).offset;
      Interval is = ranges_.interval(in[1 - side], {block_});
      if (!numbers(id).holds({is.lo + by, is.hi + by})) return plain;
      Linear result = linear(in[1 - side], depth + 1);
      result.offset += by;
      return result;
    }
    return plain;
  }

  template <class Proves>
  bool on_the_way(uint32_t block, Proves&& proves) {
    for (int facts = 0; facts < kProofFacts && block != Dominators::kNone; ++facts) {
      std::optional<ir::Known> known;
      if (incoming_[block].size() == 1) known = ir::known_on(function_, incoming_[block][0]);
      if (known && any_fact(known->condition, known->truth, proves)) return true;
      block = tree_.parent(block);
    }
    return false;
  }

  template <class Proves>
  bool any_fact(ValueId condition, bool truth, Proves&& proves, int depth = 0) {
    if (depth > kProofDepth) return false;
    auto part = [&](ValueId id, bool holds) { return any_fact(id, holds, proves, depth + 1); };
    if (auto* inverted = made_by<ir::BitNot>(condition)) return part(inverted->in[0], !truth);
    if (auto* both = made_by<ir::BitAnd>(condition); both && truth)
      return part(both->in[0], true) || part(both->in[1], true);
    if (auto* either = made_by<ir::BitOr>(condition); either && !truth)
      return part(either->in[0], false) || part(either->in[1], false);
    auto* compare = made_by<ir::Compare>(condition);
    if (!compare || !is_integer_value(compare->in[0])) return false;
    return of_compare(*compare, truth, proves) || (truth && of_count(*compare, proves, depth));
  }

  // A counter below `count if condition else 0`, as loops over ranges have it: the condition holds,
  // and the counter is below the count.
  template <class Proves>
  bool of_count(const ir::Compare& compare, Proves&& proves, int depth) {
    auto* count = made_by<ir::Select>(compare.in[1]);
    auto* none = count ? made_by<ir::ConstInt>(count->in[2]) : nullptr;
    if (compare.kind != ir::Comparison::Lt || !none || none->bits != 0) return false;
    if (ranges_.interval(compare.in[0], {block_}).lo < 0) return false;
    Linear counter = linear(compare.in[0]), limit = linear(count->in[1]);
    auto* convert = made_by<ir::Convert>(count->in[1]);
    if (convert && is_positive_where(count->in[0], convert->in[0]) &&
        ranges_.interval(convert->in[0], {block_}).hi <= numbers(count->in[1]).hi)
      limit = linear(convert->in[0]);
    return proves(Fact{counter, limit, 1}) || any_fact(count->in[0], true, proves, depth + 1);
  }

  // Whether `condition` is c < q with a constant c, and `number` is q and so much that it follows.
  bool is_positive_where(ValueId condition, ValueId number) {
    auto* compare = made_by<ir::Compare>(condition);
    if (!compare || compare->kind != ir::Comparison::Lt || !is_integer_value(number)) return false;
    if (!is_integer_value(compare->in[0])) return false;
    Linear least = linear(compare->in[0]), greater = linear(compare->in[1]), is = linear(number);
    return least.root == Linear::Root::Zero && is.same_root(greater) &&
           is.offset >= greater.offset - least.offset - 1;
  }

  template <class Proves>
  bool of_compare(const ir::Compare& compare, bool truth, Proves&& proves) {
    using enum ir::Comparison;
    Linear a = linear(compare.in[0]), b = linear(compare.in[1]);
    ir::Comparison kind = compare.kind;
    if (kind == Lt) return truth ? proves(Fact{a, b, 1}) : proves(Fact{b, a, 0});
    if (kind == Le) return truth ? proves(Fact{a, b, 0}) : proves(Fact{b, a, 1});
    if (kind == Gt) return truth ? proves(Fact{b, a, 1}) : proves(Fact{a, b, 0});
    if (kind == Ge) return truth ? proves(Fact{b, a, 0}) : proves(Fact{a, b, 1});
    if ((kind == Eq) == truth) return proves(Fact{a, b, 0}) || proves(Fact{b, a, 0});
    return false;
  }

  const ir::Function& function_;
  ValueRanges ranges_;
  Dominators tree_;
  std::vector<std::vector<ir::Incoming>> incoming_;  // from blocks that are reached
  ir::Definitions definitions_;
  uint32_t block_ = 0;  // of the check at hand
};

bool has_checks(const ir::Function& function) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts)
      if (std::holds_alternative<ir::CheckBelow>(inst.op)) return true;
  return false;
}

// By block: the instructions that go. A check's fact holds in all that its block dominates.
std::vector<std::vector<bool>> proved_checks(const ir::Function& function) {
  Prover prover(function);
  std::vector<std::vector<bool>> gone(function.blocks.size());
  std::vector<std::vector<Fact>> said(function.blocks.size());
  for (uint32_t block : prover.order()) {
    const std::vector<ir::Inst>& insts = function.blocks[block].insts;
    gone[block].resize(insts.size());
    if (uint32_t parent = prover.parent(block); parent != Dominators::kNone)
      said[block] = said[parent];
    for (size_t i = 0; i < insts.size(); ++i) {
      auto* check = std::get_if<ir::CheckBelow>(&insts[i].op);
      if (!check) continue;
      gone[block][i] = prover.holds(*check, block, said[block]);
      if (gone[block][i] || said[block].size() == kProofFacts) continue;
      if (auto fact = prover.said_by(*check, block)) said[block].push_back(*fact);
    }
  }
  return gone;
}

/// A check wraps the index that the access behind it wraps too: one of the two is enough.
class WrapSharer {
 public:
  explicit WrapSharer(ir::Function& function) : at_(function) {}

  bool run() {
    return at_.run([&](ir::Inst& inst) -> std::optional<ValueId> {
      auto* wrap = std::get_if<ir::WrapIndex>(&inst.op);
      if (!wrap) return std::nullopt;
      if (at_.block().index != block_) known_.clear();
      block_ = at_.block().index;
      for (const Known& known : known_)
        if (known.wrap.in[0] == wrap->in[0] && is_same(known.wrap.in[1], wrap->in[1]))
          return known.result;
      known_.push_back({*wrap, inst.result});
      return std::nullopt;
    });
  }

 private:
  struct Known {
    ir::WrapIndex wrap;
    ValueId result;
  };
  bool is_same(ValueId a, ValueId b) const {
    auto *one = at_.made_by<ir::ConstInt>(a), *other = at_.made_by<ir::ConstInt>(b);
    bool alike = one && other && one->bits == other->bits && at_.type_of(a) == at_.type_of(b);
    return a == b || alike;
  }

  ir::Editor at_;
  std::vector<Known> known_;  // of the block at hand
  uint32_t block_ = UINT32_MAX;
};

}  // namespace

bool prove_checks(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) {
    if (!has_checks(function)) continue;
    changed |= WrapSharer(function).run();
    std::vector<std::vector<bool>> gone = proved_checks(function);
    for (uint32_t block = 0; block < function.blocks.size(); ++block) {
      std::vector<ir::Inst>& insts = function.blocks[block].insts;
      size_t kept = 0;
      for (size_t i = 0; i < insts.size(); ++i) {
        bool drop = i < gone[block].size() && gone[block][i];
        if (!drop && kept != i) insts[kept] = std::move(insts[i]);
        kept += !drop;
      }
      changed |= kept != insts.size();
      insts.resize(kept);
    }
  }
  return changed;
}

}  // namespace hetjit::passes
