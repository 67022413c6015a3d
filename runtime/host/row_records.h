// What threads side by side have done to granules side by side, as one record. Most memory is used
// so and in no other way: its records are then a sixteenth as large. Private to the watch.
#pragma once

#include <algorithm>
#include <atomic>

#include "runtime/host/race_watch.h"

namespace hetjit::runtime {

/// The rows of a chunk's granules. Whoever calls holds them (RaceWatch::Held), but where it says
/// otherwise.
class RowRecords {
 public:
  using Chunk = RaceWatch::Chunk;
  static constexpr uint64_t kGranules = Chunk::kRow;

  /// `at`: a granule that is about to be used; where it is the chunk's first, a row begins there.
  RowRecords(Chunk& chunk, size_t at) : chunk_(chunk) {
    std::atomic_ref begin(chunk.rows_begin);
    uint32_t known = begin.load(std::memory_order_acquire);
    const auto own = static_cast<uint32_t>(at % kGranules + 1);
    if (!known && begin.compare_exchange_strong(known, own)) known = own;
    shift_ = kGranules - (known - 1);
  }

  /// What is known of a granule comes nearer, from memory.
  static void prefetch(const Chunk& chunk, size_t at) {
    __builtin_prefetch(&chunk.states[at], 1);
    __builtin_prefetch(&chunk.rows[at / kGranules], 1);  // of one of two, mostly in one line
  }

  /// What is to be held for the granule at `place`: no row is held in part.
  uint64_t held(uint64_t place) const { return place + shift_; }
  /// Is it one row, or several?
  bool are_rows(size_t at, size_t count) const {
    return (at + shift_) % kGranules == 0 && count % kGranules == 0;
  }

  /// Gives each of these granules a record of its own, or none where nobody has used the row.
  void take_apart(size_t at, size_t count) {
    for (size_t row = row_of(at); row <= row_of(at + count - 1); ++row) {
      const uint64_t bits = get(row);
      if (bits == kApart) continue;
      const size_t first = row ? first_of(row) : 0,
                   end = std::min(first_of(row + 1), Chunk::kGranules);
      for (size_t i = first; i < end; ++i) set(chunk_.states[i], bits ? of(bits, i - first) : 0);
      std::atomic_ref(chunk_.rows[row]).store(kApart, std::memory_order_release);
    }
  }
  /// Is it so? May be asked without holding them.
  bool are_apart(size_t at, size_t count) const {
    bool all = true;
    for (size_t row = row_of(at); row <= row_of(at + count - 1); ++row) all &= get(row) == kApart;
    return all;
  }

  /// The rules of granule.h for whole rows, of which thread i / each uses granule i, `me` being the
  /// record of the first. No clock has moved. False: nothing was done, as it is another case.
  bool use(size_t at, size_t count, Record me, size_t each) {
    const uint64_t mark = each == 1 ? 0 : each == 2 ? Record::kLanes : Record::kWarps;
    const size_t rows = count / kGranules, first = row_of(at);
    auto of_row = [&](size_t i) { return (me.bits | mark) + i * kGranules / each; };
    for (size_t i = 0; i < rows; ++i)
      if (uint64_t last = get(first + i); last && !is_before(last, of_row(i))) return false;
    for (size_t i = 0; i < rows; ++i) use_row(first + i, of_row(i));
    return true;
  }

 private:
  static constexpr uint64_t kApart = 1;  // no record: each granule has its own

  size_t row_of(size_t at) const { return (at + shift_) / kGranules; }
  size_t first_of(size_t row) const { return row * kGranules - shift_; }
  uint64_t get(size_t row) const {
    return std::atomic_ref(chunk_.rows[row]).load(std::memory_order_acquire);
  }
  static void set(uint64_t& word, uint64_t bits) {
    std::atomic_ref(word).store(bits, std::memory_order_relaxed);
  }

  /// The record of a row's granule. Where it would say that there are several, a row's says how
  /// many granules a thread has.
  static uint64_t of(uint64_t row, size_t granule) {
    const unsigned each = (row & Record::kSeveral) / Record::kLanes;
    return (row & ~Record::kSeveral) + (granule >> each);
  }
  /// Is what all threads of the row did before what those of `me` do now?
  static bool is_before(uint64_t last, uint64_t me) {
    const uint64_t differs = last ^ me;
    if (last == kApart || differs >> Record::kBlockAt) return false;
    return differs >> Record::kBarriersAt || !(differs & (Record::kThreadBits | Record::kSeveral));
  }

  void use_row(size_t row, uint64_t me) {
    const uint64_t last = get(row);
    const bool reads = (me & Record::kKind) == Record::kRead;
    if (!reads || !last) return set(chunk_.rows[row], me);
    const uint64_t differs = last ^ me;
    const bool as_new = !(differs >> Record::kEpochAt);
    if (as_new && !(differs & (Record::kThreadBits | Record::kSeveral))) return;
    if ((last & Record::kKind) == Record::kRead)
      return set(chunk_.rows[row], me | (last & Record::kWritten));
    for (size_t i = 0; i < kGranules; ++i) set(chunk_.writers[first_of(row) + i], of(last, i));
    set(chunk_.rows[row], me | Record::kWritten);
  }

  Chunk& chunk_;
  uint64_t shift_;  // from a granule to how far it is behind the beginning of row 0
};

}  // namespace hetjit::runtime
