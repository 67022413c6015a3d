// Kernels and functions written by hand, run by the interpreter.
#include <cmath>

#include "tests/unit/ir/run_text.h"

namespace hetjit::ir {
namespace {

constexpr std::string_view kSaxpy =
    R"(saxpy(a: f32, x: array[f32, 1], y: array[f32, 1, contiguous]) -> none
b0(v0: f32, v1: array[f32, 1], v2: array[f32, 1, contiguous]):
  v3: u32 = blockindex 0
  v4: u32 = blockdim 0
  v5: u32 = mul v3, v4
  v6: u32 = threadindex 0
  v7: u32 = add v5, v6
  v8: i64 = convert v7
  v9: i64 = extent 0 v1
  v10: bool = compare ge v8, v9
  branch v10, b1, b2
b1():
  v11: none = none
  return v11
b2():
  v12: ptr[f32] = element v1, v8
  v13: f32 = load v12
  v14: f32 = mul v0, v13
  v15: ptr[f32] = element v2, v8
  v16: f32 = load v15
  v17: f32 = add v14, v16
  store v15, v17
  jump b1
)";

TEST(Interpret, SaxpyWithAStridedArray) {
  Module module = parsed(kSaxpy);
  std::vector<float> x(20), y(10, 1);
  for (size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  ArrayValue every_second = array_of(x, {10});
  every_second.strides[0] = 2;
  Arguments arguments(module);
  arguments.put(2.0f).put(every_second).put(array_of(y, {10}));
  Geometry geometry;
  geometry.grid[0] = 3;
  geometry.block[0] = 4;  // 12 threads for 10 elements
  ASSERT_TRUE(interpret_kernel(module, arguments.bytes(), geometry).ok());
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(y[i], 2 * x[2 * i] + 1);
}

// Sums a 2-d array's rows in a nested loop, with a break-like second exit.
constexpr std::string_view kRows =
    R"(rows(a: array[i32, 2, contiguous, index32], out: array[i64, 1]) -> none
b0(v0: array[i32, 2, contiguous, index32], v1: array[i64, 1]):
  v2: i32 = const 0
  v3: i64 = extent 0 v0
  v4: i64 = extent 1 v0
  v5: i32 = convert v3
  v6: i32 = convert v4
  v7: i32 = const 1
  v8: i64 = const 0
  jump b1(v2)
b1(v9: i32):
  v10: bool = compare lt v9, v5
  branch v10, b2(v2, v8), b5
b2(v11: i32, v12: i64):
  v13: bool = compare lt v11, v6
  branch v13, b3, b4(v12)
b3():
  v14: ptr[i32] = element v0, v9, v11
  v15: i32 = load v14
  v16: i64 = convert v15
  v17: i64 = add v12, v16
  v18: i32 = add v11, v7
  v19: bool = compare lt v15, v2
  branch v19, b4(v17), b2(v18, v17)
b4(v20: i64):
  v21: i64 = convert v9
  v22: ptr[i64] = element v1, v21
  store v22, v20
  v23: i32 = add v9, v7
  jump b1(v23)
b5():
  v24: none = none
  return v24
)";

TEST(Interpret, NestedLoops) {
  Module module = parsed(kRows);
  std::vector<int32_t> a = {1, 2, 3, 4, -5, 6, 7, 8, 9};
  std::vector<int64_t> out(3);
  Arguments arguments(module);
  arguments.put(array_of(a, {3, 3})).put(array_of(out, {3}));
  ASSERT_TRUE(interpret_kernel(module, arguments.bytes(), {}).ok());
  EXPECT_EQ(out, (std::vector<int64_t>{6, -1, 24}));
}

TEST(Interpret, EdgesMoveAllArgumentsAtOnce) {
  // Fibonacci swaps: (a, b) -> (b, a + b), then rotates three values.
  constexpr std::string_view kText = R"(fib(n: i32) -> i64
b0(v0: i32):
  v1: i64 = const 0
  v2: i64 = const 1
  jump b1(v0, v1, v2)
b1(v3: i32, v4: i64, v5: i64):
  v6: i32 = const 0
  v7: bool = compare gt v3, v6
  branch v7, b2, b3
b2():
  v8: i32 = const 1
  v9: i32 = sub v3, v8
  v10: i64 = add v4, v5
  jump b1(v9, v5, v10)
b3():
  return v4
)";
  EXPECT_EQ(run<int64_t>(kText, int32_t{0}), 0);
  EXPECT_EQ(run<int64_t>(kText, int32_t{10}), 55);
  EXPECT_EQ(run<int64_t>(kText, int32_t{90}), 2880067194370816120);
  constexpr std::string_view kSwap = R"(swap(n: i32) -> (i32, i32)
b0(v0: i32):
  v1: i32 = const 1
  v2: i32 = const 2
  v3: (i32, i32) = tuple v1, v2
  jump b1(v0, v3)
b1(v4: i32, v5: (i32, i32)):
  v6: i32 = extract 0 v5
  v7: i32 = extract 1 v5
  v8: i32 = const 1
  v9: i32 = sub v4, v8
  v10: (i32, i32) = tuple v7, v6
  v11: bool = compare gt v4, v8
  branch v11, b1(v9, v10), b2
b2():
  return v10
)";
  struct Pair {
    int32_t a, b;
  };
  EXPECT_EQ(run<Pair>(kSwap, int32_t{1}).a, 2);
  EXPECT_EQ(run<Pair>(kSwap, int32_t{2}).a, 1);
  EXPECT_EQ(run<Pair>(kSwap, int32_t{3}).b, 1);
}

TEST(Interpret, CallsAndRecursion) {
  constexpr std::string_view kText = R"(main(n: i32) -> i32
b0(v0: i32):
  v1: i32 = call 1 v0
  return v1

factorial(n: i32) -> i32
b0(v0: i32):
  v1: i32 = const 1
  v2: bool = compare le v0, v1
  branch v2, b1, b2
b1():
  return v1
b2():
  v3: i32 = sub v0, v1
  v4: i32 = call 1 v3
  v5: i32 = mul v0, v4
  return v5
)";
  EXPECT_EQ(run<int32_t>(kText, int32_t{10}), 3628800);
  EXPECT_EQ(run<int32_t>(kText, int32_t{1000}), 0);  // wraps to zero long before
}

TEST(Interpret, EndlessRecursionIsAnError) {
  Module module = parsed(R"(f() -> i32
b0():
  v0: i32 = call 0
  return v0
)");
  auto result = interpret_function(module, {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::Invalid);
  EXPECT_NE(result.error().text.find("nest too deeply"), std::string::npos);
}

TEST(Interpret, EndlessLoopIsAnError) {
  Module module = parsed(R"(f() -> none
b0():
  jump b1
b1():
  jump b1
)");
  Status status = interpret_kernel(module, {}, {}, 32, 1000);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code, ErrorCode::Invalid);
  EXPECT_NE(status.error().text.find("1000 instructions"), std::string::npos);
}

TEST(Interpret, UnreachableIsAnError) {
  EXPECT_FALSE(interpret_kernel(parsed("f() -> none\nb0():\n  unreachable\n"), {}, {}).ok());
}

TEST(Interpret, ShortParameterBlockIsAnError) {
  Status status = interpret_kernel(parsed(kSaxpy), std::vector<std::byte>(8), {});
  ASSERT_FALSE(status.ok());
  EXPECT_NE(status.error().text.find("8 bytes instead of"), std::string::npos);
}

TEST(Interpret, BrokenModuleIsAnError) {
  auto module = parse("f() -> i32\nb0():\n  return v7\n");
  ASSERT_TRUE(module.ok());
  EXPECT_FALSE(interpret_function(*module, {}).ok());
}

// In the typed graph.
TEST(Interpret, EveryThreadOfTheGeometryRunsOnce_HETX_TP_1_HETX_TP_2) {
  Module module = parsed(R"(mark(a: array[i32, 6, contiguous]) -> none
b0(v0: array[i32, 6, contiguous]):
  v1: u32 = blockindex 2
  v2: u32 = blockindex 1
  v3: u32 = blockindex 0
  v4: u32 = threadindex 2
  v5: u32 = threadindex 1
  v6: u32 = threadindex 0
  v7: u64 = convert v1
  v8: u64 = convert v2
  v9: u64 = convert v3
  v10: u64 = convert v4
  v11: u64 = convert v5
  v12: u64 = convert v6
  v13: ptr[i32] = element v0, v7, v8, v9, v10, v11, v12
  v14: i32 = load v13
  v15: i64 = extent 5 v0
  v16: u32 = blockdim 0
  v17: u32 = griddim 2
  v18: u32 = add v16, v17
  v19: i32 = convert v18
  v20: i32 = add v14, v19
  store v13, v20
  v21: none = none
  return v21
)");
  std::vector<int32_t> marks(2 * 3 * 4 * 2 * 1 * 5);
  Arguments arguments(module);
  arguments.put(array_of(marks, {2, 3, 4, 2, 1, 5}));
  Geometry geometry{{4, 3, 2}, {5, 1, 2}, 0};
  ASSERT_TRUE(interpret_kernel(module, arguments.bytes(), geometry).ok());
  for (int32_t mark : marks) EXPECT_EQ(mark, 5 + 2);
}

TEST(Interpret, StridesFollowTheKindOfArray) {
  constexpr std::string_view kText = R"(f(a: array[i8, 3, KIND]) -> (i64, i64, i64)
b0(v0: array[i8, 3, KIND]):
  v1: i64 = stride 0 v0
  v2: i64 = stride 1 v0
  v3: i64 = stride 2 v0
  v4: (i64, i64, i64) = tuple v1, v2, v3
  return v4
)";
  auto strides = [&](std::string_view kind) {
    std::string text(kText);
    for (size_t at; (at = text.find("KIND")) != std::string::npos;) text.replace(at, 4, kind);
    std::vector<int8_t> data(1);
    ArrayValue array = array_of(data, {5, 7, 3});
    array.strides[0] = 100;
    array.strides[1] = -10;
    array.strides[2] = 1000;
    return run<std::array<int64_t, 3>>(text, array);
  };
  EXPECT_EQ(strides("readonly"), (std::array<int64_t, 3>{100, -10, 1000}));
  EXPECT_EQ(strides("contiguous"), (std::array<int64_t, 3>{21, 3, 1}));
}

TEST(Interpret, AggregatesInMemory) {
  // A tuple with padding, and a vector, through arrays; rank 0 besides.
  Module module = parsed(R"(f(a: array[(i8, f64), 0], b: array[f32x3, 1]) -> none
b0(v0: array[(i8, f64), 0], v1: array[f32x3, 1]):
  v2: ptr[(i8, f64)] = element v0
  v3: (i8, f64) = load v2
  v4: i8 = extract 0 v3
  v5: f64 = extract 1 v3
  v6: f64 = convert v4
  v7: f64 = add v5, v6
  v8: (i8, f64) = tuple v4, v7
  v9: bool = const true
  v10: (i8, f64) = select v9, v8, v3
  store v2, v10
  v11: i64 = const 1
  v12: ptr[f32x3] = element v1, v11
  v13: f32x3 = load v12
  v14: i64 = const 0
  v15: ptr[f32x3] = element v1, v14
  store v15, v13
  v16: none = none
  return v16
)");
  struct Record {
    int8_t a;
    double b;
  };
  std::vector<Record> record = {{-3, 10}};
  std::vector<std::array<float, 3>> vectors = {{1, 2, 3}, {4, 5, 6}};
  Arguments arguments(module);
  arguments.put(array_of(record, {})).put(array_of(vectors, {2}));
  ASSERT_TRUE(interpret_kernel(module, arguments.bytes(), {}).ok());
  EXPECT_EQ(record[0].a, -3);
  EXPECT_EQ(record[0].b, 7);
  EXPECT_EQ(vectors[0], (std::array<float, 3>{4, 5, 6}));
}

TEST(Interpret, FieldsOfStructsInMemory_HET_STR_7) {
  Module module = parsed(R"(f(a: array[struct S {p: f32x3, t: (i8, f64)}, 0]) -> none
b0(v0: array[struct S {p: f32x3, t: (i8, f64)}, 0]):
  v1: ptr[struct S {p: f32x3, t: (i8, f64)}] = element v0
  v2: ptr[f32x3] = field 0 v1
  v3: ptr[f32] = field 2 v2
  v4: f32 = load v3
  v5: f32x3 = tuple v4, v4, v4
  store v2, v5
  v6: ptr[(i8, f64)] = field 1 v1
  v7: ptr[f64] = field 1 v6
  v8: f64 = convert v4
  store v7, v8
  v9: none = none
  return v9
)");
  struct Inner {
    int8_t a;
    double b;
  };
  struct Record {
    std::array<float, 3> p;
    Inner t;
  };
  std::vector<Record> record = {{{1, 2, 3}, {4, 5}}};
  Arguments arguments(module);
  arguments.put(array_of(record, {}));
  ASSERT_TRUE(interpret_kernel(module, arguments.bytes(), {}).ok());
  EXPECT_EQ(record[0].p, (std::array<float, 3>{3, 3, 3}));
  EXPECT_EQ(record[0].t.a, 4);
  EXPECT_EQ(record[0].t.b, 3);
}

TEST(Interpret, SmallIndicesAreSignExtended) {
  constexpr std::string_view kText = R"(f(a: array[i16, 1, contiguous, index32], i: i32) -> i16
b0(v0: array[i16, 1, contiguous, index32], v1: i32):
  v2: ptr[i16] = element v0, v1
  v3: i16 = load v2
  return v3
)";
  std::vector<int16_t> data = {10, 20, 30};
  ArrayValue array = array_of(data, {2});
  array.data = data.data() + 1;
  EXPECT_EQ(run<int16_t>(kText, array, int32_t{1}), 30);
  EXPECT_EQ(run<int16_t>(kText, array, int32_t{-1}), 10);  // not wrapped: as it is
}

}  // namespace
}  // namespace hetjit::ir
