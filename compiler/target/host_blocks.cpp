#include "compiler/target/host_blocks.h"

#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <vector>

namespace hetjit::target {
namespace {

constexpr std::align_val_t kAlign{64};
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
    std::memset(memory_.get(), 0, kVotesBytes);
    // Lanes of the last warp that no thread has are done.
    uint32_t lanes =
        (kernel.units + kernel.units_of_warp - 1) / kernel.units_of_warp * kernel.units_of_warp;
    for (uint32_t unit = 0; unit < lanes; ++unit)
      set_word(unit, kernel.state, unit < kernel.units ? 0 : kDone);
  }

  bool done() const { return alive_ == 0; }
  bool at_grid() const { return alive_ != 0 && count(UnitState::AtGrid) == alive_; }
  /// Is somebody there who may get on without being let go by others?
  bool spins() const { return count(UnitState::Ready) != 0; }
  uint64_t id() const { return id_; }

  /// A turn for everybody who can use one. True: somebody has got on.
  bool run_round() {
    bool progress = false;
    for (uint32_t unit = 0; unit < kernel_.units; ++unit)
      if (states_[unit] == UnitState::Ready) progress |= run(unit);
    return release_warps() | release_block() | progress;
  }
  void release_grid() {
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
  static constexpr size_t kVotesBytes = 16;

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
      set_word(unit, kernel_.state, kDone);
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
    std::memcpy(memory_.get() + 8, memory_.get(), 8);  // votes: of the wait before (frame.h)
    std::memset(memory_.get(), 0, 8);
    return true;
  }

  // A lane goes on when all lanes of its mask that are not done have come to a wait of the warp.
  bool release_warps() {
    bool released = false;
    if (count(UnitState::AtWarp) == 0) return false;
    for (uint32_t first = 0; first < kernel_.units; first += kernel_.units_of_warp)
      released |= release_warp(first);
    return released;
  }
  bool release_warp(uint32_t first) {
    uint32_t waiting = 0, alive = 0, go = 0;
    uint32_t count = std::min(kernel_.units_of_warp, kernel_.units - first);
    for (uint32_t lane = 0; lane < count; ++lane) {
      waiting |= uint32_t{states_[first + lane] == UnitState::AtWarp} << lane;
      alive |= uint32_t{states_[first + lane] != UnitState::Done} << lane;
    }
    for (uint32_t lane = 0; lane < count; ++lane) {
      uint32_t mask;
      std::memcpy(&mask, word(first + lane, kernel_.mask), sizeof mask);
      bool complete = (waiting >> lane & 1) && (mask & alive & ~waiting) == 0;
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
};

class Blocks {
 public:
  Blocks(const FreeKernel& kernel, uint64_t first, uint64_t last)
      : kernel_(kernel), next_(first), last_(last) {}

  void run() {
    for (int idle = 0; begin_if(running_.empty() || idle >= kPatience);) {
      bool progress = false;
      for (auto& block : running_) progress |= block->run_round();
      std::erase_if(running_, [](const auto& block) { return block->done(); });
      progress |= release_grid();
      idle = progress ? 0 : idle + 1;
      if (idle >= kPatience && next_ == last_) idle = wait_or_give_up();
    }
  }

 private:
  /// False: all blocks are done.
  bool begin_if(bool wanted) {
    if (wanted && next_ != last_)
      running_.push_back(std::make_unique<RunningBlock>(kernel_, next_++));
    return !running_.empty();
  }
  bool release_grid() {
    if (next_ != last_ || running_.empty()) return false;
    for (auto& block : running_)
      if (!block->at_grid()) return false;
    for (auto& block : running_) block->release_grid();
    return true;
  }
  // All blocks have begun and nobody gets on.
  int wait_or_give_up() {
    for (auto& block : running_)
      if (block->spins()) {
        std::this_thread::yield();
        return kPatience;
      }
    for (auto& block : running_)
      if (!block->at_grid() || running_.size() == 1) block->give_up();
    std::erase_if(running_, [](const auto& block) { return block->done(); });
    return 0;
  }

  const FreeKernel& kernel_;
  uint64_t next_, last_;
  std::vector<std::unique_ptr<RunningBlock>> running_;
};

}  // namespace

void* block_memory(uint64_t bytes) {
  struct Memory {
    void* begin = nullptr;
    uint64_t bytes = 0;
    ~Memory() { ::operator delete(begin, kAlign); }
  };
  thread_local Memory memory;
  if (memory.bytes >= bytes) return memory.begin;
  ::operator delete(memory.begin, kAlign);
  memory.begin = ::operator new(bytes, kAlign);
  memory.bytes = bytes;
  return memory.begin;
}

void run_blocks(const FreeKernel* kernel, uint64_t first, uint64_t last) {
  Blocks(*kernel, first, last).run();
}

}  // namespace hetjit::target
