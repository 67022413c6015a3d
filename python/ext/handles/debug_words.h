// What HETJIT_DEBUG asks for: words with commas between them.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace hetjit::python {

inline bool debug_asks_for(std::string_view what) {
  const char* given = std::getenv("HETJIT_DEBUG");
  std::string_view rest = given ? given : "";
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(','));
    if (word == what) return true;
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
  }
  return false;
}

}  // namespace hetjit::python
