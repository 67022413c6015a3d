#include "runtime/host/block_scheduler.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <iterator>
#include <memory>
#include <mutex>
#include <new>
#include <thread>
#include <vector>

#include "abi/memory_limit.h"
#include "runtime/host/leaving.h"

namespace hetjit::runtime {
namespace {

constexpr std::align_val_t kAlign{kBlockAlign};
constexpr int kPatience = 4;  // rounds in which nobody gets anywhere, before another block begins

struct FreeAligned {
  void operator()(std::byte* memory) const { ::operator delete(memory, kAlign); }
};

enum class UnitState : uint8_t { Ready, AtBlock, AtGrid, AtWarp, Done };

/// A block that has begun.
class RunningBlock {
 public:
  RunningBlock(const FreeKernel& kernel, uint64_t id)
      : kernel_(kernel),
        id_(id),
        memory_(static_cast<std::byte*>(::operator new(kernel.memory_bytes, kAlign))),
        phases_(kernel.units),
        states_(kernel.units),
        alive_(kernel.units) {
    votes() = {};
    // Lanes of the last warp that no thread has are done.
    uint32_t lanes =
        (kernel.units + kernel.units_of_warp - 1) / kernel.units_of_warp * kernel.units_of_warp;
    for (uint32_t unit = 0; unit < lanes; ++unit)
      set_word(unit, kernel.state, unit < kernel.units ? 0 : kUnitDone);
  }

  bool done() const { return alive_ == 0; }
  /// Do all units that are not done wait for the grid?
  bool at_grid() const { return alive_ != 0 && count(UnitState::AtGrid) == alive_; }
  /// Does every unit wait for others of the block, who do not come?
  bool stuck() const {
    if (alive_ == 0 || idle_rounds_ < 2 || count(UnitState::Ready) != 0) return false;
    return count(UnitState::AtGrid) != alive_;
  }

  /// A turn for everybody who can use one. True: somebody has got on.
  bool run_round() {
    bool progress = false;
    for (uint32_t unit = 0; unit < kernel_.units; ++unit)
      if (states_[unit] == UnitState::Ready) progress |= run(unit);
    progress |= release_warps();
    progress |= release_block();
    idle_rounds_ = progress ? 0 : idle_rounds_ + 1;
    return progress;
  }
  void leave_grid() {
    for (UnitState& state : states_)
      if (state == UnitState::AtGrid) state = UnitState::Ready;
  }
  /// Nobody will be let go any more: says so, and ends the block.
  void give_up() {
    uint32_t first = first_in_wait(0, 0), other = first_in_wait(first + 1, phases_[first]);
    if (other == kernel_.units) other = first;
    kernel_.diverged(&kernel_, memory_.get(), id_, first, phases_[first], other, phases_[other]);
    for (UnitState& state : states_) state = UnitState::Done;
    alive_ = 0;
  }

 private:
  BlockVotes& votes() { return *reinterpret_cast<BlockVotes*>(memory_.get()); }
  uint32_t count(UnitState wanted) const {
    uint32_t found = 0;
    for (UnitState state : states_) found += state == wanted;
    return found;
  }
  std::byte* word(uint32_t unit, uint64_t offset) const {
    return memory_.get() + kernel_.contexts + unit * kernel_.context_bytes + offset;
  }
  void set_word(uint32_t unit, uint64_t offset, uint32_t value) {
    std::memcpy(word(unit, offset), &value, sizeof value);
  }
  uint32_t first_in_wait(uint32_t from, uint32_t not_this_phase) const {
    for (uint32_t unit = from; unit < kernel_.units; ++unit)
      if (states_[unit] != UnitState::Done && phases_[unit] != not_this_phase) return unit;
    return kernel_.units;
  }

  bool run(uint32_t unit) {
    uint32_t next = kernel_.step(&kernel_, memory_.get(), id_, unit, phases_[unit]);
    phases_[unit] = next;
    if (next == 0) {
      states_[unit] = UnitState::Done;
      set_word(unit, kernel_.state, kUnitDone);
      --alive_;
      return true;
    }
    constexpr UnitState kStates[] = {UnitState::AtBlock, UnitState::AtGrid, UnitState::AtWarp,
                                     UnitState::Ready};
    states_[unit] = kStates[static_cast<size_t>(kernel_.waits[next])];
    return states_[unit] != UnitState::Ready;  // a turn alone is not yet progress
  }

  // When all who are not done have come. At barriers that are not the same, they are not let go.
  bool release_block() {
    if (alive_ == 0 || count(UnitState::AtBlock) != alive_) return false;
    uint32_t first = first_in_wait(0, 0);
    if (first_in_wait(first, phases_[first]) != kernel_.units) return false;
    for (UnitState& state : states_)
      if (state == UnitState::AtBlock) state = UnitState::Ready;
    votes() = {.now = {}, .before = votes().now};
    return true;
  }

  // A lane goes on when all lanes of its mask that are not done wait with that mask. Waiting alone
  // is not enough: behind a branch, lanes that part may wait for all while others are still inside.
  bool release_warps() {
    bool released = false;
    if (count(UnitState::AtWarp) == 0) return false;
    for (uint32_t first = 0; first < kernel_.units; first += kernel_.units_of_warp)
      released |= release_warp(first);
    return released;
  }
  bool release_warp(uint32_t first) {
    uint32_t masks[32] = {}, alive = 0, go = 0;
    uint32_t count = std::min(kernel_.units_of_warp, kernel_.units - first);
    for (uint32_t lane = 0; lane < count; ++lane)
      alive |= uint32_t{states_[first + lane] != UnitState::Done} << lane;
    for (uint32_t lane = 0; lane < count; ++lane) {
      if (states_[first + lane] != UnitState::AtWarp) continue;
      std::memcpy(&masks[lane], word(first + lane, kernel_.mask), sizeof masks[lane]);
      masks[lane] = (masks[lane] & alive) | 1u << lane;
    }
    for (uint32_t lane = 0; lane < count; ++lane) {
      bool complete = masks[lane] != 0;
      for (uint32_t rest = masks[lane]; rest != 0; rest &= rest - 1)
        complete = complete && masks[std::countr_zero(rest)] == masks[lane];
      go |= uint32_t{complete} << lane;
    }
    for (uint32_t lane = 0; lane < count; ++lane)
      if (go >> lane & 1) states_[first + lane] = UnitState::Ready;
    return go != 0;
  }

  const FreeKernel& kernel_;
  const uint64_t id_;
  std::unique_ptr<std::byte, FreeAligned> memory_;
  std::vector<uint32_t> phases_;  // by unit: behind which wait it goes on
  std::vector<UnitState> states_;
  uint32_t alive_;
  uint32_t idle_rounds_ = 0;
};

using RunningBlocks = std::vector<std::unique_ptr<RunningBlock>>;

/// What all threads share that run blocks of one launch.
struct Launch {
  explicit Launch(const FreeKernel& kernel) : kernel(kernel) {
    const uint32_t(&grid)[3] = kernel.geometry->grid;
    total = uint64_t{grid[0]} * grid[1] * grid[2];
  }
  FreeKernel kernel;
  uint64_t total;
  std::mutex mutex;
  uint64_t begun = 0;     // blocks that were handed to somebody
  uint64_t done = 0;      // blocks that have ended
  uint64_t progress = 0;  // rounds in which somebody got on
  uint32_t workers = 0;   // that are under way,
  uint32_t patient = 0;   // and how many of them have waited long since then
  RunningBlocks at_grid;  // that wait for the grid: nobody's until they are let go
  RunningBlocks parked;   // that may go on: nobody's until a worker takes some

  /// Lets go those that wait for the grid, if all blocks that have not ended do.
  bool release_grid() {
    if (at_grid.empty() || at_grid.size() + done != total) return false;
    for (auto& block : at_grid) block->leave_grid();
    parked.insert(parked.end(), std::make_move_iterator(at_grid.begin()),
                  std::make_move_iterator(at_grid.end()));
    at_grid.clear();
    return true;
  }
  /// Some of those that may go on, so that others find some too.
  void hand_out(RunningBlocks& to) {
    size_t share = (parked.size() + workers - 1) / workers;
    std::move(parked.end() - static_cast<ptrdiff_t>(share), parked.end(), std::back_inserter(to));
    parked.resize(parked.size() - share);
  }
};

/// A thread's part in a launch.
class Worker {
 public:
  Worker(Launch& launch, uint64_t first, uint64_t last)
      : launch_(launch), next_(first), last_(last) {
    std::lock_guard lock(launch.mutex);
    launch.begun += last - first;
    ++launch.workers;
    launch.hand_out(running_);
  }

  ~Worker() {
    std::lock_guard lock(launch_.mutex);
    if (rounds_ >= kTurnsUnasked && seen_ == launch_.progress) --launch_.patient;
    --launch_.workers;
  }

  void run() {
    run_or_leave(*launch_.kernel.geometry, [this] { take_turns(); });
  }

 private:
  void take_turns() {
    uint32_t rounds = 0;
    for (int idle = 0; begin_another(idle);) {
      if (++rounds % kTurnsUnasked == 0 && stopped()) return;
      bool progress = false;
      for (auto& block : running_) progress |= block->run_round();
      progress = report(progress);
      idle = progress ? 0 : idle + 1;
      if (idle >= kPatience && next_ == last_ && !wait()) return;
    }
  }

  // False: nothing is left to do, here or anywhere.
  bool begin_another(int idle) {
    if (!running_.empty() && idle < kPatience) return true;
    if (next_ != last_) {
      running_.push_back(std::make_unique<RunningBlock>(launch_.kernel, next_++));
      return true;
    }
    std::lock_guard lock(launch_.mutex);
    launch_.hand_out(running_);
    return !running_.empty() || !launch_.at_grid.empty();
  }

  // Blocks that have ended or come to the grid's barrier, and those that are stuck for good. True:
  // somebody here has got on.
  bool report(bool progress) {
    for (auto& block : running_)
      if (block->stuck()) block->give_up();
    uint64_t ended = std::erase_if(running_, [](const auto& block) { return block->done(); });
    auto waiting = std::partition(running_.begin(), running_.end(),
                                  [](const auto& block) { return !block->at_grid(); });
    progress |= ended != 0 || waiting != running_.end();
    std::lock_guard lock(launch_.mutex);
    launch_.done += ended;
    std::move(waiting, running_.end(), std::back_inserter(launch_.at_grid));
    running_.erase(waiting, running_.end());
    progress |= launch_.release_grid();
    note(progress);
    return progress;
  }

  // Under the launch's lock.
  void note(bool progress) {
    if (progress) {
      ++launch_.progress;
      launch_.patient = 0;
    }
    rounds_ = seen_ == launch_.progress ? std::min(rounds_ + 1, kTurnsUnasked + 1) : 0;
    seen_ = launch_.progress;
    if (rounds_ == kTurnsUnasked) ++launch_.patient;
  }

  /// A thread has raised, and in no worker anybody gets on: perhaps they wait for that one.
  bool all_wait_in_vain() const {
    return launch_.patient == launch_.workers &&
           std::atomic_ref(*launch_.kernel.raised).load(std::memory_order_relaxed) != 0;
  }

  bool stopped() const { return launch_stopped(launch_.kernel.geometry); }

  // Nobody here gets on. False: others will take over, or whoever is waited for will not come.
  bool wait() {
    if (stopped()) return false;
    std::unique_lock lock(launch_.mutex);
    if (all_wait_in_vain()) return false;
    if (launch_.begun != launch_.total) {
      std::move(running_.begin(), running_.end(), std::back_inserter(launch_.parked));
      running_.clear();
      return false;
    }
    lock.unlock();
    std::this_thread::yield();
    return true;
  }

  Launch& launch_;
  uint64_t next_, last_;
  RunningBlocks running_;
  uint64_t seen_ = 0;    // of the launch's progress,
  uint32_t rounds_ = 0;  // and the rounds since then in which nobody got on anywhere
};

void drop_launch(void* shared) { delete static_cast<Launch*>(shared); }

/// The launch's, made by the first who asks.
Launch& shared_launch(HostLaunch& host, const FreeKernel& kernel) {
  if (void* found = host.shared.load()) return *static_cast<Launch*>(found);
  auto made = std::make_unique<Launch>(kernel);
  void* found = nullptr;
  if (!host.shared.compare_exchange_strong(found, made.get())) return *static_cast<Launch*>(found);
  host.drop = drop_launch;  // read after the launch
  return *made.release();
}

/// May a block wait for another one?
bool waits_for_blocks(const FreeKernel& kernel) {
  for (uint64_t phase = 1; phase < kernel.phases; ++phase)
    if (kernel.waits[phase] == HostWait::Grid || kernel.waits[phase] == HostWait::Turn) return true;
  return false;
}

void run_free(const FreeKernel* kernel, uint64_t first, uint64_t last) {
  HostLaunch* host = kernel->geometry->launch;
  if (host && waits_for_blocks(*kernel))
    return Worker(shared_launch(*host, *kernel), first, last).run();
  Launch alone(*kernel);
  alone.total = last - first;
  Worker(alone, first, last).run();
}

/// What blocks on this thread have their memory in, one after another.
struct BlockMemory {
  void* begin = nullptr;
  uint64_t bytes = 0;
  BlockMemory() = default;
  BlockMemory(BlockMemory&& other) noexcept { swap(other); }
  BlockMemory& operator=(BlockMemory&& other) noexcept { return swap(other), *this; }
  ~BlockMemory() { ::operator delete(begin, kAlign); }

 private:
  void swap(BlockMemory& other) {
    std::swap(begin, other.begin);
    std::swap(bytes, other.bytes);
  }
};
thread_local BlockMemory own_memory;

}  // namespace

void* block_memory(uint64_t bytes) {
  BlockMemory& memory = own_memory;
  if (memory.bytes >= bytes) return memory.begin;
  ::operator delete(memory.begin, kAlign);
  memory.begin = ::operator new(bytes, kAlign, std::nothrow);
  memory.bytes = memory.begin ? bytes : 0;
  if (!memory.begin) blocks_lacked_memory = true;
  return memory.begin;
}

uint32_t launch_stopped(const Geometry* geometry) {
  HostLaunch* host = geometry->launch;
  if (!host || !host->stopped) return false;
  // The block that asks is not done, and who answers may launch on this thread.
  BlockMemory aside;
  std::swap(aside, own_memory);
  const bool stopped = host->stopped(host);
  std::swap(aside, own_memory);
  return stopped;
}

void attend() {
  const LeavingPoint* here = LeavingPoint::innermost();
  if (launch_stopped(&here->geometry())) here->leave();
}

void run_blocks(const FreeKernel* kernel, uint64_t first, uint64_t last) {
  if (!within_memory([&] { run_free(kernel, first, last); })) blocks_lacked_memory = true;
}

std::span<const HostSymbol> host_calls() {
  static const HostSymbol calls[] = {
      {kBlockMemoryCall, reinterpret_cast<const void*>(block_memory)},
      {kLaunchStoppedCall, reinterpret_cast<const void*>(launch_stopped)},
      {kRunBlocksCall, reinterpret_cast<const void*>(run_blocks)},
      {kAttendCall, reinterpret_cast<const void*>(attend)},
  };
  static_assert(std::size(calls) == std::size(kHostCalls));
  return calls;
}

}  // namespace hetjit::runtime
