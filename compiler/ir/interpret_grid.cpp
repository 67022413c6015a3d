#include "compiler/ir/interpret_grid.h"

#include <algorithm>

namespace hetjit::ir {
namespace {

void set_index(uint32_t (&index)[3], const uint32_t (&extent)[3], uint64_t number) {
  index[0] = static_cast<uint32_t>(number % extent[0]);
  index[1] = static_cast<uint32_t>(number / extent[0] % extent[1]);
  index[2] = static_cast<uint32_t>(number / extent[0] / extent[1]);
}

std::string index_text(const uint32_t (&index)[3]) {
  return "(" + std::to_string(index[0]) + ", " + std::to_string(index[1]) + ", " +
         std::to_string(index[2]) + ")";
}

uint64_t mask_of(Waiter& waiter) { return waiter.state.slot(waiter.state.waits_at->a); }

/// Is `a` at an earlier place of the program? Code that comes first is left first: so threads that
/// went different ways meet again where the ways do.
bool is_before(const Waiter& a, const Waiter& b) {
  auto place = [](const Waiter& waiter, size_t depth) {
    const auto& frames = waiter.state.frames;
    return depth + 1 < frames.size() ? frames[depth].call : waiter.state.waits_at;
  };
  size_t depths = std::min(a.state.frames.size(), b.state.frames.size());
  for (size_t depth = 0; depth < depths; ++depth)
    if (place(a, depth) != place(b, depth)) return place(a, depth) < place(b, depth);
  return false;
}

}  // namespace

uint64_t Group::mask() const {
  uint64_t mask = 0;
  for (const Waiter* member : members_) mask |= uint64_t{1} << lane(*member);
  return mask;
}

GridRun::GridRun(const Program& program, Machine& machine)
    : program_(program), machine_(machine) {
  const auto& grid = machine.geometry.grid;
  block_count_ = uint64_t{grid[0]} * grid[1] * grid[2];
}

// A block more is begun when those begun have all ended, or can only wait for it.
Status GridRun::run() {
  constexpr unsigned kPatience = 16;
  unsigned idle = 0;
  for (;;) {
    const bool more = started_ < block_count_;
    if (blocks_.empty() && !more) return {};
    auto best = Progress::None;
    for (Block& block : blocks_) {
      auto progress = round(block);
      if (!progress.ok()) return progress.error();
      best = std::min(best, *progress);
    }
    std::erase_if(blocks_, [](const Block& block) { return block.waiters.empty(); });
    if (best == Progress::Some) {
      idle = 0;
    } else if (best == Progress::None || ++idle > kPatience) {
      idle = 0;
      if (more)
        HETJIT_TRY(start(started_++));
      else if (best == Progress::None && !blocks_.empty() && !release_grid())
        return divergence(blocks_.back());
    }
  }
}

void GridRun::enter(const Block& block) {
  std::copy_n(block.index, 3, machine_.block);
  machine_.shared = block.shared.data();
}

Status GridRun::start(uint64_t number) {
  Block block;
  set_index(block.index, machine_.geometry.grid, number);
  size_t bytes = dynamic_shared_offset(program_.shared()) + machine_.geometry.shared_bytes;
  if (bytes) block.shared = PoisonedMemory(bytes, std::max(16u, program_.shared().align()));
  enter(block);
  const auto& extent = machine_.geometry.block;
  auto& thread = machine_.thread;
  uint32_t next = 0;
  for (thread[2] = 0; thread[2] < extent[2]; ++thread[2])
    for (thread[1] = 0; thread[1] < extent[1]; ++thread[1])
      for (thread[0] = 0; thread[0] < extent[0]; ++thread[0], ++next) {
        HETJIT_TRY(machine_.run_thread());
        if (machine_.waits()) block.waiters.push_back({machine_.put_away(), next});
      }
  if (!block.waiters.empty()) blocks_.push_back(std::move(block));
  return {};
}

Result<GridRun::Progress> GridRun::round(Block& block) {
  Progress progress = release(block);
  if (progress == Progress::None) {
    if (all_wait_for_grid(block)) return progress;
    return divergence(block);
  }
  HETJIT_TRY(go_on(block));
  return progress;
}

Status GridRun::go_on(Block& block) {
  enter(block);
  for (Waiter& waiter : block.waiters) {
    if (!std::exchange(waiter.ready, false)) continue;
    set_index(machine_.thread, machine_.geometry.block, waiter.number);
    HETJIT_TRY(machine_.resume(std::move(waiter.state)));
    if (machine_.waits()) waiter.state = machine_.put_away();
  }
  std::erase_if(block.waiters, [](const Waiter& waiter) { return waiter.state.frames.empty(); });
  return {};
}

GridRun::Progress GridRun::release(Block& block) {
  bool some = false, turns = false;
  auto& waiters = block.waiters;
  for (auto first = waiters.begin(); first != waiters.end();) {
    uint32_t warp = first->number / machine_.warp_size;
    auto last = std::find_if(first, waiters.end(), [&](const Waiter& waiter) {
      return waiter.number / machine_.warp_size != warp;
    });
    some |= release_warp({first, last});
    first = last;
  }
  some |= release_block(block);
  for (Waiter& waiter : waiters)
    if (waiter.state.wait == Wait::Others) waiter.ready = turns = true;
  return some ? Progress::Some : turns ? Progress::OnlyTurns : Progress::None;
}

bool GridRun::release_warp(std::span<Waiter> warp) {
  bool some = false;
  Waiter* active = nullptr;
  for (Waiter& waiter : warp) {
    if (waiter.state.wait == Wait::ActiveLanes && (!active || is_before(waiter, *active)))
      active = &waiter;
    if (waiter.ready || waiter.state.wait != Wait::Warp) continue;
    const uint64_t mask = mask_of(waiter);
    std::vector<Waiter*> members;
    bool complete_group = true;
    for (Waiter& other : warp) {
      if (!(mask >> (other.number % machine_.warp_size) & 1)) continue;
      bool here = other.state.wait == Wait::Warp && mask_of(other) == mask &&
                  other.state.waits_at == waiter.state.waits_at;
      complete_group = complete_group && here;
      members.push_back(&other);
    }
    const bool names_itself = mask >> (waiter.number % machine_.warp_size) & 1;
    if (!complete_group || !names_itself) continue;
    complete(std::move(members));
    some = true;
  }
  if (some || !active) return some;
  std::vector<Waiter*> together;
  for (Waiter& waiter : warp)
    if (waiter.state.wait == Wait::ActiveLanes && !is_before(*active, waiter))
      together.push_back(&waiter);
  complete(std::move(together));
  return true;
}

bool GridRun::release_block(Block& block) {
  const ThreadState& first = block.waiters.front().state;
  if (first.wait != Wait::Block) return false;
  std::vector<Waiter*> members;
  for (Waiter& waiter : block.waiters) {
    if (waiter.state.wait != Wait::Block || waiter.state.waits_at != first.waits_at) return false;
    members.push_back(&waiter);
  }
  complete(std::move(members));
  return true;
}

bool GridRun::all_wait_for_grid(const Block& block) const {
  const Step* at = block.waiters.front().state.waits_at;
  return std::all_of(block.waiters.begin(), block.waiters.end(), [&](const Waiter& waiter) {
    return waiter.state.wait == Wait::Grid && waiter.state.waits_at == at;
  });
}

// Every block is begun, and nothing but this can let a thread go on.
bool GridRun::release_grid() {
  const Step* at = blocks_.front().waiters.front().state.waits_at;
  for (Block& block : blocks_)
    if (block.waiters.front().state.waits_at != at) return false;
  for (Block& block : blocks_) {
    for (Waiter& waiter : block.waiters) waiter.ready = true;
    // What they waited for is there: a turn like any other's.
    for (Waiter& waiter : block.waiters) waiter.state.wait = Wait::Others;
  }
  return true;
}

void GridRun::complete(std::vector<Waiter*> members) {
  const Step& step = *members.front()->state.waits_at;
  for (Waiter* member : members) member->ready = true;
  if (step.detail->complete)
    step.detail->complete(Group(std::move(members), machine_.warp_size), step);
}

Error GridRun::divergence(const Block& block) const {
  // By Wait.
  constexpr const char* kPlaces[] = {"",
                                     "behind an atomic operation",
                                     "at an operation of its warp",
                                     "at an operation of its warp",
                                     "at a barrier of its block",
                                     "at a barrier of the grid"};
  auto where = [&](const Waiter& waiter) {
    uint32_t index[3];
    set_index(index, machine_.geometry.block, waiter.number);
    return "thread " + index_text(index) + " waits " +
           kPlaces[static_cast<size_t>(waiter.state.wait)];
  };
  const Waiter& first = block.waiters.front();
  std::string text = "barrier divergence in block " + index_text(block.index) + ": " + where(first);
  for (const Waiter& other : block.waiters) {
    if (other.state.waits_at == first.state.waits_at) continue;
    const bool same_kind = other.state.wait == first.state.wait;
    text += ", " + where(other) + (same_kind ? ", but not the same one" : "");
    return {ErrorCode::Invalid, std::move(text)};
  }
  text += first.state.wait == Wait::Grid ? ", and other blocks at another one"
                                         : " whose mask does not fit those of the other lanes";
  return {ErrorCode::Invalid, std::move(text)};
}

}  // namespace hetjit::ir
