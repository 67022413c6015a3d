// On disk, little endian: compiler text, files u32 count + (path text, content u64), then folders,
// own, asked and passed, each u32 count + texts.
#include "compiler/cxx/sources.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_map>

#include "compiler/cxx/front_end.h"

namespace hetjit::cxx {
namespace {

using Paths = std::vector<std::string>;

/// Where clang looks for headers beside what it is told.
constexpr const char* kVariables[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "CUDA_HOME",
                                      "CUDA_PATH"};

std::string environment() {
  std::string text;
  for (const char* name : kVariables)
    if (const char* value = std::getenv(name)) text += std::string(name) + "=" + value + "\n";
  return text;
}

bool is_there(const std::string& path) { return access(path.c_str(), F_OK) == 0; }

std::string text_of(const std::string& path) {
  std::error_code error;
  const uintmax_t size = std::filesystem::file_size(path, error);
  std::string text(error ? 0 : size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (error || !file.read(text.data(), static_cast<std::streamsize>(text.size()))) return "";
  return text;
}

// Eight bytes at a time: there may be megabytes of headers, each time that a process begins.
uint64_t content_of(const std::string& path, const std::string& text) {
  if (text.empty() && !is_there(path)) return 0;
  uint64_t hash = 0xCBF29CE484222325ull ^ text.size();
  for (size_t at = 0; at < text.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, std::min<size_t>(8, text.size() - at));
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 29;
  }
  return hash | 1;
}

/// Adds the names in `__has_include("name")` and `<name>`.
void add_asked(const std::string& text, std::set<std::string>& names) {
  constexpr std::string_view kWord = "__has_include";
  for (size_t at = text.find(kWord); at != std::string::npos; at = text.find(kWord, at + 1)) {
    const size_t from = text.find_first_not_of(" \t_next(", at + kWord.size());
    if (from == std::string::npos || (text[from] != '<' && text[from] != '"')) continue;
    const size_t to = text.find_first_of(">\"\n", from + 1);
    if (to != std::string::npos && text[to] != '\n')
      names.insert(text.substr(from + 1, to - from - 1));
  }
}

/// What a file is called from a folder; "": it lies elsewhere.
std::string name_from(const std::string& folder, const std::string& file) {
  const bool within = file.starts_with(folder) && file[folder.size()] == '/';
  return within ? file.substr(folder.size() + 1) : "";
}

/// Paths to look at, few of them: of a folder that is not there nothing in it.
class Places {
 public:
  void add(const std::string& folder, const std::string& name) {
    const size_t end = name.rfind('/');
    if (end != std::string::npos && !has(folder + "/" + name.substr(0, end))) return;
    paths.push_back(folder + "/" + name);
  }
  Paths paths;

 private:
  bool has(const std::string& folder) {
    auto [known, is_new] = known_.try_emplace(folder, false);
    if (!is_new) return known->second;
    known->second = is_there(folder);
    if (!known->second) paths.push_back(folder);
    return known->second;
  }
  std::unordered_map<std::string, bool> known_;
};

/// Files in the user's folders by their names there: they may name one another from where they lie.
void add_beside(const Sources& sources, Places& places) {
  std::set<std::string> parents, names(sources.asked.begin(), sources.asked.end());
  for (const ReadFile& file : sources.files)
    for (const std::string& folder : sources.own)
      if (std::string name = name_from(folder, file.path); !name.empty()) {
        names.insert(std::move(name));
        parents.insert(file.path.substr(0, file.path.rfind('/')));
      }
  for (const std::string& parent : parents)
    for (const std::string& name : names) places.add(parent, name);
}

void write_texts(ByteWriter& to, const Paths& texts) {
  to.number(static_cast<uint32_t>(texts.size()));
  for (const std::string& text : texts) to.text(text);
}

Paths read_texts(ByteReader& from) {
  Paths texts;
  for (auto left = from.number<uint32_t>(); from.ok && left > 0; --left)
    texts.push_back(from.text());
  return texts;
}

/// Of files that clang would take before others, those that are there and that it did not read.
Paths not_read(const Sources& sources) {
  std::set<std::string_view> read;
  for (const ReadFile& file : sources.files) read.insert(file.path);
  Paths there;
  for (std::string& path : files_before(sources))
    if (!read.contains(path) && is_there(path)) there.push_back(std::move(path));
  std::ranges::sort(there);
  return there;
}

}  // namespace

std::string compiler_now() {
  Result<std::string> path = find_compiler();
  struct stat file {};
  if (!path || stat(path->c_str(), &file) != 0) return "";
  return *path + " " + std::to_string(file.st_size) + " " + std::to_string(file.st_mtim.tv_sec) +
         "." + std::to_string(file.st_mtim.tv_nsec) + "\n" + environment();
}

Sources sources_read(const Paths& files, const std::string& text, Paths folders,
                     const std::vector<std::string>& options) {
  Sources sources{.compiler = compiler_now(), .folders = std::move(folders)};
  std::set<std::string> asked;
  add_asked(text, asked);
  for (const std::string& path : files) {
    const std::string content = text_of(path);
    sources.files.push_back({path, content_of(path, content)});
    add_asked(content, asked);
  }
  sources.asked.assign(asked.begin(), asked.end());
  for (const std::string& option : options)
    if (option.starts_with("-I")) sources.own.push_back(option.substr(2));
  sources.passed = not_read(sources);
  return sources;
}

Paths files_before(const Sources& sources) {
  Places places;
  Paths folders;
  for (const std::string& folder : sources.folders)
    (is_there(folder) ? folders : places.paths).push_back(folder);
  auto add = [&](const std::string& name, size_t below) {
    for (size_t i = 0; i < below; ++i) places.add(folders[i], name);
  };
  for (const ReadFile& file : sources.files)
    for (size_t i = 0; i < folders.size(); ++i)
      if (const std::string name = name_from(folders[i], file.path); !name.empty()) add(name, i);
  for (const std::string& name : sources.asked) add(name, folders.size());
  add_beside(sources, places);
  return std::move(places.paths);
}

bool are_current(const Sources& sources) {
  if (sources.compiler.empty() || sources.compiler != compiler_now()) return false;
  return std::ranges::all_of(sources.files,
                             [](const ReadFile& file) {
                               return content_of(file.path, text_of(file.path)) == file.content;
                             }) &&
         std::ranges::includes(sources.passed, not_read(sources));
}

void write(ByteWriter& to, const Sources& sources) {
  to.text(sources.compiler);
  to.number(static_cast<uint32_t>(sources.files.size()));
  for (const ReadFile& file : sources.files) to.text(file.path), to.number(file.content);
  for (const Paths* texts : {&sources.folders, &sources.own, &sources.asked, &sources.passed})
    write_texts(to, *texts);
}

Sources read_sources(ByteReader& from) {
  Sources sources{.compiler = from.text()};
  for (auto left = from.number<uint32_t>(); from.ok && left > 0; --left) {
    std::string path = from.text();
    sources.files.push_back({std::move(path), from.number<uint64_t>()});
  }
  for (Paths* texts : {&sources.folders, &sources.own, &sources.asked, &sources.passed})
    *texts = read_texts(from);
  return sources;
}

}  // namespace hetjit::cxx
