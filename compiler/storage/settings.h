// What the environment says of the cache on disk (docs/cache.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hetjit::storage {

struct Settings {
  bool reads = true, writes = true;
  std::string path;     // "": there is nowhere to keep anything
  bool chosen = false;  // somebody has named that folder
  uint64_t most_bytes = uint64_t{1} << 30;
  std::string shared;  // a folder that is only read; "": none
};

/// HETJIT_CACHE, HETJIT_CACHE_DIR, HETJIT_CACHE_SIZE and HETJIT_CACHE_SHARED.
Settings settings_from_environment();

/// "HETJIT_CACHE is 'maybe'; …": of the first of them whose value means nothing; else "".
std::string wrong_in_environment();

/// "512M", "1.5GiB": of 1024, with K, M, G or T behind, or bytes. nullopt: something else.
std::optional<uint64_t> parse_bytes(std::string_view text);

}  // namespace hetjit::storage
