// NVRTC has no program and writes no files: it is a library that is given texts. Which headers a
// source includes it does not say, so that is looked for here.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <utility>

#include "compiler/cxx/dialect.h"
#include "compiler/cxx/front_end.h"
#include "compiler/cxx/headers.h"
#include "compiler/cxx/includes.h"
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

/// Packages of CUDA 12 whose headers lie each in its own folder, beside NVRTC's; CUDA 13's share
/// one.
constexpr const char* kPackages[] = {"cuda_cccl", "cuda_runtime", "cuda_nvcc", "curand"};

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
  if (Result<std::string> library = target::find_nvrtc(); library.ok()) {
    const fs::path root = fs::path(*library).parent_path().parent_path();
    add(root.string());
    for (const char* package : kPackages) add((root.parent_path() / package).string());
  }
  return folders;
}

/// clang's options that NVRTC has under other names; "": it has no need of one.
constexpr std::pair<const char*, const char*> kOptions[] = {{"-ffp-contract=fast", "-fmad=true"},
                                                            {"-ffp-contract=on", "-fmad=true"},
                                                            {"-ffp-contract=off", "-fmad=false"},
                                                            {"-ffast-math", "-use_fast_math"},
                                                            {"-O1", ""},
                                                            {"-O2", ""},
                                                            {"-O3", ""},
                                                            {"-w", ""},
                                                            {"-Wall", ""},
                                                            {"-Wextra", ""}};

/// Folders and the table's.
Words for_nvrtc(const Words& options) {
  Words made;
  for (size_t i = 0; i < options.size(); ++i) {
    std::string option = options[i];
    for (const std::string word : {"-isystem", "-iquote", "-idirafter", "-I"})
      if (option.starts_with(word)) {
        const bool is_apart = option == word && i + 1 < options.size();
        option = "-I" + (is_apart ? options[++i] : option.substr(word.size()));
        break;
      }
    const auto* known =
        std::ranges::find(kOptions, option, [](const auto& it) { return it.first; });
    if (known != std::end(kOptions)) option = known->second;
    if (!option.empty()) made.push_back(std::move(option));
  }
  return made;
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
  for (std::string& option : for_nvrtc(options_of(library)))
    source.options.push_back(std::move(option));
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

/// Every file that a library's text may include.
Includes included(const CxxLibrary& library) {
  const Words folders = folders_for_quotes(for_nvrtc(library.options));
  Includes includes({.quotes = folders, .brackets = folders, .others = cuda_folders()});
  includes.look_into(library.source, folder_of(library));
  return includes;
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
  const Includes includes = included(library);
  auto given = std::make_unique<GivenLibrary>(std::move(source), target.arch);
  given->heard = {.accepted = read->accepted,
                  .messages = as_clangs_all(read->messages),
                  .files = {},
                  .knows_files = read->accepted && includes.all_known,
                  .folders = folders_for_quotes(for_nvrtc(library.options))};
  for (const Includes::File& file : includes.files) given->heard.files.push_back(file.path);
  for (std::string& folder : cuda_folders()) given->heard.folders.push_back(std::move(folder));
  return std::unique_ptr<ReadSource>(std::move(given));
}

}  // namespace

const FrontEnd kNvrtc{.read = read_library, .find = target::find_nvrtc};

}  // namespace hetjit::cxx
