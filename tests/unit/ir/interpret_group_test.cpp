// Threads of a block, and of a grid, that wait for one another; shared and local memory.
#include <numeric>

#include "tests/unit/ir/run_grid.h"

namespace hetjit::ir {
namespace {

// Each thread writes its element into shared memory and reads its neighbour's.
TEST(InterpretGroup, BarrierAndSharedMemory_HETX_MEM_1_HETX_BS_1) {
  std::string text = whole_kernel("i32", R"(  v20: ptr[i32] = sharedmemory 0 32 4
  v21: i64 = const 8
  v22: array[i32, 1, contiguous] = makearray v20, v21
  v23: i32 = load v4
  v24: ptr[i32] = element v22, v2
  store v24, v23
  barrier
  v25: i64 = const 7
  v26: i64 = sub v25, v2
  v27: ptr[i32] = element v22, v26
  v28: i32 = load v27
  barrier
  store v4, v28
)");
  std::vector<int32_t> data(24);
  std::iota(data.begin(), data.end(), 0);
  ASSERT_TRUE(run_on(text, data, geometry(3, 8)).ok());
  for (int32_t i = 0; i < 24; ++i) EXPECT_EQ(data[i], i / 8 * 8 + 7 - i % 8);
}

TEST(InterpretGroup, SharedMemoryIsOneVariableInAllFunctions) {
  constexpr std::string_view kText = R"(k(out: array[i32, 1, contiguous]) -> none
b0(v0: array[i32, 1, contiguous]):
  v1: u32 = threadindex 0
  v2: i64 = convert v1
  v3: ptr[i32] = sharedmemory 3 4 4
  v4: ptr[u8] = sharedmemory 4 1 1
  v5: u8 = const 7
  store v4, v5
  v6: i32 = convert v1
  v7: none = call 1 v6
  barrier
  v8: i32 = load v3
  v9: ptr[i32] = element v0, v2
  store v9, v8
  v10: none = none
  return v10

put(x: i32) -> none
b0(v0: i32):
  v1: ptr[i32] = sharedmemory 3 4 4
  store v1, v0
  v2: none = none
  return v2
)";
  std::vector<int32_t> data(4);
  ASSERT_TRUE(run_on(kText, data, geometry(1, 4)).ok());
  EXPECT_EQ(data, (std::vector<int32_t>{3, 3, 3, 3}));
}

TEST(InterpretGroup, DynamicSharedMemoryLiesBehindTheVariables_HETX_MEM_2) {
  std::string text = whole_kernel("i64", R"(  v20: ptr[u8] = sharedmemory 0 5 1
  v21: ptr[i64] = dynamicshared
  v22: u32 = dynamicsharedbytes
  v23: i64 = convert v22
  v24: i64 = const 5
  v25: u8 = const 1
  store v20, v25
  v26: i64 = const 2
  v27: array[i64, 1, contiguous] = makearray v21, v26
  v28: ptr[i64] = element v27, v2
  store v28, v23
  barrier
  v29: i64 = const 1
  v30: i64 = sub v29, v2
  v31: ptr[i64] = element v27, v30
  v32: i64 = load v31
  store v4, v32
)");
  std::vector<int64_t> data(2);
  ASSERT_TRUE(run_on(text, data, geometry(1, 2, 16)).ok());
  EXPECT_EQ(data, (std::vector<int64_t>{16, 16}));
}

// What a block leaves in shared memory, and a thread in local memory, nobody else finds there.
TEST(InterpretGroup, MemoryBeginsUndefined) {
  for (const char* memory : {"sharedmemory", "localmemory"}) {
    std::string text = whole_kernel("u32", "  v20: ptr[u32] = " + std::string(memory) +
                                               " 0 4 4\n"
                                               "  v21: u32 = load v20\n"
                                               "  store v20, v1\n"
                                               "  store v4, v21\n");
    std::vector<uint32_t> data(3);
    ASSERT_TRUE(run_on(text, data, geometry(3, 1)).ok());
    EXPECT_EQ(data[0], data[1]) << memory;
    EXPECT_EQ(data[0], data[2]) << memory;
    EXPECT_NE(data[0], 0u) << memory;
  }
}

TEST(InterpretGroup, LocalMemoryIsTheCallsOwn_HETX_MEM_1) {
  // Recursive: each call's variable keeps its value while the next call writes its own.
  constexpr std::string_view kText = R"(main(n: i32) -> i32
b0(v0: i32):
  v1: i32 = call 1 v0
  return v1

sum(n: i32) -> i32
b0(v0: i32):
  v1: ptr[i32] = localmemory 0 4 4
  v2: ptr[u8] = localmemory 1 1 1
  v3: ptr[i64] = localmemory 2 8 8
  store v1, v0
  v4: i64 = convert v0
  store v3, v4
  v5: i32 = const 0
  v6: bool = compare le v0, v5
  branch v6, b1, b2
b1():
  return v5
b2():
  v7: i32 = const 1
  v8: i32 = sub v0, v7
  v9: i32 = call 1 v8
  v10: i32 = load v1
  v11: i64 = load v3
  v12: i32 = convert v11
  v13: i32 = add v9, v10
  v14: i32 = add v13, v12
  return v14
)";
  EXPECT_EQ(run<int32_t>(kText, int32_t{10}), 110);
}

TEST(InterpretGroup, ThreadsKeepTheirValuesOverABarrierInACall) {
  constexpr std::string_view kText = R"(k(out: array[i32, 1, contiguous]) -> none
b0(v0: array[i32, 1, contiguous]):
  v1: u32 = threadindex 0
  v2: i64 = convert v1
  v3: i32 = convert v1
  v4: i32 = call 1 v3
  v5: i32 = add v4, v3
  v6: ptr[i32] = element v0, v2
  store v6, v5
  v7: none = none
  return v7

twice(x: i32) -> i32
b0(v0: i32):
  v1: ptr[i32] = localmemory 7 4 4
  v2: i32 = add v0, v0
  store v1, v2
  barrier
  v3: i32 = load v1
  return v3
)";
  std::vector<int32_t> data(5);
  ASSERT_TRUE(run_on(kText, data, geometry(1, 5)).ok());
  EXPECT_EQ(data, (std::vector<int32_t>{0, 3, 6, 9, 12}));
}

TEST(InterpretGroup, BarrierVotes_HETX_BS_1) {
  std::string text = whole_kernel("i32", R"(  v20: i32 = load v4
  v21: i32 = const 0
  v22: bool = compare ne v20, v21
  v23: i32 = barriervote count v22
  v24: bool = barriervote and v22
  v25: bool = barriervote or v22
  v26: i32 = convert v24
  v27: i32 = convert v25
  v28: i32 = const 10
  v29: i32 = const 100
  v30: i32 = mul v26, v28
  v31: i32 = mul v27, v29
  v32: i32 = add v23, v30
  v33: i32 = add v32, v31
  store v4, v33
)");
  std::vector<int32_t> data = {1, 0, 5, 0, 0, 0, 1, 1, 1};
  ASSERT_TRUE(run_on(text, data, geometry(3, 3)).ok());
  EXPECT_EQ(data, (std::vector<int32_t>{102, 102, 102, 0, 0, 0, 113, 113, 113}));
}

TEST(InterpretGroup, ThreadsThatEndedDoNotHoldUpABarrier) {
  std::string text = kernel("i32", R"(  v20: u32 = const 2
  v21: bool = compare lt v1, v20
  branch v21, b1, b2
b1():
  v22: bool = compare eq v1, v1
  v23: i32 = barriervote count v22
  store v4, v23
  jump b2
b2():
)") + std::string(kEnd);
  std::vector<int32_t> data(5);
  ASSERT_TRUE(run_on(text, data, geometry(1, 5)).ok());
  EXPECT_EQ(data, (std::vector<int32_t>{2, 2, 0, 0, 0}));
}

TEST(InterpretGroup, DivergentBarriersAreAnError) {
  std::string text = kernel("i32", R"(  v20: u32 = const 2
  v21: bool = compare lt v1, v20
  branch v21, b1, b2
b1():
  barrier
  jump b3
b2():
  barrier
  jump b3
b3():
)") + std::string(kEnd);
  std::vector<int32_t> data(4);
  Status status = run_on(text, data, geometry(1, 4));
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().text,
            "barrier divergence in block (0, 0, 0): thread (0, 0, 0) waits at a barrier of its "
            "block, thread (2, 0, 0) waits at a barrier of its block, but not the same one");
}

// ---- the grid

TEST(InterpretGrid, BarrierOfAllBlocks_HETX_BS_1) {
  std::string text = whole_kernel("i32", R"(  v20: i32 = convert v3
  store v4, v20
  gridbarrier
  v21: i64 = const 11
  v22: i64 = sub v21, v3
  v23: ptr[i32] = element v0, v22
  v24: i32 = load v23
  gridbarrier
  store v4, v24
)");
  std::vector<int32_t> data(12);
  Status status = run_on(text, data, geometry(4, 3));
  ASSERT_TRUE(status.ok()) << status.error().text;
  for (int32_t i = 0; i < 12; ++i) EXPECT_EQ(data[i], 11 - i);
}

TEST(InterpretGrid, BlocksAtDifferentBarriersAreAnError) {
  std::string text = kernel("i32", R"(  v20: u32 = const 1
  v21: bool = compare lt v5, v20
  branch v21, b1, b2
b1():
  gridbarrier
  jump b3
b2():
  gridbarrier
  jump b3
b3():
)") + std::string(kEnd);
  std::vector<int32_t> data(4);
  Status status = run_on(text, data, geometry(2, 2));
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().text.find("barrier divergence"), std::string::npos);
}

}  // namespace
}  // namespace hetjit::ir
