// Threads that wait for one another: shared and local memory, barriers, atomic operations, warps.
#include <algorithm>
#include <limits>
#include <numeric>

#include "tests/unit/ir/run_text.h"

namespace hetjit::ir {
namespace {

Geometry geometry(uint32_t blocks, uint32_t threads, uint32_t shared_bytes = 0) {
  Geometry made;
  made.grid[0] = blocks;
  made.block[0] = threads;
  made.shared_bytes = shared_bytes;
  return made;
}

/// Runs a kernel whose only parameter is a contiguous array.
template <class T>
Status run_on(std::string_view text, std::vector<T>& data, const Geometry& geometry,
              uint64_t max_steps = 1ull << 32) {
  Module module = parsed(text);
  Arguments arguments(module);
  arguments.put(array_of(data, {static_cast<int64_t>(data.size())}));
  return interpret_kernel(module, arguments.bytes(), geometry, max_steps);
}

/// A kernel k(out): `body` may use v1 (thread index, u32), v2 (the same, i64), v3 (the thread's own
/// number in the grid, i64), v4 (address of that element); values from v20 on are its own.
std::string kernel(std::string_view element, std::string_view body) {
  std::string array = "array[" + std::string(element) + ", 1, contiguous]";
  return "k(out: " + array + ") -> none\nb0(v0: " + array +
         "):\n"
         "  v1: u32 = threadindex 0\n"
         "  v2: i64 = convert v1\n"
         "  v5: u32 = blockindex 0\n"
         "  v6: u32 = blockdim 0\n"
         "  v7: u32 = mul v5, v6\n"
         "  v8: u32 = add v7, v1\n"
         "  v3: i64 = convert v8\n"
         "  v4: ptr[" +
         std::string(element) + "] = element v0, v3\n" + std::string(body);
}
constexpr std::string_view kEnd = "  v99: none = none\n  return v99\n";
std::string whole_kernel(std::string_view element, std::string_view body) {
  return kernel(element, body) + std::string(kEnd);
}

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

// ---- atomic operations

template <class T>
struct Update {
  const char* operation;
  T before, operand, after;
};

template <class T>
void expect_updates(const char* type, std::initializer_list<Update<T>> updates) {
  for (const Update<T>& update : updates) {
    std::string text = "f(p: ptr[" + std::string(type) + "], x: " + type + ") -> " + type +
                       "\nb0(v0: ptr[" + type + "], v1: " + type + "):\n  v2: " + type +
                       " = atomicupdate " + update.operation +
                       " seq_cst system v0, v1\n  return v2\n";
    T place = update.before;
    T old = run<T>(text, &place, update.operand);
    EXPECT_EQ(std::memcmp(&old, &update.before, sizeof old), 0) << type << update.operation;
    EXPECT_EQ(std::memcmp(&place, &update.after, sizeof place), 0)
        << type << " " << update.operation << ": " << +place << ", expected " << +update.after;
  }
}

TEST(InterpretAtomic, UpdatesOfIntegers_HETX_AT_2) {
  expect_updates<int32_t>("i32", {{"exch", 1, 2, 2},
                                  {"add", INT32_MAX, 1, INT32_MIN},
                                  {"sub", INT32_MIN, 1, INT32_MAX},
                                  {"and", 6, 3, 2},
                                  {"or", 6, 3, 7},
                                  {"xor", 6, 3, 5},
                                  {"max", -1, 1, 1},
                                  {"min", -1, 1, -1},
                                  {"nanmax", -1, 1, 1},
                                  {"nanmin", -1, 1, -1}});
  expect_updates<uint64_t>("u64", {{"max", 1, UINT64_MAX, UINT64_MAX},
                                   {"min", 1, UINT64_MAX, 1},
                                   {"sub", 0, 1, UINT64_MAX}});
  expect_updates<int8_t>("i8", {{"add", 127, 1, -128}, {"min", 3, -3, -3}});
}

TEST(InterpretAtomic, UpdatesOfFloats_HETX_AT_2) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect_updates<float>("f32", {{"exch", nan, 2, 2},
                                {"add", 1.5f, 2, 3.5f},
                                {"sub", 1.5f, 2, -0.5f},
                                {"max", 1, 2, 2},
                                {"max", nan, 2, nan},
                                {"max", 2, nan, nan},
                                {"min", 1, 2, 1},
                                {"min", nan, 2, nan},
                                {"nanmax", nan, 2, 2},
                                {"nanmax", 2, nan, 2},
                                {"nanmin", nan, 2, 2},
                                {"nanmin", 1, 2, 1},
                                {"max", 0.0f, -0.0f, 0.0f},
                                {"max", -0.0f, 0.0f, -0.0f}});
  expect_updates<double>("f64", {{"add", 0.1, 0.2, 0.1 + 0.2}, {"nanmin", 3, -1, -1}});
}

TEST(InterpretAtomic, CompareExchangeLoadStore_HETX_AT_2) {
  constexpr std::string_view kText = R"(f(p: ptr[i16], x: i16, y: i16) -> i16
b0(v0: ptr[i16], v1: i16, v2: i16):
  v3: i16 = atomiccas acquire block v0, v1, v2
  return v3
)";
  int16_t place = 5;
  EXPECT_EQ(run<int16_t>(kText, &place, int16_t{4}, int16_t{9}), 5);
  EXPECT_EQ(place, 5);
  EXPECT_EQ(run<int16_t>(kText, &place, int16_t{5}, int16_t{9}), 5);
  EXPECT_EQ(place, 9);
  constexpr std::string_view kMove = R"(f(p: ptr[f32x4], q: ptr[f32x4]) -> none
b0(v0: ptr[f32x4], v1: ptr[f32x4]):
  v2: f32x4 = atomicload acquire device v0
  fence seq_cst system
  atomicstore release device v1, v2
  v3: none = none
  return v3
)";
  alignas(16) float from[4] = {1, 2, 3, 4}, to[4] = {};
  Module module = parsed(kMove);
  Arguments arguments(module);
  arguments.put(&from[0]).put(&to[0]);
  ASSERT_TRUE(interpret_function(module, arguments.bytes()).ok());
  EXPECT_TRUE(std::equal(from, from + 4, to));
}

// out[0] is a lock, out[1] counts what it guards; threads of all blocks take it by turns.
constexpr std::string_view kLock = R"(k(out: array[i32, 1, contiguous]) -> none
b0(v0: array[i32, 1, contiguous]):
  v1: i64 = const 0
  v2: i64 = const 1
  v3: ptr[i32] = element v0, v1
  v4: ptr[i32] = element v0, v2
  v5: i32 = const 0
  v6: i32 = const 1
  jump b1
b1():
  v7: i32 = atomiccas acquire device v3, v5, v6
  v8: bool = compare eq v7, v5
  branch v8, b2, b1
b2():
  v9: i32 = load v4
  barrier_place
  v10: i32 = add v9, v6
  store v4, v10
  v11: i32 = atomicupdate exch release device v3, v5
  v12: none = none
  return v12
)";

TEST(InterpretAtomic, ALockLetsEveryThreadIn_HET_ATM_6) {
  // With a pause while the lock is held, others find it taken and spin.
  for (const char* place : {"", "pause"}) {
    std::string text(kLock);
    text.replace(text.find("barrier_place"), 13, place);
    if (!*place) text.erase(text.find("  \n"), 3);
    std::vector<int32_t> data(2);
    Status status = run_on(text, data, geometry(3, 40), 1u << 20);
    ASSERT_TRUE(status.ok()) << status.error().text;
    EXPECT_EQ(data, (std::vector<int32_t>{0, 120}));
  }
}

// The first block waits for what the last one writes.
TEST(InterpretAtomic, BlocksMayWaitForLaterOnes_HETX_AT_3) {
  std::string text = kernel("i32", R"(  v20: i64 = const 5
  v21: ptr[i32] = element v0, v20
  v22: i64 = const 0
  v23: bool = compare eq v3, v22
  branch v23, b1, b3
b1():
  v24: i32 = atomicload acquire device v21
  v25: i32 = const 0
  v26: bool = compare eq v24, v25
  branch v26, b2, b4
b2():
  pause
  jump b1
b3():
  v27: i32 = convert v3
  atomicstore release device v4, v27
  jump b4
b4():
)") + std::string(kEnd);
  std::vector<int32_t> data(6);
  Status status = run_on(text, data, geometry(6, 1), 1u << 20);
  ASSERT_TRUE(status.ok()) << status.error().text;
  EXPECT_EQ(data, (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
  // Nobody writes it: the limit ends the wait.
  data.assign(6, 0);
  status = run_on(text, data, geometry(5, 1), 1000);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().text.find("1000 instructions"), std::string::npos);
}

// ---- warps

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

TEST(InterpretWarp, MasksOf64BitsMakeWarpsOf64_HETX_WS_1) {
  std::string text = whole_kernel("u64", R"(  v20: u64 = activemask
  v21: u32 = laneindex
  v22: u64 = convert v21
  v23: u64 = xor v20, v22
  store v4, v23
)");
  std::vector<uint64_t> data(70);
  ASSERT_TRUE(run_on(text, data, geometry(1, 70)).ok());
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
