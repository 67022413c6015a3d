#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "build_samples.h"
#include "frontend/ssa/ssa_text.h"
#include "frontend/ssa/verify.h"

namespace hetjit {
namespace {

class Samples : public testing::TestWithParam<const char*> {
 protected:
  const ssa::Module& module() { return samples(GetParam()); }
};

TEST_P(Samples, EveryGraphVerifiesAndRoundTrips) {
  ASSERT_GT(module().functions.size(), 60u);
  for (const ssa::Built& built : module().functions) {
    if (!built.function) continue;
    EXPECT_TRUE(built.problems.empty());
    EXPECT_EQ(ssa::verify(*built.function), std::vector<std::string>()) << built.function->name;
    std::string text = ssa::to_text(*built.function);
    auto parsed = ssa::parse(text);
    ASSERT_TRUE(parsed.ok()) << parsed.error().text;
    EXPECT_EQ(ssa::to_text(*parsed), text);
    EXPECT_EQ(parsed->value_count, built.function->value_count);
  }
}

TEST_P(Samples, EveryInstructionHasItsLine) {
  for (const ssa::Built& built : module().functions) {
    if (!built.function) continue;
    for (const ssa::Block& block : built.function->blocks)
      for (const ssa::Inst& inst : block.insts) {
        if (std::holds_alternative<ssa::Undefined>(inst.op)) continue;
        Span span = ssa::span_of(*built.function, inst.where);
        EXPECT_TRUE(span.known()) << ssa::to_text(*built.function);
        EXPECT_EQ(span.source, built.function->source);
      }
  }
}

/// What cannot be read, and the first thing the user is told about it.
std::set<std::string> refusals(const ssa::Module& module) {
  std::set<std::string> result;
  for (size_t i = 0; i < module.functions.size(); ++i) {
    const ssa::Built& built = module.functions[i];
    if (built.function) continue;
    EXPECT_FALSE(built.problems.empty());
    const Diagnostic& first = built.problems.all().front();
    result.insert(module.program->functions[i].name + " " + std::to_string(first.where.line) +
                  ": " + first.message);
  }
  return result;
}

TEST_P(Samples, TheRestIsRefusedByName) {
  const std::string no = " is not supported in a compiled function";
  std::set<std::string> expected = {
      "subscr 103: 'del' of an item" + no,
      "call_star 122: a '**' argument" + no,
      "set_global 133: assigning to a global variable" + no,
      "inner 138: 'z' belongs to an outer function and cannot be assigned in a compiled function",
      "defaults 147: 'defaults' takes '**kw', which a compiled function cannot",
      "try_except 163: 'try' and 'with' are not supported in a compiled function",
      "with_stmt 175: 'try' and 'with' are not supported in a compiled function",
      "match_seq 192: this pattern" + no,
      "lists 208: a set" + no,
      "gen 222: a generator or coroutine cannot be compiled",
      "imports 224: 'import'" + no,
  };
  const std::string version = GetParam();
  if (version == "3.11") {  // comprehensions are functions of their own
    expected.insert("<dictcomp> 201: a dict" + no);
    expected.insert("<setcomp> 202: a set" + no);
  } else {
    expected.insert("comp 202: a set" + no);  // no version has it; a dict is asked for its keys
  }
  EXPECT_EQ(refusals(module()), expected);
}

TEST_P(Samples, OneMistakeOneMessage) {
  for (const char* name : {"try_except", "with_stmt", "inner", "gen"}) {
    uint32_t index = find(module(), name);
    ASSERT_LT(index, module().functions.size());
    EXPECT_EQ(module().functions[index].problems.all().size(), 1u) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, Samples, testing::ValuesIn(kVersions), [](const auto& version) {
  std::string name = version.param;
  std::replace(name.begin(), name.end(), '.', '_');
  return "Python" + name;
});

}  // namespace
}  // namespace hetjit
