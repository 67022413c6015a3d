// Shadow memory: who used which bytes last, for launches of kernels compiled with check="race".
//
// Two threads that use the same bytes, one of them to write and not both by atomic operations, must
// be ordered: by a barrier, by atomic operations on one place, or by being one thread. Every
// granule of memory has records of who wrote it last, and who read it or used it atomically last,
// with marks where several threads or blocks did. As they hold counts of barriers and not times, a
// conflict is found in whatever order threads run, but for two that touch a granule at the same
// instant.
//
// Atomic operations of any order are taken to order what is before and after them at their place:
// so a lock or a counter is no false alarm, and a wrong memory order is not found.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "abi/kernel_image.h"
#include "abi/watch.h"

namespace hetjit::runtime {

/// The functions that compiled code calls.
const WatchCalls& watch_calls();

/// The shadow of one launch.
class RaceWatch {
 public:
  explicit RaceWatch(const Geometry& geometry) : geometry_(geometry) {}
  ~RaceWatch();
  RaceWatch(const RaceWatch&) = delete;
  RaceWatch& operator=(const RaceWatch&) = delete;

  /// While it lives, this OS thread's kernels report here.
  class Scope {
   public:
    explicit Scope(RaceWatch& watch);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
  };

  using Word = std::atomic<uint64_t>;
  /// Records of consecutive granules; 0: nobody.
  struct Chunk {
    static constexpr unsigned kBits = 14;
    static constexpr uint64_t kGranules = uint64_t{1} << kBits;
    Word writers[kGranules], users[kGranules];
    Word seconds[kGranules];  // another user, where there are several
    Word stamps[kGranules];   // when: of the writer in the low half, of the user in the high one
  };
  /// Null: there is no memory for it, and `complete` is false from then on.
  Chunk* chunk(uint64_t key);
  bool complete() const { return complete_.load(); }
  const Geometry& geometry() const { return geometry_; }

  /// Moves with every atomic operation and grid barrier.
  uint32_t now() const { return clock_.load(std::memory_order_relaxed); }
  /// A thread lets others see at a place what it has done; `thread` and `place` are any numbers.
  void release(uint64_t thread, uint64_t place);
  /// When a thread last did so, and when anybody last did so at a place.
  uint32_t released_by(uint64_t thread) const { return get(by_thread_, thread); }
  uint32_t released_at(uint64_t place) const { return get(by_place_, place); }

 private:
  struct Entry {
    std::atomic<uint64_t> key{0};  // plus 1; 0: free
    std::atomic<Chunk*> chunk{nullptr};
  };
  static constexpr size_t kEntries = size_t{1} << 16;
  using Times = std::unique_ptr<std::atomic<uint32_t>[]>;  // by hash: who shares one is excused
  static uint64_t hash(uint64_t number) { return number * 0x9e3779b97f4a7c15u >> 48; }
  static uint32_t get(const Times& times, uint64_t number) {
    return times[hash(number)].load(std::memory_order_relaxed);
  }

  const Geometry geometry_;
  std::unique_ptr<Entry[]> entries_{new Entry[kEntries]};
  std::mutex growing_;
  std::atomic<bool> complete_{true};
  std::atomic<uint32_t> clock_{0};
  Times by_thread_{new std::atomic<uint32_t>[kEntries] {}};
  Times by_place_{new std::atomic<uint32_t>[kEntries] {}};
};

}  // namespace hetjit::runtime
