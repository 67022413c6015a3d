// Each way out of the block colours what it reaches; a block that two colours reach is where lanes
// meet, and gives its own colour to what follows.
#include "compiler/host/facts/parting.h"

#include <set>

namespace hetjit::host {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

class Painting {
 public:
  Painting(const ir::Function& function, const Structure& structure, uint32_t block)
      : function_(function),
        structure_(structure),
        block_(block),
        colour_(function.blocks.size(), kNone),
        turn_(function.blocks.size(), kNone),
        place_(function.blocks.size()) {
    for (uint32_t i = 0; i < structure.in_loop_order().size(); ++i)
      place_[structure.in_loop_order()[i]] = i;
  }

  Parting run() {
    paint_edges(block_);
    for (const Loop* loop = structure_.loop_of(block_); loop; loop = loop->parent) {
      paint_up_to(end_of(*loop));
      leave(*loop);
    }
    paint_up_to(UINT32_MAX);
    return std::move(found_);
  }

 private:
  /// The colour of a way out of a block: those out of the first have one each, beyond the blocks'
  /// numbers.
  uint32_t colour_of(uint32_t from, size_t way) const {
    return from == block_ ? static_cast<uint32_t>(colour_.size() + way) : colour_[from];
  }

  void paint_edges(uint32_t from) {
    auto edges = ir::edges(function_.blocks[from].insts.back().op);
    for (size_t way = 0; way < edges.size(); ++way)
      paint_edge(from, edges[way]->to.index, colour_of(from, way));
  }

  void paint_edge(uint32_t from, uint32_t to, uint32_t with) {
    const Loop* round = structure_.loop_at(to);
    if (!round || !round->holds(from)) return paint(to, with);
    if (round->holds(block_) && mix(turn_[to], to, with)) found_.next_turn.push_back(to);
  }

  void paint(uint32_t to, uint32_t with) {
    uint32_t before = colour_[to];
    if (mix(colour_[to], to, with)) found_.meet.push_back(to);
    if (colour_[to] != before) work_.insert(place_[to]);
  }

  /// Did another colour come to what has one already?
  static bool mix(uint32_t& colour, uint32_t block, uint32_t with) {
    if (colour == with || colour == block) return false;
    bool meets = colour != kNone;
    colour = meets ? block : with;
    return meets;
  }

  /// Every block waits for all that lead to it in this turn.
  void paint_up_to(uint32_t end) {
    while (!work_.empty() && *work_.begin() < end) {
      uint32_t from = structure_.in_loop_order()[*work_.begin()];
      work_.erase(work_.begin());
      paint_edges(from);
    }
  }

  uint32_t end_of(const Loop& loop) const {
    uint32_t end = 0;
    for (uint32_t block : structure_.in_loop_order())
      if (loop.holds(block)) end = std::max(end, place_[block] + 1);
    return end;
  }

  // By an exit that they do not come to in this turn, those leave that have gone on to another one.
  void leave(const Loop& loop) {
    const uint32_t on = turn_[loop.header];
    bool apart = false;
    for (uint32_t from : structure_.in_loop_order()) {
      if (!loop.holds(from)) continue;
      auto edges = ir::edges(function_.blocks[from].insts.back().op);
      for (size_t way = 0; way < edges.size(); ++way) {
        if (loop.holds(edges[way]->to.index)) continue;
        uint32_t with = colour_of(from, way);
        apart = apart || (with != kNone && with != on);
        if (with == kNone && on != kNone) paint_edge(from, edges[way]->to.index, on);
      }
    }
    if (apart) found_.apart.push_back(&loop);
  }

  const ir::Function& function_;
  const Structure& structure_;
  const uint32_t block_;
  std::vector<uint32_t> colour_;  // by block
  std::vector<uint32_t> turn_;    // by header of a loop round the block: of those that go on in it
  std::vector<uint32_t> place_;   // by block
  std::set<uint32_t> work_;       // places of blocks with a new colour
  Parting found_;
};

}  // namespace

Parting part_lanes(const ir::Function& function, const Structure& structure, uint32_t block) {
  return Painting(function, structure, block).run();
}

}  // namespace hetjit::host
