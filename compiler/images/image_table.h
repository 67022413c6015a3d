// What this process has compiled, for whoever asks for the same again: another function object with
// the same content, a name rebound to an equal value, another thread at the same time.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <memory>

#include "abi/fork_safe_mutex.h"
#include "abi/kernel_image.h"
#include "compiler/cxx/sources.h"
#include "compiler/images/image_places.h"
#include "frontend/snapshot/fingerprint.h"

namespace hetjit {

/// A program that compiled.
struct Compiled {
  KernelImage image;
  Diagnostics warnings;
  Places places;                      // that the messages of both speak of
  std::vector<cxx::Sources> sources;  // of the C++ that it calls
};

class ImageTable {
 public:
  using Image = std::shared_ptr<const Compiled>;

  /// The image of this key (image_key.h) that can be used by a program with these places; else what
  /// `make` makes, which is kept. One thread makes an image; who asks for it meanwhile waits. Null:
  /// it could not be made, which is not remembered. Under a ForkHold, and without Python's GIL.
  Image find_or_make(const Fingerprint& key, const Places& places,
                     const std::function<Image()>& make);

  /// How many compilations have begun: not what was found on disk. Whoever begins one counts it.
  uint32_t compilations() const { return compilations_.load(); }
  void count_compilation() { ++compilations_; }

  /// How many bytes of code are kept: what was not asked for lately goes.
  static constexpr size_t kMostBytes = size_t{64} << 20;

 private:
  struct Entry {
    Fingerprint key;
    Image image;  // null: some thread is making it
  };
  using Entries = std::list<Entry>;

  Entries::iterator find(const Fingerprint& key, const Places& places);
  void finish(Entries::iterator made, Image image);
  void make_room();

  ForkSafeMutex mutex_;
  Entries entries_;                    // those that were asked for last first
  size_t bytes_ = 0;                   // of their code
  std::atomic<uint32_t> finished_{0};  // how many were made, or could not be
  std::atomic<uint32_t> compilations_{0};
};

/// The process's. Never destroyed: threads may compile until its very end.
ImageTable& image_table();

}  // namespace hetjit
