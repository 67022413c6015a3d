// Every function that was ever recorded, for argument types it was not written for: each is either
// refused with a message or becomes a typed graph that verifies. Nothing ends the process.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "compiler/typing/run/specialize.h"
#include "frontend/build/build.h"
#include "frontend/snapshot/snapshot_text.h"
#include "frontend/ssa/ssa_text.h"
#include "tests/source_dir.h"
#include "tests/unit/typing/compiled.h"

namespace hetjit::typing {
namespace {

// With methods, in programs/aggregates.py.
constexpr const char* kBody =
    "struct Body {pos: f32x3, mass: weak f32, tag: weak i32, nothing: none}";

constexpr const char* kTypes[] = {"int",
                                  "float",
                                  "bool",
                                  "none",
                                  "int8",
                                  "uint8",
                                  "int64",
                                  "uint64",
                                  "float16",
                                  "float64",
                                  "bool_",
                                  "float8e4m3",
                                  "complex64",
                                  "float32[:]",
                                  "int32[:, ::1]",
                                  "bool[:]",
                                  "complex64[:]",
                                  "array[float64, 1, index32, readonly]",
                                  "array[uint8, 3, contiguous]",
                                  "array[float32, 0]",
                                  "(int32, float64)",
                                  "weak (i32, (f32, none))",
                                  "float32x3",
                                  "int8x1",
                                  "float32x4[:]",
                                  "tuple[int8, float64][::1]",
                                  kBody,
                                  "array[struct S {v: f32x2, t: (i8, (i64,))}, 2, contiguous]"};

class AnyTypes {
 public:
  Signature draw(size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      text += i ? ", " : "";
      text += kTypes[engine_() % std::size(kTypes)];
    }
    Result<Signature> signature = parse_signature("(" + text + ")");
    EXPECT_TRUE(signature.ok()) << text;
    return signature.ok() ? *signature : Signature{};
  }

 private:
  std::mt19937 engine_{20240607};  // the same draws everywhere
};

void check(const ssa::Module& module, const Signature& signature, size_t& compiled) {
  Diagnostics diags;
  std::optional<ir::Module> typed = specialize(module, signature, false, diags);
  if (!typed) {
    EXPECT_FALSE(diags.errors().empty()) << to_text(signature) << ": refused without a word";
    return;
  }
  ++compiled;
  EXPECT_TRUE(diags.errors().empty());
  Status status = ir::verify(*typed);
  EXPECT_TRUE(status.ok()) << status.error().text << "\n" << ir::to_text(*typed, false);
}

void check_program(Program recorded, AnyTypes& types, size_t& compiled) {
  auto program = std::make_shared<Program>(std::move(recorded));
  ssa::Module module = build(program);
  for (size_t entry = 0; entry < module.functions.size(); ++entry) {
    // A copy in the first place stands for the function under test; calls of the first then mean
    // it.
    ssa::Module one = module;
    auto copy = std::make_shared<Program>(*program);
    copy->functions[0] = program->functions[entry];
    one.program = copy;
    one.functions[0] = module.functions[entry];
    if (!one.functions[0].function) continue;
    SCOPED_TRACE(copy->functions[0].name);
    size_t count = one.functions[0].function->blocks[0].params.size();
    for (int draw = 0; draw < (count ? 10 : 1); ++draw) check(one, types.draw(count), compiled);
  }
}

TEST(Robustness, EveryRecordedFunctionWithTypesDrawnByChance) {
  namespace fs = std::filesystem;
  AnyTypes types;
  size_t compiled = 0, files = 0;
  for (const char* folder :
       {"tests/snapshots/3.11", "tests/snapshots/3.13", "tests/snapshots/3.15"})
    for (const auto& entry :
         fs::recursive_directory_iterator(std::string(HETJIT_SOURCE_DIR) + "/" + folder)) {
      if (entry.path().extension() != ".snap") continue;
      std::ifstream file(entry.path());
      std::stringstream text;
      text << file.rdbuf();
      Result<Program> program = parse_program(text.str());
      ASSERT_TRUE(program.ok()) << entry.path();
      SCOPED_TRACE(entry.path().string());
      check_program(*std::move(program), types, compiled);
      ++files;
    }
  EXPECT_GT(files, 100u);
  EXPECT_GT(compiled, 300u);
}

// CPython never jumps back to a function's first instruction; a graph may.
TEST(Robustness, TheEntryMayBeALoop) {
  ssa::Module module;
  auto program = std::make_shared<Program>();
  program->functions.resize(1);
  program->functions[0].name = "f";
  module.program = program;
  Result<ssa::Function> function = ssa::parse(R"(function f source 0
  parameters n total
  locals n total
b0(v0:n, v1:total):
  v2 = const 0
  v3 = compare > v0, v2
  branch v3 b1() b2()
b1():
  v4 = binary + v1, v0
  v5 = const 1
  v6 = binary - v0, v5
  jump b0(v6, v4)
b2():
  return v1
)");
  ASSERT_TRUE(function.ok()) << function.error().text;
  module.functions.resize(1);
  module.functions[0].function = *std::move(function);
  Outcome outcome = compile(module, "(int, int64)");
  ASSERT_TRUE(outcome.module) << outcome.messages;
  ASSERT_TRUE(ir::verify(*outcome.module).ok());
  EXPECT_EQ(run(*outcome.module, {"4", "100"}), "i64 110");
}

}  // namespace
}  // namespace hetjit::typing
