// One granule of memory, and what an access makes of its records: the rule of a race, once.
// Private to the watch; watch_rows.cpp has its common cases for many granules at once.
#pragma once

#include <algorithm>

#include "runtime/host/watch_worker.h"

namespace hetjit::runtime {

/// A thread at a place of the program.
struct Me {
  const WatchWorker& worker;
  Record record;
  uint32_t thread, now;

  Me(const WatchWorker& worker, Record base, uint32_t in_block)
      : worker(worker),
        record(base.of(in_block, worker.state->epochs[in_block % BlockState::kMaxThreads])),
        thread(in_block % BlockState::kMaxThreads),
        now(worker.watch->releases().now()) {}

  /// Is what the record stands for, done at `stamp`, before what this thread does now?
  bool comes_after(Record other, uint32_t stamp) const {
    if (is_ordered(other, record)) return true;
    const BlockState& state = *worker.state;
    if (other.same_block(record) && other.several() != Record::kBlocks) {
      if (stamp < state.wrapped) return true;
      bool same_warp = other.several() < Record::kWarps && other.warp() == record.warp();
      if (state.counts_warps && same_warp && stamp < state.warp_wrapped[record.warp()]) return true;
    }
    if (!state.acquires) return false;
    const Releases& releases = worker.watch->releases();
    const uint32_t acquired =
        std::max(state.acquired[thread], state.acquired_by_all[record.barriers() % 2]);
    return acquired && (releases.has(other.name(), stamp, acquired) ||
                        (other.several() != Record::kBlocks &&
                         releases.has_behind(other.block(), other.barriers(), stamp, acquired)));
  }
};

/// What an access has found: nothing; somebody else's; that nobody has written (no record).
struct Found {
  bool any = false;
  Record other;
};

struct Granule {
  RaceWatch::Chunk& chunk;
  size_t at;

  /// `of_block`: the memory is a block's, and has no records of those that had it before.
  Found use(const Me& me, bool of_block) {
    Record last{get(chunk.states)};
    if (of_block && !last.same_block(me.record)) last = {};
    if (!last) return put(me, me.record.bits, 0);
    // Where the clock has not moved, all stamps are 0 as they were made.
    const uint64_t kind = me.record.kind(), when = me.now ? get(chunk.stamps) : 0;
    const auto written = static_cast<uint32_t>(when), used = static_cast<uint32_t>(when >> 32);
    const bool before = me.comes_after(last, used);
    if (!before && conflict(kind, last.kind()))
      return {true, last.same_thread(me.record) ? Record{get(chunk.seconds)} : last};
    if (!before && last.written()) {
      Record writer{get(chunk.writers)};
      if (conflict(kind, writer.kind()) && !me.comes_after(writer, written)) return {true, writer};
    }
    if (kind == Record::kWrite) return put(me, me.record.bits, 0);
    if (!before) return join(me, last, written, used);
    if (last.kind() == Record::kRead)
      return put(me, me.record.bits | (last.bits & Record::kWritten), written);
    set(chunk.writers, last.bits);
    return put(me, me.record.bits | Record::kWritten, used);
  }

 private:
  using Words = uint64_t[RaceWatch::Chunk::kGranules];
  uint64_t get(Words& from) const {
    return std::atomic_ref(from[at]).load(std::memory_order_relaxed);
  }
  void set(Words& to, uint64_t bits) {
    std::atomic_ref(to[at]).store(bits, std::memory_order_relaxed);
  }

  static bool conflict(uint64_t a, uint64_t b) {
    return a == Record::kWrite || b == Record::kWrite || a != b;
  }

  Found put(const Me& me, uint64_t bits, uint32_t written) {
    set(chunk.states, bits);
    if (me.now) set(chunk.stamps, uint64_t{me.now} << 32 | written);
    return {};
  }

  /// Of users that nothing orders: one, with a mark that there are others.
  Found join(const Me& who, Record last, uint32_t written, uint32_t used) {
    const Record me = who.record;
    uint64_t level = last.same_thread(me)       ? 0
                     : !last.same_block(me)     ? Record::kBlocks
                     : last.warp() != me.warp() ? Record::kWarps
                                                : Record::kLanes;
    bool covers = level <= last.several() && last.several() >= Record::kWarps;
    if (covers && used == who.now && (last.several() == Record::kBlocks || last.same_epoch(me)))
      return {};
    if (level) set(chunk.seconds, last.bits);
    level = std::max(level, last.several());
    return put(who, me.bits | level | (last.bits & Record::kWritten), written);
  }
};

}  // namespace hetjit::runtime
