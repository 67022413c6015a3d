// Running the user's clang. Private to this folder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/status.h"
#include "abi/target_name.h"
#include "compiler/cxx/dialect.h"

namespace hetjit::cxx {

/// What became of a source.
struct Compiled {
  std::string bitcode;             // empty: it did not compile
  std::string messages;            // what clang says, a line each
  std::vector<std::string> files;  // that it included
  bool knows_files = false;        // not where one is missing
};

/// Compiles C++ source for a target. Errors: Unavailable without clang or, for NVIDIA, CUDA's
/// headers where they are asked for; DriverFailed when a file cannot be written.
Result<Compiled> compile(const std::string& source, const std::vector<std::string>& options,
                         const TargetName& target, Headers headers = Headers::Vendors);

}  // namespace hetjit::cxx
