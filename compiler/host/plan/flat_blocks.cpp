#include "compiler/host/plan/flat_blocks.h"

#include <algorithm>
#include <array>
#include <vector>

#include "compiler/host/facts/any_op.h"
#include "compiler/host/plan/grid_rows.h"
#include "compiler/ir/edit.h"
#include "compiler/passes/passes.h"

namespace hetjit::host {
namespace {

/// A factor of a product: the index, or the dimension, along an axis.
constexpr uint8_t thread(unsigned axis) { return static_cast<uint8_t>(1 << axis); }
constexpr uint8_t dimension(unsigned axis) { return static_cast<uint8_t>(8 << axis); }

/// A sum of products of places in the block, each product as its factors. Empty: it is none.
using Sum = std::vector<uint8_t>;

Sum rank_of(unsigned axes) {
  Sum rank;
  uint8_t below = 0;
  for (unsigned axis = 0; axis < axes; ++axis) {
    rank.push_back(below | thread(axis));
    below |= dimension(axis);
  }
  std::ranges::sort(rank);
  return rank;
}

Sum size_of(unsigned axes) {
  uint8_t all = 0;
  for (unsigned axis = 0; axis < axes; ++axis) all |= dimension(axis);
  return {all};
}

/// What a kernel's values are in terms of places along the first axes, of which ranks and sizes are
/// told as they are: neither is a part of a larger sum. They are below 2048, so none wraps.
class Places {
 public:
  Places(const ir::Function& kernel, unsigned axes)
      : kernel_(kernel),
        axes_(axes),
        rank_(rank_of(axes)),
        size_(size_of(axes)),
        sums_(kernel.types.size()) {
    for (const ir::Block& block : kernel.blocks)
      for (const ir::Inst& inst : block.insts)
        if (inst.result.valid() && is_word(kernel.type_of(inst.result)))
          sums_[inst.result.index] = sum_of(inst.op);
  }

  bool is_rank(ValueId id) const { return sums_[id.index] == rank_; }
  bool is_size(ValueId id) const { return sums_[id.index] == size_; }

  /// Is there a rank, and does nothing else ask for a place along these axes?
  bool only_ranks() const {
    bool ranks = false, others = false;
    for (const ir::Block& block : kernel_.blocks)
      for (const ir::Inst& inst : block.insts) {
        const bool is_part = inst.result.valid() && !sums_[inst.result.index].empty();
        ranks = ranks || (inst.result.valid() && is_rank(inst.result));
        for (ValueId id : ir::operands(inst.op)) others = others || (!is_part && is_bare(id));
        for (const ir::Edge* edge : ir::edges(inst.op))
          for (ValueId id : edge->args) others = others || is_bare(id);
      }
    return ranks && !others;
  }

 private:
  static bool is_word(TypeId id) {
    return is_scalar(id) && is_integer(type(id).scalar) && info(type(id).scalar).bits >= 32;
  }
  /// Some place, but no rank and no size.
  bool is_bare(ValueId id) const {
    return !sums_[id.index].empty() && !is_rank(id) && !is_size(id);
  }

  Sum sum_of(const ir::Op& op) const {
    if (const auto* index = std::get_if<ir::ThreadIndex>(&op))
      return index->axis < axes_ ? Sum{thread(index->axis)} : Sum{};
    if (const auto* extent = std::get_if<ir::BlockDimension>(&op))
      return extent->axis < axes_ ? Sum{dimension(extent->axis)} : Sum{};
    if (const auto* from = std::get_if<ir::Convert>(&op)) return sums_[from->in[0].index];
    if (const auto* add = std::get_if<ir::Add>(&op)) return added(add->in[0], add->in[1]);
    if (const auto* mul = std::get_if<ir::Mul>(&op)) return multiplied(mul->in[0], mul->in[1]);
    return {};
  }

  Sum added(ValueId a, ValueId b) const {
    Sum sum = sums_[a.index];
    const Sum& other = sums_[b.index];
    if (sum.empty() || other.empty()) return {};
    sum.insert(sum.end(), other.begin(), other.end());
    std::ranges::sort(sum);
    return made(std::move(sum));
  }

  Sum multiplied(ValueId a, ValueId b) const {
    Sum product;
    for (uint8_t one : sums_[a.index])
      for (uint8_t other : sums_[b.index]) {
        if (one & other) return {};  // a square
        product.push_back(one | other);
      }
    std::ranges::sort(product);
    return made(std::move(product));
  }

  /// Only what may become a rank or a size, so that they stay short.
  Sum made(Sum sum) const { return sum.size() <= rank_.size() ? sum : Sum{}; }

  const ir::Function& kernel_;
  const unsigned axes_;
  const Sum rank_, size_;
  std::vector<Sum> sums_;  // by value
};

/// Places along axes behind those that are one now are asked for as before.
void ask_for_ranks(ir::Function& kernel, const Places& places) {
  const TypeId u32 = scalar_type(Scalar::UInt32);
  ir::Editor editor(kernel);
  editor.run([&](ir::Inst& inst) -> std::optional<ValueId> {
    if (!inst.result.valid()) return std::nullopt;
    const TypeId type = kernel.type_of(inst.result);
    if (places.is_rank(inst.result))
      return editor.convert(editor.emit(ir::ThreadIndex{}, u32), type);
    if (places.is_size(inst.result))
      return editor.convert(editor.emit(ir::BlockDimension{}, u32), type);
    return std::nullopt;
  });
  ir::Module alone;
  alone.functions.push_back(std::move(kernel));
  passes::remove_dead_code(alone);
  kernel = std::move(alone.functions[0]);
}

/// Which lanes a warp has depends on the order of a block's threads.
bool sees_order(const ir::Op& op) {
  const ir::Needs needs = ir::info(op).needs;
  return needs != ir::Needs::Nothing && needs != ir::Needs::Memory && needs != ir::Needs::Block;
}

/// The first axis along which threads of a block are told apart; 0: x, or none, or their order is
/// seen.
uint8_t first_axis(const ir::Function& kernel) {
  if (any_op(kernel, sees_order)) return 0;
  for (uint8_t axis : {0, 1, 2})
    if (any_op(kernel, [axis](const ir::Op& op) {
          const auto* index = std::get_if<ir::ThreadIndex>(&op);
          return index && index->axis == axis;
        }))
      return axis;
  return 0;
}

std::array<uint8_t, 3> swapped_with_x(uint8_t axis) {
  std::array<uint8_t, 3> axes{0, 1, 2};
  std::swap(axes[0], axes[axis]);
  return axes;
}

/// C++ asks for places itself.
bool sees_places_elsewhere(const ir::Op& op) {
  return std::holds_alternative<ir::ExternalCall>(op);
}

}  // namespace

FlatBlocks flatten_blocks(ir::Function& kernel) {
  FlatBlocks flat;
  if (any_op(kernel, sees_places_elsewhere)) return flat;
  flat.first = first_axis(kernel);
  if (flat.first) turn(kernel, swapped_with_x(flat.first));
  for (uint8_t count : {3, 2}) {
    const Places places(kernel, count);
    if (!places.only_ranks()) continue;
    ask_for_ranks(kernel, places);
    flat.axes = count;
    break;
  }
  return flat;
}

}  // namespace hetjit::host
