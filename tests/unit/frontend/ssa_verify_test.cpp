#include <gtest/gtest.h>

#include "frontend/ssa/ssa_text.h"
#include "frontend/ssa/verify.h"

namespace hetjit::ssa {
namespace {

Function parsed(const std::string& text) {
  auto function = parse("function f source 0\n" + text);
  EXPECT_TRUE(function.ok()) << function.error().text;
  return function.ok() ? std::move(*function) : Function{};
}

std::string first_problem(const Function& function) {
  auto problems = verify(function);
  return problems.empty() ? "" : problems[0];
}

TEST(SsaVerify, AcceptsALoop) {
  EXPECT_EQ(first_problem(parsed("  parameters n\n  locals n\n"
                                 "b0(v0:n):\n  v1 = const 0\n  jump b1(v1)\n"
                                 "b1(v2):\n  v3 = compare < v2, v0\n  branch v3 b2() b3()\n"
                                 "b2():\n  v4 = binary + v2, v2\n  jump b1(v4)\n"
                                 "b3():\n  return v2\n")),
            "");
}

TEST(SsaVerify, FindsWhatIsWrong) {
  struct Case {
    const char *text, *problem;
  } kCases[] = {
      {"b0():\n  v0 = const 1\n", "b0: does not end with a terminator"},
      {"b0():\n  v0 = const 1\n  return v0\n  return v0\n", "b0: has a terminator inside"},
      {"b0():\nb1():\n", "b0: is empty"},
      {"b0():\n  v0 = const 1\n  v1 = return v0\n",
       "b0: an op with a result must have one, a terminator must not"},
      {"b0():\n  const 1\n  v0 = const 2\n  return v0\n",
       "b0: an op with a result must have one, a terminator must not"},
      {"b0():\n  jump b7()\n", "b0: jumps to a block that does not exist"},
      {"b0():\n  jump b0()\n", "b0: jumps to the entry block"},
      {"b0():\n  v0 = const 1\n  jump b1(v0)\nb1():\n  return v0\n",
       "b0: passes 1 arguments to b1"},
      {"b0():\n  return v0\n", "b0: uses v0, which is not defined"},
      {"b0():\n  v0 = unary - v0\n  return v0\n", "b0: uses v0 where it may not be defined"},
      {"b0():\n  v0 = const 1\n  v0 = const 2\n  return v0\n", "b0: v0 is defined twice"},
      {"b0():\n  v0 = const 1\n  branch v0 b1() b2()\nb1():\n  v1 = const 2\n  jump b2()\n"
       "b2():\n  return v1\n",
       "b2: uses v1 where it may not be defined"},
      {"b0():\n  v0 = const 1\n  return v0\nb1():\n  return v0\n", "b1: cannot be reached"},
      {"  parameters a\nb0():\n  v0 = const 1\n  return v0\n",
       "b0: has another number of parameters than the function"},
      {"b0():\n  v0 = name #4\n  return v0\n", "b0: name index out of range"},
      {"b0():\n  v0 = undefined #4\n  return v0\n", "b0: local index out of range"},
      {"b0():\n  v0 = const 1\n  v1 = unpack 2 of 2 v0\n  return v1\n",
       "b0: unpack index out of range"},
      {"b0():\n  v0 = const 1\n  v1 = call v0(k=*v0)\n  return v1\n",
       "b0: call: only positional arguments can be spread"},
  };
  for (const Case& each : kCases)
    EXPECT_EQ(first_problem(parsed(each.text)), each.problem) << each.text;
}

TEST(SsaVerify, FindsWhatTextCannotSay) {
  EXPECT_EQ(first_problem(Function{}), "there is no entry block");
  Function function = parsed("b0():\n  v0 = const 1\n  return v0\n");
  function.value_count = 0;
  EXPECT_EQ(first_problem(function), "b0: v0 is not below value_count");
  function.value_count = 1;
  EXPECT_EQ(first_problem(function), "");
  function.blocks[0].insts[0].where = {3};
  EXPECT_EQ(first_problem(function), "b0: span index out of range");
}

}  // namespace
}  // namespace hetjit::ssa
