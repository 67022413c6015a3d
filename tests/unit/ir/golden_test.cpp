// The passes on IR text: tests/golden/ir/*.ir. A file is a module, with a comment on top that says
// what it shows and which passes run,
//     # PASSES: simplify dead-code          or `standard`: all of them, in their order
// and below it what must come out, a line of `# CHECK: ` each. HETJIT_UPDATE=1 rewrites that part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compiler/host/plan/plan.h"
#include "compiler/passes/pass.h"
#include "tests/source_dir.h"

namespace hetjit::passes {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPasses = "# PASSES:", kCheck = "# CHECK: ", kBareCheck = "# CHECK:";

struct GoldenFile {
  std::string input;                // all lines that are not expectations
  std::vector<std::string> passes;  // names
  std::string expected;
};

GoldenFile read_golden(const fs::path& path) {
  GoldenFile file;
  std::ifstream stream(path);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(kBareCheck)) {
      file.expected += line.substr(std::min(kCheck.size(), line.size())) + "\n";
      continue;
    }
    file.input += line + "\n";
    if (!line.starts_with(kPasses)) continue;
    std::istringstream names(line.substr(kPasses.size()));
    for (std::string name; names >> name;) file.passes.push_back(name);
  }
  return file;
}

void write_golden(const fs::path& path, const GoldenFile& file, const std::string& found) {
  std::ofstream stream(path);
  std::string_view input = file.input;
  while (input.ends_with("\n")) input.remove_suffix(1);
  stream << input << "\n\n";
  std::istringstream lines(found);
  for (std::string line; std::getline(lines, line);)
    stream << (line.empty() ? std::string(kBareCheck) : std::string(kCheck) + line) << "\n";
}

/// Of the compiler's passes, and of the steps of a host kernel's plan; null: there is none.
const Pass* find_pass(const std::string& name) {
  for (std::span<const Pass> passes : {all_passes(), host::plan_steps()})
    for (const Pass& pass : passes)
      if (pass.name == name) return &pass;
  return nullptr;
}

void run_pass(const std::string& name, ir::Module& module) {
  if (name == "standard") return run_standard(module, {.verify = true});
  const Pass* pass = find_pass(name);
  ASSERT_TRUE(pass) << "there is no pass " << name;
  pass->run(module);
  Status status = ir::verify(module);
  EXPECT_TRUE(status.ok()) << "after " << name << ": " << status.error().text << "\n"
                           << ir::to_text(module);
}

class IrGolden : public testing::TestWithParam<std::string> {};

TEST_P(IrGolden, ComesOutAsExpected) {
  fs::path path = fs::path(HETJIT_SOURCE_DIR) / "tests/golden/ir" / (GetParam() + ".ir");
  GoldenFile file = read_golden(path);
  ASSERT_FALSE(file.passes.empty()) << "no '# PASSES:' line in " << path;
  auto module = ir::parse(file.input);
  ASSERT_TRUE(module.ok()) << module.error().text;
  Status status = ir::verify(*module);
  ASSERT_TRUE(status.ok()) << status.error().text;
  for (const std::string& pass : file.passes) run_pass(pass, *module);
  std::string found = ir::to_text(*module, false);
  if (std::getenv("HETJIT_UPDATE") && found != file.expected)
    write_golden(path, file, found);
  else
    EXPECT_EQ(found, file.expected) << path << "\n(./dev update rewrites the expectations)";
}

std::vector<std::string> golden_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(HETJIT_SOURCE_DIR "/tests/golden/ir"))
    if (entry.path().extension() == ".ir") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Files, IrGolden, testing::ValuesIn(golden_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace hetjit::passes
