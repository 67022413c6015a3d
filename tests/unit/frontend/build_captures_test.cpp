#include <gtest/gtest.h>

#include "frontend/build/captures.h"
#include "frontend/ssa/ssa_text.h"

namespace hetjit::reader {
namespace {

constexpr const char* kHead = "function f source 0\n  parameters k n\n  locals k n g\n";

/// The graph of `text` with these assignments, local and value.
std::string settled(const std::string& text, std::vector<CellStore> stores) {
  auto function = ssa::parse(kHead + text);
  EXPECT_TRUE(function.ok()) << function.error().text;
  if (!function.ok()) return "";
  find_selves(*function, stores);
  return ssa::to_text(*function).substr(std::string(kHead).size());
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
  EXPECT_EQ(settled(graph, {{2, {3}}}), expected);
  EXPECT_EQ(settled(graph, {{2, {0}}}), graph);
}

}  // namespace
}  // namespace hetjit::reader
