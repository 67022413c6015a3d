#include "compiler/host/facts/structure.h"

#include <algorithm>
#include <map>

#include "compiler/ir/uses.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::host {
namespace {

using Edges = std::vector<std::vector<ir::Incoming>>;

// The blocks from which the header is reached again without leaving through it.
std::vector<bool> natural_loop(const Edges& incoming, const Dominators& tree, uint32_t header) {
  std::vector<bool> inside(incoming.size());
  std::vector<uint32_t> work;
  inside[header] = true;
  for (const ir::Incoming& in : incoming[header])
    if (tree.dominates(header, in.from)) work.push_back(in.from);
  while (!work.empty()) {
    uint32_t block = work.back();
    work.pop_back();
    if (inside[block]) continue;
    inside[block] = true;
    for (const ir::Incoming& in : incoming[block]) work.push_back(in.from);
  }
  return inside;
}

// Every edge that goes back in reverse post-order must lead to a block that dominates its start.
bool is_nest_of_loops(const ir::BlockLists& graph, const Dominators& tree) {
  std::vector<size_t> place(graph.size());
  const std::vector<uint32_t>& order = tree.reverse_post_order();
  for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (uint32_t from : order)
    for (uint32_t to : graph[from])
      if (place[to] <= place[from] && !tree.dominates(to, from)) return false;
  return true;
}

uint32_t count_exits(const ir::Function& function, const Loop& loop) {
  uint32_t exits = 0;
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    if (!loop.holds(block)) continue;
    auto edges = ir::edges(function.blocks[block].insts.back().op);
    exits += edges.empty();
    for (const ir::Edge* edge : edges) exits += !loop.holds(edge->to.index);
  }
  return exits;
}

}  // namespace

// Topological order of what lies directly in a region (null: the function), inner loops as one.
std::vector<Item> Structure::sorted(const ir::BlockLists& graph, const Loop* region) {
  auto node_of = [&](uint32_t block) -> const Loop* {  // the inner loop that holds it, or null
    const Loop* loop = innermost_[block];
    if (loop == region) return nullptr;
    while (loop->parent != region) loop = loop->parent;
    return loop;
  };
  auto name = [&](uint32_t block) { return node_of(block) ? node_of(block)->header : block; };
  std::map<uint32_t, size_t> waits;  // by node: edges that lead to it and were not walked yet
  auto each_edge = [&](auto&& visit) {
    for (uint32_t from : order_) {
      if (region && !region->holds(from)) continue;
      for (uint32_t to : graph[from]) {
        bool leaves = region && (!region->holds(to) || to == region->header);
        if (!leaves && name(from) != name(to)) visit(name(from), name(to));
      }
    }
  };
  std::map<uint32_t, std::vector<uint32_t>> next;
  each_edge([&](uint32_t from, uint32_t to) {
    next[from].push_back(to);
    ++waits[to];
  });
  std::vector<Item> items;
  std::vector<uint32_t> ready{region ? region->header : 0};
  while (!ready.empty()) {
    uint32_t block = ready.back();
    ready.pop_back();
    items.push_back({block, node_of(block)});
    const std::vector<uint32_t>& after = next[block];
    for (auto to = after.rbegin(); to != after.rend(); ++to)
      if (--waits[*to] == 0) ready.push_back(*to);
  }
  return items;
}

void Structure::add_in_loop_order(const std::vector<Item>& items) {
  for (const Item& item : items)
    if (item.loop)
      add_in_loop_order(item.loop->items);
    else
      in_loop_order_.push_back(item.block);
}

bool ends_at_head(const ir::Function& function, const Loop& loop) {
  const auto* branch = std::get_if<ir::Branch>(&function.blocks[loop.header].insts.back().op);
  if (!branch || loop.exits != 1) return false;
  const uint32_t yes = branch->yes.to.index, no = branch->no.to.index;
  return loop.holds(yes) != loop.holds(no) && yes != loop.header && no != loop.header;
}

std::optional<Structure> Structure::find(const ir::Function& function) {
  ir::BlockLists graph = ir::successors(function);
  Dominators tree(graph);
  if (!is_nest_of_loops(graph, tree)) return std::nullopt;
  Edges incoming = ir::incoming(function, tree.reverse_post_order());
  Structure made;
  made.order_ = tree.reverse_post_order();
  made.innermost_.resize(graph.size());
  for (uint32_t block = 0; block < graph.size(); ++block)
    made.reachable_.push_back(tree.reachable(block));
  for (uint32_t header : made.order_) {  // an outer header comes before an inner one
    if (!tree.is_loop_header(header)) continue;
    auto loop = std::make_unique<Loop>();
    loop->header = header;
    loop->parent = made.innermost_[header];
    loop->blocks = natural_loop(incoming, tree, header);
    loop->exits = count_exits(function, *loop);
    for (uint32_t block = 0; block < graph.size(); ++block)
      loop->goes_on.push_back(std::all_of(
          incoming[header].begin(), incoming[header].end(), [&](const ir::Incoming& in) {
            return !loop->holds(in.from) || tree.dominates(block, in.from);
          }));
    for (uint32_t block = 0; block < graph.size(); ++block)
      if (loop->holds(block)) made.innermost_[block] = loop.get();
    made.loops_.push_back(std::move(loop));
  }
  for (auto& loop : made.loops_) loop->items = made.sorted(graph, loop.get());
  made.items_ = made.sorted(graph, nullptr);
  made.add_in_loop_order(made.items_);
  return made;
}

}  // namespace hetjit::host
