// Whatever the bytes are, reading them ends with a graph that verifies or with a message.
#include <gtest/gtest.h>

#include <random>

#include "build_samples.h"
#include "frontend/ssa/ssa_text.h"
#include "frontend/ssa/verify.h"

#ifndef HETJIT_ROUNDS
#define HETJIT_ROUNDS 20
#endif

namespace hetjit {
namespace {

void expect_sound(const Snapshot& snapshot) {
  Diagnostics diags;
  auto function = build(snapshot, 0, diags);
  EXPECT_EQ(function.has_value(), diags.empty());
  if (!function) return;
  EXPECT_EQ(ssa::verify(*function), std::vector<std::string>());
}

class Damaged : public testing::TestWithParam<const char*> {};

TEST_P(Damaged, CodeIsReadOrRefused) {
  std::mt19937 random(7);
  for (const Snapshot& original : samples(GetParam()).program->functions) {
    for (int round = 0; round < 2 * HETJIT_ROUNDS && !original.code.empty(); ++round) {
      Snapshot snapshot = original;
      for (uint32_t edits = 1 + random() % 3; edits > 0; --edits)
        snapshot.code[random() % snapshot.code.size()] = static_cast<uint8_t>(random() % 140);
      if (random() % 8 == 0) snapshot.code.resize(random() % snapshot.code.size());
      expect_sound(snapshot);
      if (HasFailure()) FAIL() << original.name << " round " << round;
    }
  }
}

TEST_P(Damaged, InstructionsInAnyOrderAreReadOrRefused) {
  std::mt19937 random(8);
  for (const Snapshot& original : samples(GetParam()).program->functions) {
    for (int round = 0; round < HETJIT_ROUNDS && original.code.size() > 4; ++round) {
      Snapshot snapshot = original;
      size_t units = snapshot.code.size() / 2;
      for (uint32_t edits = 1 + random() % 4; edits > 0; --edits) {
        size_t from = random() % units, to = random() % units;
        std::copy_n(original.code.begin() + static_cast<ptrdiff_t>(2 * from), 2,
                    snapshot.code.begin() + static_cast<ptrdiff_t>(2 * to));
      }
      expect_sound(snapshot);
      if (HasFailure()) FAIL() << original.name << " round " << round;
    }
  }
}

TEST_P(Damaged, HeadsAreReadOrRefused) {
  for (Snapshot snapshot : samples(GetParam()).program->functions) {
    Snapshot none = snapshot;
    none.locals.clear();
    expect_sound(none);
    none = snapshot;
    none.parameter_count = 4000000000u;
    expect_sound(none);
    none = snapshot;
    none.constants.clear();
    expect_sound(none);
    none = snapshot;
    none.positions.clear();
    none.code.clear();
    expect_sound(none);
  }
}

INSTANTIATE_TEST_SUITE_P(Versions, Damaged, testing::ValuesIn(kVersions), [](const auto& version) {
  std::string name = version.param;
  name[name.find('.')] = '_';
  return "Python" + name;
});

/// Inlined comprehensions guard ordinary code with a handler that puts a variable back: no `try`.
TEST(Build, AHandlerAloneIsNoTry) {
  for (const char* version : kVersions) {
    const ssa::Module& module = samples(version);
    Snapshot snapshot = module.program->functions[find(module, "for_range")];
    uint32_t units = static_cast<uint32_t>(snapshot.code.size() / 2);
    snapshot.handlers = {{.start = 1, .end = units - 1, .target = 1}};
    Diagnostics diags;
    EXPECT_TRUE(build(snapshot, 0, diags).has_value()) << version;
    EXPECT_TRUE(diags.empty()) << version;
  }
}

TEST(Build, MissingInnerFunctionIsAnError) {
  auto program = std::make_shared<Program>(*samples("3.13").program);
  uint32_t outer = find(samples("3.13"), "make_closure");
  program->functions.resize(outer + 1);
  auto module = build(std::shared_ptr<const Program>(program));
  EXPECT_FALSE(module.functions[outer].function.has_value());
  ASSERT_EQ(module.functions[outer].problems.all().size(), 1u);
  EXPECT_EQ(module.functions[outer].problems.all()[0].code, Code::InvalidBytecode);
}

/// `load 0; jump if true to the next instruction` over and over: a block each.
TEST(Build, FiftyThousandBlocks) {
  const ssa::Module& module = samples("3.11");
  Snapshot snapshot = module.program->functions[find(module, "docstring")];  // return a
  constexpr uint8_t kLoadFast = 124, kPopJumpForwardIfTrue = 115;
  std::vector<uint8_t> code;
  for (int i = 0; i < 50000; ++i) code.insert(code.end(), {kLoadFast, 0, kPopJumpForwardIfTrue, 0});
  snapshot.code.insert(snapshot.code.begin(), code.begin(), code.end());
  Diagnostics diags;
  auto function = build(snapshot, 0, diags);
  ASSERT_TRUE(function.has_value());
  EXPECT_EQ(function->blocks.size(), 50001u);
  EXPECT_EQ(ssa::verify(*function), std::vector<std::string>());
  EXPECT_EQ(function->value_count, 1u);  // every parameter was always `a`
}

}  // namespace
}  // namespace hetjit
