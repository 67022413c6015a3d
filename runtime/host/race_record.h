// Who used a granule of memory, in one word. Private to race_watch.cpp.
#pragma once

#include <cstdint>

namespace hetjit::runtime {

/// Block 20 bits, barriers passed 10, barriers of the warp passed 4, line 16, marks 4, thread 10.
/// Never 0 but for nobody. What goes beyond its bits begins again: in a grid of more than a million
/// blocks another one may be named.
struct Record {
  static constexpr uint64_t kRead = 1 << 10, kAtomic = 1 << 11, kThreads = 1 << 12,
                            kBlocks = 1 << 13, kMarks = kRead | kAtomic | kThreads | kBlocks;
  uint64_t bits = 0;

  static uint32_t epoch(uint32_t barriers, uint32_t warp_barriers) {
    return (barriers & 0x3ff) << 4 | (warp_barriers & 0xf);
  }
  static Record make(uint32_t block, uint32_t epoch, uint32_t line, uint32_t thread,
                     uint64_t marks) {
    return {uint64_t{block & 0xfffff} << 44 | uint64_t{epoch} << 30 |
            uint64_t{line & 0xffff} << 14 | marks | (thread & 0x3ff)};
  }
  uint32_t thread() const { return bits & 0x3ff; }
  uint32_t warp() const { return thread() / 32; }
  uint32_t line() const { return bits >> 14 & 0xffff; }
  uint32_t block() const { return static_cast<uint32_t>(bits >> 44); }
  uint64_t name() const { return bits >> 44 << 10 | thread(); }  // of the thread in the grid
  bool has(uint64_t mark) const { return bits & mark; }
  bool same_block(Record other) const { return bits >> 44 == other.bits >> 44; }
  bool same_thread(Record other) const { return name() == other.name(); }
  bool same_barriers(Record other) const { return bits >> 34 == other.bits >> 34; }  // and block
  bool same_epoch(Record other) const { return bits >> 30 == other.bits >> 30; }
  explicit operator bool() const { return bits; }
};

/// Is all that the record stands for before what `me` does now, by barriers or by being one thread?
inline bool is_ordered(Record record, Record me) {
  if (record.has(Record::kBlocks) || !record.same_block(me)) return false;
  if (!record.same_barriers(me)) return true;
  if (record.warp() == me.warp() && !record.same_epoch(me)) return true;
  return !record.has(Record::kThreads) && record.same_thread(me);
}

}  // namespace hetjit::runtime
