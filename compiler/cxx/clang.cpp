#include "compiler/cxx/clang.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include "compiler/cxx/headers.h"
#include "compiler/cxx/shim.h"

extern char** environ;

namespace hetjit::cxx {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProgram = "clang++-22";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

/// Nothing is optimised yet: what functions of one library share is not known before they are
/// linked (target/external_code.h). Sums and products are not fused, so that all targets give the
/// same bits. What the user says comes last.
std::vector<std::string> common_options(const Folder& folder) {
  return {"-std=c++20",
          "-O2",
          "-Xclang",
          "-disable-llvm-passes",
          "-ffp-contract=off",
          "-fno-math-errno",
          "-fno-exceptions",
          "-fno-stack-protector",
          "-fno-asynchronous-unwind-tables",
          "-fno-threadsafe-statics",
          "-DNDEBUG",
          "-fno-caret-diagnostics",
          "-fno-color-diagnostics",
          "-w",
          "-emit-llvm",
          "-c",
          "-I" + (folder / "")};
}

/// Its exit status; nullopt when it could not be started.
std::optional<int> run(const std::vector<std::string>& command, const std::string& messages) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&files, 2, messages.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  const int failed = posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed) return std::nullopt;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// A driver that keeps what made its compiler fail has the status of an ordinary error.
bool failed_itself(int status, const std::string& messages) {
  constexpr int kInside = 70;  // of a program that says so of itself
  return status == kInside || status > 128 ||
         messages.find("error: clang frontend command failed") != std::string::npos;
}

/// The files of a rule of make's: "out: a.h b.h \". Blanks in names are escaped.
std::vector<std::string> files_of(const std::string& rule) {
  std::vector<std::string> files(1);
  for (size_t at = rule.find(": ") + 1; at < rule.size(); ++at) {
    const bool escaped = rule[at] == '\\' && at + 1 < rule.size();
    if (escaped && rule[at + 1] != '\n')
      files.back() += rule[++at];
    else if (rule[at] == '\n' || rule[at] == ' ' || escaped)
      files.back().empty() ? void() : (void)files.emplace_back();
    else
      files.back() += rule[at];
  }
  files.pop_back();
  return files;
}

/// What clang says with -v: folders that are not there, whose place in the order is not told, then
/// the others in order.
std::vector<std::string> folders_of(const std::string& messages) {
  constexpr std::string_view kNotThere = "ignoring nonexistent directory \"";
  std::vector<std::string> folders;
  std::istringstream lines(messages);
  bool listed = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(kNotThere))
      folders.push_back(line.substr(kNotThere.size(), line.rfind('"') - kNotThere.size()));
    else if (line.starts_with("End of search list"))
      return folders;
    else if (line.starts_with("#include "))
      listed = true;
    else if (listed && line.starts_with(' '))
      folders.push_back(line.substr(1));
  }
  return folders;
}

using Words = std::vector<std::string>;

void add(Words& to, const Words& more) { to.insert(to.end(), more.begin(), more.end()); }

/// The command for a target, but for what is read and written; our headers are put in the folder.
Result<Words> command_in(const Folder& folder, const Words& options, const TargetName& target,
                         Headers wanted) {
  Result<std::string> clang = find_clang();
  HETJIT_TRY(clang);
  Result<Words> asked = dialect(target.kind).options(target.arch, wanted);
  HETJIT_TRY(asked);
  std::error_code ignored;
  fs::create_directory(folder / "hetjit", ignored);
  for (const Header& header : headers())
    HETJIT_TRY(folder.write("hetjit/" + std::string(header.name), header.text));
  Words command{*clang};
  for (const Words& list : {*asked, common_options(folder), options}) add(command, list);
  return command;
}

/// As YAML writes a text, which JSON is a part of.
std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (char letter : text) {
    if (letter == '"' || letter == '\\') made += '\\';
    made += letter;
  }
  return made + '"';
}

/// The option by which clang reads texts in place of files: they and a list of them are in the
/// folder. Messages and lists of what was read have the files' own names.
Result<Words> option_to_read(const std::vector<Includes::File>& instead, const Folder& folder) {
  if (instead.empty()) return Words{};
  std::string list;
  for (size_t i = 0; i < instead.size(); ++i) {
    const std::string name = "instead_" + std::to_string(i);
    HETJIT_TRY(folder.write(name, instead[i].text));
    list += (i ? ",\n" : "") + ("{'type': 'file', 'name': " + quoted(instead[i].path)) +
            ", 'external-contents': " + quoted(folder / name) + "}";
  }
  HETJIT_TRY(folder.write(
      "instead.yaml", "{'version': 0, 'use-external-names': false, 'roots': [\n" + list + "]}\n"));
  return Words{"-ivfsoverlay", folder / "instead.yaml"};
}

/// Has clang read a source and write `made`, both in the folder.
Result<Heard> run_in(const Folder& folder, Words command, const std::string& source,
                     const std::string& made) {
  HETJIT_TRY(folder.write("call.cpp", source));
  const std::string clang = command.front();
  for (const std::string& word :
       {std::string("-dependency-file"), folder / "files", std::string("-MT"), std::string("made")})
    add(command, {"-Xclang", word});
  add(command, {"-Xclang", "-sys-header-deps", folder / "call.cpp", "-o", folder / made});
  const std::optional<int> status = run(command, folder / "messages");
  if (!status) return Error{ErrorCode::Unavailable, clang + " could not be started"};
  Heard heard{
      .accepted = *status == 0, .messages = folder.read("messages"), .files = {}, .folders = {}};
  heard.failed_itself = failed_itself(*status, heard.messages);
  const std::string rule = folder.read("files");
  heard.knows_files = !rule.empty();
  for (std::string& file : files_of(rule))
    if (!file.starts_with(folder / "")) heard.files.push_back(std::move(file));
  for (std::string& path : folders_of(heard.messages))
    if (!path.starts_with(folder / "")) heard.folders.push_back(std::move(path));
  return heard;
}

Result<Compiled> bitcode_in(const Folder& folder, Words command, const std::string& source) {
  Result<Heard> heard = run_in(folder, std::move(command), source, "call.bc");
  HETJIT_TRY(heard);
  Compiled made{std::move(*heard), ""};
  if (made.accepted) made.bitcode = folder.read("call.bc");
  return made;
}

constexpr const char* kParsed = "parsed";
/// Where it fails itself it is asked again, so it need not keep what it was given.
constexpr const char* kKeepNothing = "-fno-crash-diagnostics";

/// What is included before the source was included when it was parsed.
Words without_includes(const Words& command) {
  Words left;
  for (size_t i = 0; i < command.size(); ++i)
    if (command[i] == "-include" || command[i] == "-imacros")
      ++i;
    else
      left.push_back(command[i]);
  return left;
}

/// A library of which clang has written a file that it reads before each call.
class ParsedLibrary : public ReadSource {
 public:
  ParsedLibrary(Parsed&& parsed, TargetKind kind) : parsed_(std::move(parsed)), kind_(kind) {
    heard = std::move(parsed_);
  }
  std::string file() const override { return parsed_.has_file ? parsed_file(parsed_) : ""; }

  Result<Answer> call(const typing::ExternalCall& call, const std::string& symbol,
                      Arrays arrays) const override {
    Result<Compiled> made = compiled(call_source(call, symbol, arrays, Compiler::Clang));
    HETJIT_TRY(made);
    Answer answer{made->accepted, made->failed_itself, std::move(made->messages), {}};
    if (!answer.accepted) return answer;
    Result<target::ExternalCode> code =
        target::prepare_external(made->bitcode, symbol, dialect(kind_).division_traps);
    HETJIT_TRY(code);
    answer.code = std::move(*code);
    return answer;
  }

 private:
  /// clang 22 fails itself with what it parsed of some templates, as cuda::std::tuple.
  Result<Compiled> compiled(const std::string& source) const {
    if (!from_text_ && parsed_.has_file) {
      Result<Compiled> made = compile(parsed_, source);
      if (!made || !made->failed_itself) return made;
    }
    Result<Compiled> made = compile_all(parsed_, source);
    if (made && !made->failed_itself) from_text_ = true;
    return made;
  }

  Parsed parsed_;
  TargetKind kind_;
  mutable std::atomic<bool> from_text_ = false;
};

/// Headers that the user's text includes by quotes are the user's, too; where they include others'
/// they are given anew.
std::vector<Includes::File> own_headers(const CxxLibrary& library) {
  Includes includes({.quotes = folders_for_quotes(library.options), .brackets = {}, .others = {}});
  includes.look_into(library.source, fs::path(library.path).parent_path().string());
  std::vector<Includes::File> changed;
  for (const Includes::File& file : includes.files)
    if (std::string text = for_both(file.text); text != file.text)
      changed.push_back({file.path, std::move(text)});
  return changed;
}

Result<std::unique_ptr<ReadSource>> read_library(const CxxLibrary& library,
                                                 const TargetName& target) {
  const bool has_two_sides = dialect(target.kind).has_two_sides;
  Result<Parsed> parsed =
      parse(library_source(library, target.kind, Compiler::Clang), options_of(library), target,
            has_two_sides ? own_headers(library) : std::vector<Includes::File>{});
  if (!parsed) return parsed.error();
  return std::unique_ptr<ReadSource>(new ParsedLibrary(std::move(*parsed), target.kind));
}

}  // namespace

const FrontEnd kClang{.read = read_library, .find = find_clang};

bool is_clang_named() { return !variable("HETJIT_CLANG").empty(); }

Result<std::string> find_clang() {
  if (std::string given = variable("HETJIT_CLANG"); !given.empty()) {
    if (is_program(given)) return given;
    return Error{ErrorCode::Unavailable, "HETJIT_CLANG is '" + given + "', which cannot be run"};
  }
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string path = folder + "/" + kProgram; is_program(path)) return path;
  return Error{ErrorCode::Unavailable,
               "C++ is compiled by clang 22, and there is no 'clang++-22' on the PATH; install it, "
               "or set HETJIT_CLANG to where it is"};
}

Result<Compiled> compile(const std::string& source, const Words& options, const TargetName& target,
                         Headers wanted) {
  Result<Folder> folder = Folder::make();
  if (!folder.ok()) return folder.error();
  Result<Words> command = command_in(*folder, options, target, wanted);
  HETJIT_TRY(command);
  return bitcode_in(*folder, std::move(*command), source);
}

Result<Parsed> parse(const std::string& source, const Words& options, const TargetName& target,
                     const std::vector<Includes::File>& instead) {
  Result<Folder> folder = Folder::make();
  if (!folder.ok()) return folder.error();
  Result<Words> command = command_in(*folder, options, target, Headers::Vendors);
  HETJIT_TRY(command);
  Result<Words> reads = option_to_read(instead, *folder);
  HETJIT_TRY(reads);
  add(*command, *reads);
  Words reading = *command, again = *command;
  add(reading, {"-v", kKeepNothing, "-Xclang", "-emit-pch"});
  Result<Heard> heard = run_in(*folder, std::move(reading), source, kParsed);
  HETJIT_TRY(heard);
  const bool has_file = heard->accepted;
  if (heard->failed_itself) {
    again.emplace_back("-v");
    heard = run_in(*folder, std::move(again), source, kParsed);
    HETJIT_TRY(heard);
  }
  Parsed parsed{std::move(*heard),          std::move(*folder),
                without_includes(*command), source,
                std::move(*command),        has_file};
  for (const std::string& word : {std::string("-include-pch"), parsed_file(parsed)})
    add(parsed.command, {"-Xclang", word});
  parsed.command.emplace_back(kKeepNothing);
  return parsed;
}

Result<Compiled> compile(const Parsed& before, const std::string& source) {
  Result<Folder> folder = Folder::make();
  if (!folder.ok()) return folder.error();
  return bitcode_in(*folder, before.command, source);
}

Result<Compiled> compile_all(const Parsed& before, const std::string& source) {
  Result<Folder> folder = Folder::make();
  if (!folder.ok()) return folder.error();
  return bitcode_in(*folder, before.command_of_all, before.source + source);
}

std::string parsed_file(const Parsed& parsed) { return parsed.folder / kParsed; }

}  // namespace hetjit::cxx
