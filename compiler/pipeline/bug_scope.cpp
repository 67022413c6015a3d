#include "compiler/pipeline/bug_scope.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "abi/bug_subject.h"
#include "compiler/pipeline/new_file.h"
#include "frontend/snapshot/snapshot_text.h"

namespace hetjit {
namespace {

std::string leave_reproducer(const char* condition, const char*, int) {
  if (!bug_subject) return "";
  std::error_code failed;
  std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (const char* keep = std::getenv("HETJIT_KEEP"); keep && *keep) folder = keep;
  std::string file = folder / ("hetjit-bug-" + std::to_string(getpid()) + "-XXXXXX.txt");
  if (!write_unforeseen_file(file, bug_subject->text(condition)))
    return "no reproducer could be written to " + folder.string();
  return "please report it with this file, which repeats the compilation: " + file;
}

}  // namespace

BugScope::BugScope(const ssa::Module& code, const Options& options)
    : code_(code), options_(options), outer_(bug_subject), outer_reporter_(bug_reporter) {
  bug_subject = this;
  bug_reporter = leave_reproducer;
}

BugScope::~BugScope() {
  bug_subject = outer_;
  bug_reporter = outer_reporter_;
}

std::string BugScope::text(const char* condition) const {
  return std::string("# hetjit bug: ") + condition + "\n" + request();
}

std::string BugScope::request() const {
  auto flag = [](const char* name, bool value) {
    return std::string("# ") + name + ": " + (value ? "yes" : "no") + "\n";
  };
  std::string text = options_.portable_math ? flag("portable_math", true) : "";
  text += "# signature: " + to_text(options_.signature) + "\n";
  text += "# target: " + to_text(options_.target) + "\n";
  text += flag("kernel", options_.kernel) + flag("contract", options_.contract);
  text += flag("fastmath", options_.fastmath);
  if (options_.checks.any()) text += "# check: " + to_text(options_.checks) + "\n";
  if (options_.debug) text += "# debug: lines\n";
  if (options_.limits.any()) text += "# limits: " + to_text(options_.limits) + "\n";
  if (code_.program) text += to_text(*code_.program);
  return text;
}

}  // namespace hetjit
