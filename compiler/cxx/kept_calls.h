// What clang made of calls, on disk for the next process (docs/cache.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "abi/target_name.h"
#include "compiler/cxx/sources.h"
#include "compiler/target/external_code.h"

namespace hetjit::cxx {

struct KeptCall {
  std::string made_of;  // a line each, for people: "kernel …", "target …"
  target::ExternalCode code;
  Sources sources;
};

/// What a call is kept under, given a text that says all of it: clang and this build are part of
/// it, not what it includes. "": this cannot be told, and nothing is kept.
std::string name_of_call(const std::string& key, const TargetName& target);

/// nullopt: nothing of use is there. What cannot be read is no error: the call is compiled again.
std::optional<KeptCall> find_kept(const std::string& name);
void keep(const std::string& name, const KeptCall& call);

/// A file of the cache that keeps a call: what it was made of; nullopt: it is none.
std::optional<std::string> kept_call_made_of(std::span<const std::byte> file);

}  // namespace hetjit::cxx
