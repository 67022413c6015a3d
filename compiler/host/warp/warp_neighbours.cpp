// Accesses by an index that is a row's but at the ends: `x[max(i - 1, 0)]`, `x[i - 1]` of an i that
// may be 0, `x[(i + 1) % n]`. Where lanes turn out to be neighbours they are taken as such.
#include <array>
#include <cstdlib>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;

/// A number as the first lane and the last have it, and what must hold for all lanes to have chosen
/// alike on the way to it. Numbers are exact here: none begins anew, between these two lanes or by
/// what is done with it. So each is the first lane's and a step more from lane to lane, and what
/// compares two such numbers has one answer for all lanes if it has for these two.
struct Warp::AtEnds {
  using Pair = std::array<Value*, 2>;
  using Found = std::optional<Pair>;
  Warp& warp;
  Value* holds;  // i1
  int depth = 0;

  llvm::IRBuilder<>& build() { return warp.build_; }
  void demand(Value* answer) { holds = build().CreateAnd(holds, answer); }
  void demand_of_both(Pair answers) { demand(answers[0]), demand(answers[1]); }
  Scalar scalar(ValueId id) const { return type(warp.ir_.type_of(id)).scalar; }
  bool has_sign(ValueId id) const { return is_signed_integer(scalar(id)); }
  Value* number(Value* like, uint64_t bits) {
    return llvm::ConstantInt::get(like->getType(), bits);
  }
  template <class Make>
  Pair of_both(Make make) {
    return {make(0), make(1)};
  }

  // Only what is made in this block, or at the function's beginning, has operands that are.
  bool at_hand(ValueId id) const {
    const uint32_t home = warp.shapes_.home(id);
    return home == warp.block_ || home == 0;
  }
  Found of(ValueId id) {
    const Spreading& value = warp.at(id);
    if (!is_integer(scalar(id)) || value.leaves.empty()) return std::nullopt;
    if (value.spread == Spread::Uniform) return Pair{value.leaves[0], value.leaves[0]};
    if (value.spread == Spread::Affine) return stepping(id, value);
    const ir::Op* made = warp.shapes_.definitions().of(id);
    if (!made || !at_hand(id) || depth == kStepDepth) return std::nullopt;
    ++depth;
    Found found = std::visit([&](const auto& op) { return after(id, op); }, *made);
    --depth;
    return found;
  }
  Found stepping(ValueId id, const Spreading& value) {
    Value* first = value.leaves[0];
    const int64_t reach = value.stride * (int64_t{warp.width_} - 1);
    const unsigned bits = first->getType()->getIntegerBitWidth();
    if (bits < 64 && std::abs(reach) >= int64_t{1} << (bits - 1)) return std::nullopt;
    const uint64_t least = has_sign(id) ? uint64_t{1} << (bits - 1) : 0;
    Value* bound = number(first, reach > 0 ? least - 1 - static_cast<uint64_t>(reach)
                                           : least + static_cast<uint64_t>(-reach));
    using enum llvm::CmpInst::Predicate;
    const auto up = has_sign(id) ? ICMP_SLE : ICMP_ULE, down = has_sign(id) ? ICMP_SGE : ICMP_UGE;
    demand(build().CreateICmp(reach > 0 ? up : down, first, bound));
    return Pair{first, build().CreateAdd(first, number(first, static_cast<uint64_t>(reach)))};
  }

  template <class Op>
  Found after(ValueId, const Op&) {
    return std::nullopt;
  }
  Found after(ValueId id, const ir::Convert& op) {
    if (!is_scalar(warp.ir_.type_of(op.in[0])) || !is_integer(scalar(op.in[0])))
      return std::nullopt;
    const Found from = of(op.in[0]);
    if (!from) return std::nullopt;
    const bool sign = has_sign(op.in[0]),
               wider = info(scalar(id)).bits > info(scalar(op.in[0])).bits;
    llvm::Type* type = warp.module_.types.value_type(scalar(id));
    const Pair to =
        of_both([&](int end) { return build().CreateIntCast((*from)[end], type, sign); });
    demand_of_both(of_both([&](int end) -> Value* {
      Value* before = (*from)[end];
      if (wider && (!sign || has_sign(id))) return build().getTrue();
      if (wider || info(scalar(id)).bits == info(scalar(op.in[0])).bits)
        return sign == has_sign(id) ? build().getTrue()
                                    : build().CreateICmpSGE(before, number(before, 0));
      return build().CreateICmpEQ(build().CreateIntCast(to[end], before->getType(), has_sign(id)),
                                  before);
    }));
    return to;
  }
  Found sum(ValueId id, Pair a, Pair b, bool adds) {
    namespace I = llvm::Intrinsic;
    const I::ID with_sign = adds ? I::sadd_with_overflow : I::ssub_with_overflow;
    const I::ID without = adds ? I::uadd_with_overflow : I::usub_with_overflow;
    const Pair made = of_both([&](int end) {
      return build().CreateBinaryIntrinsic(has_sign(id) ? with_sign : without, a[end], b[end]);
    });
    for (Value* each : made) demand(build().CreateNot(build().CreateExtractValue(each, 1)));
    return of_both([&](int end) { return build().CreateExtractValue(made[end], 0); });
  }
  template <class Op>
  Found sum_of(ValueId id, const Op& op, bool adds) {
    const Found a = of(op.in[0]), b = a ? of(op.in[1]) : std::nullopt;
    return b ? sum(id, *a, *b, adds) : std::nullopt;
  }
  Found after(ValueId id, const ir::Add& op) { return sum_of(id, op, true); }
  Found after(ValueId id, const ir::Sub& op) { return sum_of(id, op, false); }
  // By which all lanes were divided at once.
  Found after(ValueId id, const ir::Mod&) {
    const auto row = warp.rest_rows_.find(id);
    if (row == warp.rest_rows_.end()) return std::nullopt;
    Value* first = row->second.first;
    const int64_t reach = row->second.stride * (int64_t{warp.width_} - 1);
    demand(row->second.holds);
    return Pair{first, build().CreateAdd(first, number(first, static_cast<uint64_t>(reach)))};
  }
  // In most warps lanes take the choice that steps: `i - 1` of `max(i - 1, 0)`.
  Found after(ValueId, const ir::Select& op) {
    auto stays = [&](ValueId id) { return warp.at(id).spread == Spread::Uniform; };
    if (stays(op.in[0])) return std::nullopt;  // no end: whole launches may choose the other one
    if (stays(op.in[1]) != stays(op.in[2])) {
      const bool wanted = stays(op.in[2]);
      return demand_answer(op.in[0], wanted) ? of(op.in[wanted ? 1 : 2]) : std::nullopt;
    }
    Value* condition = answer(op.in[0]);
    const Found yes = condition ? of(op.in[1]) : std::nullopt,
                no = yes ? of(op.in[2]) : std::nullopt;
    return no ? Found(chosen(condition, *yes, *no)) : std::nullopt;
  }
  Pair chosen(Value* condition, Pair yes, Pair no) {
    return of_both([&](int end) { return build().CreateSelect(condition, yes[end], no[end]); });
  }

  // What counts from the end does so in all lanes or in none.
  Found after(ValueId, const ir::WrapIndex& op) {
    const Found index = of(op.in[0]), extent = index ? of(op.in[1]) : std::nullopt;
    if (!extent) return std::nullopt;
    const Pair negative = of_both(
        [&](int end) { return build().CreateICmpSLT((*index)[end], number((*index)[end], 0)); });
    demand(build().CreateICmpEQ(negative[0], negative[1]));
    const Pair moved =
        of_both([&](int end) { return build().CreateAdd((*index)[end], (*extent)[end]); });
    return chosen(negative[0], moved, *index);
  }

  /// The lane that is nearest to where the answer turns, of what steps evenly.
  std::optional<int> farther_end(const ir::Compare& asked) const {
    using enum ir::Comparison;
    const Spreading &number = warp.at(asked.in[0]), &bound = warp.at(asked.in[1]);
    if (number.spread != Spread::Affine || bound.spread != Spread::Uniform || asked.kind == Eq)
      return std::nullopt;
    const bool from_above = asked.kind == Lt || asked.kind == Le;
    return from_above == (number.stride > 0) ? 1 : 0;
  }
  /// Demands this answer of all lanes; false: it is not known how to ask for it.
  bool demand_answer(ValueId condition, bool wanted) {
    const ir::Op* made = warp.shapes_.definitions().of(condition);
    auto* compare = made ? std::get_if<ir::Compare>(made) : nullptr;
    const bool equality =
        compare && (compare->kind == ir::Comparison::Eq || compare->kind == ir::Comparison::Ne);
    if (compare && !equality && at_hand(condition)) {
      ir::Compare asked = *compare;
      if (!wanted) asked.kind = ir::opposite(asked.kind);
      const Found a = of(asked.in[0]), b = a ? of(asked.in[1]) : std::nullopt;
      if (!b) return false;
      const std::optional<int> farther = farther_end(asked);
      for (const int end : {0, 1})
        if (end == farther.value_or(end)) demand(compared(asked, asked.kind, *a, *b, end));
      return true;
    }
    Value* all = answer(condition);
    if (all) demand(wanted ? all : build().CreateNot(all));
    return all;
  }
  /// The answer of all lanes, i1; null: it is not known how to ask for it.
  Value* answer(ValueId condition) {
    const Spreading& value = warp.at(condition);
    if (value.spread == Spread::Uniform && !value.leaves.empty()) return value.leaves[0];
    const ir::Op* made = warp.shapes_.definitions().of(condition);
    if (!made || !at_hand(condition) || depth == kStepDepth) return nullptr;
    ++depth;
    Value* all = std::visit([&](const auto& op) { return asked(op); }, *made);
    --depth;
    return all;
  }
  template <class Op>
  Value* asked(const Op&) {
    return nullptr;
  }
  Value* asked(const ir::BitNot& op) {
    Value* all = answer(op.in[0]);
    return all ? build().CreateNot(all) : nullptr;
  }
  Value* asked(const ir::BitAnd& op) { return asked_of_two(op, llvm::Instruction::And); }
  Value* asked(const ir::BitOr& op) { return asked_of_two(op, llvm::Instruction::Or); }
  template <class Op>
  Value* asked_of_two(const Op& op, llvm::Instruction::BinaryOps join) {
    Value *a = answer(op.in[0]), *b = a ? answer(op.in[1]) : nullptr;
    return b ? build().CreateBinOp(join, a, b) : nullptr;
  }
  Value* asked(const ir::Compare& op) {
    const Found a = of(op.in[0]), b = a ? of(op.in[1]) : std::nullopt;
    if (!b) return nullptr;
    auto agree = [&](ir::Comparison kind) {
      return build().CreateICmpEQ(compared(op, kind, *a, *b, 0), compared(op, kind, *a, *b, 1));
    };
    demand(agree(op.kind));
    // Between numbers on either side of another one may be equal to it.
    if (op.kind == ir::Comparison::Eq || op.kind == ir::Comparison::Ne)
      demand(agree(ir::Comparison::Lt));
    return compared(op, op.kind, *a, *b, 0);
  }
  Value* compared(const ir::Compare& op, ir::Comparison kind, Pair a, Pair b, int end) {
    return build().CreateICmp(lower::integer_predicate(kind, has_sign(op.in[0])), a[end], b[end]);
  }
};

// Of an index of which the first lane's and the last one's are as far apart as neighbours' are.
std::optional<Warp::Neighbours> Warp::between_ends(const ir::ElementAddress& op, ValueId along,
                                                   ValueId address, int64_t step) {
  AtEnds ends{*this, build_.getTrue()};
  const AtEnds::Found found = ends.of(along);
  if (!found) return std::nullopt;
  const auto [first, last] = *found;
  const int64_t reach = step * (int64_t{width_} - 1);
  Value* apart = llvm::ConstantInt::get(first->getType(), static_cast<uint64_t>(reach));
  Value* even = build_.CreateICmpEQ(build_.CreateSub(last, first), apart);
  Value* element = element_at(op, ir_.type_of(address), first);
  return Neighbours{build_.CreateAnd(ends.holds, even), {Spread::Affine, 0, {element}}};
}

// An index that counts from the end where it is negative: the lanes do so all or none, but where
// the array begins. What is neither below that nor so large that a lane's number begins anew has
// the sign of lane 0's in all lanes.
std::optional<Warp::Neighbours> Warp::unwrapped(const ir::ElementAddress& op, ValueId along,
                                                ValueId address, int64_t step) {
  auto* wrap = shapes_.definitions().made_by<ir::WrapIndex>(along);
  uint32_t home = shapes_.home(along);
  if (!wrap || (home != block_ && home != 0)) return std::nullopt;
  const Spreading &index = at(wrap->in[0]), &extent = at(wrap->in[1]);
  if (index.spread != Spread::Affine || index.stride != step) return std::nullopt;
  if (extent.spread != Spread::Uniform) return std::nullopt;
  Value* first = index.leaves[0];
  auto* type = llvm::cast<llvm::IntegerType>(first->getType());
  const uint64_t most = type->getBitMask() >> 1;
  Value* magnitude = build_.CreateAnd(first, llvm::ConstantInt::get(type, most));
  const uint64_t reach = static_cast<uint64_t>(std::abs(step)) * (width_ - 1);
  Value* holds = step > 0
                     ? build_.CreateICmpULE(magnitude, llvm::ConstantInt::get(type, most - reach))
                     : build_.CreateICmpUGE(magnitude, llvm::ConstantInt::get(type, reach));
  Value* from_end = build_.CreateAdd(first, extent.leaves[0]);
  Value* negative = build_.CreateICmpSLT(first, llvm::ConstantInt::get(type, 0));
  Value* lane_0 = build_.CreateSelect(negative, from_end, first);
  Value* element = element_at(op, ir_.type_of(address), lane_0);
  return Neighbours{holds, {Spread::Affine, 0, {element}}};
}

// Only what is made here, or at the function's beginning, is known to be at hand. Inactive lanes
// have indices as well: where theirs break the row, the lanes go apart for nothing.
std::optional<Warp::Neighbours> Warp::likely_neighbours(ValueId address) {
  auto* op = shapes_.definitions().made_by<ir::ElementAddress>(address);
  uint32_t home = shapes_.home(address);
  if (!op || (home != block_ && home != 0) || at(address).spread != Spread::Varying)
    return std::nullopt;
  const std::optional<Row> row = shapes_.row_of(*op, home);
  std::optional<int64_t> step = row ? shapes_.likely_step(row->index, home) : std::nullopt;
  if (!step || !is_near(*step)) return std::nullopt;
  const Type& array = type(ir_.type_of(op->in[0]));
  auto size = static_cast<int64_t>(layout(array.element).stride());
  std::optional<Neighbours> found = unwrapped(*op, row->index, address, *step);
  if (!found) found = between_ends(*op, row->index, address, *step);
  if (found) found->at_ends = row->known;
  if (!found) found = in_steps(*op, row->index, address, *step);
  found->address.stride = *step * size;
  if (!row->known) {
    Value* stride = at(op->in[0]).leaves[1u + array.rank + row->axis];
    found->holds = build_.CreateAnd(build_.CreateICmpEQ(stride, build_.getInt64(1)), found->holds);
  }
  return found;
}

// An index of any making: asked of the lanes' own.
Warp::Neighbours Warp::in_steps(const ir::ElementAddress& op, ValueId along, ValueId address,
                                int64_t step) {
  Value *holds = build_.getTrue(), *first = at(along).leaves[0];
  if (at(along).spread == Spread::Varying) {
    Value* index = vector_of(at(along), 0);
    first = build_.CreateExtractElement(index, uint64_t{0});
    Value* row = build_.CreateAdd(splat(first), steps(first->getType(), step));
    holds = build_.CreateAndReduce(build_.CreateICmpEQ(index, row));
  }
  Value* element = element_at(op, ir_.type_of(address), first);
  return {holds, {Spread::Affine, 0, {element}}};
}

// In no turn of the loops round it was anything written; and all lanes are here.
bool Warp::may_begin_again(uint32_t block, const Mask* mask) const {
  return !before_writes_.empty() && before_writes_[block] && !wrote_memory_ && !mask->lanes;
}

}  // namespace hetjit::host
