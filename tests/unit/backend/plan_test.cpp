// Lowering and `explain` read a plan and decide nothing: another plan, other code and another text.
#include <gtest/gtest.h>

#include "compiler/host/plan/explain.h"
#include "tests/unit/backend/compiled.h"
#include "tests/unit/ir/run_grid.h"

namespace hetjit {
namespace {

// out[i] is reached from 1.0 by steps that lanes leave at different times.
constexpr const char* kHalving = R"(  v21: f32 = load v4
  v22: f32 = constf 1.0
  v23: f32 = constf 0.5
  jump b1(v21)
b1(v24: f32):
  v25: bool = compare gt v24, v22
  branch v25, b2, b3
b2():
  v26: f32 = mul v24, v23
  jump b1(v26)
b3():
  store v4, v24
)";

constexpr const char* kExchange = R"(
  v20: ptr[f32] = sharedmemory 0 256 4
  v21: i64 = const 64
  v22: array[f32, 1, contiguous] = makearray v20, v21
  v23: f32 = load v4
  v24: ptr[f32] = element v22, v2
  store v24, v23
  barrier
  v25: i64 = const 1
  v26: i64 = xor v2, v25
  v27: ptr[f32] = element v22, v26
  v28: f32 = load v27
  store v4, v28
)";

std::string code_of(const ir::Module& module, const host::Plan& plan) {
  return lowered(module, plan, "kernel", find("cpu:x86-64-v3")).to_text();
}

std::string words_of(const ir::Module& module, const host::Plan& plan) {
  std::string text;
  for (const std::string& line : host::explain(module, plan).summary) text += line + "\n";
  return text;
}

void expect_all_differ(const ir::Module& module, const host::Plan& one, const host::Plan& other) {
  EXPECT_NE(code_of(module, one), code_of(module, other));
  EXPECT_NE(words_of(module, one), words_of(module, other));
  EXPECT_NE(to_text(one), to_text(other));
}

host::Plan plan_on_16_lanes(const ir::Module& module) {
  return *planned(module, find("cpu:x86-64-v3"), 16);
}

TEST(Plan, VectorsSideBySideAreItsAlone) {
  ir::Module module = ir::parsed(ir::whole_kernel("f32", kHalving));
  host::Plan plan = plan_on_16_lanes(module), changed = plan;
  auto* rows = std::get_if<host::ByRows>(&changed.way);
  ASSERT_TRUE(rows) << to_text(plan);
  ASSERT_GT(rows->vectors.warps, 1u);
  rows->vectors = {};
  expect_all_differ(module, plan, changed);
}

TEST(Plan, TheWayIsItsAlone) {
  ir::Module module = ir::parsed(ir::whole_kernel("f32", kHalving));
  host::Plan plan = plan_on_16_lanes(module), changed = plan;
  changed.way = host::ByThreads{"a test wants it so", {}};
  expect_all_differ(module, plan, changed);
  EXPECT_NE(words_of(module, changed).find("thread by thread: a test wants it so"),
            std::string::npos);
}

/// As HETJIT_TIER counts them: blocks as lanes, where they are faster and everywhere, come first.
unsigned number_of(host::Tier tier) { return static_cast<unsigned>(tier) + 2; }

TEST(Plan, TheTierIsItsAlone) {
  ir::Module module = ir::parsed(ir::whole_kernel("f32", "  barrier\n"));
  target::Target& cpu = find("cpu:x86-64-v3");
  host::Plan whole = *planned(module, cpu, 16),
             warps = *planned(module, cpu, 16, number_of(host::Tier::Warps));
  ASSERT_EQ(std::get<host::ByPhases>(whole.way).tier, host::Tier::Whole);
  ASSERT_EQ(std::get<host::ByPhases>(warps.way).tier, host::Tier::Warps);
  expect_all_differ(module, whole, warps);
}

TEST(Plan, BlocksAsLanesAreItsAlone) {
  ir::Module module = ir::parsed(ir::whole_kernel("f32", kExchange));
  target::Target& cpu = find("cpu:x86-64-v3");
  const host::Plan blocks = *planned(module, cpu, 16, 1), whole = *planned(module, cpu, 16, 2);
  ASSERT_TRUE(blocks.block_lanes);
  EXPECT_EQ(blocks.block_lanes->flat.together, 16u);
  ASSERT_FALSE(whole.block_lanes);
  expect_all_differ(module, blocks, whole);
}

TEST(Plan, StepsAreVerified) {
  ir::Module module = ir::parsed(ir::whole_kernel("f32", "  barrier\n"));
  for (host::Tier tier : {host::Tier::Whole, host::Tier::Warps, host::Tier::Threads}) {
    auto plan = planned(module, find("cpu:x86-64-v3"), 16, number_of(tier), true);
    EXPECT_EQ(std::get<host::ByPhases>(plan->way).tier, tier);
  }
}

}  // namespace
}  // namespace hetjit
