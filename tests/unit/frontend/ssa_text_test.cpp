#include <gtest/gtest.h>

#include "frontend/ssa/ssa_text.h"
#include "frontend/ssa/verify.h"

namespace hetjit::ssa {
namespace {

// Every op and every detail that the text form has.
constexpr const char* kEverything = R"(function everything source 3
  parameters a b
  locals a b i .0
  name math = module(math)
  name math.sqrt = builtin(math.sqrt)
  name G = 3.0
  name s = "a  @ 1:2-3:4"
b0(v0:a, v1:b):
  v2 = const (1, "x  @ 1:2-3:4", 2.5)
  v3 = const "  @ 1:2-3:4"  @ 4:8-4:15
  v4 = name math.sqrt  @ 4:16-5:2
  v5 = undefined i
  v6 = unary not v0
  v7 = unary - v6
  v8 = binary + v6, v7
  v9 = binary **= v8, v1
  v10 = compare <= v8, v9
  v11 = is v0, v1
  v12 = is not v0, v1
  v13 = contains not v0, v1
  v14 = bool v13
  v15 = getattr shape v0
  v16 = setattr x v0, v1 local a
  v17 = setattr x v15, v1
  v18 = getitem v0, v1
  v19 = setitem v0, v1, v2 local .0
  v20 = setitem v0, v1, v2
  v21 = slice v0, v1, v2
  v22 = tuple
  v23 = tuple v0, v1, v2
  v24 = unpack 1 of 3 v23
  v25 = unpackstar 1 to 1 v23
  v26 = call v4()
  v27 = call v4(v0, *v23, v1, k=v2, key=v3)
  v28 = iter v23
  v29 = iterstart v28
  v30 = function 1
  v31 = function 2 self f v0, v1, k=v2
  v32 = function 2 k=v2
  v39 = ignore v0
  v40 = cell a v0
  v41 = list v23
  jump b1(v29, v0)
b1(v33, v34:i):
  v35 = iterhas v28, v33
  branch v35 b2(v34) b3()
b2(v36:a):
  v37 = iteritem v28, v33
  v38 = iternext v28, v33
  jump b1(v38, v36)
b3():
  branch v0 b4() b5()
b4():
  return v34
b5():
  branch v1 b6() b7()
b6():
  raise
b7():
  raise v26, v3
)";

TEST(SsaText, EverythingRoundTrips) {
  auto function = parse(kEverything);
  ASSERT_TRUE(function.ok()) << function.error().text;
  EXPECT_EQ(to_text(*function), kEverything);
  EXPECT_EQ(verify(*function), std::vector<std::string>());
  EXPECT_EQ(function->source, 3u);
  EXPECT_EQ(function->value_count, 42u);
}

TEST(SsaText, EveryOpIsInTheTestAbove) {
  auto function = parse(kEverything);
  ASSERT_TRUE(function.ok());
  std::vector<bool> seen(std::variant_size_v<AllOps>, false);
  for (const Block& block : function->blocks)
    for (const Inst& inst : block.insts) seen[inst.op.index()] = true;
  for (size_t op = 0; op < seen.size(); ++op) EXPECT_TRUE(seen[op]) << "op number " << op;
}

TEST(SsaText, SpansCanBeLeftOut) {
  auto function = parse("function f source 0\nb0():\n  v0 = const 1  @ 1:2-1:3\n  return v0\n");
  ASSERT_TRUE(function.ok());
  EXPECT_EQ(to_text(*function, false), "function f source 0\nb0():\n  v0 = const 1\n  return v0\n");
  EXPECT_EQ(span_of(*function, function->blocks[0].insts[0].where), (Span{0, 1, 2, 1, 3}));
  EXPECT_FALSE(span_of(*function, function->blocks[0].insts[1].where).known());
}

TEST(SsaText, CallDetailsAreRead) {
  auto function = parse(kEverything);
  ASSERT_TRUE(function.ok());
  const auto& call = std::get<Call>(function->blocks[0].insts[25].op);
  EXPECT_EQ(call.in.size(), 6u);
  EXPECT_EQ(call.keywords, (std::vector<std::string>{"k", "key"}));
  EXPECT_EQ(call.spread, std::vector<uint32_t>{2});
  const auto& made = std::get<MakeFunction>(function->blocks[0].insts[29].op);
  EXPECT_EQ(made.default_count, 2u);
  EXPECT_EQ(made.captures, std::vector<std::string>{"k"});
  EXPECT_EQ(made.self, "f");
}

TEST(SsaText, BadLinesAreNamed) {
  const char* kBad[] = {
      "",
      "nonsense",
      "b1():\n",
      "function f source 0\n  return v0\n",
      "b0():\n  v0 = nonsense v1\n",
      "b0():\n  v0 = const\n",
      "b0():\n  v0 = const 1 2\n",
      "b0():\n  v0 = compare <> v1, v2\n",
      "b0():\n  v0 = compare < v1\n",
      "b0():\n  v0 = compare < v1, v2, v3\n",
      "b0():\n  v0 = name missing\n",
      "b0():\n  v0 = undefined x\n",
      "b0():\n  v0 = call v1(k=v2, v3)\n",
      "b0():\n  v0 = call v1(\n",
      "b0():\n  v99999999 = const 1\n",
      "b0():\n  jump b1(v0\n",
      "b0():\n  return x0\n",
      "b0(v0:nobody):\n",
      "function f source 0\n  name x = nothing(\nb0():\n",
  };
  for (const char* text : kBad) {
    auto function = parse(text);
    ASSERT_FALSE(function.ok()) << text;
    EXPECT_EQ(function.error().code, ErrorCode::Invalid);
  }
  auto function = parse("b0():\n  v0 = nonsense\n");
  EXPECT_NE(function.error().text.find("line 2"), std::string::npos) << function.error().text;
}

}  // namespace
}  // namespace hetjit::ssa
