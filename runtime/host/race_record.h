// Who used a granule of memory, in one word. Private to the runtime's watch.
#pragma once

#include <cstdint>

#include "abi/watch_kinds.h"

namespace hetjit::runtime {

/// Block 20 bits, barriers passed 10, barriers of the warp passed 4, line 15, marks 5, thread 10.
/// Never 0 but for nobody. What goes beyond its bits begins again: of two blocks a million apart
/// another one may be named, and a race between them is not found.
struct Record {
  static constexpr unsigned kBlockAt = 44, kBarriersAt = 34, kEpochAt = 30, kLineAt = 15;
  static constexpr uint64_t kThreadBits = 0x3ff;
  static constexpr uint64_t kRead = 1 << 10, kWrite = 2 << 10, kAtomic = 3 << 10, kKind = 3 << 10;
  // Several threads do the same, of one warp, of one block, of several blocks.
  static constexpr uint64_t kLanes = 1 << 12, kWarps = 2 << 12, kBlocks = 3 << 12;
  static constexpr uint64_t kSeveral = kBlocks;
  static constexpr uint64_t kWritten = 1 << 14;  // somebody wrote before, and is on record
  uint64_t bits = 0;

  static uint64_t kind_of(AccessKind kind) {
    return kind == AccessKind::Read ? kRead : kind == AccessKind::Write ? kWrite : kAtomic;
  }
  static Record make(uint32_t block, uint32_t line, uint64_t kind) {
    return {uint64_t{block & 0xfffff} << kBlockAt | uint64_t{line & 0x7fff} << kLineAt | kind};
  }
  Record of(uint32_t thread, uint16_t epoch) const {
    return {bits | uint64_t{epoch} << kEpochAt | (thread & kThreadBits)};
  }
  uint32_t thread() const { return bits & kThreadBits; }
  uint32_t warp() const { return thread() / 32; }
  uint32_t line() const { return bits >> kLineAt & 0x7fff; }
  uint32_t block() const { return static_cast<uint32_t>(bits >> kBlockAt); }
  uint32_t barriers() const { return bits >> kBarriersAt & 0x3ff; }
  uint64_t kind() const { return bits & kKind; }
  uint64_t name() const { return bits >> kBlockAt << 10 | thread(); }  // of the thread in the grid
  uint64_t several() const { return bits & kSeveral; }
  bool written() const { return bits & kWritten; }
  bool same_block(Record other) const { return bits >> kBlockAt == other.bits >> kBlockAt; }
  bool same_thread(Record other) const { return name() == other.name(); }
  bool same_barriers(Record other) const {  // and block
    return bits >> kBarriersAt == other.bits >> kBarriersAt;
  }
  bool same_epoch(Record other) const { return bits >> kEpochAt == other.bits >> kEpochAt; }
  explicit operator bool() const { return bits; }
};

/// A thread's count of barriers and of its warp's barriers, as a record keeps it.
struct Epoch {
  static constexpr uint16_t kBarrier = 1 << 4, kBits = 0x3fff, kWarpBits = 0xf;
};

/// Is all that the record stands for before what `me` does now, by barriers or by being one thread?
inline bool is_ordered(Record record, Record me) {
  if (record.several() == Record::kBlocks || !record.same_block(me)) return false;
  if (!record.same_barriers(me)) return true;
  if (!record.several() && record.same_thread(me)) return true;
  return record.several() < Record::kWarps && record.warp() == me.warp() && !record.same_epoch(me);
}

}  // namespace hetjit::runtime
