// NVRTC has no program and writes no files: it is a library that is given texts. Which headers a
// source includes it does not say, so that is looked for here.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>

#include "compiler/cxx/dialect.h"
#include "compiler/cxx/front_end.h"
#include "compiler/cxx/headers.h"
#include "compiler/target/nvrtc.h"

namespace hetjit::cxx {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kNothingLeft =
    "nvrtc: error: the library's options leave no relocatable PTX of this function\n";

/// Standard headers of which CUDA's C++ library has a form for GPUs.
constexpr const char* kStandard[] = {
    "algorithm", "array",   "bit",      "cfloat",  "climits", "cmath",       "complex",
    "concepts",  "cstddef", "cstdint",  "cstdlib", "cstring", "functional",  "initializer_list",
    "limits",    "numeric", "optional", "span",    "tuple",   "type_traits", "utility",
    "variant",   "mdspan"};

/// Folders of CUDA's headers: where the toolkit is, or beside the library in its package.
Words cuda_folders() {
  Words folders;
  auto add = [&](const std::string& root) {
    std::error_code ignored;
    for (const char* name : {"/include", "/include/cccl"})
      if (fs::is_directory(root + name, ignored) &&
          std::ranges::find(folders, root + name) == folders.end())
        folders.push_back(root + name);
  };
  if (Result<std::string> toolkit = find_cuda(); toolkit.ok()) add(*toolkit);
  if (Result<std::string> library = target::find_nvrtc(); library.ok())
    add(fs::path(*library).parent_path().parent_path().string());
  return folders;
}

/// Where quoted includes are looked for first: beside the file, or where the program runs.
std::string folder_of(const CxxLibrary& library) {
  std::error_code ignored;
  return (library.path.empty() ? fs::current_path(ignored) : fs::path(library.path).parent_path())
      .string();
}

/// Sums and products are not fused, as clang is told; what the user says comes last.
target::CudaSource source_of(const CxxLibrary& library, const TargetName& target) {
  target::CudaSource source;
  source.name = folder_of(library) + "/call";
  source.text =
      "#include \"hetjit/nvrtc.hpp\"\n" + library_source(library, target.kind, Compiler::Nvrtc);
  source.options = {"-std=c++20", "-default-device", "-fmad=false", "-w", "-DNDEBUG"};
  for (std::string& option : options_of(library)) source.options.push_back(std::move(option));
  for (const std::string& folder : cuda_folders()) source.options.push_back("-I" + folder);
  for (const Header& header : headers())
    source.headers.emplace_back("hetjit/" + std::string(header.name), header.text);
  for (const std::string name : kStandard)
    source.headers.emplace_back(name, "#pragma once\n#include <cuda/std/" + name +
                                          ">\nnamespace std { using namespace ::cuda::std; }\n");
  return source;
}

bool replace(std::string& text, const std::string& what, const std::string& by) {
  const size_t at = text.find(what);
  if (at != std::string::npos) text.replace(at, what.size(), by);
  return at != std::string::npos;
}

/// "C++(3): error #29: …" as "C++:3: error: …". "": a line of source, or of nothing new.
std::string as_clangs(std::string line) {
  const size_t end = line.find("): ");
  const size_t begin = end == std::string::npos ? end : line.rfind('(', end);
  if (begin == std::string::npos || line.front() == ' ') return "";
  line.replace(end, 1, "");
  line[begin] = ':';
  replace(line, "catastrophic error", "fatal error");
  for (const char* kind : {": error #", ": note #"})
    if (const size_t at = line.find(kind); at != std::string::npos)
      line.erase(line.find(" #", at), line.find(':', at + 2) - line.find(" #", at));
  for (const char* says : {"could not open source file \"", "cannot open source file \""})
    if (replace(line, says, "'")) line = line.substr(0, line.find('"')) + "' file not found";
  return line;
}

std::string as_clangs_all(const std::string& messages) {
  std::string text;
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kOwn = "nvrtc: error: ";
    const std::string one = line.starts_with(kOwn) ? line : as_clangs(line);
    if (!one.empty()) text += one + "\n";
  }
  return text;
}

/// What a line includes, with its first bracket; "": nothing.
std::string included_by(const std::string& line) {
  const size_t hash = line.find_first_not_of(" \t");
  if (hash == std::string::npos || line[hash] != '#') return "";
  const size_t word = line.find_first_not_of(" \t", hash + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return "";
  const size_t name = line.find_first_not_of(" \t", word + 7);
  if (name == std::string::npos) return "?";
  const size_t end = line.find_first_of(">\"", name + 1);
  const bool is_name = line[name] == '<' || line[name] == '"';
  return is_name && end != std::string::npos ? line.substr(name, end - name) : "?";
}

/// The files that a source may include, whatever its conditions say. Of CUDA's it is enough to know
/// where they begin: they change with the toolkit.
class Includes {
 public:
  Includes(Words folders, Words cuda) : folders_(std::move(folders)), cuda_(std::move(cuda)) {}

  void look_into(const std::string& text, const std::string& folder) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const std::string name = included_by(line);
      if (name == "?") all_known = false;
      if (name.size() > 1) find(name, folder);
    }
  }
  Words files;
  bool all_known = true;

 private:
  void find(const std::string& name, const std::string& folder) {
    Words places = name.front() == '"' ? Words{folder} : Words{};
    places.insert(places.end(), folders_.begin(), folders_.end());
    for (const std::string& place : places)
      if (const std::string path = place + "/" + name.substr(1); add(path)) return;
    for (const std::string& place : cuda_)
      if (const std::string path = place + "/" + name.substr(1); is_file(path))
        return add_once(path), void();
  }
  static bool is_file(const std::string& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
  }
  bool add_once(const std::string& path) {
    const bool is_new = known_.insert(path).second;
    if (is_new) files.push_back(path);
    return is_new;
  }
  bool add(const std::string& path) {
    if (!is_file(path)) return false;
    if (!add_once(path)) return true;
    std::ifstream file(path);
    look_into({std::istreambuf_iterator<char>(file), {}}, fs::path(path).parent_path().string());
    return true;
  }

  Words folders_, cuda_;
  std::set<std::string> known_;
};

Words own_folders(const CxxLibrary& library) {
  Words folders;
  for (const std::string& option : library.options)
    if (option.starts_with("-I")) folders.push_back(option.substr(2));
  return folders;
}

class GivenLibrary : public ReadSource {
 public:
  GivenLibrary(target::CudaSource source, std::string arch)
      : source_(std::move(source)), arch_(std::move(arch)) {}

  Result<Answer> call(const typing::ExternalCall& call, const std::string& symbol,
                      Arrays arrays) const override {
    target::CudaSource whole = source_;
    whole.text += call_source(call, symbol, arrays, Compiler::Nvrtc);
    Result<target::CudaAnswer> made = target::compile_cuda(whole, arch_);
    HETJIT_TRY(made);
    Answer answer{made->accepted, false, as_clangs_all(made->messages), {}};
    if (!answer.accepted) return answer;
    std::optional<target::ExternalCode> code =
        target::prepare_cuda({source_, bare_call_source(call, symbol, arrays, Compiler::Nvrtc)},
                             symbol, call.arguments.size() + 1, made->ptx);
    if (!code) return Answer{false, false, kNothingLeft, {}};
    answer.code = std::move(*code);
    return answer;
  }

 private:
  target::CudaSource source_;
  std::string arch_;
};

Result<std::unique_ptr<ReadSource>> read_library(const CxxLibrary& library,
                                                 const TargetName& target) {
  target::CudaSource source = source_of(library, target);
  Result<target::CudaAnswer> read = target::compile_cuda(source, target.arch);
  HETJIT_TRY(read);
  Includes includes(own_folders(library), cuda_folders());
  includes.look_into(library.source, folder_of(library));
  auto given = std::make_unique<GivenLibrary>(std::move(source), target.arch);
  given->heard = {.accepted = read->accepted,
                  .messages = as_clangs_all(read->messages),
                  .files = std::move(includes.files),
                  .knows_files = read->accepted && includes.all_known,
                  .folders = own_folders(library)};
  for (std::string& folder : cuda_folders()) given->heard.folders.push_back(std::move(folder));
  return std::unique_ptr<ReadSource>(std::move(given));
}

}  // namespace

const FrontEnd kNvrtc{.read = read_library, .find = target::find_nvrtc};

}  // namespace hetjit::cxx
