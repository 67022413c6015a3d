// Who has let others see what it has done, by atomic operations, and when: part of what the watch
// knows of a launch. Private to the watch.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hetjit::runtime {

/// Safe to share. Of each thread the last times are kept, and of each place the last: both by hash,
/// and who shares an entry is excused. `thread` and `place` are any numbers.
class Releases {
 public:
  Releases();
  ~Releases();
  Releases(const Releases&) = delete;
  Releases& operator=(const Releases&) = delete;

  /// False: there was no memory for it, and everything is excused.
  bool complete() const { return by_thread_; }

  /// The clock moves with atomic operations and grid barriers, and when counts of barriers begin
  /// again.
  uint32_t now() const { return clock_.load(std::memory_order_relaxed); }
  uint32_t tick() { return clock_.fetch_add(1, std::memory_order_relaxed) + 1; }

  /// A thread lets others see at a place what it has done before `time`. Since `idle_since` it has
  /// used no memory.
  void add(uint64_t thread, uint64_t place, uint32_t time, uint32_t idle_since);
  /// Has the thread done so after `from`, and up to `to`? True also where that is forgotten.
  bool has(uint64_t thread, uint32_t from, uint32_t to) const;
  /// The same of what all threads of a block did before its barrier with that number: one of them
  /// has come by it and lets others see that. Told once for each barrier.
  void add_behind(uint32_t block, uint32_t barrier, uint32_t time);
  /// Has a thread of the block done so behind another barrier than that?
  bool has_behind(uint32_t block, uint32_t barrier, uint32_t from, uint32_t to) const;
  /// When anybody last did so at a place.
  uint32_t last_at(uint64_t place) const;

 private:
  static constexpr uint64_t kEntries = uint64_t{1} << 16, kTimes = 4;
  static constexpr size_t kBytes = kEntries * ((kTimes + 1) * sizeof(uint32_t) + kTimes * 8);
  static constexpr uint64_t kSpread = 0x9e3779b97f4a7c15u;
  static uint64_t entry_of_place(uint64_t place) { return place * kSpread >> 48; }
  // Threads with numbers near each other lie near each other: in few pages.
  static uint64_t entry_of_thread(uint64_t thread) {
    return ((thread >> 6) * kSpread >> 54 << 6 | (thread & 63)) * kTimes;
  }

  static void insert(uint32_t* times, uint32_t time, uint32_t idle_since);
  // A block's number is 20 bits here, a barrier's 10 (race_record.h).
  static uint64_t name_of(uint32_t block, uint32_t barrier) {
    return (block & 0xfffff) << 10 | (barrier & 0x3ff);
  }
  static uint64_t entry_of_block(uint32_t block) { return (block & 0xffff) * kTimes; }

  std::atomic<uint32_t> clock_{0};
  uint32_t* by_thread_ = nullptr;  // kTimes each, the latest first
  uint32_t* by_place_ = nullptr;
  uint64_t* by_block_ = nullptr;  // kTimes each, the latest first: time, block, barrier
  std::array<std::atomic<bool>, 1024> busy_{};  // entries that change, by number
};

}  // namespace hetjit::runtime
