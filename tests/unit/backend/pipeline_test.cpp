// The whole compiler on a recorded function: its phases, its dumps, and what it says when the
// machine lacks something.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/pipeline/bug_scope.h"
#include "compiler/pipeline/compile.h"
#include "compiler/pipeline/observer.h"
#include "compiler/pipeline/phases.h"
#include "compiler/target/symbol_name.h"
#include "frontend/build/build.h"
#include "frontend/snapshot/snapshot_text.h"
#include "tests/source_dir.h"

namespace hetjit {
namespace {

constexpr const char* kSaxpy =
    "(float, array[f32, 1, contiguous, index32], array[f32, 1, contiguous, index32])";

ssa::Module recorded(const std::string& name) {
  std::ifstream file(std::string(HETJIT_SOURCE_DIR "/tests/snapshots/3.11/golden/") + name +
                     ".snap");
  std::stringstream text;
  text << file.rdbuf();
  auto program = parse_program(text.str());
  EXPECT_TRUE(program.ok()) << (program.ok() ? "" : program.error().text);
  return build(std::make_shared<const Program>(program.ok() ? *program : Program{}));
}

Options options_for(const char* target, const char* signature = kSaxpy) {
  Options options;
  options.target = *parse_target(target);
  options.signature = *parse_signature(signature);
  return options;
}

TEST(Pipeline, EveryTargetAndPhase) {
  ssa::Module code = recorded("ptx__saxpy");
  const ImageKind kinds[] = {ImageKind::HostObject, ImageKind::Ptx, ImageKind::CodeObject};
  size_t kind = 0;
  for (const char* target : {"cpu:native", "cuda:sm_90", "hip:gfx942"}) {
    Options options = options_for(target);
    std::vector<Phase> shown;
    std::vector<std::string> timed;
    options.observer.wants = [](Phase) { return true; };
    options.observer.show = [&](Phase phase, const std::string& dump) {
      shown.push_back(phase);
      EXPECT_FALSE(dump.empty()) << to_text(phase);
    };
    options.observer.timed = [&](std::string_view phase, std::chrono::nanoseconds took) {
      timed.emplace_back(phase);
      EXPECT_GT(took.count(), 0);
    };
    Diagnostics diags;
    auto image = compile(code, options, diags);
    ASSERT_TRUE(image.has_value()) << diags.all().at(0).message;
    EXPECT_EQ(image->kind, kinds[kind++]);
    EXPECT_EQ(image->entry, "saxpy");
    EXPECT_EQ(image->signature, options.signature);
    EXPECT_EQ(image->parameter_bytes, 56u);
    EXPECT_EQ(shown,
              (std::vector<Phase>{Phase::Request, Phase::Ssa, Phase::Typed, Phase::Optimized,
                                  Phase::Plan, Phase::Explain, Phase::Llvm, Phase::Assembly}));
    std::erase(timed, "math");  // a step only where our own functions stand for a vendor's
    EXPECT_EQ(timed, (std::vector<std::string>{"specialize", "passes", "plan", "lower", "emit"}));
  }
}

TEST(Pipeline, DebugAddsLines) {
  ssa::Module code = recorded("ptx__saxpy");
  Options options = options_for("cuda:sm_90");
  options.debug = true;
  Diagnostics diags;
  auto image = compile(code, options, diags);
  ASSERT_TRUE(image.has_value());
  std::string ptx(reinterpret_cast<const char*>(image->code.data()), image->code.size());
  EXPECT_NE(ptx.find("saxpy.py"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find(".loc"), std::string::npos) << ptx;
}

TEST(Pipeline, MachineConditionsAreDiagnostics) {
  ssa::Module code = recorded("ptx__saxpy");
  Options options = options_for("cuda:sm_90");
  options.target.arch = "sm_12";
  Diagnostics diags;
  EXPECT_FALSE(compile(code, options, diags).has_value());
  ASSERT_EQ(diags.all().size(), 1u);
  EXPECT_EQ(diags.all()[0].code, Code::UnknownTarget);
  EXPECT_TRUE(diags.all()[0].where.known());
}

TEST(Pipeline, SymbolNames) {
  using target::symbol_name;
  EXPECT_EQ(symbol_name("saxpy"), "saxpy");
  EXPECT_EQ(symbol_name("<lambda>"), "_lambda_");
  EXPECT_EQ(symbol_name("2nd"), "kernel_2nd");
  EXPECT_EQ(symbol_name(""), "kernel_");
  EXPECT_EQ(symbol_name("t\xC3\xA9"), "t__");
  EXPECT_EQ(symbol_name(std::string(10000, 'a')).size(), 200u);
}

TEST(Pipeline, SymbolNamesAreNobodyElses) {
  for (const char* name :
       {"llvm.memcpy.p0.p0.i64", "llvm", "main", "printf", "memcpy", "sinf", "vprintf",
        "hetjit_block_memory", "__nv_sinf", "__ocml_sin_f32", "__kmpc_fork_call", "_Znwm"})
    EXPECT_TRUE(target::symbol_name(name).starts_with("kernel_")) << name;
}

TEST(Observer, KeepWritesAFilePerPhase) {
  std::string folder = ::testing::TempDir() + "hetjit-keep-test";
  std::filesystem::remove_all(folder);
  Options options = options_for("cpu:x86-64-v3");
  options.observer = make_observer("", folder);
  ssa::Module code = recorded("ptx__saxpy");
  Diagnostics diags;
  ASSERT_TRUE(compile(code, options, diags).has_value());
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    ++files;
    EXPECT_GT(entry.file_size(), 0u) << entry.path();
  }
  EXPECT_EQ(files, 8u);
  std::filesystem::remove_all(folder);
}

TEST(Observer, ShowPrintsWhatWasAskedFor) {
  Observer observer = make_observer("typed,llvm", "");
  EXPECT_TRUE(observer.wants(Phase::Typed));
  EXPECT_TRUE(observer.wants(Phase::Llvm));
  EXPECT_FALSE(observer.wants(Phase::Ssa));
  EXPECT_FALSE(static_cast<bool>(observer.timed));
  EXPECT_TRUE(make_observer("all", "").wants(Phase::Assembly));
  EXPECT_TRUE(static_cast<bool>(make_observer("time", "").timed));
  EXPECT_FALSE(static_cast<bool>(make_observer("", "").wants));
}

TEST(BugScope, ItsTextRepeatsTheCompilation) {
  ssa::Module code = recorded("ptx__saxpy");
  Options options = options_for("cuda:sm_90");
  BugScope scope(code, options);
  std::string text = scope.text("1 == 2");
  EXPECT_NE(text.find("1 == 2"), std::string::npos);
  EXPECT_NE(text.find("cuda:sm_90"), std::string::npos);
  std::string snapshot = text.substr(text.find("\n", text.find("# fastmath")) + 1);
  auto program = parse_program(snapshot);
  ASSERT_TRUE(program.ok()) << program.error().text;
  EXPECT_EQ(*program, *code.program);
}

TEST(BugScopeDeathTest, AFailedCheckNamesTheFile) {
  std::string folder = ::testing::TempDir() + "hetjit-bug-test";
  std::filesystem::create_directories(folder);
  setenv("HETJIT_KEEP", folder.c_str(), 1);
  EXPECT_DEATH(
      {
        ssa::Module code = recorded("ptx__saxpy");
        Options options = options_for("cuda:sm_90");
        BugScope scope(code, options);
        HETJIT_CHECK(code.functions.empty());
      },
      "hetjit-bug-.*txt");
  unsetenv("HETJIT_KEEP");
  EXPECT_FALSE(std::filesystem::is_empty(folder));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace hetjit
