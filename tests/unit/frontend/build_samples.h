// The recorded sample functions, read into graphs: tests/snapshots/<version>/samples.snap.
#pragma once

#include <fstream>
#include <map>
#include <sstream>

#include "frontend/build/build.h"
#include "frontend/snapshot/snapshot_text.h"
#include "tests/source_dir.h"

namespace hetjit {

inline constexpr const char* kVersions[] = {"3.11", "3.12", "3.13", "3.14", "3.15"};

/// Empty when the recording cannot be read, which the tests take for a failure.
inline ssa::Module built_recording(const std::string& path) {
  std::ifstream file(HETJIT_SOURCE_DIR "/tests/snapshots/" + path);
  std::stringstream text;
  text << file.rdbuf();
  auto program = parse_program(text.str());
  if (!program) return {std::make_shared<Program>(), {}};
  return build(std::make_shared<const Program>(std::move(*program)));
}

inline const ssa::Module& samples(const std::string& version) {
  static std::map<std::string, ssa::Module> modules;
  auto [entry, added] = modules.try_emplace(version);
  if (added) entry->second = built_recording(version + "/samples.snap");
  return entry->second;
}

/// Index of the first function with that name; the number of functions when there is none.
inline uint32_t find(const ssa::Module& module, const std::string& name) {
  uint32_t index = 0;
  while (index < module.functions.size() && module.program->functions[index].name != name) ++index;
  return index;
}

}  // namespace hetjit
