// Line tables: instructions lead back to the lines of the source.
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "tests/unit/backend/compiled.h"
#include "tests/unit/ir/run_text.h"

namespace hetjit {
namespace {

constexpr const char* kText = R"(k(out: array[f64, 1]) -> none
b0(v0: array[f64, 1]):
  v1: u32 = threadindex 0
  v6: i64 = convert v1
  v2: ptr[f64] = element v0, v6       41:4-10
  v3: f64 = load v2                   42:4-10
  v4: f64 = call 1 v3                 43:8-12
  store v2, v4                        44:4-10
  v5: none = none
  return v5

square(x: f64) -> f64
b0(v0: f64):
  v1: f64 = mul v0, v0                17:11-16
  return v1
)";

class LineTables : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Targets, LineTables,
                         ::testing::Values("cpu:native", "cuda:sm_90", "hip:gfx942"),
                         [](const auto& param) { return std::to_string(param.index); });

TEST_P(LineTables, NameTheLines) {
  target::Target& target = find(GetParam());
  lower::Options options;
  options.debug = true;
  options.source_paths = {"some/script.py"};
  ir::Module ir = ir::parsed(kText);
  LlvmModule module = lowered(ir, planned(ir, target), "kernel", target, options);
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  EXPECT_FALSE(llvm::verifyModule(module.module(), &stream)) << problems;
  auto text = target::assembly(std::move(module), target);
  ASSERT_TRUE(text.ok()) << text.error().text;
  EXPECT_NE(text->find("script.py"), std::string::npos) << *text;
  for (int line : {42, 17, 44})  // 17: of the function that was inlined
    EXPECT_NE(text->find(" " + std::to_string(line) + " "), std::string::npos) << line << *text;
}

}  // namespace
}  // namespace hetjit
