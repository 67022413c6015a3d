// Running the user's clang. Private to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "abi/status.h"
#include "abi/target_name.h"
#include "compiler/cxx/dialect.h"
#include "compiler/cxx/folder.h"
#include "compiler/cxx/front_end.h"
#include "compiler/cxx/includes.h"

namespace hetjit::cxx {

/// The clang that the user has. Errors: Unavailable.
Result<std::string> find_clang();

/// Whether the environment names one.
bool is_clang_named();

struct Compiled : Heard {
  std::string bitcode;  // where it was accepted
};

/// Source that others follow, read once for all of them.
struct Parsed : Heard {
  Folder folder;  // of what clang made of it
  std::vector<std::string> command;
  std::string source;
  std::vector<std::string> command_of_all;  // for the source with what follows it
  bool has_file = false;                    // not where clang itself failed with it
};

/// Compiles C++ source for a target. Errors: Unavailable without clang or, for NVIDIA, CUDA's
/// headers where they are asked for; DriverFailed when a file cannot be written.
Result<Compiled> compile(const std::string& source, const std::vector<std::string>& options,
                         const TargetName& target, Headers headers = Headers::Vendors);

/// The same in two steps: what a source begins with, and what follows it. `instead`: texts that
/// clang reads in place of the files with these paths.
Result<Parsed> parse(const std::string& source, const std::vector<std::string>& options,
                     const TargetName& target, const std::vector<Includes::File>& instead);
Result<Compiled> compile(const Parsed& before, const std::string& source);
/// The second step from texts alone: with its file clang itself may fail.
Result<Compiled> compile_all(const Parsed& before, const std::string& source);
/// The file that the second step reads: where it is gone, there is nothing to follow.
std::string parsed_file(const Parsed& parsed);

}  // namespace hetjit::cxx
