#include "compiler/cxx/includes.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace hetjit::cxx {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool is_file(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::string path_of(const std::string& folder, const std::string& name) {
  std::error_code ignored;
  return fs::absolute(fs::path(folder) / name, ignored).lexically_normal().string();
}

/// What options name with one word, `-Ifolder` or `-I folder`.
Words folders_of(const Words& options, const std::string& word) {
  Words folders;
  for (size_t i = 0; i < options.size(); ++i)
    if (options[i] == word && i + 1 < options.size())
      folders.push_back(options[++i]);
    else if (options[i].starts_with(word) && options[i] != word)
      folders.push_back(options[i].substr(word.size()));
  return folders;
}

}  // namespace

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

Words folders_for_quotes(const Words& options) {
  Words folders = folders_of(options, "-iquote");
  for (std::string& folder : folders_of(options, "-I")) folders.push_back(std::move(folder));
  return folders;
}

void Includes::look_into(const std::string& text, const std::string& folder) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string name = included_by(line);
    if (name == "?") all_known = false;
    if (name.size() > 1) find(name, folder);
  }
}

void Includes::find(const std::string& name, const std::string& folder) {
  const bool is_quoted = name.front() == '"';
  if (is_quoted && !folder.empty() && add(path_of(folder, name.substr(1)))) return;
  for (const std::string& place : is_quoted ? places_.quotes : places_.brackets)
    if (add(path_of(place, name.substr(1)))) return;
  for (const std::string& place : places_.others)
    if (const std::string path = path_of(place, name.substr(1)); is_file(path)) {
      if (is_new(path)) files.push_back({path, ""});
      return;
    }
}

/// Is it one? Its own are added after it.
bool Includes::add(const std::string& path) {
  if (!is_file(path)) return false;
  if (!is_new(path)) return true;
  std::ifstream file(path);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  files.push_back({path, text});
  look_into(text, fs::path(path).parent_path().string());
  return true;
}

}  // namespace hetjit::cxx
