#include <gtest/gtest.h>

#include "frontend/build/ssa_vars.h"

namespace hetjit::reader {
namespace {

/// Values are numbered from 100 for parameters, 900 + variable for missing ones.
struct Vars {
  explicit Vars(std::vector<std::vector<uint32_t>> predecessors)
      : vars(
            std::move(predecessors), [this] { return ValueId{next++}; },
            [this](Variable variable) {
              ++asked;
              return ValueId{900 + variable};
            }) {}
  uint32_t next = 100, asked = 0;
  SsaVars vars;
};

std::vector<uint32_t> indices(const std::vector<ValueId>& values) {
  std::vector<uint32_t> result;
  for (ValueId value : values) result.push_back(value.index);
  return result;
}

TEST(SsaVars, OneWayNeedsNoParameter) {
  Vars at({{}, {0}, {1}});
  for (uint32_t block : {0u, 1u, 2u}) at.vars.seal(block);
  at.vars.write(7, 0, {1});
  EXPECT_EQ(at.vars.read(7, 2).index, 1u);
  EXPECT_TRUE(at.vars.params(2).empty());
}

TEST(SsaVars, JoinPassesWhatEachPathWrote) {
  Vars at({{}, {0}, {0}, {1, 2}});
  for (uint32_t block : {0u, 1u, 2u, 3u}) at.vars.seal(block);
  at.vars.write(7, 1, {1});
  at.vars.write(7, 2, {2});
  EXPECT_EQ(at.vars.read(7, 3).index, 100u);
  EXPECT_EQ(at.vars.read(7, 3).index, 100u);
  ASSERT_EQ(at.vars.params(3).size(), 1u);
  EXPECT_EQ(indices(at.vars.params(3)[0].args), (std::vector<uint32_t>{1, 2}));
}

TEST(SsaVars, LoopThatReadsItselfFindsItsParameter) {
  // 0 -> 1 (header) -> 2 -> 1
  Vars at({{}, {0, 2}, {1}});
  at.vars.seal(0);
  at.vars.write(7, 0, {1});
  EXPECT_EQ(at.vars.read(7, 1).index, 100u);  // not sealed: the other edge is unknown
  at.vars.seal(2);
  EXPECT_EQ(at.vars.read(7, 2).index, 100u);
  at.vars.write(7, 2, {2});
  at.vars.seal(1);
  EXPECT_EQ(indices(at.vars.params(1)[0].args), (std::vector<uint32_t>{1, 2}));
}

TEST(SsaVars, MissingVariablesAreAskedForOnce) {
  Vars at({{}, {0}, {0}, {1, 2}});
  for (uint32_t block : {0u, 1u, 2u, 3u}) at.vars.seal(block);
  at.vars.write(7, 1, {1});
  at.vars.read(7, 3);
  EXPECT_EQ(indices(at.vars.params(3)[0].args), (std::vector<uint32_t>{1, 907}));
  EXPECT_EQ(at.vars.read(7, 0).index, 907u);
  EXPECT_EQ(at.asked, 1u);
}

TEST(SsaVars, FiftyThousandBlocksInARow) {
  constexpr uint32_t kCount = 50000;
  std::vector<std::vector<uint32_t>> predecessors(kCount);
  for (uint32_t block = 1; block < kCount; ++block) predecessors[block] = {block - 1};
  Vars at(std::move(predecessors));
  for (uint32_t block = 0; block < kCount; ++block) at.vars.seal(block);
  at.vars.write(7, 0, {1});
  EXPECT_EQ(at.vars.read(7, kCount - 1).index, 1u);
}

TEST(SsaVars, FiftyThousandJoinsInARow) {
  // Each block is reached twice from the one before: every one needs a parameter.
  constexpr uint32_t kCount = 50000;
  std::vector<std::vector<uint32_t>> predecessors(kCount);
  for (uint32_t block = 1; block < kCount; ++block) predecessors[block] = {block - 1, block - 1};
  Vars at(std::move(predecessors));
  for (uint32_t block = 0; block < kCount; ++block) at.vars.seal(block);
  at.vars.write(7, 0, {1});
  EXPECT_EQ(at.vars.read(7, kCount - 1).index, 100u);
  EXPECT_EQ(indices(at.vars.params(1)[0].args), (std::vector<uint32_t>{1, 1}));
}

TEST(SsaVars, LoopsNestedFiftyThousandDeep) {
  // Header i has the back edge of block 2n - i; the innermost read asks all headers.
  constexpr uint32_t kDepth = 50000;
  std::vector<std::vector<uint32_t>> predecessors(2 * kDepth);
  for (uint32_t block = 1; block < 2 * kDepth; ++block) predecessors[block] = {block - 1};
  for (uint32_t header = 1; header < kDepth; ++header)
    predecessors[header].push_back(2 * kDepth - header);
  Vars at(std::move(predecessors));
  at.vars.write(7, 0, {1});
  for (uint32_t block = kDepth; block < 2 * kDepth; ++block) at.vars.seal(block);
  at.vars.read(7, 2 * kDepth - 1);
  for (uint32_t header = kDepth - 1; header >= 1; --header) at.vars.seal(header);
  ASSERT_EQ(at.vars.params(1).size(), 1u);
  EXPECT_EQ(at.vars.params(1)[0].args[0].index, 1u);
}

}  // namespace
}  // namespace hetjit::reader
