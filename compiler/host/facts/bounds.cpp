#include "compiler/host/facts/bounds.h"

#include <algorithm>

#include "compiler/host/facts/costs.h"
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

/// Of loops that are written out anyway one form is enough.
bool is_short(const Shapes& shapes, const ir::Branch& head) {
  const auto* asked = shapes.definitions().made_by<ir::Compare>(head.in[0]);
  return asked && std::ranges::any_of(asked->in, [&](ValueId id) {
           const auto* turns = shapes.definitions().made_by<ir::ConstInt>(id);
           return turns && turns->bits <= kWrittenOut;
         });
}

}  // namespace

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

std::optional<BoundsQuestion> place_question(const ir::Function& kernel, const Shapes& shapes,
                                             uint32_t block, bool inside) {
  for (const bool swapped : {false, true})
    if (std::optional<BoundsQuestion> made = compared(kernel, shapes, block, swapped)) {
      made->inside = inside;
      return made;
    }
  return std::nullopt;
}

bool asks_for_bounds(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
                     const Loop& loop) {
  const auto* head = std::get_if<ir::Branch>(&kernel.blocks[loop.header].insts.back().op);
  if (!head || loop.exits != 1 || loop.holds(head->yes.to.index) == loop.holds(head->no.to.index))
    return false;
  if (is_short(shapes, *head)) return false;
  const bool innermost = std::ranges::none_of(
      structure.loops(), [&](const auto& other) { return other->parent == &loop; });
  if (!innermost || !only_reads(kernel, loop)) return false;
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
    if (loop.holds(block) && block != loop.header && loop.goes_on[block] &&
        bounds_question(kernel, shapes, loop, block))
      return true;
  return false;
}

}  // namespace hetjit::host
