// programs/*.py, case by case: every `#:` line compiled, verified and run, every `#!` line refused
// with its message; from the recordings of three CPythons.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "compiler/typing/run/specialize.h"
#include "tests/source_dir.h"
#include "tests/unit/typing/compiled.h"

namespace hetjit::typing {
namespace {

struct Case {
  std::string function, signature, wanted;
  std::vector<std::string> arguments;
  bool fails = false;
  size_t line = 0;
};

std::string trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
  return begin == std::string_view::npos ? "" : std::string(text.substr(begin, end - begin + 1));
}

// "(int, (int8, int8)) …": the signature ends where its bracket closes.
size_t signature_end(std::string_view text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[';
    depth -= text[i] == ')' || text[i] == ']';
    if (depth == 0) return i + 1;
  }
  return text.size();
}

Case read_case(std::string_view line, bool fails) {
  Case found;
  found.fails = fails;
  std::string text = trimmed(line.substr(2));
  size_t end = signature_end(text);
  found.signature = text.substr(0, end);
  std::string rest = trimmed(std::string_view(text).substr(end));
  if (fails) {
    found.wanted = rest;
    return found;
  }
  size_t arrow = rest.find("->");
  found.wanted = trimmed(std::string_view(rest).substr(arrow + 2));
  std::istringstream words(rest.substr(0, arrow));
  for (std::string word; words >> word;) found.arguments.push_back(word);
  return found;
}

const std::string kFolder = "tests/unit/typing/programs/";

std::vector<Case> read_cases(const std::string& name) {
  std::ifstream file(std::string(HETJIT_SOURCE_DIR) + "/" + kFolder + name + ".py");
  std::vector<Case> cases;
  size_t waiting = 0, number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    if (line.rfind("#:", 0) == 0 || line.rfind("#!", 0) == 0) {
      cases.push_back(read_case(line, line[1] == '!'));
      cases.back().line = number;
      ++waiting;
    } else if (line.rfind("def ", 0) == 0) {
      std::string name = line.substr(4, line.find('(') - 4);
      for (; waiting > 0; --waiting) cases[cases.size() - waiting].function = name;
    }
  }
  EXPECT_EQ(waiting, 0u);
  return cases;
}

void check_failure(const Case& wanted, const Outcome& outcome) {
  ASSERT_FALSE(outcome.module) << "compiles";
  ASSERT_FALSE(outcome.diags.empty());
  std::string code = wanted.wanted.substr(0, 5);
  std::string text = trimmed(std::string_view(wanted.wanted).substr(5));
  EXPECT_EQ(code_text(outcome.diags.all()[0].code), code) << outcome.messages;
  EXPECT_NE(outcome.messages.find(text), std::string::npos) << outcome.messages;
  EXPECT_TRUE(outcome.diags.all()[0].where.known()) << outcome.messages;
}

void check(Recording& recording, const Case& wanted) {
  const ssa::Module* module = recording.with_entry(wanted.function);
  ASSERT_TRUE(module) << "no function " << wanted.function;
  Outcome outcome = compile(*module, wanted.signature);
  if (wanted.fails) return check_failure(wanted, outcome);
  ASSERT_TRUE(outcome.module) << outcome.messages;
  Status status = ir::verify(*outcome.module);
  std::string dump = ir::to_text(*outcome.module, false);
  ASSERT_TRUE(status.ok()) << status.error().text << "\n" << dump;
  EXPECT_EQ(run(*outcome.module, wanted.arguments), wanted.wanted) << dump;
}

void check_all(const std::string& name) {
  std::vector<Case> cases = read_cases(name);
  EXPECT_GT(cases.size(), 50u);
  for (const char* version : {"3.11", "3.12", "3.13", "3.14", "3.15"}) {
    Recording recording(std::string("tests/snapshots/") + version + "/programs/" + name + ".snap");
    for (const Case& one : cases) {
      SCOPED_TRACE(name + ".py:" + std::to_string(one.line) + " " + one.function + one.signature +
                   " by " + version);
      check(recording, one);
    }
  }
}

TEST(Programs, Numbers) { check_all("numbers"); }
TEST(Programs, Flow) { check_all("flow"); }
TEST(Programs, Data) { check_all("data"); }
TEST(Programs, Builtins) { check_all("builtins"); }
TEST(Programs, Aggregates) { check_all("aggregates"); }

}  // namespace
}  // namespace hetjit::typing
