// No pass may change what a program means: random programs, run before and after each pass.
// (contract changes roundings on purpose and has its own tests.)
#include "compiler/passes/pass.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "compiler/ir/numbers.h"
#include "tests/unit/ir/random_program.h"
#include "tests/unit/ir/run_text.h"

namespace hetjit::passes {
namespace {

using ir::Module;

// Edge values more often than others.
uint64_t random_bits(std::mt19937_64& random, Scalar scalar) {
  if (is_floating(scalar)) {
    constexpr double kValues[] = {0, -0.0, 1, -1, 0.5, 7, -3, 1e5, NAN, INFINITY, -INFINITY};
    return ir::float_to_bits(scalar, kValues[random() % 11]);
  }
  uint64_t bits = random() % 3 == 0 ? random() : random() % 12 - 4;
  if (random() % 5 == 0) bits = 1ull << (info(scalar).bits - 1);
  return ir::wrap_bits(scalar, bits);
}

std::vector<std::byte> random_arguments(const Module& module, uint32_t seed) {
  std::mt19937_64 random(seed);
  ir::Arguments arguments(module);
  for (TypeId type : ir::RandomProgram::parameter_types())
    arguments.put_bits(random_bits(random, hetjit::type(type).scalar),
                       info(hetjit::type(type).scalar).bytes());
  return {arguments.bytes().begin(), arguments.bytes().end()};
}

// The result's parts; every NaN is the same NaN.
std::vector<uint64_t> run(const Module& module, std::span<const std::byte> arguments) {
  auto bytes = ir::interpret_function(module, arguments, 1 << 20);
  EXPECT_TRUE(bytes.ok()) << (bytes.ok() ? "" : bytes.error().text);
  if (!bytes.ok()) return {};
  const Type& result = type(module.functions[0].result);
  Layout lies = layout(module.functions[0].result);
  std::vector<uint64_t> parts;
  for (size_t i = 0; i < result.fields.size(); ++i) {
    Scalar scalar = type(result.fields[i].type).scalar;
    uint64_t bits = 0;
    std::memcpy(&bits, bytes->data() + lies.offsets[i], info(scalar).bytes());
    bool nan = is_floating(scalar) && std::isnan(ir::bits_to_float(scalar, bits));
    parts.push_back(nan ? ~0ull : bits);
  }
  return parts;
}

void expect_same(const Module& before, const Module& after, std::string_view what, uint32_t seed) {
  Status status = ir::verify(after);
  ASSERT_TRUE(status.ok()) << what << ", seed " << seed << ": " << status.error().text << "\n"
                           << ir::to_text(before);
  for (uint32_t round = 0; round < 4; ++round) {
    std::vector<std::byte> arguments = random_arguments(before, seed * 4 + round);
    ASSERT_EQ(run(before, arguments), run(after, arguments)) << what << ", seed " << seed << "\n"
                                                             << ir::to_text(before) << "\nbecame\n"
                                                             << ir::to_text(after);
  }
}

uint32_t program_count() {
  const char* text = std::getenv("HETJIT_RANDOM_PROGRAMS");
  return text ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : 60;
}

TEST(IrPasses, KeepTheMeaningOfRandomPrograms) {
  for (uint32_t seed = 0; seed < program_count() && !testing::Test::HasFailure(); ++seed) {
    Module module = ir::RandomProgram(seed).make();
    ASSERT_TRUE(ir::verify(module).ok()) << ir::verify(module).error().text;
    for (const Pass& pass : all_passes()) {
      if (pass.name == "contract") continue;
      Module after = module;
      pass.run(after);
      expect_same(module, after, pass.name, seed);
    }
    Module after = module;
    run_standard(after, {.contract = false});
    expect_same(module, after, "standard", seed);
    auto again = ir::parse(ir::to_text(after));
    ASSERT_TRUE(again.ok()) << again.error().text;
    EXPECT_EQ(ir::to_text(*again), ir::to_text(after));
  }
}

TEST(IrPasses, SayWhetherTheyChangedSomething) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    Module module = ir::RandomProgram(seed).make();
    for (const Pass& pass : all_passes()) {
      std::string before = ir::to_text(module);
      bool changed = pass.run(module);
      EXPECT_EQ(changed, ir::to_text(module) != before) << pass.name;
    }
  }
}

TEST(IrPasses, TheStandardOrderIsObserved) {
  Module module = ir::RandomProgram(1).make();
  std::vector<std::string> seen;
  run_standard(module, {.contract = false, .verify = true},
               [&](const Pass& pass, const Module& after, bool, std::chrono::nanoseconds) {
                 EXPECT_TRUE(ir::verify(after).ok());
                 seen.emplace_back(pass.name);
               });
  EXPECT_EQ(seen.front(), "fold-constants");
  EXPECT_EQ(seen.back(), "dead-code");
  EXPECT_EQ(std::count(seen.begin(), seen.end(), "contract"), 0);
  seen.clear();
  run_standard(module, {}, [&](const Pass& pass, const Module&, bool, std::chrono::nanoseconds) {
    seen.emplace_back(pass.name);
  });
  EXPECT_EQ(std::count(seen.begin(), seen.end(), "contract"), 1);
}

}  // namespace
}  // namespace hetjit::passes
