// Graphs of all five CPython versions, evaluated, give what CPython gives.
#include <gtest/gtest.h>

#include "build_evaluator.h"
#include "build_samples.h"

namespace hetjit {
namespace {

using ssa::evaluation::Evaluator;
using ssa::evaluation::Outcome;
using ssa::evaluation::Values;

struct Expectation {
  std::string function;
  const char *arguments, *result, *after;
};

const Expectation kExpectations[] = {
#define EXPECT(function, arguments, result, after) {#function, arguments, result, after},
#include "build_expectations.inc"
#undef EXPECT
};

Values arguments(const char* text) {
  auto constant = parse_constant(text);
  EXPECT_TRUE(constant.ok()) << text;
  if (!constant.ok()) return {};
  return *std::get<ssa::evaluation::Sequence>(ssa::evaluation::value_of(*constant).is).items;
}

std::string text(const Values& values) {
  return to_text(ssa::evaluation::make(ssa::evaluation::Sequence::Kind::Tuple, values));
}

/// As the evaluator would print it: floats and tuples in one spelling.
std::string normalised(const char* constant) {
  auto parsed = parse_constant(constant);
  EXPECT_TRUE(parsed.ok()) << constant;
  return parsed.ok() ? to_text(ssa::evaluation::value_of(*parsed)) : "";
}

class Behaviour : public testing::TestWithParam<const char*> {};

TEST_P(Behaviour, IsWhatCPythonComputes) {
  const ssa::Module& module = samples(GetParam());
  ASSERT_GT(std::size(kExpectations), 70u);
  for (const Expectation& expected : kExpectations) {
    // A lambda has no name of its own.
    uint32_t index = find(module, expected.function == "lam" ? "<lambda>" : expected.function);
    ASSERT_LT(index, module.functions.size()) << expected.function;
    Values given = arguments(expected.arguments);
    if (expected.function == "lam" && given.size() == 1) given.push_back({int64_t{2}});
    Evaluator evaluator(module);
    Outcome outcome = evaluator.call(index, given);
    EXPECT_EQ(outcome.problem, "") << expected.function << expected.arguments;
    EXPECT_EQ(to_text(outcome.value), normalised(expected.result))
        << expected.function << expected.arguments;
    given.resize(arguments(expected.after).size());
    EXPECT_EQ(text(given), normalised(expected.after)) << expected.function << expected.arguments;
  }
}

Outcome run(const char* version, const char* name, const char* given) {
  const ssa::Module& module = samples(version);
  return Evaluator(module).call(find(module, name), arguments(given));
}

TEST_P(Behaviour, RaisesWhereCPythonRaises) {
  EXPECT_EQ(run(GetParam(), "asserts", "(0,)").problem, "raises builtins.AssertionError");
  EXPECT_EQ(run(GetParam(), "asserts", "(11,)").problem, "raises builtins.AssertionError: big");
  EXPECT_EQ(run(GetParam(), "raises", "(-1,)").problem, "raises builtins.ValueError: neg");
  EXPECT_EQ(run(GetParam(), "raises", "(10,)").problem, "raises builtins.IndexError");
  EXPECT_EQ(run(GetParam(), "maybe_unbound", "(0,)").problem, "unbound");
  EXPECT_EQ(run(GetParam(), "unpack4", "((1, 2, 3),)").problem, "cannot unpack");
  EXPECT_EQ(run(GetParam(), "unpack_star", "((1,),)").problem, "cannot unpack");
}

INSTANTIATE_TEST_SUITE_P(Versions, Behaviour, testing::ValuesIn(kVersions),
                         [](const auto& version) {
                           std::string name = version.param;
                           name[name.find('.')] = '_';
                           return "Python" + name;
                         });

}  // namespace
}  // namespace hetjit
