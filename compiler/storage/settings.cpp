#include "compiler/storage/settings.h"

#include <cctype>
#include <charconv>
#include <cstdlib>

namespace hetjit::storage {
namespace {

struct Word {
  std::string_view name;
  bool reads, writes;
};
constexpr Word kWords[] = {{"on", true, true},  {"1", true, true},       {"true", true, true},
                           {"yes", true, true}, {"read", true, false},   {"off", false, false},
                           {"0", false, false}, {"false", false, false}, {"no", false, false}};

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return small;
}

const Word* find_word(std::string_view name) {
  const std::string small = in_small_letters(name);
  for (const Word& word : kWords)
    if (word.name == small) return &word;
  return nullptr;
}

/// "" where it is not set; and in a program that runs with others' rights than its user's.
std::string value_of(const char* variable) {
  const char* value = secure_getenv(variable);
  return value ? value : "";
}

/// A folder that a variable names. Where no shell has read it, as in a file of settings, `~` is
/// still there.
std::string folder_of(const char* variable) {
  const std::string path = value_of(variable), home = value_of("HOME");
  const bool at_home = path == "~" || path.starts_with("~/");
  return at_home && home.starts_with('/') ? home + path.substr(1) : path;
}

/// The user's folder for what can be made again.
std::string usual_path() {
  if (std::string caches = value_of("XDG_CACHE_HOME"); caches.starts_with('/'))
    return caches + "/hetjit";
  const std::string home = value_of("HOME");
  return home.starts_with('/') ? home + "/.cache/hetjit" : "";
}

}  // namespace

std::optional<uint64_t> parse_bytes(std::string_view text) {
  constexpr std::string_view kUnits = "kmgt", kEnds[] = {"ib", "b"};
  std::string small = in_small_letters(text);
  for (std::string_view end : kEnds)
    if (small.ends_with(end)) {
      small.resize(small.size() - end.size());
      break;
    }
  uint64_t unit = 1;
  if (const size_t found = small.empty() ? kUnits.npos : kUnits.find(small.back());
      found != kUnits.npos) {
    unit = uint64_t{1} << 10 * (found + 1);
    small.pop_back();
  }
  const char *begin = small.data(), *end = begin + small.size();
  uint64_t count = 0;
  if (auto [at, error] = std::from_chars(begin, end, count); error == std::errc() && at == end)
    return count <= UINT64_MAX / unit ? std::optional(count * unit) : std::nullopt;
  double part = 0;  // "1.5"
  auto [at, error] = std::from_chars(begin, end, part, std::chars_format::fixed);
  const double bytes = part * static_cast<double>(unit);
  if (error != std::errc() || at != end || !(bytes >= 0 && bytes < 0x1p63)) return std::nullopt;
  return static_cast<uint64_t>(bytes);
}

Settings settings_from_environment() {
  Settings settings;
  if (const Word* word = find_word(value_of("HETJIT_CACHE")))
    settings.reads = word->reads, settings.writes = word->writes;
  settings.path = folder_of("HETJIT_CACHE_DIR");
  settings.chosen = !settings.path.empty();
  if (!settings.chosen) settings.path = usual_path();
  if (std::optional<uint64_t> most = parse_bytes(value_of("HETJIT_CACHE_SIZE")))
    settings.most_bytes = *most;
  settings.shared = folder_of("HETJIT_CACHE_SHARED");
  return settings;
}

std::string wrong_in_environment() {
  const std::string use = value_of("HETJIT_CACHE"), size = value_of("HETJIT_CACHE_SIZE");
  if (!use.empty() && !find_word(use))
    return "HETJIT_CACHE is '" + use + "'; known are on, read and off";
  if (!size.empty() && !parse_bytes(size))
    return "HETJIT_CACHE_SIZE is '" + size + "'; it must be a number of bytes, as 800M or 2G";
  return "";
}

}  // namespace hetjit::storage
