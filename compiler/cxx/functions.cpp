#include "compiler/cxx/functions.h"

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>

#include "abi/fork_safe_mutex.h"
#include "compiler/cxx/clang.h"
#include "compiler/cxx/kept_calls.h"
#include "compiler/cxx/shim.h"
#include "compiler/target/external_code.h"
#include "compiler/typing/known/external_objects.h"

namespace hetjit::cxx {
namespace {

namespace fs = std::filesystem;
using typing::ExternalAnswer;
using typing::ExternalCall;

/// A stamp that no file has.
constexpr const char* kAskAgain = "ask again";
/// More of what clang says would only repeat it.
constexpr size_t kMostNotes = 8;

/// A call as text: equal ones are the same function.
std::string key_of(const ExternalCall& call) {
  std::string key = to_text(call.target) + "\n" + call.expression;
  for (TypeId id : call.arguments) key += "\n" + to_text(id);
  return key + "\n" + typing::key_of(call.library);
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
    const bool is_text = message.starts_with(std::string(kTextFile) + ":");
    const std::string where = message.substr(is_text, at - is_text);
    const std::string text = message.substr(at + mark.size());
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

/// What was made of files, as long as they are the same.
class Stamps {
 public:
  void add(const std::string& file) { stamps_[file] = stamp(file); }
  void ask_again() { stamps_[""] = kAskAgain; }
  bool are_current() const {
    return std::all_of(stamps_.begin(), stamps_.end(),
                       [](const auto& one) { return stamp(one.first) == one.second; });
  }

 private:
  std::map<std::string, std::string> stamps_;
};

struct Known {
  ExternalAnswer answer;
  Stamps files;
};

/// A library as clang has read it for a target.
struct ReadLibrary {
  ReadLibrary(Parsed&& parsed) : parsed(std::move(parsed)) {}
  Parsed parsed;
  Stamps files;
};

/// Those that calls asked for last: each is some ten megabytes on disk.
class ReadLibraries {
 public:
  using Library = std::shared_ptr<const ReadLibrary>;

  /// One thread reads a library; who asks for it meanwhile waits.
  Result<Library> find(const ExternalCall& call) {
    const std::string key = to_text(call.target) + "\n" + typing::key_of(call.library);
    std::lock_guard lock(mutex_);
    auto known = std::find_if(last_.begin(), last_.end(),
                              [&](const Entry& entry) { return entry.first == key; });
    if (known != last_.end()) {
      last_.splice(last_.begin(), last_, known);
      if (known->second->files.are_current()) return known->second;
      last_.pop_front();
    }
    Result<Library> read = read_now(call);
    HETJIT_TRY(read);
    last_.emplace_front(key, *read);
    if (last_.size() > kMost) last_.pop_back();
    return *read;
  }

 private:
  using Entry = std::pair<std::string, Library>;
  static constexpr size_t kMost = 4;

  static Result<Library> read_now(const ExternalCall& call) {
    Result<Parsed> parsed =
        parse(library_source(call.library, call.target.kind), call.library.options, call.target);
    if (!parsed) return parsed.error();
    auto library = std::make_shared<ReadLibrary>(std::move(*parsed));
    for (const std::string& file : library->parsed.files) library->files.add(file);
    if (!library->parsed.knows_files) library->files.ask_again();
    if (library->parsed.accepted) library->files.add(parsed_file(library->parsed));
    return Library(std::move(library));
  }

  ForkSafeMutex mutex_;
  std::list<Entry> last_;
};

class Functions : public typing::ExternalFunctions {
 public:
  ExternalAnswer find(const ExternalCall& call) override {
    const std::string key = key_of(call);
    {
      std::lock_guard lock(mutex_);
      auto known = known_.find(key);
      if (known != known_.end() && known->second.files.are_current()) return known->second.answer;
    }
    Known found = find_or_make(call, key);
    std::lock_guard lock(mutex_);
    return (known_[key] = std::move(found)).answer;
  }

 private:
  Known find_or_make(const ExternalCall& call, const std::string& key) {
    const std::string name = name_of_call(key, call.target), symbol = symbol_of(key);
    Known known;
    if (std::optional<KeptCall> kept = find_kept(name)) {
      for (const ReadFile& file : kept->files) known.files.add(file.path);
      known.answer.function = function(call, symbol, std::move(kept->code));
      return known;
    }
    Result<ReadLibraries::Library> library = libraries_.find(call);
    if (!library) {
      known.answer.problem = library.error().text;
      known.files.ask_again();  // it may have been installed meanwhile
      return known;
    }
    known.files = (*library)->files;
    known.answer = make(call, symbol, (*library)->parsed, name);
    return known;
  }

  static ExternalAnswer make(const ExternalCall& call, const std::string& symbol,
                             const Parsed& library, const std::string& name) {
    if (!library.accepted) return refused(library.messages);
    Result<Compiled> compiled = compile(library, call_source(call, symbol));
    if (!compiled) return problem(compiled.error());
    if (!compiled->accepted) return refused(compiled->messages);
    Result<target::ExternalCode> code = target::prepare_external(compiled->bitcode, symbol);
    if (!code) return problem(code.error());
    ExternalAnswer answer = problem_with(call, *code);
    if (!answer.problem.empty()) return answer;
    keep_call(call, library.files, *code, name);
    answer.function = function(call, symbol, std::move(*code));
    return answer;
  }

  static ExternalAnswer problem(const Error& error) {
    ExternalAnswer answer;
    answer.problem = error.text;
    return answer;
  }

  /// Objects are passed as copies, in memory that ends with the call.
  static ExternalAnswer problem_with(const ExternalCall& call, const target::ExternalCode& code) {
    ExternalAnswer answer;
    const TypeId result = result_of(call, code.result);
    if (!result.valid()) {
      answer.problem = "its result is of a type without a name";
      return answer;
    }
    if (typing::is_object(result) && code.kept[0])
      answer.problem = "its result keeps its own address, and is moved";
    for (size_t i = 0; i < call.arguments.size(); ++i) {
      if (!typing::is_object(call.arguments[i])) continue;
      const std::string which = "'" + typing::spelling_of_object(call.arguments[i]) + "'";
      if (code.kept[i + 1])
        answer.problem = "it keeps the address of the " + which + " that it is given, a copy";
      else if (code.changed[i + 1])
        answer.problem = "it changes the " + which + " that it is given, a copy";
    }
    if (!answer.problem.empty())
      answer.helps.push_back("keep it in device.local_array(1, its type), and pass that");
    return answer;
  }

  static void keep_call(const ExternalCall& call, const std::vector<std::string>& files,
                        const target::ExternalCode& code, const std::string& name) {
    KeptCall kept{.made_of = made_of(call), .code = code, .files = {}};
    for (const std::string& file : files) {
      kept.files.push_back({file, content_of(file)});
      if (kept.files.back().content == 0) return;
    }
    keep(name, kept);
  }

  static std::string made_of(const ExternalCall& call) {
    std::string types;
    for (TypeId id : call.arguments) types += (types.empty() ? "" : ", ") + to_python(id);
    return "kernel C++ " + call.expression + "\nplace " + call.library.path + "\nsignature (" +
           types + ")\ntarget " + to_text(call.target) + "\n";
  }

  static typing::ExternalFunction function(const ExternalCall& call, const std::string& symbol,
                                           target::ExternalCode code) {
    return {result_of(call, code.result),
            code.pure,
            {symbol, typing::key_of(call.library),
             std::make_shared<const std::string>(std::move(code.bitcode))}};
  }

  ForkSafeMutex mutex_;
  std::map<std::string, Known> known_;
  ReadLibraries libraries_;
};

}  // namespace

typing::ExternalFunctions& functions() {
  static auto* all = new Functions;  // for good: code may be compiled until the very end
  return *all;
}

}  // namespace hetjit::cxx
