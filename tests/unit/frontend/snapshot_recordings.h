// The recordings under tests/snapshots, for the tests that decode them.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "frontend/snapshot/snapshot_text.h"
#include "tests/source_dir.h"

namespace hetjit {

inline constexpr Python kAllPythons[] = {Python::v3_11, Python::v3_12, Python::v3_13, Python::v3_14,
                                         Python::v3_15};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string samples_text(Python version) {
  return read_file(std::string(HETJIT_SOURCE_DIR "/tests/snapshots/") +
                   std::string(to_text(version)) + "/samples.snap");
}

/// tests/snapshots/samples.py as this version compiled it.
inline Program samples(Python version) {
  Result<Program> program = parse_program(samples_text(version));
  EXPECT_TRUE(program.ok()) << program.error().text;
  return program.ok() ? std::move(*program) : Program{};
}

inline const Snapshot& sample(const Program& program, std::string_view name) {
  for (const Snapshot& snapshot : program.functions)
    if (snapshot.name == name) return snapshot;
  ADD_FAILURE() << "no sample " << name;
  static const Snapshot none;
  return none;
}

}  // namespace hetjit
