// Folders and files that nobody but their owner can have written. All work is done in folders held
// open, so that what was looked at is what is used, whoever renames what meanwhile.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/status.h"

namespace hetjit::storage {

using Bytes = std::vector<std::byte>;

struct File {
  std::string name;
  uint64_t bytes = 0;
  int64_t used = 0;  // seconds since 1970: written, or marked as used
};

/// Whose a folder may be that is trusted: this user's or root's; or whosoever, where the user has
/// named it. Files in it belong to the same, and nobody else may write any of it.
enum class Owner : uint8_t { Mine, Anybody };

class Folder {
 public:
  /// Unavailable: it is not there, or cannot be read. Invalid: others could have written it.
  static Result<Folder> open(const std::string& path, Owner owner);
  /// Makes it where it is missing, and what it lies in, for this user alone.
  static Result<Folder> open_or_make(const std::string& path);
  Result<Folder> inside(const std::string& name, bool make) const;

  Folder(Folder&& other) noexcept;
  Folder& operator=(Folder&& other) noexcept;
  ~Folder();

  /// A file's content; nullopt: there is no such file. Invalid: it must not be used.
  Result<std::optional<Bytes>> read(const std::string& name) const;
  /// Writes a file whole or not at all, in place of an older one.
  Status write(const std::string& name, std::span<const std::byte> content) const;
  /// Notes that it was used, if that was not noted lately.
  void mark_used(const std::string& name) const;
  void remove(const std::string& name) const;
  /// Plain files of whatever name, in no order.
  std::vector<File> files() const;
  std::string path_of(const std::string& name) const { return path_ + "/" + name; }

  /// How names of files begin that are being written. One older than an hour was left by a process
  /// that ended meanwhile.
  static constexpr std::string_view kUnfinished = ".new-";
  static constexpr int64_t kLongestWrite = 3600;

 private:
  Folder(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  static Result<Folder> checked(int descriptor, std::string path, std::optional<uid_t> owner);
  std::optional<std::string> fault_of(const struct stat& file, const std::string& name) const;

  int descriptor_ = -1;
  std::string path_;
  uid_t owner_ = 0;
};

}  // namespace hetjit::storage
