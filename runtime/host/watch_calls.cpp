// What compiled code tells: an access or a wait of threads that come to it together.
#include <bit>

#include "runtime/host/granule.h"
#include "runtime/host/row_records.h"
#include "runtime/host/watch_contents.h"
#include "runtime/host/watch_rows.h"

namespace hetjit::runtime {
namespace {

constexpr uint64_t kWholeGrid = 1;  // as a place: no address

bool is_atomic(AccessKind kind) {
  return kind == AccessKind::Atomic || kind == AccessKind::AtomicStore;
}

void split(uint64_t linear, const uint32_t (&size)[3], uint64_t* to) {
  to[0] = linear % size[0];
  to[1] = linear / size[0] % size[1];
  to[2] = linear / size[0] / size[1];
}

const Finding* report(WatchWorker& worker, Record other, unsigned lane) {
  Finding& finding = worker.finding;
  const Geometry& geometry = worker.watch->geometry();
  finding.lane = lane;
  finding.unwritten = !other;
  finding.other[0] = other.line();
  split(other.block(), geometry.grid, finding.other + 1);
  split(other.thread(), geometry.block, finding.other + 4);
  return &finding;
}

template <class Visit>
void each_lane(uint64_t lanes, Visit visit) {
  for (; lanes; lanes &= lanes - 1)
    if (!visit(static_cast<unsigned>(std::countr_zero(lanes)))) return;
}

// ---- who goes before whom by atomic operations

// Where nothing was done since that another thread could ask for, the clock need not move.
void release(WatchWorker& worker, Record me, uint64_t place) {
  Releases& releases = worker.watch->releases();
  BlockState& state = *worker.state;
  if (state.used_since_tick) state.ticked = releases.tick();
  state.used_since_tick = false;
  const uint32_t now = releases.now();
  const auto barriers = static_cast<uint16_t>(me.barriers());
  if (barriers != state.released_behind) releases.add_behind(me.block(), barriers, now);
  state.released_behind = barriers;
  releases.add(me.name(), place, now, state.ticked);
}

void acquire(WatchWorker& worker, uint32_t thread, uint64_t place) {
  BlockState& state = *worker.state;
  state.acquires = true;
  uint32_t& seen = state.acquired[thread];
  seen = std::max(seen, worker.watch->releases().last_at(place));
}

/// Threads come to a barrier: what they have seen, all have seen behind it.
void hand_on(BlockState& state, const uint32_t* acquired, size_t count, uint16_t to) {
  if (!state.acquires) return;
  const size_t behind = to / Epoch::kBarrier % 2;
  uint32_t& all = state.acquired_by_all[behind];
  all = std::max(all, state.acquired_by_all[1 - behind]);
  for (size_t i = 0; i < count; ++i) all = std::max(all, acquired[i]);
}

// ---- accesses

/// One access of several threads: lane i uses `of(i)`.
struct Access {
  WatchWorker& worker;
  const WatchedSite& site;
  const WatchedThreads& who;
  const Record base;

  Access(WatchWorker& of, const WatchedSite& at, const WatchedThreads& threads)
      : worker(of),
        site(at),
        who(threads),
        base(Record::make(threads.block, at.line, Record::kind_of(at.access))) {}

  bool of_block(uintptr_t address) const {
    return address >= who.shared_begin && address < who.shared_end;
  }
  bool of_thread(uintptr_t address) const {
    return (address >= who.own_begin && address < who.own_end) || is_on_stack(address);
  }
  // Where arrays lie that belong to functions which are called.
  bool is_on_stack(uintptr_t address) const {
    return address >= reinterpret_cast<uintptr_t>(this) && address < worker.stack_end;
  }

  // Elements that are not whole words, in size or place, have smaller granules: words are shared.
  unsigned shift(uintptr_t address) const {
    return static_cast<unsigned>(std::countr_zero(address | site.bytes | 4));
  }
  static uint64_t key(uintptr_t place, unsigned shift) {
    return (place >> RaceWatch::Chunk::kBits) << 2 | shift;
  }

  Found use(unsigned lane, uintptr_t address) const {
    if (of_thread(address)) return {};
    Me me(worker, base, who.thread + lane);
    if (site.access == AccessKind::AfterAtomic) {
      acquire(worker, me.thread, address);
      return {};
    }
    const bool shared = of_block(address);
    const uintptr_t end = address + site.bytes;
    const unsigned size = shift(address);
    for (uintptr_t place = address >> size; place << size < end; ++place) {
      RaceWatch::Chunk* chunk = worker.chunk(key(place, size));
      if (!chunk) return {};
      Granule granule{*chunk, place & (RaceWatch::Chunk::kGranules - 1)};
      if (Found found = shared ? use_own(granule, place, me) : use_held(granule, place, me);
          found.any)
        return found;
    }
    if (is_atomic(site.access))
      release(worker, me.record, address);
    else
      worker.state->used_since_tick = true;
    return {};
  }

  /// A block's own memory needs to be held only until its records are apart.
  void take_apart(RaceWatch::Chunk& chunk, uintptr_t place, size_t count) const {
    size_t at = place & (RaceWatch::Chunk::kGranules - 1);
    RowRecords rows(chunk, at);
    if (rows.are_apart(at, count)) return;
    for (; count; --count, ++place, ++at) {
      RaceWatch::Held held(*worker.watch, rows.held(place), 1);
      rows.take_apart(at, 1);
    }
  }
  Found use_own(Granule granule, uintptr_t place, const Me& me) const {
    take_apart(granule.chunk, place, 1);
    return granule.use(me, true);
  }
  Found use_held(Granule granule, uintptr_t place, const Me& me) const {
    RowRecords rows(granule.chunk, granule.at);
    RaceWatch::Held held(*worker.watch, rows.held(place), 1);
    rows.take_apart(granule.at, 1);
    return granule.use(me, false);
  }

  template <class AddressOf>
  const Finding* use_each(AddressOf address) const {
    const Finding* finding = nullptr;
    each_lane(who.lanes, [&](unsigned lane) {
      if (Found found = use(lane, address(lane)); found.any)
        finding = report(worker, found.other, lane);
      return !finding;
    });
    return finding;
  }

  /// Records that are far from each other come from memory all at once.
  template <class AddressOf>
  void prefetch_each(AddressOf address) const {
    each_lane(who.lanes, [&](unsigned lane) {
      const uintptr_t at = address(lane);
      const unsigned size = shift(at);
      const uintptr_t place = at >> size;
      RaceWatch::Chunk* chunk = worker.chunk(key(place, size));
      if (chunk) RowRecords::prefetch(*chunk, place & (RaceWatch::Chunk::kGranules - 1));
      return true;
    });
  }

  /// Lanes 0, 1, … side by side in memory, as a row. False: it is another case.
  bool use_row(uintptr_t first) const {
    const unsigned lanes = static_cast<unsigned>(std::popcount(who.lanes));
    const unsigned size = shift(first);
    const size_t each = site.bytes >> size, count = lanes * each;
    if (count == 0 || count % GranuleRow::kStep || each > 4 || each == 3 ||
        (who.lanes & (who.lanes + 1)))
      return false;
    const uintptr_t place = first >> size;
    const size_t at = place & (RaceWatch::Chunk::kGranules - 1);
    const bool shared = of_block(first);
    if (at + count > RaceWatch::Chunk::kGranules || of_thread(first) ||
        (!shared && count > RaceWatch::Held::kMost))
      return false;
    RaceWatch::Chunk* chunk = worker.chunk(key(place, size));
    if (!chunk) return true;
    const uint16_t* epochs = worker.state->epochs.data() + who.thread;
    if (!all_are(epochs, lanes, epochs[0])) return false;
    GranuleRow row{chunk->states + at,
                   chunk->writers + at,
                   chunk->stamps + at,
                   base.of(who.thread, epochs[0]).bits,
                   each,
                   count,
                   shared,
                   worker.watch->releases().now()};
    if (shared) take_apart(*chunk, place, count);
    if (!(shared ? use_apart(row) : use_row_held(*chunk, place, row))) return false;
    worker.state->used_since_tick = true;
    return true;
  }

  bool use_apart(const GranuleRow& row) const {
    return site.access == AccessKind::Write ? write_row(row) : read_row(row);
  }
  bool use_row_held(RaceWatch::Chunk& chunk, uintptr_t place, const GranuleRow& row) const {
    const size_t at = place & (RaceWatch::Chunk::kGranules - 1);
    RowRecords rows(chunk, at);
    RaceWatch::Held held(*worker.watch, rows.held(place), row.count);
    if (!row.now && rows.are_rows(at, row.count) &&
        rows.use(at, row.count, Record{row.first}, row.each))
      return true;
    rows.take_apart(at, row.count);
    return use_apart(row);
  }

  /// Does what is on record of one place say as much as reads of all lanes there would?
  bool is_read_by_all(uintptr_t first) const {
    const unsigned size = shift(first);
    if (site.bytes >> size != 1 || of_thread(first)) return false;
    const uintptr_t place = first >> size;
    RaceWatch::Chunk* chunk = worker.chunk(key(place, size));
    if (!chunk) return true;
    const size_t at = place & (RaceWatch::Chunk::kGranules - 1);
    if (!RowRecords(*chunk, at).are_apart(at, 1)) return false;
    Record last{std::atomic_ref(chunk->states[at]).load(std::memory_order_relaxed)};
    if (last.kind() != Record::kRead || last.several() < Record::kWarps) return false;
    const uint32_t now = worker.watch->releases().now();
    if (now && std::atomic_ref(chunk->stamps[at]).load(std::memory_order_relaxed) >> 32 != now)
      return false;
    const uint16_t* epochs = worker.state->epochs.data() + who.thread;
    const unsigned lanes = static_cast<unsigned>(std::bit_width(who.lanes));
    Record me = base.of(who.thread, epochs[0]);
    if (last.several() == Record::kBlocks) return !of_block(first) && !last.written();
    if (!last.same_epoch(me) || epochs[lanes - 1] != epochs[0]) return false;
    Record writer{std::atomic_ref(chunk->writers[at]).load(std::memory_order_relaxed)};
    return !last.written() || (writer.same_block(me) && !writer.same_barriers(me));
  }
};

template <class AddressOf>
const Finding* use_contents(const Access& access, uint64_t lanes, AddressOf address) {
  const Finding* finding = nullptr;
  each_lane(lanes, [&](unsigned lane) {
    uintptr_t place = address(lane);
    if (!access.of_block(place) && !access.of_thread(place)) return true;
    const WatchedSite& site = access.site;
    bool good = note_contents(access.worker, site.access, place, site.bytes, access.who.block);
    if (!good) finding = report(access.worker, {}, lane);
    return good;
  });
  return finding;
}

const Finding* on_access(const WatchedSite* at, const WatchedThreads* who, const void* address,
                         int64_t step) {
  WatchWorker& worker = watch_worker;
  if (!worker.watch || !who->lanes) return nullptr;
  worker.enter(*who);
  const Access access(worker, *at, *who);
  const auto first = reinterpret_cast<uintptr_t>(address);
  auto of_lane = [&](unsigned lane) { return first + lane * static_cast<uintptr_t>(step); };
  const bool side_by_side = step == int64_t{at->bytes} && who->lanes > 1;
  const bool plain = at->access == AccessKind::Read || at->access == AccessKind::Write;
  if (has(at->watch, WatchFor::Contents)) {
    uint64_t lanes = static_cast<uint64_t>(std::popcount(who->lanes));
    const uint64_t apart = step ? who->lanes : who->lanes & -who->lanes;  // of one place: one
    bool whole = side_by_side && !(who->lanes & (who->lanes + 1)) &&
                 (access.of_block(first) || access.of_thread(first));
    if (!whole || !note_contents_row(worker, at->access, first, lanes * at->bytes, who->block))
      if (const Finding* found = use_contents(access, apart, of_lane)) return found;
  }
  if (!has(at->watch, WatchFor::Order)) return nullptr;
  if (side_by_side && plain && access.use_row(first)) return nullptr;
  if (step == 0 && at->access == AccessKind::Read && access.is_read_by_all(first)) return nullptr;
  return access.use_each(of_lane);
}

const Finding* on_gather(const WatchedSite* at, const WatchedThreads* who,
                         const void* const* addresses) {
  WatchWorker& worker = watch_worker;
  if (!worker.watch) return nullptr;
  worker.enter(*who);
  const Access access(worker, *at, *who);
  auto of_lane = [&](unsigned lane) { return reinterpret_cast<uintptr_t>(addresses[lane]); };
  if (has(at->watch, WatchFor::Contents))
    if (const Finding* found = use_contents(access, who->lanes, of_lane)) return found;
  if (!has(at->watch, WatchFor::Order)) return nullptr;
  access.prefetch_each(of_lane);
  return access.use_each(of_lane);
}

// ---- waits

/// Whoever comes to a barrier first says where it is. All come before any goes on, so that there
/// are but two epochs at a time.
bool is_there(BlockState& state, Record me, uint16_t next) {
  if (state.first_epoch != next) {
    state.first = me;
    state.first_epoch = next;
  }
  return state.first.line() == me.line();
}

/// A thread's epoch behind a barrier of the block, and whether counts begin again with it.
uint16_t behind(uint16_t epoch) {
  return static_cast<uint16_t>((epoch + Epoch::kBarrier) & Epoch::kBits);
}
void note_beginning(WatchWorker& worker, uint16_t epoch) {
  if (epoch < Epoch::kBarrier) worker.state->wrapped = worker.watch->releases().tick();
}

const Finding* come_to_barrier(WatchWorker& worker, const WatchedThreads& who, Record base) {
  BlockState& state = *worker.state;
  uint16_t* epochs = state.epochs.data() + who.thread;
  const auto lanes = static_cast<size_t>(std::popcount(who.lanes));
  const uint16_t from = epochs[0], to = behind(from);
  // `first_epoch` is of barriers alone, and not 0 for any.
  auto counted = [](uint16_t epoch) {
    return static_cast<uint16_t>((epoch & ~Epoch::kWarpBits) | 1);
  };
  const uint32_t* acquired = state.acquired.data() + who.thread;
  if (!(who.lanes & (who.lanes + 1)) && pass_barrier(epochs, lanes, from, to)) {
    hand_on(state, acquired, lanes, to);
    note_beginning(worker, to);
    Record me = base.of(who.thread, to);
    return is_there(state, me, counted(to)) ? nullptr : report(worker, state.first, 0);
  }
  const Finding* finding = nullptr;
  each_lane(who.lanes, [&](unsigned lane) {
    epochs[lane] = behind(epochs[lane]);
    hand_on(state, acquired + lane, 1, epochs[lane]);
    note_beginning(worker, epochs[lane]);
    Record me = base.of(who.thread + lane, epochs[lane]);
    if (!is_there(state, me, counted(epochs[lane]))) finding = report(worker, state.first, lane);
    return !finding;
  });
  return finding;
}

/// The same for all threads of the block at once, of which none could be elsewhere.
void pass_together(WatchWorker& worker) {
  const auto& size = worker.watch->geometry().block;
  const uint64_t threads = uint64_t{size[0]} * size[1] * size[2];
  auto& epochs = worker.state->epochs;
  const size_t count = std::min<uint64_t>(threads, epochs.size());
  for (size_t i = 0; i < count; ++i) epochs[i] = behind(epochs[i]);
  hand_on(*worker.state, worker.state->acquired.data(), count, epochs[0]);
  note_beginning(worker, epochs[0]);
}

void set_warp_count(WatchWorker& worker, uint32_t thread, uint32_t count) {
  BlockState& state = *worker.state;
  if (state.warp_barriers[thread] / 16 != count / 16)
    state.warp_wrapped[thread / 32] = worker.watch->releases().tick();
  state.warp_barriers[thread] = count;
  uint16_t& epoch = state.epochs[thread];
  epoch = static_cast<uint16_t>((epoch & ~Epoch::kWarpBits) | (count & Epoch::kWarpBits));
}

// Lanes may have come to different numbers of barriers of their warp: behind one they have the
// greatest, so that all that was done before it has a smaller one.
void pass_warp_barrier(WatchWorker& worker, const WatchedThreads& who, bool after) {
  BlockState& state = *worker.state;
  state.counts_warps = true;
  each_lane(who.lanes, [&](unsigned lane) {
    const uint32_t thread = (who.thread + lane) % BlockState::kMaxThreads;
    const uint32_t* warp = state.warp_barriers.data() + thread / 32 * 32;
    uint32_t count = after ? *std::max_element(warp, warp + 32) : state.warp_barriers[thread] + 1;
    set_warp_count(worker, thread, count);
    return true;
  });
}

const Finding* on_wait(const WatchedSite* at, const WatchedThreads* who) {
  WatchWorker& worker = watch_worker;
  if (!worker.watch || !who->lanes) return nullptr;
  worker.enter(*who);
  if (who->thread == kAllThreads) {
    pass_together(worker);
    return nullptr;
  }
  const Record base = Record::make(who->block, at->line, 0);
  if (at->wait == WaitKind::Block) return come_to_barrier(worker, *who, base);
  if (at->wait == WaitKind::Warp || at->wait == WaitKind::WarpAfter) {
    pass_warp_barrier(worker, *who, at->wait == WaitKind::WarpAfter);
    return nullptr;
  }
  each_lane(who->lanes, [&](unsigned lane) {
    Me me(worker, base, who->thread + lane);
    if (at->wait == WaitKind::GridBefore) release(worker, me.record, kWholeGrid);
    if (at->wait == WaitKind::GridAfter) acquire(worker, me.thread, kWholeGrid);
    return true;
  });
  return nullptr;
}

}  // namespace

const WatchCalls& watch_calls() {
  static constexpr WatchCalls calls{on_access, on_gather, on_wait};
  return calls;
}

}  // namespace hetjit::runtime
