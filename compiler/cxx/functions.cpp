#include "compiler/cxx/functions.h"

#include <sys/stat.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>

#include "abi/bytes.h"
#include "abi/fork_safe_mutex.h"
#include "compiler/cxx/clang.h"
#include "compiler/cxx/dialect.h"
#include "compiler/cxx/front_end.h"
#include "compiler/cxx/kept_calls.h"
#include "compiler/cxx/shim.h"
#include "compiler/target/external_code.h"
#include "compiler/typing/known/external_objects.h"

namespace hetjit::cxx {
namespace {

using typing::ExternalAnswer;
using typing::ExternalCall;

/// A stamp that no file has.
constexpr const char* kAskAgain = "ask again";
constexpr std::string_view kPassPlace =
    "pass the place: device.thread_idx.x and its like. On AMD's GPUs <hip/hip_runtime.h> has it, "
    "too";
/// More of what clang says would only repeat it.
constexpr size_t kMostNotes = 8;

/// A call as text: equal ones are the same function.
std::string key_of(const ExternalCall& call) {
  std::string key = to_text(call.target) + "\n" + call.expression;
  for (TypeId id : call.arguments) key += "\n" + to_text(id);
  return key + "\n" + typing::key_of(call.library);
}

std::string symbol_of(const std::string& key) {
  return "hetjit_cxx_" + std::to_string(checksum(key));
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

/// What to do about what clang says, by words of it. The first row that fits.
struct Remedy {
  std::string_view words, help;
};
constexpr Remedy kRemedies[] = {
    {"reference to __host__ variable",
     "write 'constexpr' or '__device__' before the variable: on the CPU the latter means nothing"},
    {"reference to __host__ function",
     "write '__device__' before the function, or include a header that is for GPUs, too"},
    {"undeclared identifier 'threadIdx'", kPassPlace},
    {"undeclared identifier 'blockIdx'", kPassPlace},
    {"undeclared identifier 'blockDim'", kPassPlace},
    {"undeclared identifier 'gridDim'", kPassPlace},
};

/// "candidate function not viable: no known conversion from 'const hetjit::int32' … to 'Mode' for
/// 1st argument": "Mode"; "" of other notes.
std::string wanted_of_integer(const std::string& note) {
  constexpr std::string_view kFrom = "no known conversion from 'const hetjit::", kTo = " to '";
  const size_t from = note.find(kFrom);
  const size_t to = from == std::string::npos ? from : note.rfind(kTo);
  if (to == std::string::npos || note.find("int", from + kFrom.size()) > from + kFrom.size() + 1)
    return "";
  const size_t begin = to + kTo.size(), end = note.find('\'', begin);
  const std::string name = note.substr(begin, end - begin);
  return name.find_first_of("*&<[ ") == std::string::npos ? name : "";
}

void add_remedies(ExternalAnswer& answer) {
  for (const Remedy& row : kRemedies)
    if (answer.problem.find(row.words) != std::string::npos)
      return answer.helps.emplace_back(row.help), void();
  for (const std::string& note : answer.notes)
    if (const std::string name = wanted_of_integer(note); !name.empty())
      return answer.helps.push_back(
                 "an enumeration comes back as its integer: make it one again, " + name +
                 "(value), as in C++"),
             void();
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
  if (answer.problem.empty()) answer.problem = "its compiler failed without a word";
  if (answer.problem.find("has_a_type_in_python") != std::string::npos) {
    const size_t from = answer.problem.find('<'), to = answer.problem.rfind(">'");
    answer.problem =
        "its result '" + answer.problem.substr(from + 1, to - from - 1) + "' has no type in Python";
    answer.notes.clear();
    answer.helps.push_back(
        "say which type it is: device.cxx(…, types={type: \"its name in C++\"})");
  }
  if (answer.problem == "no matching function for call to 'part'")  // shim.hpp's, for values
    return {.function = {}, .problem = "it is no value", .notes = {}, .helps = {"call it"}};
  if (answer.helps.empty()) add_remedies(answer);
  return answer;
}

/// What clang did when it failed is in the numbered lines behind the first one, its command; where
/// it kept what it was given, it says so.
ExternalAnswer failed_itself(const std::string& messages) {
  ExternalAnswer answer;
  answer.problem = "clang itself failed";
  std::string script;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const size_t number = line.find_first_not_of("0123456789");
    if (line[0] != '0' && number != 0 && line.substr(std::min(number, line.size()), 2) == ".\t" &&
        answer.notes.size() < kMostNotes)
      answer.notes.push_back(line.substr(number + 2 + (line.find(kTextFile) == number + 2)));
    if (line.ends_with(".sh") && line.find("diagnostic msg: ") != std::string::npos)
      script = line.substr(line.rfind(' ') + 1);
  }
  answer.helps = {"write it another way: C++ does not forbid it, but this clang ends at it",
                  script.empty() ? "HETJIT_CLANG may name a script that keeps what clang is given "
                                   "and what it says"
                                 : "to see all that clang says, run sh " + script};
  return answer;
}

/// A library that does not compile has no function that a call could be of.
ExternalAnswer refused_library(const Heard& heard) {
  ExternalAnswer answer =
      heard.failed_itself ? failed_itself(heard.messages) : refused(heard.messages);
  const bool missing = answer.problem.ends_with("file not found");
  answer.problem = "its library does not compile, " + answer.problem;
  if (missing) {
    answer.helps = {"say in which folder it is: device.cxx(…, include=[\"folder\"])"};
    if (!find_clang().ok())
      answer.helps.emplace_back(
          "or install clang 22: NVRTC, taken in its place, has no headers of the system's");
  }
  if (answer.helps.empty())
    answer.helps = {"correct the library: until it compiles, no call is looked at"};
  return answer;
}

/// What a file was when it was read; a file that is gone is another one. A folder is there or not.
/// The last change, too: dates can be set.
std::string stamp(const std::string& file) {
  struct stat found {};
  if (stat(file.c_str(), &found) != 0) return "";
  if (S_ISDIR(found.st_mode)) return "folder";
  return std::to_string(found.st_mtim.tv_sec) + "." + std::to_string(found.st_mtim.tv_nsec) + " " +
         std::to_string(found.st_ctim.tv_sec) + "." + std::to_string(found.st_ctim.tv_nsec) + " " +
         std::to_string(found.st_size);
}

/// Whether what was made of sources is still of use, without reading them again.
class Stamps {
 public:
  /// Nothing is of use for long.
  Stamps() { stamps_[""] = kAskAgain; }
  explicit Stamps(const Sources& sources) {
    if (sources.compiler.empty()) stamps_[""] = kAskAgain;
    for (const ReadFile& file : sources.files) add(file.path);
    for (const std::string& file : files_before(sources)) add(file);
  }
  void add(const std::string& file) { stamps_[file] = stamp(file); }
  bool are_current() const {
    return std::all_of(stamps_.begin(), stamps_.end(),
                       [](const auto& one) { return stamp(one.first) == one.second; });
  }

 private:
  std::map<std::string, std::string> stamps_;
};

using SharedStamps = std::shared_ptr<const Stamps>;

struct Known {
  ExternalAnswer answer;
  SharedStamps stamps = std::make_shared<const Stamps>();
};

/// A library as a compiler has read it for a target.
struct ReadLibrary {
  std::unique_ptr<ReadSource> read;
  Sources sources;
  SharedStamps stamps;
};

std::string key_for(const CxxLibrary& library, const TargetName& target) {
  return to_text(target) + "\n" + typing::key_of(library);
}

/// Those that calls asked for last: each is some ten megabytes on disk.
class ReadLibraries {
 public:
  using Library = std::shared_ptr<const ReadLibrary>;

  /// One thread reads a library; who asks for it meanwhile waits.
  Result<Library> find(const ExternalCall& call) {
    const std::string key = key_for(call.library, call.target);
    std::lock_guard lock(mutex_);
    auto known = std::find_if(last_.begin(), last_.end(),
                              [&](const Entry& entry) { return entry.first == key; });
    if (known != last_.end()) {
      last_.splice(last_.begin(), last_, known);
      if (known->second->stamps->are_current()) return known->second;
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
    Result<const FrontEnd*> compiler = front_end(call.target.kind);
    HETJIT_TRY(compiler);
    auto library = std::make_shared<ReadLibrary>();
    Result<std::unique_ptr<ReadSource>> source = (*compiler)->read(call.library, call.target);
    if (!source) return source.error();
    library->read = std::move(*source);
    Heard& read = library->read->heard;
    library->sources = sources_read(read.files, call.library.source, std::move(read.folders),
                                    call.library.options);
    if (!read.knows_files) library->sources.compiler.clear();
    Stamps stamps(library->sources);
    if (std::string file = library->read->file(); !file.empty()) stamps.add(file);
    library->stamps = std::make_shared<const Stamps>(std::move(stamps));
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
      if (known != known_.end() && known->second.stamps->are_current()) return known->second.answer;
    }
    Known found = find_or_make(call, key);
    std::lock_guard lock(mutex_);
    return (known_[key] = std::move(found)).answer;
  }

  /// What a library was read from, for the last call; nullptr: nobody called a function of it.
  std::shared_ptr<const Sources> sources(const CxxLibrary& library, const TargetName& target) {
    std::lock_guard lock(mutex_);
    return sources_[key_for(library, target)];
  }

 private:
  Known find_or_make(const ExternalCall& call, const std::string& key) {
    const std::string name = name_of_call(key, call.target), symbol = symbol_of(key);
    Known known;
    if (std::optional<KeptCall> kept = find_kept(name)) {
      known.stamps = std::make_shared<const Stamps>(kept->sources);
      read_from(call, kept->sources);
      known.answer.function = function(call, symbol, std::move(kept->code));
      return known;
    }
    Result<ReadLibraries::Library> library = libraries_.find(call);
    if (!library) {
      known.answer.problem = library.error().text;  // it may be installed meanwhile
      known.answer.helps = {
          "docs/interop.md says what C++ for kernels needs, and where it is looked for"};
      return known;
    }
    known.stamps = (*library)->stamps;
    read_from(call, (*library)->sources);
    known.answer = make(call, symbol, **library, name);
    return known;
  }

  static ExternalAnswer make(const ExternalCall& call, const std::string& symbol,
                             const ReadLibrary& library, const std::string& name) {
    const Heard& heard = library.read->heard;
    if (!heard.accepted) return refused_library(heard);
    Result<Answer> compiled = compiled_call(call, symbol, library);
    if (!compiled) return problem(compiled.error());
    if (compiled->failed_itself) return failed_itself(compiled->messages);
    if (!compiled->accepted) return refused(compiled->messages);
    ExternalAnswer answer = problem_with(call, compiled->code);
    if (!answer.problem.empty()) return answer;
    if (!library.sources.compiler.empty())
      keep(name, {.made_of = made_of(call), .code = compiled->code, .sources = library.sources});
    answer.function = function(call, symbol, std::move(compiled->code));
    return answer;
  }

  /// What is said is of the call with arrays as they are.
  static Result<Answer> compiled_call(const ExternalCall& call, const std::string& symbol,
                                      const ReadLibrary& library) {
    Result<Answer> plain = library.read->call(call, symbol, Arrays::Descriptors);
    if (!plain || plain->accepted || std::ranges::none_of(call.arguments, is_array)) return plain;
    Result<Answer> pointers = library.read->call(call, symbol, Arrays::Pointers);
    return pointers && pointers->accepted ? std::move(pointers) : std::move(plain);
  }

  static ExternalAnswer problem(const Error& error) {
    ExternalAnswer answer;
    answer.problem = error.text;
    answer.helps.emplace_back("docs/interop.md says what C++ for kernels may do");
    return answer;
  }

  /// What nobody would find when it is linked.
  static ExternalAnswer missing_in(const target::ExternalCode& code, const Dialect& dialect) {
    ExternalAnswer answer;
    for (const target::Needed& needed : code.needed) {
      if (dialect.provides(needed.symbol)) continue;
      const bool prints = needed.symbol.starts_with("__ockl_printf");
      const std::string which =
          prints ? "printf" : (needed.is_variable ? "the variable '" : "'") + needed.name + "'";
      answer.problem = "it needs " + which + ", which is not there for kernels";
      answer.helps.push_back(
          prints ? "print in Python: of AMD's GPUs only HIP's runtime reads what printf leaves"
          : needed.is_variable && dialect.has_two_sides
              ? "on GPUs a variable has to be defined with '__device__', which means nothing on "
                "the CPU"
              : "define it in the library: what a compiled part of C++'s library does is not to be "
                "had");
      return answer;
    }
    return answer;
  }

  /// Objects are passed as copies, in memory that ends with the call.
  static ExternalAnswer problem_with(const ExternalCall& call, const target::ExternalCode& code) {
    ExternalAnswer answer = missing_in(code, dialect(call.target.kind));
    if (!answer.problem.empty()) return answer;
    const TypeId result = result_of(call, code.result);
    if (!result.valid()) {
      answer.problem = "its result is of a type without a name";
      answer.helps.push_back("give the type a name in C++, or ask a function there for its parts");
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
      answer.helps.push_back(
          "keep it in a = device.local_array(1, its type), and write a, not a[0], "
          "where it stands");
    return answer;
  }

  void read_from(const ExternalCall& call, const Sources& sources) {
    std::lock_guard lock(mutex_);
    sources_[key_for(call.library, call.target)] = std::make_shared<const Sources>(sources);
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
  std::map<std::string, std::shared_ptr<const Sources>> sources_;  // of libraries, by key_for
  ReadLibraries libraries_;
};

Functions& all_functions() {
  static auto* all = new Functions;  // for good: code may be compiled until the very end
  return *all;
}

}  // namespace

typing::ExternalFunctions& functions() { return all_functions(); }

std::vector<Sources> sources_of(const Program& program, const TargetName& target) {
  std::vector<Sources> read;
  for (const CxxLibrary& library : program.libraries)
    if (auto one = all_functions().sources(library, target)) read.push_back(*one);
  return read;
}

}  // namespace hetjit::cxx
