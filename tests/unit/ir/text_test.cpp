// The text form of the typed graph: what is printed reads back, and any other text gives an error.
#include <gtest/gtest.h>

#include <random>

#include "compiler/ir/build.h"

namespace hetjit::ir {
namespace {

// One of everything the form can say.
constexpr std::string_view kEverything =
    R"(everything(a: array[f32, 2, contiguous, index32], n: i64, "odd\0aname": (i8, (f64,))) -> none
b0(v0: array[f32, 2, contiguous, index32], v1: i64, v2: (i8, (f64,))):
  v3: i8 = extract 0 v2                     7:12-18
  v4: (f64,) = extract 1 v2                 7:12-8:3
  v5: f64 = constf -0.1                     @2 9:0-1
  v6: f32 = constf inf
  v7: f64 = constf nan
  v8: bool = const true
  v9: i8 = const -128
  v10: u64 = const 18446744073709551615
  v11: f64 = math Atan2 v5, v7
  v12: bool = compare le v5, v7
  v13: i64 = extent 1 v0
  v14: ptr[f32] = element v0, v1, v13
  store v14, v6
  v15: u32 = threadindex 2
  v16: () = tuple
  v21: f32 = tableitem (0.5, nan, -inf) v15
  v22: i8 = tableitem (-128, 127) v1
  v23: bool = tableitem (true) v1
  branch v12, b1(v1, v9), b2
b1(v17: i64, v18: i8):
  v19: i64 = call 1 v17
  jump b1(v19, v18)
b2():
  v20: none = none
  return v20

<lambda>(v: i64) -> i64
b0(v0: i64):
  return v0
)";

TEST(IrText, RoundTrip) {
  auto module = parse(kEverything);
  ASSERT_TRUE(module.ok()) << module.error().text;
  EXPECT_TRUE(verify(*module).ok()) << verify(*module).error().text;
  EXPECT_EQ(to_text(*module), kEverything);
  auto bare = parse(to_text(*module, false));
  ASSERT_TRUE(bare.ok());
  EXPECT_EQ(to_text(*bare), to_text(*module, false));
  EXPECT_TRUE(bare->functions[0].spans.empty());
}

TEST(IrText, SpansReadBack) {
  auto module = parse(kEverything);
  ASSERT_TRUE(module.ok());
  const Function& function = module->functions[0];
  auto span = [&](size_t inst) {
    return function.spans[function.blocks[0].insts[inst].where.index];
  };
  EXPECT_EQ(span(0), (Span{0, 7, 12, 7, 18}));
  EXPECT_EQ(span(1), (Span{0, 7, 12, 8, 3}));
  EXPECT_EQ(span(2), (Span{2, 9, 0, 9, 1}));
}

TEST(IrText, BuilderTextAndParsedTextAgree) {
  Function function;
  function.name = "add";
  function.parameter_names = {"a", "b"};
  function.result = scalar_type(Scalar::Int32);
  Builder build(function);
  BlockId entry = build.new_block();
  ValueId a = build.add_param(entry, scalar_type(Scalar::Int32));
  ValueId b = build.add_param(entry, scalar_type(Scalar::Int16));
  build.set_span({0, 3, 4, 3, 9});
  ValueId sum = build.binary<Add>(a, build.convert(b, scalar_type(Scalar::Int32)));
  build.set_span({});
  ValueId less = build.compare(Comparison::Lt, sum, a);
  build.ret(build.select(less, sum, build.const_int(scalar_type(Scalar::Int32), ~0ull)));
  Module module{{function}};
  ASSERT_TRUE(verify(module).ok()) << verify(module).error().text;
  EXPECT_EQ(to_text(module), R"(add(a: i32, b: i16) -> i32
b0(v0: i32, v1: i16):
  v2: i32 = convert v1                      3:4-9
  v3: i32 = add v0, v2                      3:4-9
  v4: bool = compare lt v3, v0
  v5: i32 = const -1
  v6: i32 = select v4, v3, v5
  return v6
)");
}

TEST(IrText, ErrorsNameTheLine) {
  struct Case {
    const char* text;
    const char* says;
  };
  const Case cases[] = {
      {"", "there is no function"},
      {"f() -> none", "has no blocks"},
      {"b0():", "expected a function's first line"},
      {"f() -> none\n  return v0", "line 2, column 3: expected the first block"},
      {"f() -> none\nb1():", "line 2, column 4: blocks are numbered in order"},
      {"f(a: i32) -> none\nb0():", "different numbers of parameters"},
      {"f(a: i32) -> none\nb0(v0: i64):", "parameters of different types"},
      {"f() -> none\nb0():\n  frobnicate v1", "there is no op 'frobnicate'"},
      {"f() -> none\nb0():\n  v0: i8 = const 128", "does not fit its type"},
      {"f() -> none\nb0():\n  v0: u8 = const -1", "expected an integer"},
      {"f() -> none\nb0():\n  v0: f32 = constf 0.1", "not exact in its type"},
      {"f() -> none\nb0():\n  v0: i8 = tableitem (1, 128) v1", "does not fit its type"},
      {"f() -> none\nb0():\n  v0: i8 = tableitem () v1", "expected an integer"},
      {"f() -> none\nb0():\n  v0: i8 = tableitem (1 2) v1", "expected ',' or ')'"},
      {"f() -> none\nb0():\n  v0: i8 = tableitem v1", "expected '(' and the table's numbers"},
      {"f() -> none\nb0():\n  v0: () = tableitem (1) v1", "needs a scalar type"},
      {"f() -> none\nb0():\n  v0: f32 = const 1", "needs an integer type or bool"},
      {"f() -> none\nb0():\n  v0: i8 = const 1\n  v0: i8 = const 1", "v0 is defined twice"},
      {"f() -> none\nb0():\n  v4194304: i8 = const 1", "number of this value is too large"},
      {"f() -> none\nb0():\n  v0: i9 = const 1", "line 3, column 7: expected a type, found 'i9'"},
      {"f() -> none\nb0():\n  return v0 tail", "expected a place"},
      {"f() -> none\nb0():\n  v0: bool = compare maybe v1, v2", "expected a comparison"},
      {"f() -> none\nb0():\n  v0: f32 = math Sine v1", "expected the name of a math function"},
  };
  for (const Case& each : cases) {
    auto module = parse(each.text);
    ASSERT_FALSE(module.ok()) << each.text;
    EXPECT_NE(module.error().text.find(each.says), std::string::npos) << each.text << "\n"
                                                                      << module.error().text;
  }
}

// Damages a good text in every way a byte can be damaged; parse and verify must answer, not fall.
TEST(IrText, DamagedTextIsAnsweredNotSuffered) {
  std::mt19937 random(1);
  auto below = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  size_t parsed = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text(kEverything);
    for (size_t edits = 1 + below(3); edits > 0; --edits) {
      size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, 1 + below(20));
          break;
        case 2:
          text.insert(at, text.substr(below(text.size()), below(30)));
          break;
        default:
          text[at] = "0123456789vb(),:="[below(17)];
          break;
      }
      if (text.empty()) text = "f";
    }
    auto module = parse(text);
    if (!module.ok()) continue;
    ++parsed;
    (void)verify(*module).ok();
    auto again = parse(to_text(*module));
    ASSERT_TRUE(again.ok()) << text << again.error().text;
    EXPECT_EQ(to_text(*again), to_text(*module));
  }
  EXPECT_GT(parsed, 100u);
}

}  // namespace
}  // namespace hetjit::ir
