// One construct each, as all five CPython versions compile it: the recordings of tests/golden/ssa.
#include <gtest/gtest.h>

#include "build_evaluator.h"
#include "build_samples.h"
#include "frontend/ssa/verify.h"

namespace hetjit {
namespace {

using ssa::evaluation::Evaluator;
using ssa::evaluation::Outcome;
using ssa::evaluation::Values;

struct Case {
  const char* file;
  std::vector<int64_t> arguments;
  const char* result;  // what CPython gives
};

const Case kCases[] = {
    {"and_or", {1, 0, 5}, "5"},
    {"and_or", {1, 2, 5}, "2"},
    {"and_or", {0, 2, 0}, "0"},
    {"chained_comparison", {1, 2, 2}, "True"},
    {"chained_comparison", {3, 2, 5}, "False"},
    {"closure", {4}, "18"},
    {"for_break_continue", {4}, "104"},
    {"for_break_continue", {60}, "13"},
    {"if_else", {3, 5}, "5"},
    {"if_else", {7, 5}, "7"},
    {"keywords", {5}, "1201"},
    {"return_inside_for", {10, 12}, "7"},
    {"return_inside_for", {2, 12}, "-1"},
    {"starred", {1, 2, 3}, "(1, 2, 4)"},
    {"walrus", {6}, "12"},
    {"walrus", {2}, "2"},
    {"while_else", {3}, "-1"},
    {"while_else", {30}, "8"},
};

TEST(Constructs, DoWhatCPythonDoes) {
  for (const Case& each : kCases)
    for (const char* version : kVersions) {
      std::string path = version + std::string("/golden/ssa__") + each.file + ".snap";
      ssa::Module module = built_recording(path);
      ASSERT_FALSE(module.functions.empty()) << path;
      for (const ssa::Built& built : module.functions) {
        ASSERT_TRUE(built.function.has_value()) << path;
        EXPECT_EQ(ssa::verify(*built.function), std::vector<std::string>()) << path;
      }
      Values arguments;
      for (int64_t argument : each.arguments) arguments.push_back({argument});
      Outcome outcome = Evaluator(module).call(0, arguments);
      EXPECT_EQ(outcome.problem, "") << path;
      EXPECT_EQ(to_text(outcome.value), each.result) << path;
    }
}

size_t branches(const ssa::Function& function) {
  size_t count = 0;
  for (const ssa::Block& block : function.blocks)
    count += std::holds_alternative<ssa::Branch>(block.insts.back().op) ? 1 : 0;
  return count;
}

/// Seven loops, with two tests in the first three, and the two branches of `if`. CPython from 3.14
/// on writes each test once, the others twice.
TEST(Constructs, TestsOfWhileStandOnce) {
  for (const char* version : {"3.11", "3.12", "3.13"}) {
    const std::string path = version + std::string("/golden/ssa__while_tests.snap");
    ssa::Module module = built_recording(path);
    ASSERT_FALSE(module.functions.empty()) << path;
    ASSERT_TRUE(module.functions[0].function.has_value()) << path;
    EXPECT_EQ(branches(*module.functions[0].function), 12) << path;
  }
}

}  // namespace
}  // namespace hetjit
