#include "runtime/host/block_scheduler.h"
#include "runtime/host/leaving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "abi/memory_limit.h"

namespace hetjit::runtime {
namespace {

/// What a unit keeps from wait to wait.
struct Context {
  uint32_t state, mask;
  uint64_t kept;
};

struct Visit {
  uint64_t block;
  uint32_t unit, phase;
  friend bool operator==(const Visit&, const Visit&) = default;
};

struct Divergence {
  uint32_t unit, phase, other_unit, other_phase;
  friend bool operator==(const Divergence&, const Divergence&) = default;
};

/// A kernel whose phases are written here: one block's memory is BlockVotes, a shared word,
/// contexts.
struct Kernel : FreeKernel {
  using Run = uint32_t (*)(Kernel& kernel, std::byte* memory, const Visit& at);
  static constexpr uint64_t kContexts = kBlockAlign;

  Kernel(uint32_t unit_count, std::vector<HostWait> wait_kinds, Run run)
      : FreeKernel{}, kinds(std::move(wait_kinds)), run(run) {
    FreeKernel::step = step_of;
    FreeKernel::diverged = diverged_of;
    FreeKernel::geometry = &launch_geometry;
    FreeKernel::raised = &raised_flag;
    waits = kinds.data();
    phases = kinds.size();
    contexts = kContexts;
    context_bytes = sizeof(Context);
    state = offsetof(Context, state);
    mask = offsetof(Context, mask);
    units = unit_count;
    units_of_warp = 32;
    memory_bytes = kContexts + (unit_count + 31) / 32 * 32 * sizeof(Context);
  }

  Context& context(std::byte* memory, uint32_t unit) const {
    return reinterpret_cast<Context*>(memory + contexts)[unit];
  }
  static BlockVotes& votes(std::byte* memory) { return *reinterpret_cast<BlockVotes*>(memory); }
  static uint32_t& shared(std::byte* memory) {
    return *reinterpret_cast<uint32_t*>(memory + sizeof(BlockVotes));
  }
  void run_all() {
    const auto& grid = launch_geometry.grid;
    run_blocks(this, 0, uint64_t{grid[0]} * grid[1] * grid[2]);
  }

  std::vector<HostWait> kinds;
  Run run;
  Geometry launch_geometry;
  uint64_t raised_flag = 0;
  std::vector<Visit> visits;  // of kernels that one thread runs
  std::vector<Divergence> divergences;
  uint32_t turns = 0;

 private:
  static uint32_t step_of(const FreeKernel* kernel, std::byte* memory, uint64_t block,
                          uint32_t unit, uint32_t phase) {
    Kernel& self = *current;
    EXPECT_EQ(kernel->units, self.units);
    return self.run(self, memory, {block, unit, phase});
  }
  static void diverged_of(const FreeKernel*, std::byte*, uint64_t, uint32_t unit, uint32_t phase,
                          uint32_t other_unit, uint32_t other_phase) {
    current->divergences.push_back({unit, phase, other_unit, other_phase});
  }

 public:
  static inline Kernel* current = nullptr;  // the scheduler hands on copies of a FreeKernel
};

struct Scheduler : testing::Test {
  void run(Kernel& kernel) {
    Kernel::current = &kernel;
    blocks_lacked_memory = false;
    kernel.run_all();
  }
};

constexpr HostWait kNone = HostWait::Block;  // of phase 0, which is behind no wait

TEST_F(Scheduler, UnitsGoOnBehindABarrierWhenAllHaveCome) {
  Kernel kernel(3, {kNone, HostWait::Block}, [](Kernel& kernel, std::byte*, const Visit& at) {
    kernel.visits.push_back(at);
    return at.phase == 0 ? 1u : 0u;
  });
  kernel.launch_geometry.grid[1] = 2;
  run(kernel);
  std::vector<Visit> expected;
  for (uint64_t block : {0, 1})
    for (uint32_t phase : {0, 1})
      for (uint32_t unit : {0, 1, 2}) expected.push_back({block, unit, phase});
  EXPECT_EQ(kernel.visits, expected);
}

TEST_F(Scheduler, VotesAreThoseOfTheWaitBefore) {
  Kernel kernel(5, {kNone, HostWait::Block, HostWait::Block},
                [](Kernel& kernel, std::byte* memory, const Visit& at) {
                  BlockVotes& votes = kernel.votes(memory);
                  if (at.phase == 0) {
                    EXPECT_EQ(votes.now.cast, at.unit);  // a block begins with none
                    votes.now.cast += 1;
                    votes.now.in_favour += at.unit % 2;
                    return 1u;
                  }
                  EXPECT_EQ(votes.before.cast, at.phase == 1 ? 5u : 0u);
                  EXPECT_EQ(votes.before.in_favour, at.phase == 1 ? 2u : 0u);
                  EXPECT_EQ(votes.now.cast, 0u);
                  return at.phase == 1 ? 2u : 0u;
                });
  kernel.launch_geometry.grid[0] = 2;
  run(kernel);
}

TEST_F(Scheduler, UnitsThatAreDoneAreNotWaitedFor) {
  Kernel kernel(40, {kNone, HostWait::Block},
                [](Kernel& kernel, std::byte* memory, const Visit& at) {
                  if (at.phase == 0) return at.unit % 3 ? 0u : 1u;
                  // Those that are done say so, and lanes that no thread has.
                  for (uint32_t unit = 0; unit < 64; ++unit)
                    EXPECT_EQ(kernel.context(memory, unit).state == kUnitDone,
                              unit >= 40 || unit % 3 != 0 || unit < at.unit);
                  kernel.visits.push_back(at);
                  return 0u;
                });
  run(kernel);
  EXPECT_EQ(kernel.visits.size(), 14u);
  EXPECT_TRUE(kernel.divergences.empty());
}

TEST_F(Scheduler, LanesWaitForThoseOfTheirMask) {
  // Lanes 0 and 2 meet first, by phase 1; lanes 1 and 3 take a turn more before they do.
  Kernel kernel(4, {kNone, HostWait::Warp, HostWait::Turn},
                [](Kernel& kernel, std::byte* memory, const Visit& at) {
                  Context& own = kernel.context(memory, at.unit);
                  kernel.visits.push_back(at);
                  if (at.phase == 1) return 0u;
                  own.mask = at.unit % 2 ? 0b1010 : 0b0101;
                  return at.unit % 2 && at.phase == 0 ? 2u : 1u;
                });
  run(kernel);
  auto place = [&](uint32_t unit, uint32_t phase) {
    return std::find(kernel.visits.begin(), kernel.visits.end(), Visit{0, unit, phase});
  };
  EXPECT_LT(place(2, 0), place(0, 1));
  EXPECT_LT(place(3, 2), place(1, 1));
  EXPECT_EQ(kernel.visits.size(), 4u + 4 + 2);
}

TEST_F(Scheduler, AMaskMayNameLanesThatAreDoneOrNotThere) {
  Kernel kernel(3, {kNone, HostWait::Warp}, [](Kernel& kernel, std::byte* memory, const Visit& at) {
    kernel.context(memory, at.unit).mask = UINT32_MAX;
    kernel.visits.push_back(at);
    return at.phase == 0 && at.unit != 1 ? 1u : 0u;
  });
  run(kernel);
  EXPECT_EQ(kernel.visits.size(), 5u);
}

TEST_F(Scheduler, BarriersThatAreNotTheSameEndTheBlock) {
  Kernel kernel(3, {kNone, HostWait::Block, HostWait::Block},
                [](Kernel& kernel, std::byte*, const Visit& at) {
                  kernel.visits.push_back(at);
                  return at.unit == 2 ? 2u : 1u;
                });
  kernel.launch_geometry.grid[0] = 2;
  run(kernel);
  const Divergence divergence{0, 1, 2, 2};
  EXPECT_EQ(kernel.divergences, (std::vector<Divergence>{divergence, divergence}));
  EXPECT_EQ(kernel.visits.size(), 6u);  // nobody went on
}

TEST_F(Scheduler, AUnitMayWaitForALaterBlock) {
  static uint32_t flag;
  flag = 0;
  Kernel kernel(1, {kNone, HostWait::Turn}, [](Kernel& kernel, std::byte*, const Visit& at) {
    kernel.visits.push_back(at);
    if (at.block == 7) flag = 1;
    return flag ? 0u : 1u;
  });
  kernel.launch_geometry.grid[0] = 8;
  run(kernel);
  EXPECT_EQ(std::count(kernel.visits.begin(), kernel.visits.end(), Visit{7, 0, 0}), 1);
  EXPECT_GT(kernel.visits.size(), 8u);
}

TEST_F(Scheduler, BlocksOfTheGridMeet) {
  static uint32_t come;
  come = 0;
  Kernel kernel(2, {kNone, HostWait::Grid}, [](Kernel& kernel, std::byte*, const Visit& at) {
    kernel.visits.push_back(at);
    if (at.phase == 0) {
      ++come;
      return 1u;
    }
    EXPECT_EQ(come, 12u);
    return 0u;
  });
  kernel.launch_geometry.grid[0] = 6;
  run(kernel);
  EXPECT_EQ(kernel.visits.size(), 24u);
}

TEST_F(Scheduler, BlocksOfSeveralThreadsMeet) {
  static std::atomic<uint32_t> come, ended;
  come = ended = 0;
  Kernel kernel(2, {kNone, HostWait::Grid}, [](Kernel&, std::byte*, const Visit& at) {
    if (at.phase == 0) {
      ++come;
      return 1u;
    }
    EXPECT_EQ(come, 24u);
    ++ended;
    return 0u;
  });
  kernel.launch_geometry.grid[2] = 12;
  Kernel::current = &kernel;
  HostLaunch launch;
  kernel.launch_geometry.launch = &launch;
  std::vector<std::thread> threads;
  for (uint64_t first : {0, 3, 6, 9})
    threads.emplace_back([&kernel, first] { run_blocks(&kernel, first, first + 3); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ended, 24u);
}

// ---- those who never get on

uint32_t waits_for_ever(Kernel& kernel, std::byte*, const Visit&) {
  ++kernel.turns;
  return 1;
}

TEST_F(Scheduler, AThreadThatHasRaisedEndsThoseWhoWait) {
  Kernel kernel(2, {kNone, HostWait::Turn}, waits_for_ever);
  kernel.raised_flag = 1;
  run(kernel);
  EXPECT_GT(kernel.turns, kTurnsUnasked);  // they are given time
  EXPECT_TRUE(kernel.divergences.empty());
}

TEST_F(Scheduler, ALaunchThatShallStopEndsThoseWhoWait) {
  Kernel kernel(2, {kNone, HostWait::Turn}, waits_for_ever);
  HostLaunch launch;
  launch.stopped = [](HostLaunch*) { return Kernel::current->turns > 5000; };
  kernel.launch_geometry.launch = &launch;
  run(kernel);
  EXPECT_GT(kernel.turns, 5000u);
}

TEST_F(Scheduler, ACheckThatFailsIsAUnitThatIsDone) {
  // Unit 1 raises and ends; the others wait for what it would have written.
  static uint32_t written;
  written = 0;
  Kernel kernel(3, {kNone, HostWait::Turn}, [](Kernel& kernel, std::byte*, const Visit& at) {
    if (at.unit == 1) {
      kernel.raised_flag = 1;
      return 0u;
    }
    return written ? 0u : 1u;
  });
  run(kernel);
  EXPECT_EQ(kernel.raised_flag, 1u);
}

// ---- memory

TEST_F(Scheduler, MemoryIsTheThreadsFromBlockToBlock) {
  auto* first = static_cast<std::byte*>(block_memory(100));
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % kBlockAlign, 0u);
  first[99] = std::byte{7};
  EXPECT_EQ(block_memory(50), first);
  EXPECT_EQ(first[99], std::byte{7});
  EXPECT_NE(block_memory(1 << 20), nullptr);
  void* other = nullptr;
  std::thread([&] { other = block_memory(100); }).join();
  EXPECT_NE(other, block_memory(100));
}

TEST_F(Scheduler, MemoryThatIsNotThereIsSaid) {
  blocks_lacked_memory = false;
  EXPECT_EQ(block_memory(uint64_t{1} << 60), nullptr);
  EXPECT_TRUE(blocks_lacked_memory);
  blocks_lacked_memory = false;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's operator new ends the process";
#endif
  Kernel kernel(1, {kNone}, [](Kernel&, std::byte*, const Visit&) { return 0u; });
  kernel.memory_bytes = uint64_t{1} << 60;
  run(kernel);
  EXPECT_TRUE(blocks_lacked_memory);
  blocks_lacked_memory = false;
}

// A block that runs as a whole asks, too; who answers may launch on this thread, in memory of its
// own.
TEST_F(Scheduler, WhoIsAskedMayLaunch) {
  auto* own = static_cast<std::byte*>(block_memory(64));
  static void* theirs;
  HostLaunch launch;
  launch.stopped = [](HostLaunch*) {
    theirs = block_memory(64);
    return true;
  };
  Geometry geometry;
  EXPECT_EQ(launch_stopped(&geometry), 0u);  // nobody to ask
  geometry.launch = &launch;
  EXPECT_NE(launch_stopped(&geometry), 0u);
  EXPECT_NE(theirs, own);
  EXPECT_EQ(block_memory(64), own);
}

// A kernel that attends is left for the innermost place, when its launch shall end and not before.
TEST_F(Scheduler, AKernelIsLeftWhereItWasBegun) {
  HostLaunch going, ending;
  going.stopped = [](HostLaunch*) { return false; };
  ending.stopped = [](HostLaunch*) { return true; };
  Geometry outer, inner;
  outer.launch = &going;
  inner.launch = &ending;
  int reached = 0;
  run_or_leave(outer, [&] {
    attend();
    reached += 1;
    run_or_leave(inner, [&] {
      attend();
      reached += 10;
    });
    attend();
    reached += 100;
  });
  EXPECT_EQ(reached, 101);
}

TEST_F(Scheduler, EveryCallHasAnAddress) {
  std::span<const HostSymbol> calls = host_calls();
  ASSERT_EQ(calls.size(), std::size(kHostCalls));
  for (size_t i = 0; i < calls.size(); ++i) {
    EXPECT_STREQ(calls[i].name, kHostCalls[i]);
    EXPECT_NE(calls[i].address, nullptr);
  }
}

}  // namespace
}  // namespace hetjit::runtime
