#include "runtime/host/race_watch.h"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_map>
#include <vector>

#include "runtime/host/race_record.h"

namespace hetjit::runtime {
namespace {

constexpr uint32_t kMaxThreads = 1024;  // of a block
constexpr uint64_t kWholeGrid = 1;      // as a place: no address

/// Whose the memory at an address is.
enum class Owner : uint8_t { Grid, Block, Thread };

Owner owner_of(uintptr_t address, const WatchedThreads& who) {
  if (address >= who.shared_begin && address < who.shared_end) return Owner::Block;
  if (address >= who.own_begin && address < who.own_end) return Owner::Thread;
  return Owner::Grid;
}

/// What is known of a block that has come to a barrier or an atomic operation.
struct BlockState {
  std::array<uint16_t, kMaxThreads> barriers{}, warp_barriers{};  // passed, by thread
  std::array<uint32_t, kMaxThreads> acquired{};  // by thread: when what it has seen was released
  std::vector<Record> first;                     // by barrier: who came to it first
};

/// What an OS thread keeps while it runs blocks of a watched launch. Several blocks may be under
/// way, each at a barrier of its own.
struct Worker {
  static constexpr size_t kMostBlocks = 4096;  // those that wait are far fewer

  RaceWatch* watch = nullptr;
  std::unordered_map<uint32_t, BlockState> blocks;
  uint32_t block = UINT32_MAX;  // that was looked up last
  BlockState* state = nullptr;  // null: nothing is known
  uint64_t key = UINT64_MAX;    // of the chunk that was used last
  RaceWatch::Chunk* chunk = nullptr;
  Finding finding{};

  void enter_block(uint32_t next) {
    if (next == block) return;
    block = next;
    auto found = blocks.find(next);
    state = found == blocks.end() ? nullptr : &found->second;
  }
  BlockState& known() {
    if (state) return *state;
    if (blocks.size() >= kMostBlocks) blocks.clear();
    return *(state = &blocks[block]);
  }
};

thread_local Worker worker;

/// A thread at a place of the program.
struct Me {
  Record record;
  uint32_t thread = 0;
  uint32_t acquired = 0;

  Me(const WatchedSite& at, const WatchedThreads& who, unsigned lane)
      : thread((who.thread + lane) % kMaxThreads) {
    uint32_t epoch = 0;
    if (const BlockState* state = worker.state) {
      epoch = Record::epoch(state->barriers[thread], state->warp_barriers[thread]);
      acquired = state->acquired[thread];
    }
    uint64_t mark = at.access == AccessKind::Atomic ? Record::kAtomic : Record::kRead;
    record = Record::make(who.block, epoch, at.line, thread, mark);
  }

  void acquire(uint64_t place) {
    worker.known().acquired[thread] = std::max(acquired, worker.watch->released_at(place));
  }
  void release(uint64_t place) { worker.watch->release(record.name(), place); }

  /// Is what the record stands for, done at `stamp`, before what this thread does now?
  bool comes_after(Record other, uint32_t stamp) const {
    if (is_ordered(other, record)) return true;
    if (!acquired) return false;
    uint32_t released = worker.watch->released_by(other.name());
    return released > stamp && acquired >= released;
  }
};

void split(uint64_t linear, const uint32_t (&size)[3], uint64_t* to) {
  to[0] = linear % size[0];
  to[1] = linear / size[0] % size[1];
  to[2] = linear / size[0] / size[1];
}

const Finding* report(Record other, unsigned lane) {
  Finding& finding = worker.finding;
  const Geometry& geometry = worker.watch->geometry();
  finding.lane = lane;
  finding.unwritten = !other;
  finding.other[0] = other.line();
  split(other.block(), geometry.grid, finding.other + 1);
  split(other.thread(), geometry.block, finding.other + 4);
  return &finding;
}

/// What an access has found: nothing; somebody else's; that nobody has written (no record).
struct Found {
  bool any = false;
  Record other;
};

/// One granule, and who uses it now.
struct Granule {
  using Word = RaceWatch::Word;
  Word &writer, &user, &second, &stamps;

  static uint64_t get(const Word& from) { return from.load(std::memory_order_relaxed); }
  static void set(Word& to, uint64_t bits) { to.store(bits, std::memory_order_relaxed); }

  static bool is_of(Owner owner, Record record, Record me) {
    if (owner == Owner::Grid) return true;
    return record.same_block(me) && (owner == Owner::Block || record.thread() == me.thread());
  }

  void write(const Me& me, uint64_t when) {
    set(writer, me.record.bits);
    set(stamps, (when & ~uint64_t{UINT32_MAX}) | worker.watch->now());
  }

  /// Memory of a block or thread has no records of those that had it before.
  Found use(const Me& me, AccessKind kind, Owner owner) {
    Record last{get(writer)}, users{get(user)};
    if (!is_of(owner, last, me.record)) last = {};
    if (!is_of(owner, users, me.record)) users = {};
    bool written = last || users.has(Record::kAtomic);
    if (owner != Owner::Grid && kind != AccessKind::Write && !written) return {true, {}};
    const uint64_t when = get(stamps);
    if (owner == Owner::Thread) {
      if (kind != AccessKind::Read) write(me, when);
      return {};
    }
    if (last && !me.comes_after(last, static_cast<uint32_t>(when))) return {true, last};
    if (users.bits == me.record.bits && kind != AccessKind::Write) return {};
    uint64_t excluded = kind == AccessKind::Write    ? Record::kRead | Record::kAtomic
                        : kind == AccessKind::Atomic ? Record::kRead
                                                     : Record::kAtomic;
    const bool before = !users || me.comes_after(users, static_cast<uint32_t>(when >> 32));
    if (!before && users.has(excluded))
      return {true, users.same_thread(me.record) ? Record{get(second)} : users};
    if (kind == AccessKind::Write) {
      write(me, when);
    } else {
      set(user, before ? me.record.bits : joined(users, me.record).bits);
      set(stamps, (when & UINT32_MAX) | uint64_t{worker.watch->now()} << 32);
    }
    return {};
  }

  /// Of users that nothing orders: the last one, with marks that there are others.
  Record joined(Record users, Record me) {
    uint64_t marks = users.bits & Record::kMarks;
    if (!users.same_thread(me)) {
      set(second, users.bits);
      marks |= users.same_block(me) ? Record::kThreads : Record::kBlocks;
    }
    return {me.bits | marks};
  }
};

RaceWatch::Chunk* chunk_of(uint64_t key) {
  if (worker.key != key) {
    worker.chunk = worker.watch->chunk(key);
    worker.key = key;
  }
  return worker.chunk;
}

// Elements of fewer than four bytes have granules of their own size: threads share words of them.
Found use_memory(uintptr_t address, const WatchedSite& at, const Me& me, Owner owner) {
  const unsigned shift = at.bytes >= 4 ? 2 : at.bytes >= 2 ? 1 : 0;
  const uintptr_t end = address + at.bytes;
  for (uintptr_t place = address >> shift; place << shift < end; ++place) {
    const uint64_t key = (place >> RaceWatch::Chunk::kBits) << 2 | shift;
    RaceWatch::Chunk* chunk = chunk_of(key);
    if (!chunk) return {};
    const size_t i = place & (RaceWatch::Chunk::kGranules - 1);
    Granule granule{chunk->writers[i], chunk->users[i], chunk->seconds[i], chunk->stamps[i]};
    if (Found found = granule.use(me, at.access, owner); found.any) return found;
  }
  return {};
}

const Finding* on_access(const WatchedSite* at, const WatchedThreads* who,
                         const void* const* addresses) {
  if (!worker.watch) return nullptr;
  worker.enter_block(who->block);
  for (uint64_t lanes = who->lanes; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const auto address = reinterpret_cast<uintptr_t>(addresses[lane]);
    Me me(*at, *who, lane);
    if (at->access == AccessKind::AfterAtomic) {
      me.acquire(address);
      continue;
    }
    if (Found found = use_memory(address, *at, me, owner_of(address, *who)); found.any)
      return report(found.other, lane);
    if (at->access == AccessKind::Atomic) me.release(address);
  }
  return nullptr;
}

// ---- waits

/// Whoever comes to a barrier first says where it is.
const Finding* pass_barrier(const Me& me, unsigned lane) {
  BlockState& state = worker.known();
  const uint16_t count = state.barriers[me.thread]++;
  if (count == state.first.size()) state.first.push_back(me.record);
  const Record first = state.first[count];
  return first.line() == me.record.line() ? nullptr : report(first, lane);
}

const Finding* on_wait(const WatchedSite* at, const WatchedThreads* who) {
  if (!worker.watch) return nullptr;
  worker.enter_block(who->block);
  for (uint64_t lanes = who->lanes; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    Me me(*at, *who, lane);
    if (at->wait == WaitKind::GridBefore) me.release(kWholeGrid);
    if (at->wait == WaitKind::GridAfter) me.acquire(kWholeGrid);
    if (at->wait == WaitKind::Warp) ++worker.known().warp_barriers[me.thread];
    if (at->wait != WaitKind::Block) continue;
    if (const Finding* found = pass_barrier(me, lane)) return found;
  }
  return nullptr;
}

}  // namespace

const WatchCalls& watch_calls() {
  static constexpr WatchCalls calls{on_access, on_wait};
  return calls;
}

RaceWatch::Scope::Scope(RaceWatch& watch) {
  worker.watch = &watch;
  worker.blocks.clear();
  worker.block = UINT32_MAX;
  worker.state = nullptr;
  worker.key = UINT64_MAX;
}

RaceWatch::Scope::~Scope() { worker.watch = nullptr; }

void RaceWatch::release(uint64_t thread, uint64_t place) {
  const uint32_t time = clock_.fetch_add(1, std::memory_order_relaxed) + 1;
  by_thread_[hash(thread)].store(time, std::memory_order_relaxed);
  by_place_[hash(place)].store(time, std::memory_order_relaxed);
}

// Open addressing; an entry's chunk is there before its key is.
RaceWatch::Chunk* RaceWatch::chunk(uint64_t key) {
  uint64_t place = hash(key);
  for (size_t tries = 0; tries < kEntries; ++tries, place = (place + 1) % kEntries) {
    Entry& entry = entries_[place];
    uint64_t found = entry.key.load(std::memory_order_acquire);
    if (!found) {
      std::lock_guard lock(growing_);
      found = entry.key.load(std::memory_order_relaxed);
      if (!found) {
        void* memory = mmap(nullptr, sizeof(Chunk), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) break;
        entry.chunk.store(static_cast<Chunk*>(memory), std::memory_order_relaxed);
        entry.key.store(found = key + 1, std::memory_order_release);
      }
    }
    if (found == key + 1) return entry.chunk.load(std::memory_order_relaxed);
  }
  complete_ = false;
  return nullptr;
}

RaceWatch::~RaceWatch() {
  for (size_t i = 0; i < kEntries; ++i)
    if (Chunk* chunk = entries_[i].chunk.load(std::memory_order_relaxed))
      munmap(chunk, sizeof(Chunk));
}

}  // namespace hetjit::runtime
