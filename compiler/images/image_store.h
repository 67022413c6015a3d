// What this user's processes have compiled: on disk, for the next one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "compiler/images/image_file.h"
#include "compiler/storage/disk_cache.h"
#include "compiler/storage/settings.h"

namespace hetjit {

class ImageStore {
 public:
  explicit ImageStore(const storage::Settings& settings);

  /// What was kept for that program and these options, and can be used where its functions stand;
  /// else what `make` makes, which is kept. Files that should do and cannot be used are no errors:
  /// `faults` gets a sentence on each.
  ImageTable::Image find_or_make(const Program& program, const Options& options,
                                 const std::function<ImageTable::Image()>& make,
                                 std::vector<std::string>& faults) const;

  /// Its own folder, and the one that is only read.
  const storage::DiskCache& own() const { return own_; }
  const storage::DiskCache& shared() const { return shared_; }

 private:
  using Faults = std::vector<std::string>;
  ImageTable::Image find(const std::string& name, const Places& places, Faults& faults) const;
  ImageTable::Image find_in(const storage::DiskCache& cache, const std::string& name,
                            Faults& faults) const;
  void keep(const Compiled& made, const std::string& name, const std::string& ingredients,
            Faults& faults) const;

  storage::Settings settings_;
  storage::DiskCache own_, shared_;
};

}  // namespace hetjit
