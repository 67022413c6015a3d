#include <gtest/gtest.h>

#include <random>

#include "frontend/ssa/dominators.h"

namespace hetjit {
namespace {

using Graph = std::vector<std::vector<uint32_t>>;
constexpr uint32_t kNone = Dominators::kNone;

TEST(Dominators, Diamond) {
  Graph graph{{1, 2}, {3}, {3}, {}};
  Dominators dominators(graph);
  EXPECT_EQ(dominators.parent(0), kNone);
  EXPECT_EQ(dominators.parent(1), 0u);
  EXPECT_EQ(dominators.parent(2), 0u);
  EXPECT_EQ(dominators.parent(3), 0u);
  EXPECT_TRUE(dominators.dominates(0, 3));
  EXPECT_TRUE(dominators.dominates(3, 3));
  EXPECT_FALSE(dominators.dominates(1, 3));
  EXPECT_FALSE(dominators.dominates(3, 0));
  EXPECT_EQ(dominators.reverse_post_order(), (std::vector<uint32_t>{0, 1, 2, 3}));
}

TEST(Dominators, NestedLoopsAndTheirHeaders) {
  // 0 -> 1 (outer header) -> 2 (inner header) <-> 3; 2 -> 4 -> 1; 1 -> 5
  Graph graph{{1}, {2, 5}, {3, 4}, {2}, {1}, {}};
  Dominators dominators(graph);
  EXPECT_TRUE(dominators.is_loop_header(1));
  EXPECT_TRUE(dominators.is_loop_header(2));
  for (uint32_t block : {0u, 3u, 4u, 5u}) EXPECT_FALSE(dominators.is_loop_header(block));
  EXPECT_EQ(dominators.parent(4), 2u);
  EXPECT_EQ(dominators.children(1), (std::vector<uint32_t>{2, 5}));
}

TEST(Dominators, UnreachableBlocksTakeNoPart) {
  Graph graph{{2}, {2}, {}};
  Dominators dominators(graph);
  EXPECT_FALSE(dominators.reachable(1));
  EXPECT_EQ(dominators.parent(1), kNone);
  EXPECT_FALSE(dominators.dominates(0, 1));
  EXPECT_FALSE(dominators.dominates(1, 2));
  EXPECT_EQ(dominators.parent(2), 0u);
}

TEST(Dominators, EmptyAndSingle) {
  EXPECT_TRUE(Dominators(Graph{}).reverse_post_order().empty());
  Graph itself{{0}};
  EXPECT_TRUE(Dominators(itself).is_loop_header(0));
}

TEST(Dominators, LongChainsNeedNoRecursion) {
  Graph graph(200000);
  for (uint32_t i = 0; i + 1 < graph.size(); ++i) graph[i] = {i + 1, i + 1};
  Dominators dominators(graph);
  EXPECT_TRUE(dominators.dominates(7, 199999));
  EXPECT_EQ(dominators.parent(199999), 199998u);
}

/// By definition: `above` dominates `below` when removing it makes `below` unreachable.
bool dominates_by_removal(const Graph& graph, uint32_t above, uint32_t below) {
  if (above == 0 || above == below) return true;
  std::vector<bool> seen(graph.size(), false);
  std::vector<uint32_t> work{0};
  seen[0] = true;
  while (!work.empty()) {
    uint32_t at = work.back();
    work.pop_back();
    for (uint32_t next : graph[at]) {
      if (next == above || seen[next]) continue;
      seen[next] = true;
      work.push_back(next);
    }
  }
  return !seen[below];
}

TEST(Dominators, AgreeWithTheDefinitionOnRandomGraphs) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    Graph graph(2 + random() % 12);
    for (auto& next : graph)
      for (uint32_t edges = random() % 3; edges > 0; --edges)
        next.push_back(random() % graph.size());
    Dominators dominators(graph);
    for (uint32_t above = 0; above < graph.size(); ++above)
      for (uint32_t below = 0; below < graph.size(); ++below)
        EXPECT_EQ(dominators.dominates(above, below), dominators.reachable(above) &&
                                                          dominators.reachable(below) &&
                                                          dominates_by_removal(graph, above, below))
            << "round " << round << ", " << above << " over " << below;
  }
}

}  // namespace
}  // namespace hetjit
