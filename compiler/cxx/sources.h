// What C++ was read from, and whether its compiler would read the same now.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "abi/bytes.h"

namespace hetjit::cxx {

/// A file that the C++ included, and its content.
struct ReadFile {
  std::string path;
  uint64_t content = 0;  // 0: there is no such file
};

struct Sources {
  std::string compiler;  // compiler_now() then; "": nobody can tell what was read
  std::vector<ReadFile> files;
  std::vector<std::string> folders;  // where clang looks for headers, in its order
  std::vector<std::string> own;      // those that the user named
  std::vector<std::string> asked;    // names that __has_include asked for
  std::vector<std::string> passed;   // there, and not taken, though clang looks there first
};

/// Which compiler it is, without starting it, and where the environment has it look for headers.
/// "": it cannot be told.
std::string compiler_now();

/// What was read: these files and `text`, with these options.
Sources sources_read(const std::vector<std::string>& files, const std::string& text,
                     std::vector<std::string> folders, const std::vector<std::string>& options);

/// Files that clang would read in place of others if they were there; and folders that are not.
std::vector<std::string> files_before(const Sources& sources);

/// Whether the same text would include the same.
bool are_current(const Sources& sources);

void write(ByteWriter& to, const Sources& sources);
Sources read_sources(ByteReader& from);

}  // namespace hetjit::cxx
