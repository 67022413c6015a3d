// Folders for what clang reads and writes. Private to this folder.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "abi/status.h"

namespace hetjit::cxx {

/// A folder that ends with its owner, or with the process: all of a process lie in one folder, and
/// what was left by a process that was killed is removed by a later one.
class Folder {
 public:
  static Result<Folder> make();
  Folder(Folder&& other) noexcept : path_(std::exchange(other.path_, "")) {}
  Folder& operator=(Folder&&) = delete;
  ~Folder();

  std::string operator/(const std::string& name) const { return path_ + "/" + name; }
  Status write(const std::string& name, std::string_view text) const;
  /// "": there is no such file.
  std::string read(const std::string& name) const;

 private:
  explicit Folder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace hetjit::cxx
