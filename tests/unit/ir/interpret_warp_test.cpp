// What the threads of a warp do together.
#include <numeric>

#include "tests/unit/ir/run_grid.h"

namespace hetjit::ir {
namespace {

TEST(InterpretWarp, VotesAndBallots_HETX_WS_2) {
  std::string text = whole_kernel("u32", R"(  v20: u32 = const 4294967295
  v21: u32 = const 3
  v22: u32 = and v1, v21
  v23: bool = compare eq v22, v21
  v24: u32 = ballot v20, v23
  v25: bool = vote all v20, v23
  v26: bool = vote any v20, v23
  v27: bool = vote equal v20, v23
  v28: u32 = laneindex
  v29: u32 = convert v25
  v30: u32 = convert v26
  v31: u32 = convert v27
  v32: u32 = const 1
  v33: u32 = const 2
  v34: u32 = shl v30, v32
  v35: u32 = shl v31, v33
  v36: u32 = or v29, v34
  v37: u32 = or v36, v35
  v38: u32 = xor v24, v37
  v39: u32 = add v38, v28
  store v4, v39
)");
  std::vector<uint32_t> data(40);
  ASSERT_TRUE(run_on(text, data, geometry(1, 40)).ok());
  for (uint32_t i = 0; i < 40; ++i)
    EXPECT_EQ(data[i], ((i < 32 ? 0x88888888u : 0x88u) ^ 2u) + i % 32) << i;
}

TEST(InterpretWarp, Shuffles_HETX_WS_2) {
  struct Case {
    const char* kind;
    int amount;
    uint32_t (*from)(uint32_t lane);
  };
  const Case cases[] = {
      {"index", 5, [](uint32_t) { return 5u; }},
      {"index", 37, [](uint32_t) { return 5u; }},
      {"up", 3, [](uint32_t lane) { return lane < 3 ? lane : lane - 3; }},
      {"down", 3, [](uint32_t lane) { return lane + 3 > 31 ? lane : lane + 3; }},
      {"down", 40, [](uint32_t lane) { return lane; }},
      {"up", -1, [](uint32_t lane) { return lane + 1 > 31 ? lane : lane + 1; }},
      {"xor", 16, [](uint32_t lane) { return lane ^ 16u; }},
      {"xor", 32, [](uint32_t lane) { return lane; }},
  };
  for (const Case& it : cases) {
    std::string text = whole_kernel("f64", "  v20: u32 = const 4294967295\n  v21: i32 = const " +
                                               std::to_string(it.amount) +
                                               "\n  v22: f64 = load v4\n  v23: f64 = shuffle " +
                                               it.kind + " v20, v22, v21\n  store v4, v23\n");
    std::vector<double> data(64);
    std::iota(data.begin(), data.end(), 100);
    ASSERT_TRUE(run_on(text, data, geometry(1, 64)).ok());
    for (uint32_t i = 0; i < 64; ++i)
      EXPECT_EQ(data[i], 100 + i / 32 * 32 + it.from(i % 32)) << it.kind << it.amount << " " << i;
  }
}

TEST(InterpretWarp, Matches_HETX_WS_2) {
  std::string text = whole_kernel("u32", R"(  v20: u32 = const 255
  v21: u32 = load v4
  v22: u32 = match any v20, v21
  v23: u32 = match all v20, v21
  v24: u32 = const 8
  v25: u32 = shl v23, v24
  v26: u32 = or v25, v22
  store v4, v26
)");
  std::vector<uint32_t> data = {1, 2, 1, 3, 2, 1, 1, 9};
  ASSERT_TRUE(run_on(text, data, geometry(1, 8)).ok());
  EXPECT_EQ(data, (std::vector<uint32_t>{0x65, 0x12, 0x65, 0x08, 0x12, 0x65, 0x65, 0x80}));
  data.assign(8, 4);
  ASSERT_TRUE(run_on(text, data, geometry(1, 8)).ok());
  EXPECT_EQ(data, std::vector<uint32_t>(8, 0xFFFF));
}

// Lanes that went different ways, and where they are together again.
constexpr std::string_view kWays = R"(  v20: u32 = const 3
  v21: bool = compare lt v1, v20
  branch v21, b1, b2
b1():
  v22: u32 = activemask
  warpbarrier v22
  jump b3(v22)
b2():
  v23: u32 = activemask
  jump b3(v23)
b3(v24: u32):
  v25: u32 = activemask
  v26: u32 = const 16
  v27: u32 = shl v25, v26
  v28: u32 = or v24, v27
  store v4, v28
)";

TEST(InterpretWarp, ActiveMaskFollowsControl_HETX_WS_2) {
  std::vector<uint32_t> data(8);
  ASSERT_TRUE(run_on(whole_kernel("u32", kWays), data, geometry(1, 8)).ok());
  for (uint32_t i = 0; i < 8; ++i) EXPECT_EQ(data[i], i < 3 ? 0xFF0007u : 0xFF00F8u) << i;
}

TEST(InterpretWarp, WarpsOf64_HETX_WS_1) {
  std::string text = whole_kernel("u64", R"(  v20: u64 = activemask
  v21: u32 = laneindex
  v22: u64 = convert v21
  v23: u64 = xor v20, v22
  store v4, v23
)");
  std::vector<uint64_t> data(70);
  ASSERT_TRUE(run_on(text, data, geometry(1, 70), 64).ok());
  for (uint64_t i = 0; i < 70; ++i) EXPECT_EQ(data[i], (i < 64 ? ~0ull : 0x3Full) ^ (i % 64)) << i;
}

TEST(InterpretWarp, LanesThatDoNotComeAreAnError) {
  std::string text = kernel("u32", R"(  v20: u32 = const 3
  v21: u32 = const 7
  v22: bool = compare lt v1, v20
  branch v22, b1, b2
b1():
  warpbarrier v20
  jump b2
b2():
  barrier
)") + std::string(kEnd);
  std::vector<uint32_t> data(3);
  Status status = run_on(text, data, geometry(1, 3));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text,
            "barrier divergence in block (0, 0, 0): thread (0, 0, 0) waits at a barrier of its "
            "block, thread (2, 0, 0) waits at an operation of its warp");
}

}  // namespace
}  // namespace hetjit::ir
