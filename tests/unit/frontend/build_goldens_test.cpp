// Graphs that were checked by hand. Behaviour must agree in all versions
// (build_behaviour_test.cpp); shape need not, so each row says for which versions it holds.
#include <gtest/gtest.h>

#include "build_samples.h"
#include "frontend/ssa/ssa_text.h"

namespace hetjit {
namespace {

struct Golden {
  const char *what, *function;
  size_t first, last;  // indices into kVersions
  const char* graph;
};

constexpr Golden kGoldens[] = {
    {"A straight line", "intmath", 0, 4, R"(
b0(v0:a):
  v1 = const 2
  v2 = binary // v0, v1
  v3 = const 3
  v4 = binary % v0, v3
  v5 = binary + v2, v4
  v6 = const 1
  v7 = binary >> v0, v6
  v8 = binary + v5, v7
  v9 = const 2
  v10 = binary ** v0, v9
  v11 = binary + v8, v10
  v12 = name divmod
  v13 = const 3
  v14 = call v12(v0, v13)
  v15 = const 0
  v16 = getitem v14, v15
  v17 = binary + v11, v16
  return v17
)"},
    {"if, elif, else", "ifelif", 1, 4, R"(
b0(v0:a):
  v1 = const 1
  v2 = compare > v0, v1
  branch v2 b1() b2()
b1():
  v3 = const 1
  jump b5(v3)
b2():
  v4 = const 0
  v5 = compare > v0, v4
  branch v5 b3() b4()
b3():
  v6 = const 2
  jump b5(v6)
b4():
  v7 = const 3
  jump b5(v7)
b5(v8:x):
  return v8
)"},
    {"A local that joins", "ifelif", 0, 0, R"(
b0(v0:a):
  v1 = const 1
  v2 = compare > v0, v1
  branch v2 b1() b2()
b1():
  v3 = const 1
  jump b5(v3)
b2():
  v4 = const 0
  v5 = compare > v0, v4
  branch v5 b3() b4()
b3():
  v6 = const 2
  jump b5(v6)
b4():
  v7 = const 3
  jump b5(v7)
b5(v8:x):
  return v8
)"},
    {"An operand that joins on the stack: the ternary", "multi_if", 1, 4, R"(
b0(v0:a, v1:b, v2:c):
  branch v2 b1() b2()
b1():
  v3 = binary + v0, v1
  jump b3(v3)
b2():
  v4 = binary - v0, v1
  jump b3(v4)
b3(v5):
  branch v0 b4() b5()
b4():
  v6 = const 1
  v7 = binary * v5, v6
  return v7
b5():
  v8 = const 2
  v9 = binary * v5, v8
  return v9
)"},
    {"while with break, continue and else: a test that is repeated below is read once",
     "while_loop", 0, 0, R"(
b0(v0:n):
  v1 = const 0
  jump b1(v1)
b1(v2:i):
  v3 = compare < v2, v0
  branch v3 b2() b6()
b2():
  v4 = const 1
  v5 = binary += v2, v4
  v6 = const 3
  v7 = compare == v5, v6
  branch v7 b3() b4()
b3():
  jump b1(v5)
b4():
  v8 = const 7
  v9 = compare > v5, v8
  branch v9 b5() b1(v5)
b5():
  jump b7(v5)
b6():
  v10 = const -1
  jump b7(v10)
b7(v11:i):
  return v11
)"},
    {"… and where control goes back to it", "while_loop", 3, 4, R"(
b0(v0:n):
  v1 = const 0
  jump b1(v1)
b1(v2:i):
  v3 = compare < v2, v0
  branch v3 b2() b6()
b2():
  v4 = const 1
  v5 = binary += v2, v4
  v6 = const 3
  v7 = compare == v5, v6
  branch v7 b3() b4()
b3():
  jump b1(v5)
b4():
  v8 = const 7
  v9 = compare > v5, v8
  branch v9 b7(v5) b5()
b5():
  jump b1(v5)
b6():
  v10 = const -1
  jump b7(v10)
b7(v11:i):
  return v11
)"},
    {"A loop that begins the function: the entry stays free", "while_true", 1, 4, R"(
b0(v0:n):
  jump b1(v0)
b1(v1:n):
  v2 = const 1
  v3 = binary -= v1, v2
  v4 = const 0
  v5 = compare < v3, v4
  branch v5 b2() b3()
b2():
  return v3
b3():
  jump b1(v3)
)"},
    {"for with continue, break and else; stores rebind", "for_range3", 0, 4, R"(
b0(v0:a, v1:n):
  v2 = name range
  v3 = const 0
  v4 = const 2
  v5 = call v2(v3, v1, v4)
  v6 = iter v5
  v7 = iterstart v6
  jump b1(v7, v0)
b1(v8, v9:a):
  v10 = iterhas v6, v8
  branch v10 b2() b7()
b2():
  v11 = iteritem v6, v8
  v12 = iternext v6, v8
  v13 = getitem v9, v11
  v14 = const 0
  v15 = compare < v13, v14
  branch v15 b3() b4()
b3():
  jump b1(v12, v9)
b4():
  v16 = getitem v9, v11
  v17 = const 9
  v18 = compare > v16, v17
  branch v18 b5() b6()
b5():
  v19 = const None
  return v19
b6():
  v20 = const 0
  v21 = setitem v9, v11, v20 local a
  jump b1(v12, v21)
b7():
  v22 = const 1
  v23 = const 0
  v24 = setitem v9, v23, v22 local a
  v25 = const None
  return v25
)"},
    {"return inside for", "for_return", 0, 4, R"(
b0(v0:a, v1:n):
  v2 = name range
  v3 = call v2(v1)
  v4 = iter v3
  v5 = iterstart v4
  jump b1(v5)
b1(v6):
  v7 = iterhas v4, v6
  branch v7 b2() b5()
b2():
  v8 = iteritem v4, v6
  v9 = iternext v4, v6
  v10 = getitem v0, v8
  v11 = const 0
  v12 = compare > v10, v11
  branch v12 b3() b4()
b3():
  return v8
b4():
  jump b1(v9)
b5():
  v13 = const -1
  return v13
)"},
    {"nested for with break and continue", "nested", 1, 4, R"(
b0(v0:a, v1:n, v2:m):
  v3 = const 0
  v4 = name range
  v5 = call v4(v1)
  v6 = iter v5
  v7 = iterstart v6
  jump b1(v7, v3)
b1(v8, v9:s):
  v10 = iterhas v6, v8
  branch v10 b2() b10(v9)
b2():
  v11 = iteritem v6, v8
  v12 = iternext v6, v8
  v13 = name range
  v14 = call v13(v2)
  v15 = iter v14
  v16 = iterstart v15
  jump b3(v16, v9)
b3(v17, v18:s):
  v19 = iterhas v15, v17
  branch v19 b4() b7()
b4():
  v20 = iteritem v15, v17
  v21 = iternext v15, v17
  v22 = compare == v11, v20
  branch v22 b5() b6()
b5():
  jump b3(v21, v18)
b6():
  v23 = tuple v11, v20
  v24 = getitem v0, v23
  v25 = binary += v18, v24
  jump b3(v21, v25)
b7():
  v26 = const 100
  v27 = compare > v18, v26
  branch v27 b8() b9()
b8():
  jump b10(v18)
b9():
  jump b1(v12, v18)
b10(v28:s):
  return v28
)"},
    {"Chained comparison", "chained", 1, 4, R"(
b0(v0:a, v1:b, v2:c):
  v3 = compare < v0, v1
  branch v3 b1() b3()
b1():
  v4 = compare <= v1, v2
  branch v4 b2() b4()
b2():
  v5 = const 1
  return v5
b3():
  jump b4()
b4():
  v6 = compare < v0, v1
  branch v6 b5() b6()
b5():
  v7 = compare < v1, v2
  return v7
b6():
  return v6
)"},
    {"and, or", "boolops", 0, 4, R"(
b0(v0:a, v1:b, v2:c):
  branch v0 b1() b2()
b1():
  branch v1 b7() b2()
b2():
  branch v2 b3() b7()
b3():
  branch v0 b6(v0) b4()
b4():
  branch v1 b6(v1) b5()
b5():
  jump b6(v2)
b6(v3):
  return v3
b7():
  branch v0 b8() b9(v0)
b8():
  jump b9(v1)
b9(v4):
  return v4
)"},
    {"Walrus", "walrus", 3, 4, R"(
b0(v0:a, v1:n):
  v2 = binary + v0, v1
  v3 = const 3
  v4 = compare > v2, v3
  branch v4 b1() b2(v1, v0)
b1():
  return v2
b2(v5:n, v6:a):
  v7 = const 1
  v8 = binary - v5, v7
  v9 = const 0
  v10 = compare > v8, v9
  branch v10 b3() b4()
b3():
  v11 = binary += v6, v8
  jump b2(v8, v11)
b4():
  return v6
)"},
    {"Packing, unpacking, swapping", "tuples", 0, 4, R"(
b0(v0:a, v1:b, v2:c):
  v3 = tuple v2, v1, v0
  v4 = unpack 0 of 3 v3
  v5 = unpack 1 of 3 v3
  v6 = unpack 2 of 3 v3
  v7 = tuple v2, v1
  v8 = unpack 0 of 2 v7
  v9 = unpack 1 of 2 v7
  v10 = tuple v3, v4, v5, v6, v8, v9, v0, v2, v2
  return v10
)"},
    {"A starred target", "unpack_star", 0, 4, R"(
b0(v0:t):
  v1 = unpackstar 1 to 1 v0
  v2 = const 0
  v3 = getitem v0, v2
  v4 = const -1
  v5 = getitem v0, v4
  v6 = list v1
  v7 = tuple v3, v6, v5
  return v7
)"},
    {"Calls with keywords, of module attributes and builtins", "calls", 0, 4, R"(
b0(v0:f, v1:a, v2:b, v3:n):
  v4 = call v0(v1, v2)
  v5 = call v0(v1, v2, n=v3)
  v6 = const 1
  v7 = call v0(v1, key=v6, b=v2)
  v8 = name math
  v9 = getattr sqrt v8
  v10 = call v9(v4)
  v11 = name abs
  v12 = call v11(v4)
  v13 = name min
  v14 = call v13(v1, v2)
  v15 = binary + v12, v14
  v16 = name float
  v17 = call v16(v3)
  v18 = binary + v15, v17
  v19 = name int
  v20 = call v19(v1)
  v21 = binary + v18, v20
  v22 = name len
  v23 = call v22(v2)
  v24 = binary + v21, v23
  v25 = call v0()
  v26 = tuple v4, v5, v7, v10, v24
  return v26
)"},
    {"A closure captures values", "make_closure", 0, 4, R"(
b0(v0:k, v1:c):
  v2 = const 2
  v3 = cell z v2
  v4 = function 60 c=v1, k=v0, z=v2
  return v4
)"},
    {"Early return; an attribute of a local", "early", 0, 4, R"(
b0(v0:a):
  branch v0 b1() b2()
b1():
  v1 = const None
  return v1
b2():
  v2 = const 1
  v3 = setattr x v0, v2 local a
  v4 = const None
  return v4
)"},
    {"In-place operators on items and attributes", "aug_sub", 0, 4, R"(
b0(v0:a, v1:i, v2:j):
  v3 = getitem v0, v1
  v4 = const 1.0
  v5 = binary += v3, v4
  v6 = setitem v0, v1, v5 local a
  v7 = tuple v1, v2
  v8 = getitem v6, v7
  v9 = const 2
  v10 = binary *= v8, v9
  v11 = setitem v6, v7, v10 local a
  v12 = getattr x v11
  v13 = const 1
  v14 = binary -= v12, v13
  v15 = setattr x v11, v14 local a
  v16 = const None
  return v16
)"},
    {"Possibly unbound", "maybe_unbound", 0, 4, R"(
b0(v0:c):
  v1 = undefined x
  branch v0 b1() b2(v1)
b1():
  v2 = const 1
  jump b2(v2)
b2(v3:x):
  return v3
)"},
};

/// From the first block on, without spans.
std::string blocks_of(const ssa::Function& function) {
  std::string text = ssa::to_text(function, false);
  return text.substr(text.find("\nb0("));
}

TEST(Goldens, GraphsOfTheSamples) {
  for (const Golden& golden : kGoldens)
    for (size_t version = golden.first; version <= golden.last; ++version) {
      const ssa::Module& module = samples(kVersions[version]);
      uint32_t index = find(module, golden.function);
      ASSERT_LT(index, module.functions.size()) << golden.function;
      ASSERT_TRUE(module.functions[index].function.has_value()) << golden.function;
      EXPECT_EQ(blocks_of(*module.functions[index].function), golden.graph)
          << golden.what << ": " << golden.function << ", " << kVersions[version];
    }
}

TEST(Goldens, OperandsKeepTheirColumns) {
  // def kernel(a, b, c, n, alpha): … c[i] = alpha * a[i] + b[i]
  for (const char* version : kVersions) {
    const ssa::Module& module = samples(version);
    const ssa::Function& function = *module.functions[find(module, "kernel")].function;
    std::string text = ssa::to_text(function);
    EXPECT_NE(text.find("  @ 234:15-234:27\n"), std::string::npos) << text;  // alpha * a[i]
    EXPECT_NE(text.find("  @ 234:8-234:12\n"), std::string::npos) << text;   // c[i]
  }
}

}  // namespace
}  // namespace hetjit
