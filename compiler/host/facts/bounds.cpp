#include "compiler/host/facts/bounds.h"

#include <algorithm>

#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/counted_loops.h"
#include "compiler/host/facts/row_reads.h"

namespace hetjit::host {
namespace {

/// Is it the same in all turns?
bool stays(const Shapes& shapes, const Loop& loop, ValueId id, int depth = 0) {
  if (!loop.holds(shapes.home(id))) return true;
  const ir::Op* op = shapes.definitions().of(id);
  return op && depth < kStepDepth && ir::info(*op).effects == ir::Pure &&
         std::ranges::all_of(ir::operands(*op), [&](ValueId operand) {
           return stays(shapes, loop, operand, depth + 1);
         });
}

/// The number that steps evenly, or that one before it was made wider. Numbers that are below zero
/// would be the largest ones of an unsigned type.
std::optional<ValueId> stepping(const ir::Function& kernel, const Shapes& shapes, ValueId id,
                                uint32_t block) {
  if (shapes.of(id, block).spread == Spread::Affine) return id;
  const auto* convert = shapes.definitions().made_by<ir::Convert>(id);
  if (!convert || !may_step_far(kernel.type_of(convert->in[0]))) return std::nullopt;
  const Scalar from = type(kernel.type_of(convert->in[0])).scalar;
  const Scalar to = type(kernel.type_of(id)).scalar;
  const bool keeps =
      info(to).bits > info(from).bits && (is_signed_integer(to) || !is_signed_integer(from));
  const bool even = shapes.of(convert->in[0], block).spread == Spread::Affine;
  return keeps && even ? std::optional(convert->in[0]) : std::nullopt;
}

/// What the branch at the block's end compares: in[0], or in[1], with the other one.
std::optional<BoundsQuestion> compared(const ir::Function& kernel, const Shapes& shapes,
                                       uint32_t block, bool swapped) {
  const auto* branch = std::get_if<ir::Branch>(&kernel.blocks[block].insts.back().op);
  const auto* asked = branch ? shapes.definitions().made_by<ir::Compare>(branch->in[0]) : nullptr;
  if (!asked || !may_step_far(kernel.type_of(asked->in[0])) || asked->kind == ir::Comparison::Eq ||
      asked->kind == ir::Comparison::Ne)
    return std::nullopt;
  const ValueId number = asked->in[swapped ? 1 : 0], bound = asked->in[swapped ? 0 : 1];
  const std::optional<ValueId> found = stepping(kernel, shapes, number, block);
  if (!found || shapes.of(bound, block) != kUniform) return std::nullopt;
  return BoundsQuestion{*found, bound, swapped ? ir::mirrored(asked->kind) : asked->kind, false};
}

/// Whether the bound is the lower one: -1, 0 and 1, with which an array's first places are
/// compared.
bool is_below(const ir::Function& kernel, const Shapes& shapes, const BoundsQuestion& asked) {
  const auto* constant = shapes.definitions().made_by<ir::ConstInt>(asked.bound);
  const unsigned unused = 64 - info(type(kernel.type_of(asked.bound)).scalar).bits;
  return constant && (constant->bits + 1) << unused <= uint64_t{2} << unused;
}

/// Accesses whose index is a choice of lanes at a row's ends; one that only counts from the end is
/// asked for its sign in its place.
bool chooses_at_ends(const ir::Function& kernel, const Shapes& shapes, const Loop& loop) {
  auto chooses = [&](const ir::Inst& inst) {
    if (!ir::info(inst.op).access) return false;
    const ValueId address = ir::operands(inst.op)[0];
    return shapes.is_row_between_ends(address) && !shapes.counts_from_end(address);
  };
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
    if (loop.holds(block) && std::ranges::any_of(kernel.blocks[block].insts, chooses)) return true;
  return false;
}

}  // namespace

bool is_written_out(const ir::Function& kernel, const Shapes& shapes, const Loop& loop) {
  const auto* head = std::get_if<ir::Branch>(&kernel.blocks[loop.header].insts.back().op);
  const auto* asked = head ? shapes.definitions().made_by<ir::Compare>(head->in[0]) : nullptr;
  return asked && std::ranges::any_of(asked->in, [&](ValueId id) {
           const auto* turns = shapes.definitions().made_by<ir::ConstInt>(id);
           return turns && turns->bits <= kWrittenOut;
         });
}

std::optional<BoundsQuestion> bounds_question(const ir::Function& kernel, const Shapes& shapes,
                                              const Loop& loop, uint32_t block) {
  using enum ir::Comparison;
  if (!shapes.diverges(block)) return std::nullopt;
  for (const bool swapped : {false, true}) {
    std::optional<BoundsQuestion> made = compared(kernel, shapes, block, swapped);
    if (!made || !stays(shapes, loop, made->bound) || stays(shapes, loop, made->number)) continue;
    made->inside = (made->kind == Gt || made->kind == Ge) == is_below(kernel, shapes, *made);
    return made;
  }
  return std::nullopt;
}

namespace {

/// Do the lanes that answer otherwise at the block's end go at once to where others come, too?
/// Where they have a way of their own, whole warps may go it.
bool only_skips(const ir::Function& kernel, uint32_t block, bool inside) {
  const auto& branch = std::get<ir::Branch>(kernel.blocks[block].insts.back().op);
  const BlockId to = inside ? branch.no.to : branch.yes.to;
  size_t ways = 0;
  for (const ir::Block& from : kernel.blocks)
    for (const ir::Edge* edge : ir::edges(from.insts.back().op)) ways += edge->to == to;
  return ways > 1;
}

/// An array's extent, an argument, or a few more or fewer.
bool is_end(const ir::Function& kernel, const Shapes& shapes, ValueId id, int depth = 0) {
  const ir::Op* op = shapes.definitions().of(id);
  if (!op) return std::ranges::count(kernel.blocks[0].params, id) > 0;
  if (std::holds_alternative<ir::Extent>(*op)) return true;
  const bool looks_through = std::holds_alternative<ir::Convert>(*op) ||
                             std::holds_alternative<ir::Add>(*op) ||
                             std::holds_alternative<ir::Sub>(*op);
  if (!looks_through || depth == kStepDepth) return false;
  const std::span<const ValueId> operands = ir::operands(*op);
  return is_end(kernel, shapes, operands[0], depth + 1) &&
         std::ranges::all_of(operands.subspan(1), [&](ValueId each) {
           return shapes.definitions().made_by<ir::ConstInt>(each) != nullptr;
         });
}

}  // namespace

std::optional<BoundsQuestion> edge_question(const ir::Function& kernel, const Shapes& shapes,
                                            const Loop* loop, uint32_t block) {
  using enum ir::Comparison;
  if (!shapes.diverges(block) || (loop && block == loop->header)) return std::nullopt;
  if (loop)
    if (auto found = bounds_question(kernel, shapes, *loop, block)) return found;
  for (const bool swapped : {false, true}) {
    std::optional<BoundsQuestion> made = compared(kernel, shapes, block, swapped);
    if (!made) continue;
    const bool below = is_below(kernel, shapes, *made);
    made->inside = (made->kind == Gt || made->kind == Ge) == below;
    if (!only_skips(kernel, block, made->inside)) continue;
    if (!below && !is_end(kernel, shapes, made->bound)) continue;
    return made;
  }
  return std::nullopt;
}

namespace {

/// One function per op that a counter goes through.
struct TurnSteps {
  using Step = std::optional<int64_t>;
  const ir::Function& kernel;
  const Shapes& shapes;
  const Loop& loop;
  int depth = 0;

  Step of(ValueId id) const {
    if (!loop.holds(shapes.home(id))) return 0;
    const ir::Op* op = shapes.definitions().of(id);
    if (!op) return of_param(id);
    if (depth == kStepDepth) return std::nullopt;
    const TurnSteps next{kernel, shapes, loop, depth + 1};
    return std::visit([&](const auto& each) { return next.after(id, each); }, *op);
  }
  template <class Op>
  Step after(ValueId, const Op&) const {
    return std::nullopt;
  }
  Step after(ValueId, const ir::ConstInt&) const { return 0; }
  Step after(ValueId, const ir::Add& op) const { return sum(of(op.in[0]), of(op.in[1]), 1); }
  Step after(ValueId, const ir::Sub& op) const { return sum(of(op.in[0]), of(op.in[1]), -1); }
  Step after(ValueId, const ir::Mul& op) const {
    if (const Step by = number(op.in[1])) return product(of(op.in[0]), *by);
    const Step by = number(op.in[0]);
    return by ? product(of(op.in[1]), *by) : std::nullopt;
  }
  // What is made wider may have begun anew before.
  Step after(ValueId id, const ir::Convert& op) const {
    const TypeId from = kernel.type_of(op.in[0]), to = kernel.type_of(id);
    if (!may_step_far(from) || !may_step_far(to)) return std::nullopt;
    const bool keeps = info(type(from).scalar).bits >= info(type(to).scalar).bits;
    return keeps ? of(op.in[0]) : std::nullopt;
  }
  Step of_param(ValueId id) const {
    const std::vector<ValueId>& params = kernel.blocks[loop.header].params;
    const auto param = static_cast<size_t>(std::ranges::find(params, id) - params.begin());
    if (shapes.home(id) != loop.header || param == params.size()) return std::nullopt;
    const std::optional<ValueId> next = next_turn(kernel, loop, param);
    if (!next) return std::nullopt;
    if (*next == id) return 0;
    const auto* up = shapes.definitions().made_by<ir::Add>(*next);
    const auto* down = shapes.definitions().made_by<ir::Sub>(*next);
    if (up && up->in[0] == id) return sum(0, number(up->in[1]), 1);
    if (down && down->in[0] == id) return sum(0, number(down->in[1]), -1);
    return std::nullopt;
  }
  Step number(ValueId id) const {
    const auto* constant = shapes.definitions().made_by<ir::ConstInt>(id);
    if (!constant || !may_step_far(kernel.type_of(id))) return std::nullopt;
    const unsigned unused = 64 - info(type(kernel.type_of(id)).scalar).bits;
    return static_cast<int64_t>(constant->bits << unused) >> unused;
  }
  static Step sum(Step a, Step b, int64_t sign) {
    const bool near = a && b && std::abs(*a) <= kFarthestStride && std::abs(*b) <= kFarthestStride;
    return near ? Step(*a + sign * *b) : std::nullopt;
  }
  static Step product(Step a, int64_t b) {
    const bool near = a && std::abs(*a) <= kFarthestStride && std::abs(b) <= kFarthestStride;
    return near && std::abs(*a * b) <= kFarthestStride ? Step(*a * b) : std::nullopt;
  }
};

}  // namespace

std::optional<int64_t> step_by_turn(const ir::Function& kernel, const Shapes& shapes,
                                    const Loop& loop, ValueId id) {
  return TurnSteps{kernel, shapes, loop}.of(id);
}

std::optional<BoundsQuestion> place_question(const ir::Function& kernel, const Shapes& shapes,
                                             uint32_t block, bool inside) {
  for (const bool swapped : {false, true})
    if (std::optional<BoundsQuestion> made = compared(kernel, shapes, block, swapped)) {
      made->inside = inside;
      return made;
    }
  return std::nullopt;
}

std::vector<uint32_t> bounds_blocks(const ir::Function& kernel, const Shapes& shapes,
                                    const Loop& loop) {
  std::vector<uint32_t> found, open{loop.header};
  std::vector<bool> seen(kernel.blocks.size());
  auto go = [&](const ir::Edge& edge) {
    const uint32_t to = edge.to.index;
    if (!loop.holds(to) || to == loop.header || seen[to]) return;
    seen[to] = true;
    open.push_back(to);
  };
  while (!open.empty()) {
    const uint32_t block = open.back();
    open.pop_back();
    const ir::Op& last = kernel.blocks[block].insts.back().op;
    const auto* branch = std::get_if<ir::Branch>(&last);
    const auto asked = block == loop.header || !branch
                           ? std::nullopt
                           : bounds_question(kernel, shapes, loop, block);
    if (asked) {
      found.push_back(block);
      go(asked->inside ? branch->yes : branch->no);
    } else if (block == loop.header || !shapes.diverges(block)) {
      for (const ir::Edge* edge : ir::edges(last)) go(*edge);
    }
  }
  return found;
}

bool asks_for_bounds(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
                     const Loop& loop) {
  if (!ends_at_head(kernel, loop)) return false;
  if (is_written_out(kernel, shapes, loop)) return false;  // one form is enough
  const bool innermost = std::ranges::none_of(
      structure.loops(), [&](const auto& other) { return other->parent == &loop; });
  if (!innermost || !only_reads(kernel, loop)) return false;
  return !bounds_blocks(kernel, shapes, loop).empty() || chooses_at_ends(kernel, shapes, loop);
}

}  // namespace hetjit::host
