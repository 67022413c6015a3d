#include "compiler/host/plan/grid_rows.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/shape.h"
#include "compiler/host/plan/estimates.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

using Axes = std::array<uint8_t, 3>;

template <class Visit>
void for_each_inst(const ir::Function& kernel, Visit visit) {
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
    for (const ir::Inst& inst : kernel.blocks[block].insts) visit(block, inst);
}

/// The order in which an axis is the innermost one.
Axes beginning_with(uint8_t axis, const Axes& axes) {
  Axes made = axes;
  auto found = std::find(made.begin(), made.end(), axis);
  std::rotate(made.begin(), found, found + 1);
  return made;
}

/// What a kernel's accesses are like where threads along one axis are side by side.
class Along {
 public:
  Along(const ir::Function& kernel, const Structure& structure, uint8_t axis, unsigned width,
        const KnownExtents& extents)
      : kernel_(turned(kernel, axis)),
        structure_(structure),
        width_(width),
        shapes_(kernel_, structure, {View::Row, width, 1, /*of_grid=*/true, extents}) {}

  /// Of all accesses, in loads of one lane.
  int64_t cost() const {
    int64_t sum = 0;
    for_each_inst(kernel_, [&](uint32_t block, const ir::Inst& inst) {
      const auto access = ir::info(inst.op).access;
      if (!access) return;
      const int64_t loads = cost_of(ir::operands(inst.op)[0]);
      const bool dear = (access & ir::Stores) && loads == width_;
      sum += turns_of(block) * loads * (dear ? kStoreApart : kLoadApart);
    });
    return sum;
  }
  /// Is it one place for all threads of the row?
  bool is_same(ValueId address) const { return shapes_.of(address) == kUniform; }
  /// Is it a line of memory for each thread of the row?
  bool lies_apart(ValueId address) const { return cost_of(address) == width_; }
  /// Neighbours in memory, of so many bytes each; nullopt: others.
  std::optional<int64_t> neighbours(ValueId address) const {
    const int64_t size = size_at(address);
    const bool are = shapes_.of(address) == Shape{Spread::Affine, size} ||
                     step_in_most_warps(shapes_, address) == 1;
    return are ? std::optional(size) : std::nullopt;
  }
  /// How far from an array's first index those stand that differ along the axis, all in all: the
  /// further, the nearer its elements lie together. From the last one, of an array whose elements
  /// follow one another along its first axis.
  size_t depth() const {
    size_t sum = 0;
    for_each_inst(kernel_, [&](uint32_t, const ir::Inst& inst) {
      const auto* element = std::get_if<ir::ElementAddress>(&inst.op);
      const size_t count = element ? element->in.size() : 0;
      const bool backwards = element && shapes_.unit_axis(element->in[0]) == 0;
      for (size_t i = 1; i < count; ++i)
        if (shapes_.of(element->in[i]) != kUniform) sum += backwards ? count - i : i;
    });
    return sum;
  }

 private:
  static ir::Function turned(const ir::Function& kernel, uint8_t axis) {
    ir::Function made = kernel;
    turn(made, beginning_with(axis, {0, 1, 2}));
    return made;
  }
  int64_t turns_of(uint32_t block) const {
    int64_t turns = 1;
    for (const Loop* loop = structure_.loop_of(block); loop && turns < kMostTurns;
         loop = loop->parent)
      turns *= kUsualTurns;
    return turns;
  }
  int64_t size_at(ValueId address) const {
    const Type& pointer = type(kernel_.type_of(address));
    return static_cast<int64_t>(layout(without_align(pointer.element)).stride());
  }
  int64_t cost_of(ValueId address) const {
    const Shape shape = shapes_.of(address);
    if (shape == kUniform) return 1;
    const std::optional<int64_t> known = shape.spread == Spread::Affine
                                             ? shape.stride / size_at(address)
                                             : step_in_most_warps(shapes_, address);
    const int64_t apart = std::abs(known.value_or(width_));
    return apart <= kMostApart ? std::max(apart, int64_t{1}) : width_;
  }

  const ir::Function kernel_;
  const Structure& structure_;
  const int64_t width_;
  const Shapes shapes_;
};

/// Of other axes nothing in the kernel depends.
std::array<bool, 3> asked_axes(const ir::Function& kernel) {
  std::array<bool, 3> asked{};
  for_each_inst(kernel, [&](uint32_t, const ir::Inst& inst) {
    if (const auto* place = std::get_if<ir::ThreadIndex>(&inst.op)) asked[place->axis] = true;
  });
  return asked;
}

/// Does a loop load something that is another for each thread of a row, and the same row after row?
bool reuses_rows(const ir::Function& kernel, const Structure& structure, const Along& row,
                 const Along& next) {
  bool found = false;
  for_each_inst(kernel, [&](uint32_t block, const ir::Inst& inst) {
    const auto* load = std::get_if<ir::Load>(&inst.op);
    found = found || (load && structure.loop_of(block) && !row.is_same(load->in[0]) &&
                      next.is_same(load->in[0]));
  });
  return found;
}

/// Is an array read in several places that differ from row to row?
bool reads_rows_nearby(const ir::Function& kernel, const Along& next) {
  const ir::Definitions definitions(kernel);
  std::vector<unsigned> reads(kernel.types.size());  // by array
  bool found = false;
  for_each_inst(kernel, [&](uint32_t, const ir::Inst& inst) {
    const auto* load = std::get_if<ir::Load>(&inst.op);
    if (!load || next.is_same(load->in[0])) return;
    const ir::ElementAddress* element = ir::element_of(definitions, load->in[0]);
    found = found || (element && ++reads[element->in[0].index] > 1);
  });
  return found;
}

/// How many rows use what a line of memory holds, where threads of a row access a line each and the
/// rows that follow what lies beside it: a transposition. nullopt: nothing is so, or lines hold
/// fewer elements than there are lanes.
std::optional<unsigned> rows_across(const ir::Function& kernel, const Along& row, const Along& next,
                                    unsigned width) {
  std::optional<unsigned> most;
  for_each_inst(kernel, [&](uint32_t, const ir::Inst& inst) {
    if (!ir::info(inst.op).access) return;
    const ValueId address = ir::operands(inst.op)[0];
    const std::optional<int64_t> size = next.neighbours(address);
    if (!size || !row.lies_apart(address)) return;
    const unsigned rows = kLineBytes / static_cast<unsigned>(*size);
    if (rows >= width) most = std::max(most.value_or(0), rows);
  });
  return most;
}

}  // namespace

bool sees_no_blocks(const ir::Function& kernel) {
  const ir::Definitions definitions(kernel);
  std::vector<uint32_t> others = ir::count_uses(kernel);  // than those that make a place
  auto makes_place = [&](ValueId id) {
    return id.valid() &&
           (ir::axis_of_place(definitions, id) || ir::axis_of_first_thread(definitions, id));
  };
  for_each_inst(kernel, [&](uint32_t, const ir::Inst& inst) {
    if (makes_place(inst.result))
      for (ValueId part : ir::operands(inst.op)) --others[part.index];
  });
  bool sees = false;
  for_each_inst(kernel, [&](uint32_t, const ir::Inst& inst) {
    const bool tells = ir::tells_threads_apart(inst.op) ||
                       (inst.result.valid() && ir::axis_of_first_thread(definitions, inst.result));
    sees = sees || (tells && others[inst.result.index] != 0);
  });
  return !sees;
}

GridRows choose_grid_rows(const ir::Function& kernel, const Structure& structure, unsigned width,
                          const KnownExtents& extents) {
  const Along along[] = {{kernel, structure, 0, width, extents},
                         {kernel, structure, 1, width, extents},
                         {kernel, structure, 2, width, extents}};
  GridRows made;
  std::stable_sort(made.axes.begin(), made.axes.end(),
                   [&](uint8_t a, uint8_t b) { return along[a].depth() > along[b].depth(); });
  const std::array<bool, 3> asked = asked_axes(kernel);
  int64_t least = INT64_MAX;
  uint8_t lanes = made.axes[0];
  for (uint8_t axis : made.axes)
    if (asked[axis] && along[axis].cost() < least) least = along[lanes = axis].cost();
  made.axes = beginning_with(lanes, made.axes);
  const Along& row = along[made.axes[0]];
  auto load_the_same = [&](uint8_t axis) {
    return asked[axis] && reuses_rows(kernel, structure, row, along[axis]);
  };
  if (!load_the_same(made.axes[1]) && load_the_same(made.axes[2]))
    std::swap(made.axes[1], made.axes[2]);
  if (!asked[made.axes[1]]) return made;
  const Along& next = along[made.axes[1]];
  if (load_the_same(made.axes[1])) {
    made.rows = kTileRows;
    made.why = "they load the same in a loop";
    made.load_the_same = true;
  } else if (const auto rows = rows_across(kernel, row, next, width)) {
    made.rows = *rows;
    made.why = "each line of an array that lies across them is used by all";
  } else if (reads_rows_nearby(kernel, next)) {
    made.rows = kStencilRows;
    made.vectors = kStencilVectors;
    made.why = "they read each other's neighbours";
  }
  return made;
}

void turn(ir::Function& kernel, const Axes& axes) {
  for (ir::Block& block : kernel.blocks)
    for (ir::Inst& inst : block.insts)
      std::visit(
          [&](auto& op) {
            if constexpr (ir::kTellsPlace<std::decay_t<decltype(op)>>)
              op.axis =
                  static_cast<uint8_t>(std::find(axes.begin(), axes.end(), op.axis) - axes.begin());
          },
          inst.op);
}

}  // namespace hetjit::host
