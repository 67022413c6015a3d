#include "compiler/storage/settings.h"

#include <charconv>
#include <cstdlib>

namespace hetjit::storage {
namespace {

struct Word {
  std::string_view name;
  bool reads, writes;
};
constexpr Word kWords[] = {{"on", true, true},
                           {"1", true, true},
                           {"read", true, false},
                           {"off", false, false},
                           {"0", false, false}};

const Word* find_word(std::string_view name) {
  for (const Word& word : kWords)
    if (word.name == name) return &word;
  return nullptr;
}

/// "" where it is not set; and in a program that runs with others' rights than its user's.
std::string value_of(const char* variable) {
  const char* value = secure_getenv(variable);
  return value ? value : "";
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
  constexpr std::string_view kUnits = "KMGT";
  unsigned shift = 0;
  if (const size_t unit = text.empty() ? text.npos : kUnits.find(text.back()); unit != text.npos) {
    shift = 10 * (static_cast<unsigned>(unit) + 1);
    text.remove_suffix(1);
  }
  uint64_t count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (count > UINT64_MAX >> shift) return std::nullopt;
  return count << shift;
}

Settings settings_from_environment() {
  Settings settings;
  if (const Word* word = find_word(value_of("HETJIT_CACHE")))
    settings.reads = word->reads, settings.writes = word->writes;
  settings.path = value_of("HETJIT_CACHE_DIR");
  settings.chosen = !settings.path.empty();
  if (!settings.chosen) settings.path = usual_path();
  if (std::optional<uint64_t> most = parse_bytes(value_of("HETJIT_CACHE_SIZE")))
    settings.most_bytes = *most;
  settings.shared = value_of("HETJIT_CACHE_SHARED");
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
