#include <gtest/gtest.h>

#include "frontend/build/captures.h"
#include "frontend/ssa/ssa_text.h"

namespace hetjit::reader {
namespace {

constexpr const char* kHead = "function f source 0\n  parameters k n\n  locals k n g\n";

/// Settles `text` with assignments (block, before which instruction, local, value) and gives the
/// graph, or the first message.
std::string settled(const std::string& text, std::vector<CellStore> stores) {
  auto function = ssa::parse(kHead + text);
  EXPECT_TRUE(function.ok()) << function.error().text;
  if (!function.ok()) return "";
  Diagnostics diags;
  bool fine = settle_captures(*function, stores, diags);
  EXPECT_EQ(fine, diags.empty());
  return fine ? ssa::to_text(*function).substr(std::string(kHead).size()) : diags.all()[0].message;
}

const std::string kChanges = "'k' gets another value while a function that uses it is still in use";

TEST(Captures, AssignedBeforeOrNeverAgainIsFine) {
  std::string graph =
      "b0(v0:k, v1:n):\n"
      "  v2 = const 1\n"
      "  v3 = function 1 k=v2\n"
      "  v4 = call v3()\n"
      "  return v4\n";
  EXPECT_EQ(settled(graph, {}), graph);
  EXPECT_EQ(settled(graph, {{0, 1, 0, {2}, {}}}), graph);
  // After its last use, too: the result of the call is a plain value.
  EXPECT_EQ(settled(graph, {{0, 3, 0, {2}, {}}}), graph);
  // Another variable.
  EXPECT_EQ(settled(graph, {{0, 2, 1, {2}, {}}}), graph);
}

TEST(Captures, AssignedBetweenMakingAndUsingIsRefused) {
  std::string graph =
      "b0(v0:k, v1:n):\n"
      "  v2 = function 1 k=v0\n"
      "  v3 = const 1\n"
      "  v4 = call v2()\n"
      "  return v4\n";
  EXPECT_EQ(settled(graph, {{0, 2, 0, {3}, {}}}), kChanges);
}

TEST(Captures, EscapingCountsAsUse) {
  std::string returned = "b0(v0:k, v1:n):\n  v2 = function 1 k=v0\n  v3 = const 1\n  return v2\n";
  EXPECT_EQ(settled(returned, {{0, 2, 0, {3}, {}}}), kChanges);
  std::string in_tuple =
      "b0(v0:k, v1:n):\n  v2 = function 1 k=v0\n  v3 = tuple v2, v2\n  v4 = const 1\n"
      "  v5 = getitem v3, v4\n  return v5\n";
  EXPECT_EQ(settled(in_tuple, {{0, 3, 0, {4}, {}}}), kChanges);
  std::string passed =
      "b0(v0:k, v1:n):\n  v2 = function 1 k=v0\n  v3 = call v1(v2)\n  v4 = call v3()\n"
      "  return v4\n";
  EXPECT_EQ(settled(passed, {{0, 2, 0, {3}, {}}}), kChanges);
}

const std::string kLoop =
    "b0(v0:k, v1:n):\n"
    "  jump b1(v0)\n"
    "b1(v2:k):\n"
    "  branch v2 b2() b3()\n"
    "b2():\n"
    "  v3 = binary - v2, v1\n"
    "  v4 = function 1 k=v3\n"
    "  v5 = call v4()\n"
    "  jump b1(v3)\n"
    "b3():\n"
    "  return v2\n";

TEST(Captures, MadeAnewInEachRoundIsFine) {
  EXPECT_EQ(settled(kLoop, {{2, 1, 0, {3}, {}}}), kLoop);
  EXPECT_EQ(settled(kLoop, {{2, 2, 0, {3}, {}}}), kChanges);
}

TEST(Captures, OneFromTheRoundBeforeIsNot) {
  // The function of the last round arrives as v3 and is called after the variable has changed.
  std::string graph =
      "b0(v0:k, v1:n):\n"
      "  v2 = function 1 k=v0\n"
      "  jump b1(v2)\n"
      "b1(v3:g):\n"
      "  v4 = const 1\n"
      "  v5 = call v3()\n"
      "  branch v5 b2() b3()\n"
      "b2():\n"
      "  v6 = function 1 k=v4\n"
      "  jump b1(v6)\n"
      "b3():\n"
      "  return v4\n";
  EXPECT_EQ(settled(graph, {{1, 1, 0, {4}, {}}}), kChanges);
  EXPECT_EQ(settled(graph, {{1, 2, 0, {4}, {}}}), graph);
}

TEST(Captures, AFunctionThatCallsItselfDoesNotCaptureItself) {
  std::string graph =
      "b0(v0:k, v1:n):\n"
      "  v2 = undefined g\n"
      "  v3 = function 1 v1, g=v2, k=v0\n"
      "  v4 = call v3()\n"
      "  return v4\n";
  std::string expected = graph;
  expected.replace(expected.find("function 1 v1, g=v2"), 19, "function 1 self g v1");
  EXPECT_EQ(settled(graph, {{0, 2, 2, {3}, {}}}), expected);
  // … unless the name gets yet another value.
  EXPECT_EQ(settled(graph, {{0, 2, 2, {3}, {}}, {0, 2, 2, {0}, {}}}),
            "'g' gets another value while a function that uses it is still in use");
}

}  // namespace
}  // namespace hetjit::reader
