// Bytes under names, in a folder that processes share: never half of them, never more than a limit,
// and nothing that somebody else could have put there.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/storage/folder.h"

namespace hetjit::storage {

/// Whether looking for something says that it is of use.
enum class Use : uint8_t { Count, Look };

class DiskCache {
 public:
  /// `most_bytes`: what is kept at most, in files that were not used lately less.
  DiskCache(std::string path, Owner owner, uint64_t most_bytes = UINT64_MAX)
      : path_(std::move(path)), owner_(owner), most_bytes_(most_bytes) {}

  const std::string& path() const { return path_; }

  /// nullopt: nothing of that name is kept. Invalid: what there is must not be used, and why. A
  /// name is of hexadecimal digits.
  Result<std::optional<Bytes>> find(const std::string& name, Use use = Use::Count) const;
  /// Keeps it, and lets go what was used least lately where it comes to be too much.
  Status keep(const std::string& name, std::span<const std::byte> content) const;

  /// Invalid: nothing in the folder may be used, and why. What is not there is no fault.
  Status usable() const;
  /// All that is kept, the one used last first.
  std::vector<File> files() const;
  /// Lets go what was used least lately until no more than that is left. Returns how many files.
  size_t prune(uint64_t most_bytes) const;
  /// Where it lies, for messages.
  std::string path_of(const std::string& name) const;

 private:
  Result<Folder> part(char digit, bool make) const;

  std::string path_;
  Owner owner_;
  uint64_t most_bytes_;
};

}  // namespace hetjit::storage
