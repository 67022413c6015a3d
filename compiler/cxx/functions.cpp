#include "compiler/cxx/functions.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <sstream>

#include "abi/fork_safe_mutex.h"
#include "compiler/cxx/clang.h"
#include "compiler/cxx/shim.h"
#include "compiler/target/external_code.h"

namespace hetjit::cxx {
namespace {

namespace fs = std::filesystem;
using typing::ExternalAnswer;
using typing::ExternalCall;

/// A stamp that no file has.
constexpr const char* kAskAgain = "ask again";
/// More of what clang says would only repeat it.
constexpr size_t kMostNotes = 8;

/// A library as text: the same source with other macros is another one.
std::string key_of(const CxxLibrary& library) {
  std::string key = library.path;
  for (const std::string& option : library.options) key += "\n" + option;
  for (const CxxType& each : library.types) key += "\n" + to_text(each.type) + " " + each.spelling;
  return key + "\n" + library.source;
}

/// A call as text: equal ones are the same function.
std::string key_of(const ExternalCall& call) {
  std::string key = to_text(call.target) + "\n" + call.callee;
  for (TypeId id : call.arguments) key += "\n" + to_text(id);
  return key + "\n" + key_of(call.library);
}

std::string symbol_of(const std::string& key) {
  uint64_t hash = 0xCBF29CE484222325ull;  // FNV-1a: the same in every process
  for (char c : key) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3ull;
  return "hetjit_cxx_" + std::to_string(hash);
}

struct Line {
  std::string kind, text;  // "error", "note"; "" of a line that is neither
};

/// "C++:3:5: error: no matching function": where it is in the user's own files is kept.
Line line_of(const std::string& message) {
  for (const char* kind : {"fatal error", "error", "note"}) {
    const std::string mark = std::string(": ") + kind + ": ";
    const size_t at = message.find(mark);
    if (at == std::string::npos) continue;
    const std::string where = message.substr(0, at), text = message.substr(at + mark.size());
    const bool ours = where.starts_with("call:") || where.find("/hetjit/") != std::string::npos;
    return {std::string(kind) == "note" ? "note" : "error", ours ? text : where + ": " + text};
  }
  return {};
}

/// The first error and its notes.
ExternalAnswer refused(const std::string& messages) {
  ExternalAnswer answer;
  std::istringstream lines(messages);
  for (std::string message; std::getline(lines, message);) {
    Line line = line_of(message);
    if (line.kind == "error" && !answer.problem.empty()) break;
    if (line.kind == "error") answer.problem = std::move(line.text);
    if (line.kind == "note" && answer.notes.size() < kMostNotes)
      answer.notes.push_back(std::move(line.text));
  }
  if (answer.problem.empty()) answer.problem = "clang failed without a word";
  if (answer.problem.find("has_a_type_in_python") != std::string::npos) {
    const size_t from = answer.problem.find('<'), to = answer.problem.rfind(">'");
    answer.problem =
        "its result '" + answer.problem.substr(from + 1, to - from - 1) + "' has no type in Python";
    answer.notes.clear();
    answer.helps.push_back(
        "say which type it is: device.cxx(…, types={type: \"its name in C++\"})");
  }
  return answer;
}

/// What a file was when it was read; a file that is gone is another one.
std::string stamp(const std::string& file) {
  std::error_code error;
  const auto when = fs::last_write_time(file, error).time_since_epoch().count();
  const uintmax_t size = fs::file_size(file, error);
  return error ? "" : std::to_string(when) + " " + std::to_string(size);
}

class Functions : public typing::ExternalFunctions {
 public:
  ExternalAnswer find(const ExternalCall& call) override {
    const std::string key = key_of(call);
    {
      std::lock_guard lock(mutex_);
      auto known = known_.find(key);
      if (known != known_.end() && is_current(known->second)) return known->second.answer;
    }
    Known made = make(call, symbol_of(key));
    std::lock_guard lock(mutex_);
    return (known_[key] = std::move(made)).answer;
  }

 private:
  struct Known {
    ExternalAnswer answer;
    std::map<std::string, std::string> files;  // their stamps
  };

  static bool is_current(const Known& known) {
    for (const auto& [file, was] : known.files)
      if (stamp(file) != was) return false;
    return true;
  }

  static Known make(const ExternalCall& call, const std::string& symbol) {
    Known made;
    Result<Compiled> compiled =
        compile(shim_source(call, symbol), call.library.options, call.target);
    if (!compiled.ok()) {
      made.answer.problem = compiled.error().text;
      made.files[""] = kAskAgain;  // it may have been installed meanwhile
      return made;
    }
    if (!compiled->knows_files) made.files[""] = kAskAgain;
    for (const std::string& file : compiled->files) made.files[file] = stamp(file);
    made.answer = compiled->bitcode.empty() ? refused(compiled->messages)
                                            : accepted(call, symbol, compiled->bitcode);
    return made;
  }

  static ExternalAnswer accepted(const ExternalCall& call, const std::string& symbol,
                                 const std::string& bitcode) {
    Result<target::ExternalCode> code = target::prepare_external(bitcode, symbol);
    ExternalAnswer answer;
    if (!code.ok()) {
      answer.problem = code.error().text;
      return answer;
    }
    answer.function =
        typing::ExternalFunction{result_of(call, code->result),
                                 code->pure,
                                 {symbol, key_of(call.library),
                                  std::make_shared<const std::string>(std::move(code->bitcode))}};
    return answer;
  }

  ForkSafeMutex mutex_;
  std::map<std::string, Known> known_;
};

}  // namespace

typing::ExternalFunctions& functions() {
  static auto* all = new Functions;  // for good: code may be compiled until the very end
  return *all;
}

}  // namespace hetjit::cxx
