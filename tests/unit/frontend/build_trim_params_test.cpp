#include <gtest/gtest.h>

#include "frontend/build/trim_params.h"
#include "frontend/ssa/ssa_text.h"
#include "frontend/ssa/verify.h"

namespace hetjit::reader {
namespace {

std::string trimmed(const std::string& text) {
  const std::string head = "function f source 0\n  parameters a b\n  locals a b c\n";
  auto function = ssa::parse(head + text);
  EXPECT_TRUE(function.ok()) << function.error().text;
  if (!function.ok()) return "";
  EXPECT_EQ(ssa::verify(*function), std::vector<std::string>());
  trim_params(*function);
  renumber(*function);
  EXPECT_EQ(ssa::verify(*function), std::vector<std::string>());
  return ssa::to_text(*function).substr(head.size());
}

TEST(TrimParams, KeepsWhatJoins) {
  std::string graph =
      "b0(v0:a, v1:b):\n  branch v0 b1() b2()\nb1():\n  jump b3(v0)\nb2():\n  jump b3(v1)\n"
      "b3(v2:c):\n  return v2\n";
  EXPECT_EQ(trimmed(graph), graph);
}

TEST(TrimParams, RemovesWhatIsAlwaysTheSameThroughNestedLoops) {
  EXPECT_EQ(trimmed("b0(v0:a, v1:b):\n  jump b1(v0, v1)\n"
                    "b1(v2:a, v3:b):\n  branch v2 b2(v2, v3) b4()\n"
                    "b2(v4:a, v5:b):\n  branch v4 b3() b1(v4, v5)\n"
                    "b3():\n  v6 = binary + v4, v5\n  jump b2(v4, v6)\n"
                    "b4():\n  return v3\n"),
            "b0(v0:a, v1:b):\n  jump b1(v1)\n"
            "b1(v2:b):\n  branch v0 b2(v2) b4()\n"
            "b2(v3:b):\n  branch v0 b3() b1(v3)\n"
            "b3():\n  v4 = binary + v0, v3\n  jump b2(v4)\n"
            "b4():\n  return v2\n");
}

TEST(TrimParams, RemovesWhatNothingUses) {
  // c is carried round the loop, changed by nobody and read by nobody; then it needs no value.
  EXPECT_EQ(trimmed("b0(v0:a, v1:b):\n  v2 = undefined c\n  jump b1(v2)\n"
                    "b1(v3:c):\n  branch v0 b2() b3()\n"
                    "b2():\n  v4 = const 1\n  jump b1(v4)\n"
                    "b3():\n  return v1\n"),
            "b0(v0:a, v1:b):\n  jump b1()\n"
            "b1():\n  branch v0 b2() b3()\n"
            "b2():\n  v2 = const 1\n  jump b1()\n"
            "b3():\n  return v1\n");
}

TEST(TrimParams, KeepsUndefinedThatReachesAUse) {
  std::string graph =
      "b0(v0:a, v1:b):\n  v2 = undefined c\n  branch v0 b1(v1) b1(v2)\nb1(v3:c):\n  return v3\n";
  EXPECT_EQ(trimmed(graph), graph);
}

TEST(TrimParams, LongChains) {
  std::string text = "b0(v0:a, v1:b):\n  jump b1(v0)\n";
  const int kCount = 3000;
  for (int i = 1; i <= kCount; ++i) {
    std::string self = std::to_string(i), value = "v" + std::to_string(i + 1);
    text += "b" + self + "(" + value + ":a):\n";
    text += i == kCount ? "  return " + value + "\n"
                        : "  branch " + value + " b" + std::to_string(i + 1) + "(" + value + ") b" +
                              std::to_string(i + 1) + "(v0)\n";
  }
  EXPECT_NE(trimmed(text).find("():\n  return v0\n"), std::string::npos);
}

}  // namespace
}  // namespace hetjit::reader
