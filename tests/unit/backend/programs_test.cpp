// Whole kernels on the host against the interpreter: control flow, calls, aggregates in registers
// and in memory, arrays of every order, three-dimensional launches.
#include <gtest/gtest.h>

#include "tests/unit/backend/compiled.h"
#include "tests/unit/ir/run_text.h"

namespace hetjit {
namespace {

/// Runs a kernel on both, each on its own copy of the bytes that `fill` makes; both must agree.
/// `fill` gets the buffer and puts the arguments.
template <class Put>
void expect_same(std::string_view text, size_t bytes, const Geometry& geometry, Put put) {
  ir::Module module = ir::parsed(text);
  ASSERT_FALSE(module.functions.empty());
  std::vector<uint8_t> start(bytes);
  for (size_t i = 0; i < bytes; ++i) start[i] = static_cast<uint8_t>(i * 37 + i / 251);
  std::vector<uint8_t> expected = start, computed = start;
  ir::Arguments for_interpreter(module), for_host(module);
  put(for_interpreter, expected.data());
  put(for_host, computed.data());
  Status status = ir::interpret_kernel(module, for_interpreter.bytes(), geometry);
  ASSERT_TRUE(status.ok()) << status.error().text;
  HostKernel kernel(module);
  ASSERT_TRUE(kernel.ok());
  kernel.run(for_host.bytes(), geometry);
  EXPECT_NE(expected, start) << "the kernel does nothing";
  EXPECT_EQ(expected, computed);
}

ArrayValue array_at(void* data, std::vector<int64_t> shape, std::vector<int64_t> strides) {
  ArrayValue array;
  array.data = data;
  array.rank = static_cast<uint8_t>(shape.size());
  std::copy(shape.begin(), shape.end(), array.shape);
  std::copy(strides.begin(), strides.end(), array.strides);
  return array;
}

// Collatz steps: two loops' worth of phis, and a value swapped with another on the back edge.
constexpr const char* kLoop = R"(steps(out: array[i64, 1]) -> none
b0(v0: array[i64, 1]):
  v1: u32 = threadindex 0
  v2: i64 = convert v1
  v3: i64 = const 0
  v4: i64 = const 1
  v5: i64 = const 2
  v6: i64 = const 3
  jump b1(v2, v3, v4)
b1(v7: i64, v8: i64, v9: i64):
  v10: bool = compare gt v7, v4
  branch v10, b2, b5
b2():
  v11: i64 = mod v7, v5
  v12: bool = compare eq v11, v3
  branch v12, b3, b4
b3():
  v13: i64 = floordiv v7, v5
  v14: i64 = add v9, v4
  jump b1(v13, v14, v8)
b4():
  v15: i64 = mul v7, v6
  v16: i64 = add v15, v4
  v17: i64 = add v9, v4
  jump b1(v16, v17, v8)
b5():
  v18: ptr[i64] = element v0, v2
  v19: i64 = const 1000
  v20: i64 = mul v8, v19
  v21: i64 = add v20, v9
  store v18, v21
  v22: none = none
  return v22
)";

TEST(Programs, LoopsAndSwappedPhis) {
  Geometry geometry{.block = {100, 1, 1}};
  expect_same(kLoop, 800, geometry,
              [](ir::Arguments& to, void* data) { to.put(array_at(data, {100}, {1})); });
}

// Both edges of a branch to one block, with other arguments.
TEST(Programs, BranchToOneBlock) {
  constexpr const char* kText = R"(k(out: array[i32, 1]) -> none
b0(v0: array[i32, 1]):
  v1: u32 = threadindex 0
  v2: i64 = convert v1
  v3: i32 = const 5
  v4: i32 = const -7
  v5: u32 = const 3
  v6: bool = compare lt v1, v5
  branch v6, b1(v3), b1(v4)
b1(v7: i32):
  v8: ptr[i32] = element v0, v2
  store v8, v7
  v9: none = none
  return v9
)";
  Geometry geometry{.block = {8, 1, 1}};
  expect_same(kText, 32, geometry,
              [](ir::Arguments& to, void* data) { to.put(array_at(data, {8}, {1})); });
}

// Tuples as parameters, results, phis and in memory; a callee that asks for its thread; recursion.
constexpr const char* kCalls =
    R"(k(p: (i8, (f64, bool)), out: array[(i64, (f32, i8)), 1]) -> none
b0(v0: (i8, (f64, bool)), v1: array[(i64, (f32, i8)), 1]):
  v2: (i64, (f32, i8)) = call 1 v0
  v3: u32 = threadindex 0
  v4: i64 = convert v3
  v5: ptr[(i64, (f32, i8))] = element v1, v4
  store v5, v2
  v6: none = none
  return v6

g(p: (i8, (f64, bool))) -> (i64, (f32, i8))
b0(v0: (i8, (f64, bool))):
  v1: i8 = extract 0 v0
  v2: (f64, bool) = extract 1 v0
  v3: f64 = extract 0 v2
  v4: bool = extract 1 v2
  v5: u32 = threadindex 0
  v6: i64 = convert v5
  v7: i64 = call 2 v6
  v8: f32 = convert v3
  v9: (f32, i8) = tuple v8, v1
  v10: i8 = const 9
  v11: (f32, i8) = tuple v8, v10
  v12: (f32, i8) = select v4, v9, v11
  v13: (i64, (f32, i8)) = tuple v7, v12
  return v13

fib(n: i64) -> i64
b0(v0: i64):
  v1: i64 = const 2
  v2: bool = compare lt v0, v1
  branch v2, b1, b2
b1():
  return v0
b2():
  v3: i64 = const 1
  v4: i64 = sub v0, v3
  v5: i64 = sub v0, v1
  v6: i64 = call 2 v4
  v7: i64 = call 2 v5
  v8: i64 = add v6, v7
  return v8
)";
TEST(Programs, CallsTuplesAndRecursion) {
  struct Inner {
    double value;
    bool flag;
  };
  struct Outer {
    int8_t small;
    Inner inner;
  };
  for (bool flag : {false, true}) {
    Geometry geometry{.block = {12, 1, 1}};
    expect_same(kCalls, 12 * 16, geometry, [&](ir::Arguments& to, void* data) {
      Outer outer;
      std::memset(&outer, 0, sizeof outer);
      outer.small = -3;
      outer.inner = {2.75, flag};
      to.put(outer).put(array_at(data, {12}, {1}));
    });
  }
}

// Strides of any sign, 32- and 64-bit indices, and a read through extent and stride.
TEST(Programs, StridedArrays) {
  for (const char* facts : {"", ", index32"})
    for (const char* index : {"i64", "u32"}) {
      bool narrow = std::string_view(index) == "u32";
      if (narrow && !*facts) continue;
      std::string array = std::string("array[i16, 2") + facts + "]";
      std::string text = "k(a: " + array + ", out: " + array + ") -> none\nb0(v0: " + array +
                         ", v1: " + array + "):\n";
      text += "  v2: u32 = threadindex 0\n  v3: u32 = threadindex 1\n";
      std::string x = "v2", y = "v3";
      if (!narrow) {
        text += "  v14: i64 = convert v2\n  v15: i64 = convert v3\n";
        x = "v14";
        y = "v15";
      }
      text += "  v4: ptr[i16] = element v0, " + y + ", " + x + "\n  v5: i16 = load v4\n";
      text += "  v6: i64 = extent 1 v0\n  v7: i64 = stride 0 v0\n  v8: i64 = add v6, v7\n";
      text += "  v9: i16 = convert v8\n  v10: i16 = add v5, v9\n";
      text += "  v11: ptr[i16] = element v1, " + y + ", " + x + "\n  store v11, v10\n";
      text += "  v13: none = none\n  return v13\n";
      Geometry geometry{.block = {5, 4, 1}};
      expect_same(text, 400, geometry, [](ir::Arguments& to, void* data) {
        auto* words = static_cast<int16_t*>(data);
        to.put(array_at(words + 57, {4, 5}, {-15, -2}));
        to.put(array_at(words + 100, {4, 5}, {7, 1}));
      });
    }
}

// A contiguous array of three axes, its extents and the strides that follow from them.
TEST(Programs, ContiguousArrays) {
  for (const char* facts : {", contiguous", ", contiguous, index32"}) {
    std::string array = std::string("array[i64, 3") + facts + "]";
    std::string text = "k(a: " + array + ") -> none\nb0(v0: " + array + R"():
  v1: u32 = threadindex 0
  v2: u32 = threadindex 1
  v3: u32 = threadindex 2
  v4: i64 = convert v1
  v5: i64 = convert v2
  v6: i64 = convert v3
  v7: ptr[i64] = element v0, v6, v5, v4
  v8: i64 = stride 0 v0
  v9: i64 = stride 1 v0
  v10: i64 = mul v8, v9
  v11: i64 = load v7
  v12: i64 = add v10, v11
  store v7, v12
  v13: none = none
  return v13
)";
    Geometry geometry{.block = {4, 3, 2}};
    expect_same(text, 8 * 24, geometry, [](ir::Arguments& to, void* data) {
      to.put(array_at(data, {2, 3, 4}, {12, 4, 1}));
    });
  }
}

// Every coordinate, on a grid and in blocks of three dimensions.
TEST(Programs, Coordinates) {
  std::string text = "k(out: array[u32, 1]) -> none\nb0(v0: array[u32, 1]):\n";
  unsigned next = 1;
  auto value = [&](const std::string& what, const std::string& type = "u32") {
    text += "  v" + std::to_string(next) + ": " + type + " = " + what + "\n";
    return "v" + std::to_string(next++);
  };
  std::vector<std::string> index, size, mixed;
  for (const char* axis : {"2", "1", "0"}) {
    index.push_back(value(std::string("blockindex ") + axis));
    size.push_back(value(std::string("griddim ") + axis));
  }
  for (const char* axis : {"2", "1", "0"}) {
    index.push_back(value(std::string("threadindex ") + axis));
    size.push_back(value(std::string("blockdim ") + axis));
  }
  std::string place = value("const 0"), hash = value("const 17"), factor = value("const 31");
  for (size_t i = 0; i < index.size(); ++i) {
    place = value("mul " + place + ", " + size[i]);
    place = value("add " + place + ", " + index[i]);
    hash = value("mul " + hash + ", " + factor);
    hash = value("add " + hash + ", " + size[i]);
    hash = value("mul " + hash + ", " + factor);
    hash = value("add " + hash + ", " + index[i]);
  }
  std::string wide = value("convert " + place, "i64");
  std::string address = value("element v0, " + wide, "ptr[u32]");
  text += "  store " + address + ", " + hash + "\n";
  std::string none = value("none", "none");
  text += "  return " + none + "\n";
  Geometry geometry{.grid = {2, 3, 2}, .block = {3, 2, 2}};
  expect_same(text, 4 * 144, geometry,
              [](ir::Arguments& to, void* data) { to.put(array_at(data, {144}, {1})); });
}

// Vectors, bools and arrays in memory: every byte that a store leaves must be the same.
TEST(Programs, StoresOfEveryKind) {
  const std::string plane = "array[i16, 2, contiguous]";
  const std::string record = "(bool, f32x3, " + plane + ")";
  const std::string parameters = "f32x3, v1: array[" + record + ", 1], v2: " + plane;
  std::string text = "k(v: f32x3, out: array[" + record + ", 1], a: " + plane + ") -> none\n";
  text += "b0(v0: " + parameters + "):\n" + R"(  v3: u32 = threadindex 0
  v4: i64 = convert v3
  v5: ptr[(bool, f32x3, array[i16, 2, contiguous])] = element v1, v4
  v6: f32 = extract 1 v0
  v7: f32 = constf 2.5
  v8: bool = compare lt v6, v7
  v9: none = none
  v10: (bool, f32x3, array[i16, 2, contiguous]) = tuple v8, v0, v2
  store v5, v10
  v11: (bool, f32x3, array[i16, 2, contiguous]) = load v5
  v12: array[i16, 2, contiguous] = extract 2 v11
  v13: i64 = extent 0 v12
  v14: i64 = const 1
  v15: i64 = sub v13, v14
  v16: ptr[i16] = element v12, v15, v14
  v17: i16 = const 77
  store v16, v17
  return v9
)";
  struct Lanes {
    float x, y, z;
  };
  static int16_t target[6];
  Geometry geometry{.block = {2, 1, 1}};
  for (float y : {1.0f, 3.0f}) {
    target[5] = 0;
    expect_same(text, 2 * 64, geometry, [&](ir::Arguments& to, void* data) {
      to.put(Lanes{1, y, 3});
      to.put(array_at(data, {2}, {1}));
      to.put(array_at(target, {3, 2}, {2, 1}));
    });
    EXPECT_EQ(target[5], 77);
  }
}

// A function with a result is lowered with a place to put it.
TEST(Programs, DeviceFunctionWithAResult) {
  ir::Module module = ir::parsed(
      "f(a: i32, b: i32) -> i32\nb0(v0: i32, v1: i32):\n"
      "  v2: i32 = floordiv v0, v1\n  return v2\n");
  HostKernel kernel(module);
  ASSERT_TRUE(kernel.ok());
  struct {
    int32_t a = -7, b = 2;
    int32_t* result;
  } parameters;
  int32_t result = 0;
  parameters.result = &result;
  kernel.run(std::as_bytes(std::span(&parameters, 1)), {});
  EXPECT_EQ(result, -4);
}

}  // namespace
}  // namespace hetjit
