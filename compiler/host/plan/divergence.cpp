#include "compiler/host/plan/divergence.h"

#include <algorithm>
#include <cmath>

#include "compiler/host/facts/bounds.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/plan/estimates.h"

namespace hetjit::host {
namespace {

/// How often blocks are come to, beside the kernel's begin: by a thread, which goes one way at each
/// branch, and by a warp, which goes both where lanes part.
class Frequencies {
 public:
  Frequencies(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
              bool by_warps)
      : kernel_(kernel), structure_(structure), shapes_(shapes), by_warps_(by_warps) {
    arrivals_[0] = 1;
    for (const uint32_t block : structure.in_loop_order()) go_on(block);
  }
  double of(uint32_t block) const { return found_[block]; }

 private:
  void go_on(uint32_t block) {
    const Loop* loop = structure_.loop_of(block);
    const bool begins = loop && loop->header == block;
    found_[block] = begins ? arrivals_[block] * kUsualTurns : arrivals_[block];
    if (loop && !begins) found_[block] = std::min(found_[block], found_[loop->header]);
    const auto edges = ir::edges(kernel_.blocks[block].insts.back().op);
    const auto stay = std::ranges::count_if(
        edges, [&](const ir::Edge* edge) { return !loop || loop->holds(edge->to.index); });
    for (const ir::Edge* edge : edges) {
      const uint32_t to = edge->to.index;
      if (structure_.loop_at(to) && structure_.loop_at(to)->holds(block)) continue;
      if (loop && !loop->holds(to))
        arrivals_[to] += leaving(*loop, to);
      else
        arrivals_[to] += found_[block] * share(block, static_cast<double>(stay));
    }
  }
  /// Of those who come to a block, by one of the edges: nearly all threads have a place.
  double share(uint32_t block, double edges) const {
    if (!shapes_.diverges(block)) return 1 / edges;
    return by_warps_ || place_question(kernel_, shapes_, block, true) ? 1 : 1 / edges;
  }
  /// By one of the edges out of a loop, or of several: as often as they were entered.
  double leaving(const Loop& inner, uint32_t to) const {
    const Loop* loop = &inner;
    while (loop->parent && !loop->parent->holds(to)) loop = loop->parent;
    return arrivals_[loop->header] / std::max(1u, loop->exits);
  }

  const ir::Function& kernel_;
  const Structure& structure_;
  const Shapes& shapes_;
  const bool by_warps_;
  std::vector<double> arrivals_ = std::vector<double>(kernel_.blocks.size());
  std::vector<double> found_ = std::vector<double>(kernel_.blocks.size());
};

/// What blocks cost a thread by itself, and its share of what they cost a warp; in loads of one
/// vector.
class Blocks {
 public:
  Blocks(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
         unsigned width)
      : kernel_(kernel), structure_(structure), shapes_(shapes), width_(width) {}

  double alone(uint32_t block) const {
    double cost = shapes_.diverges(block) ? kGuessedBranch : 0;
    for (const ir::Inst& inst : kernel_.blocks[block].insts)
      if (ir::info(inst.op).access || inst.result.valid())
        cost += kAloneOperation * weight_of(inst.op);
    return cost;
  }
  double side_by_side(uint32_t block) const {
    double cost = 0;
    for (const ir::Inst& inst : kernel_.blocks[block].insts) cost += share_of(inst);
    return cost * std::pow(kThreadsPart, loops_apart(block));
  }
  /// In how many loops round it each thread has turns of its own.
  int loops_apart(uint32_t block) const {
    int count = 0;
    for (const Loop* loop = structure_.loop_of(block); loop; loop = loop->parent)
      count += shapes_.leaves_apart(loop) && !shapes_.leaves_in_steps(*loop);
    return count;
  }

 private:
  double share_of(const ir::Inst& inst) const {
    const ir::OpInfo& facts = ir::info(inst.op);
    if (facts.access && is_each_its_own(shapes_, ir::operands(inst.op)[0]))
      return facts.access & ir::Stores ? kLaneStore : kLaneAccess;
    const bool varies = inst.result.valid() && shapes_.of(inst.result).spread == Spread::Varying;
    return facts.access || varies ? weight_of(inst.op) / width_ : 0;
  }

  const ir::Function& kernel_;
  const Structure& structure_;
  const Shapes& shapes_;
  const unsigned width_;
};

}  // namespace

std::optional<std::string> why_threads_part(const ir::Function& kernel, const Structure& structure,
                                            const Shapes& shapes, unsigned width, bool has_masks) {
  const Blocks blocks(kernel, structure, shapes, width);
  const Frequencies of_threads(kernel, structure, shapes, false),
      of_warps(kernel, structure, shapes, true);
  double alone = 0, side_by_side = 0;
  bool part = false;
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block) {
    if (!structure.reachable(block)) continue;
    alone += of_threads.of(block) * blocks.alone(block);
    side_by_side += of_warps.of(block) * blocks.side_by_side(block);
    part |= blocks.loops_apart(block) != 0;
  }
  const double gain = has_masks ? kPartingGainWithMasks : kPartingGain;
  if (!part || side_by_side < gain * alone) return std::nullopt;
  return "each goes its own ways in a loop, to places of its own; " +
         vectors_would_take(side_by_side / alone);
}

}  // namespace hetjit::host
