#include "compiler/cxx/clang.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "compiler/cxx/headers.h"

extern char** environ;

namespace hetjit::cxx {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClang = "clang++-22";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

Result<std::string> find_clang() {
  if (std::string given = variable("HETJIT_CLANG"); !given.empty()) {
    if (is_program(given)) return given;
    return Error{ErrorCode::Unavailable, "HETJIT_CLANG is '" + given + "', which cannot be run"};
  }
  std::istringstream folders(variable("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string path = folder + "/" + kClang; is_program(path)) return path;
  return Error{ErrorCode::Unavailable,
               "C++ is compiled by clang 22, and there is no 'clang++-22' on the PATH; install it, "
               "or set HETJIT_CLANG to where it is"};
}

/// A folder that ends with its owner.
class Folder {
 public:
  static Result<Folder> make() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "hetjit-cxx-XXXXXX").string();
    if (error || !mkdtemp(path.data()))
      return Error{ErrorCode::DriverFailed, "no folder for C++ could be made in " + path};
    return Folder(std::move(path));
  }
  Folder(Folder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  Folder& operator=(Folder&&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  Status write(const std::string& name, std::string_view text) const {
    std::ofstream file(path_ + "/" + name, std::ios::binary);
    file << text;
    if (file.flush()) return ok();
    return Error{ErrorCode::DriverFailed, path_ + "/" + name + " could not be written"};
  }
  std::string read(const std::string& name) const {
    std::ifstream file(path_ + "/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

 private:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

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
          "-fno-caret-diagnostics",
          "-fno-color-diagnostics",
          "-w",
          "-emit-llvm",
          "-c",
          "-MD",
          "-MF",
          folder / "files",
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

}  // namespace

Result<Compiled> compile(const std::string& source, const std::vector<std::string>& options,
                         const TargetName& target, Headers wanted) {
  Result<std::string> clang = find_clang();
  HETJIT_TRY(clang);
  Result<std::vector<std::string>> asked = dialect(target.kind).options(target.arch, wanted);
  HETJIT_TRY(asked);
  Result<Folder> folder = Folder::make();
  if (!folder.ok()) return folder.error();
  std::error_code ignored;
  fs::create_directory(*folder / "hetjit", ignored);
  for (const Header& header : headers())
    HETJIT_TRY(folder->write("hetjit/" + std::string(header.name), header.text));
  HETJIT_TRY(folder->write("call.cpp", source));
  std::vector<std::string> command{*clang};
  for (const auto& list : {*asked, common_options(*folder), options})
    command.insert(command.end(), list.begin(), list.end());
  for (const std::string& word : {*folder / "call.cpp", std::string("-o"), *folder / "call.bc"})
    command.push_back(word);
  const std::optional<int> status = run(command, *folder / "messages");
  if (!status) return Error{ErrorCode::Unavailable, *clang + " could not be started"};
  Compiled made;
  made.messages = folder->read("messages");
  if (*status == 0) made.bitcode = folder->read("call.bc");
  const std::string rule = folder->read("files");
  made.knows_files = !rule.empty();
  for (std::string& file : files_of(rule))
    if (!file.starts_with(*folder / "")) made.files.push_back(std::move(file));
  return made;
}

}  // namespace hetjit::cxx
