#include "compiler/host/plan/block_lanes.h"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "abi/layout.h"
#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/counted_loops.h"
#include "compiler/host/facts/rejoins.h"
#include "compiler/host/facts/roots.h"
#include "compiler/host/facts/shape.h"
#include "compiler/host/phases/interleave.h"
#include "compiler/ir/edit.h"

namespace hetjit::host {
namespace {

constexpr uint8_t kZ = 2;

/// Of the ops that need others, or memory of the block's, only those which are known not to see
/// whether other blocks are there.
bool sees_its_block(const ir::Op& op) {
  const ir::OpInfo& facts = ir::info(op);
  if (facts.needs == ir::Needs::Nothing) return std::holds_alternative<ir::ExternalCall>(op);
  return !std::holds_alternative<ir::Barrier>(op) &&
         !std::holds_alternative<ir::SharedMemory>(op) &&
         !std::holds_alternative<ir::LocalMemory>(op);
}

/// A fourth axis there is none.
bool asks_for_z(const ir::Op& op) {
  const auto* index = std::get_if<ir::ThreadIndex>(&op);
  const auto* extent = std::get_if<ir::BlockDimension>(&op);
  return (index && index->axis == kZ) || (extent && extent->axis == kZ);
}

uint64_t shared_bytes(const ir::Function& kernel) {
  std::map<uint32_t, uint64_t> bytes;  // by variable
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts)
      if (const auto* shared = std::get_if<ir::SharedMemory>(&inst.op))
        bytes[shared->variable] = shared->bytes;
  uint64_t sum = 0;
  for (const auto& [variable, count] : bytes) sum += count;
  return sum;
}

void move_axes(ir::Function& kernel) {
  ir::Editor editor(kernel);
  editor.run([&](ir::Inst& inst) -> std::optional<ValueId> {
    if (auto* index = std::get_if<ir::ThreadIndex>(&inst.op)) ++index->axis;
    if (auto* extent = std::get_if<ir::BlockDimension>(&inst.op)) ++extent->axis;
    const auto* block = std::get_if<ir::BlockIndex>(&inst.op);
    if (!block || block->axis != 0) return std::nullopt;
    const TypeId u32 = scalar_type(Scalar::UInt32);
    return editor.make<ir::Add>(u32, editor.emit(ir::BlockIndex{}, u32),
                                editor.emit(ir::ThreadIndex{}, u32));
  });
}

/// What a kernel's vectors cost, in loads of one.
class Cost {
 public:
  Cost(const ir::Function& kernel, unsigned width)
      : kernel_(kernel),
        structure_(*Structure::find(kernel)),
        shapes_(kernel, structure_, {View::Row, width, width}),
        width_(width),
        roots_(kernel),
        rejoins_(rejoins(kernel, structure_)),
        shares_(kernel.blocks.size()),
        masked_(kernel.blocks.size()) {
    shares_[0] = 1;
    for (uint32_t block : structure_.reverse_post_order()) share(block);
  }

  double of_all() const {
    double sum = 0;
    for (uint32_t block = 0; block < kernel_.blocks.size(); ++block) {
      double once = 0;
      for (const ir::Inst& inst : kernel_.blocks[block].insts) once += of(inst, block);
      sum += shares_[block] * turns_of(block) * once;
    }
    return sum;
  }

 private:
  /// How often a vector comes to the blocks that follow one, in a turn of their loop: to each of
  /// them where its lanes part, to one of two where they do not.
  void share(uint32_t block) {
    shares_[block] = std::min(shares_[block], 1.0);
    if (rejoins_[block] != kNowhere) masked_[block] = masked_[rejoins_[block]];
    const Loop* loop = structure_.loop_of(block);
    const auto edges = ir::edges(kernel_.blocks[block].insts.back().op);
    const bool stays = std::ranges::all_of(
        edges, [&](const ir::Edge* edge) { return !loop || loop->holds(edge->to.index); });
    const bool one_of_two = stays && edges.size() > 1 && !shapes_.diverges(block);
    for (const ir::Edge* edge : edges) {
      const uint32_t to = edge->to.index;
      if (loop && to == loop->header) continue;
      shares_[to] += one_of_two ? shares_[block] / 2 : shares_[block];
      masked_[to] = masked_[to] || masked_[block] || shapes_.diverges(block);
    }
  }

  double turns_of(uint32_t block) const {
    int64_t turns = 1;
    for (const Loop* loop = structure_.loop_of(block); loop; loop = loop->parent)
      turns *= usual_turns(kernel_, shapes_.definitions(), *loop);
    return static_cast<double>(std::min(turns, kMostTurns));
  }

  double of(const ir::Inst& inst, uint32_t block) const {
    const ir::OpInfo& facts = ir::info(inst.op);
    if (facts.access) return of_access(ir::operands(inst.op)[0], block);
    if (std::holds_alternative<ir::Branch>(inst.op))
      return shapes_.diverges(block) ? kPartingLanes : 0;
    if (!inst.result.valid()) return 0;
    const double work = facts.cost == ir::Cost::Dear ? kDearOperation : 1;
    return shapes_.of(inst.result).spread == Spread::Varying ? work : work * kSameForAll;
  }

  double of_access(ValueId address, uint32_t block) const {
    const Shape shape = shapes_.of(address);
    if (shape == kUniform) return 1;
    const Type& pointer = type(kernel_.type_of(address));
    const auto size = static_cast<int64_t>(layout(without_align(pointer.element)).stride());
    const int64_t apart = shape.spread == Spread::Affine ? std::abs(shape.stride) / size : width_;
    const bool by_vectors =
        apart <= 1 || (apart <= kMostApart && (!masked_[block] || roots_.is_shared(address)));
    if (by_vectors) return static_cast<double>(std::max(apart, int64_t{1}));
    const double each = roots_.is_shared(address) ? kLaneAccess : kFarAccess;
    return each * static_cast<double>(width_);
  }

  const ir::Function& kernel_;
  const Structure structure_;
  const Shapes shapes_;
  const int64_t width_;
  const Roots roots_;
  const std::vector<uint32_t> rejoins_;  // by block
  std::vector<double> shares_;           // by block
  std::vector<bool> masked_;             // by block: may lanes be missing?
};

}  // namespace

std::optional<ir::Function> with_blocks_as_lanes(const ir::Function& kernel, unsigned lanes) {
  const uint64_t bytes = shared_bytes(kernel);
  if (bytes == 0 || bytes * lanes > kMostSharedOfLanes) return std::nullopt;
  if (any_op(kernel, sees_its_block) || any_op(kernel, asks_for_z)) return std::nullopt;
  ir::Function made = kernel;
  move_axes(made);
  if (!interleave_shared(made, lanes)) return std::nullopt;
  return made;
}

double gain_of_block_lanes(const ir::Function& kernel, const ir::Function& with_blocks_as_lanes,
                           unsigned lanes) {
  return Cost(kernel, lanes).of_all() / Cost(with_blocks_as_lanes, lanes).of_all();
}

}  // namespace hetjit::host
