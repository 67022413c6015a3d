// Atomic operations, and threads that wait for what others write.
#include <algorithm>
#include <limits>

#include "tests/unit/ir/run_grid.h"

namespace hetjit::ir {
namespace {

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
    Status status = run_on(text, data, geometry(3, 40), 32, 1u << 20);
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
  Status status = run_on(text, data, geometry(6, 1), 32, 1u << 20);
  ASSERT_TRUE(status.ok()) << status.error().text;
  EXPECT_EQ(data, (std::vector<int32_t>{0, 1, 2, 3, 4, 5}));
  // Nobody writes it: the limit ends the wait.
  data.assign(6, 0);
  status = run_on(text, data, geometry(5, 1), 32, 1000);
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().text.find("1000 instructions"), std::string::npos);
}

}  // namespace
}  // namespace hetjit::ir
