// Each way out of the block colours what it reaches; a block that two colours reach is where lanes
// meet, and gives its own colour to what follows.
#include "compiler/host/facts/parting.h"

#include <map>
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
    for (const uint32_t to : meet_) found_.meetings.push_back({to, ways_to(to, /*round=*/false)});
    for (const uint32_t to : next_turn_)
      found_.meetings.push_back({to, ways_to(to, /*round=*/true)});
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
    for (size_t way = 0; way < edges.size(); ++way) {
      const uint32_t with = colour_of(from, way);
      if (left_by(from, edges[way]->to.index))
        edges_[edges[way]] = {from, with};  // until it is known who leaves in other turns
      else
        paint_edge(from, *edges[way], with);
    }
  }
  /// The outermost loop round the first block that an edge leaves, or null.
  const Loop* left_by(uint32_t from, uint32_t to) const {
    const Loop* left = nullptr;
    for (const Loop* loop = structure_.loop_of(block_); loop && !loop->holds(to);
         loop = loop->parent)
      if (loop->holds(from)) left = loop;
    return left;
  }

  void paint_edge(uint32_t from, const ir::Edge& edge, uint32_t with) {
    const uint32_t to = edge.to.index;
    edges_[&edge] = {from, with};
    if (!leads_round(from, to)) return paint(to, with);
    if (structure_.loop_at(to)->holds(block_) && mix(turn_[to], to, with)) next_turn_.insert(to);
  }
  /// By a back edge?
  bool leads_round(uint32_t from, uint32_t to) const {
    const Loop* loop = structure_.loop_at(to);
    return loop && loop->holds(from);
  }

  void paint(uint32_t to, uint32_t with) {
    uint32_t before = colour_[to];
    if (mix(colour_[to], to, with)) meet_.insert(to);
    if (colour_[to] != before) work_.insert(place_[to]);
  }

  std::vector<ByEdge> ways_to(uint32_t to, bool round) const {
    std::vector<ByEdge> ways;
    for (const auto& [edge, came] : edges_)
      if (edge->to.index == to && leads_round(came.from, to) == round)
        ways.push_back({edge, came.with});
    return ways;
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
  // Where lanes leave in different turns, those of one colour may do so by different exits.
  void leave(const Loop& loop) {
    const uint32_t on = turn_[loop.header];
    std::vector<std::pair<uint32_t, const ir::Edge*>> exits;
    bool apart = false;
    for (uint32_t from : structure_.in_loop_order()) {
      if (!loop.holds(from)) continue;
      for (const ir::Edge* edge : ir::edges(function_.blocks[from].insts.back().op)) {
        if (loop.holds(edge->to.index)) continue;
        exits.emplace_back(from, edge);
        apart |= edges_.contains(edge) && edges_[edge].with != on;
      }
    }
    for (const auto& [from, edge] : exits) {
      const uint32_t with = apart ? ++fresh_ : edges_.contains(edge) ? edges_[edge].with : on;
      if (left_by(from, edge->to.index) == &loop)
        paint_edge(from, *edge, with);
      else
        edges_[edge] = {from, with};
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
  struct Came {
    uint32_t from, with;  // a block, and the colour
  };
  std::map<const ir::Edge*, Came> edges_;
  uint32_t fresh_ = kNone / 2;           // colours of exits
  std::set<uint32_t> meet_, next_turn_;  // blocks, and headers that are come to by back edges
  Parting found_;
};

}  // namespace

Parting part_lanes(const ir::Function& function, const Structure& structure, uint32_t block) {
  return Painting(function, structure, block).run();
}

}  // namespace hetjit::host
