// What is known of a launch of a kernel that was compiled with check="race" or "init": who used
// which memory last, and how far its blocks are. What is made of it: watch_calls.cpp.
//
// Two threads that use the same bytes, one of them to write and not both by atomic operations, must
// be ordered: by a barrier, by atomic operations on one place, or by being one thread. Every
// granule of memory has a record of who used it last, with marks where several threads or blocks
// did, and one of who wrote it before that. As records hold counts of barriers and not times, a
// conflict is found in whatever order threads run.
//
// Atomic operations of any order are taken to order what is before and after them at their place:
// so a lock or a counter is no false alarm, and a wrong memory order is not found. A barrier of a
// block hands on to all its threads what each has seen, and lets each speak for all of them.
#pragma once

#include <array>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "abi/kernel_image.h"
#include "abi/watch.h"
#include "runtime/host/race_record.h"
#include "runtime/host/releases.h"
#include "runtime/host/shadow.h"

namespace hetjit::runtime {

/// The functions that compiled code calls.
const WatchCalls& watch_calls();

/// What is known of a block that is under way.
struct BlockState {
  static constexpr uint32_t kMaxThreads = 1024, kMaxWarps = kMaxThreads / 32;

  uint32_t block = UINT32_MAX;
  std::array<uint16_t, kMaxThreads> epochs{};  // by thread
  Record first;                                // who came first to the barrier that is next
  uint16_t first_epoch = 0;                    // with its epoch behind that barrier; 0: nobody
  bool counts_warps = false, acquires = false;
  uint32_t ticked = 0;                                // when its threads last moved the clock,
  bool used_since_tick = true;                        // and whether they have used memory since
  std::array<uint32_t, kMaxThreads> warp_barriers{};  // by thread: passed
  std::array<uint32_t, kMaxThreads> acquired{};  // by thread: when what it has seen was released
  // Of all threads behind a barrier, by its number's last bit, the latest of those before it.
  std::array<uint32_t, 2> acquired_by_all{};
  uint16_t released_behind = 0;  // a barrier: its number, for which that was told; 0: none
  // When counts of barriers began again: records from before are no part of this epoch.
  uint32_t wrapped = 0;
  std::array<uint32_t, kMaxWarps> warp_wrapped{};

  void begin(uint32_t next);
};

/// Of one launch.
class RaceWatch {
 public:
  explicit RaceWatch(const Geometry& geometry) : geometry_(geometry) {}

  /// While it lives, this OS thread's kernels report here.
  class Scope {
   public:
    explicit Scope(RaceWatch& watch);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
  };

  /// Of consecutive granules. Records: 0 is nobody. What stands before `stamps` means something
  /// only where `rows` says so.
  struct Chunk {
    static constexpr unsigned kBits = 18;
    static constexpr uint64_t kGranules = uint64_t{1} << kBits, kRow = 16;
    uint64_t states[kGranules];   // of the last use
    uint64_t writers[kGranules];  // of a write before it, where the state says so
    uint64_t seconds[kGranules];  // another use, where there are several
    uint64_t stamps[kGranules];   // when: of the writer in the low half, of the state in the high
    uint64_t rows[kGranules / kRow + 1];  // of several granules together: row_records.h
    uint32_t rows_begin;                  // the granule where one begins, plus 1; 0: none does yet
  };
  /// Of consecutive words of four bytes: the block that wrote there (plus 1, times 16) and which of
  /// the bytes it did.
  struct Contents {
    static constexpr unsigned kBits = 14;
    static constexpr uint64_t kWords = uint64_t{1} << kBits;
    uint32_t words[kWords];
  };
  /// Holds the records of up to kMost granules against other OS threads. Only those of a block's
  /// own memory need not be held: one thread at a time runs a block.
  class Held {
   public:
    static constexpr uint64_t kMost = 64;
    Held(RaceWatch& watch, uint64_t place, uint64_t count) {
      first_ = &watch.busy_[place / kMost % kHolds];
      second_ = &watch.busy_[(place + count - 1) / kMost % kHolds];
      if (first_ == second_) second_ = nullptr;
      if (second_ && second_ < first_) std::swap(first_, second_);  // all take them in one order
      take(first_);
      if (second_) take(second_);
    }
    ~Held() {
      if (second_) second_->store(false, std::memory_order_release);
      first_->store(false, std::memory_order_release);
    }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;

   private:
    static void take(std::atomic<bool>* busy) {
      while (busy->exchange(true, std::memory_order_acquire)) {
      }
    }
    std::atomic<bool>*first_ = nullptr, *second_ = nullptr;
  };

  /// Null: there is no memory for it, and `complete` is false from then on.
  Chunk* chunk(uint64_t key) { return kept<Chunk>(uses_.find(key)); }
  Contents* contents(uint64_t key) { return kept<Contents>(contents_.find(key)); }
  bool complete() const { return complete_.load() && releases_.complete(); }
  const Geometry& geometry() const { return geometry_; }

  /// Of the block whose memory begins there.
  BlockState& block_at(uintptr_t memory);

  Releases& releases() { return releases_; }

 private:
  template <class Piece>
  Piece* kept(std::byte* piece) {
    if (!piece) complete_ = false;
    return reinterpret_cast<Piece*>(piece);
  }

  static constexpr size_t kHolds = 4096;
  const Geometry geometry_;
  std::array<std::atomic<bool>, kHolds> busy_{};  // by hash
  Shadow uses_{{sizeof(Chunk), sizeof(Chunk::states), offsetof(Chunk, rows)}};
  Shadow contents_{{sizeof(Contents)}};
  std::mutex making_;
  std::unordered_map<uintptr_t, BlockState> blocks_;
  std::atomic<bool> complete_{true};
  Releases releases_;
};

}  // namespace hetjit::runtime
