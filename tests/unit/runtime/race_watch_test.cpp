#include "runtime/host/race_watch.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace hetjit::runtime {
namespace {

constexpr uint32_t kBlocks = 2, kThreads = 64, kLanes = 16;

/// A launch whose accesses and waits the test makes up.
class Launch {
 public:
  /// What lanes of a block do together, lane i at `offset + i * step` of the memory.
  struct Event {
    bool waits = false, shared = false;
    AccessKind access = AccessKind::Read;
    WaitKind wait = WaitKind::Block;
    WatchFor watch = WatchFor::Order;
    uint32_t line = 1, bytes = 4, block = 0, thread = 0, count = 1;
    uint64_t offset = 0;
    int64_t step = 0;
  };

  const Finding* tell(const Event& event) {
    WatchedSite site{event.line, event.bytes, event.access, event.watch, event.wait};
    WatchedThreads who{(uint64_t{1} << event.count) - 1, event.thread, event.block, 0, 0, 0, 0};
    who.shared_begin = reinterpret_cast<uint64_t>(frames_[event.block]);
    who.shared_end = who.shared_begin + kBytes;
    if (event.waits) return watch_calls().barrier(&site, &who);
    std::byte* memory = event.shared ? frames_[event.block] : global_;
    return watch_calls().access(&site, &who, memory + event.offset, event.step);
  }
  /// The same, lane by lane.
  const Finding* tell_apart(Event event) {
    const Finding* found = nullptr;
    uint32_t count = event.count;
    for (event.count = 1; count-- && !found; ++event.thread) {
      found = tell(event);
      event.offset += static_cast<uint64_t>(event.step);
    }
    return found;
  }

 private:
  // The same for all launches: none may be told of what another one did there.
  static constexpr size_t kBytes = 1024;
  alignas(64) static inline std::byte global_[kBytes], frames_[kBlocks][kBytes];
  RaceWatch watch_{Geometry{.grid = {kBlocks, 1, 1}, .block = {kThreads, 1, 1}}};
  RaceWatch::Scope scope_{watch_};
};

using Event = Launch::Event;

Event read(uint32_t thread, uint64_t offset, uint32_t line) {
  Event event;
  event.thread = thread, event.offset = offset, event.line = line, event.shared = true;
  return event;
}
Event write(uint32_t thread, uint64_t offset, uint32_t line) {
  Event event = read(thread, offset, line);
  event.access = AccessKind::Write;
  return event;
}
Event barrier(WaitKind kind = WaitKind::Block, uint32_t thread = 0, uint32_t count = kThreads - 1) {
  Event event;
  event.waits = true, event.wait = kind, event.thread = thread, event.count = count;
  return event;
}

TEST(RaceWatch, NamesTheOtherThread) {
  Launch launch;
  EXPECT_FALSE(launch.tell(write(5, 8, 100)));
  const Finding* found = launch.tell(read(9, 8, 200));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->other[0], 100u);
  EXPECT_EQ(found->other[4], 5u);
  EXPECT_FALSE(found->unwritten);
}

TEST(RaceWatch, ABarrierOrders) {
  Launch launch;
  EXPECT_FALSE(launch.tell(write(5, 8, 100)));
  EXPECT_FALSE(launch.tell(barrier()));
  EXPECT_FALSE(launch.tell(read(9, 8, 200)));
  EXPECT_TRUE(launch.tell(write(10, 8, 300)));
}

TEST(RaceWatch, CountsOfBarriersMayBeginAgain) {
  Launch launch;
  EXPECT_FALSE(launch.tell(write(5, 8, 100)));
  for (int i = 0; i < 1024; ++i) launch.tell(barrier());
  EXPECT_FALSE(launch.tell(read(9, 8, 200)));
  EXPECT_FALSE(launch.tell(write(9, 16, 200)));
  EXPECT_TRUE(launch.tell(write(10, 16, 300)));
}

TEST(RaceWatch, AWarpsBarrierOrdersItsLanesAlone) {
  Launch launch;
  launch.tell(write(5, 8, 100));
  launch.tell(write(6, 16, 100));
  for (WaitKind kind : {WaitKind::Warp, WaitKind::WarpAfter}) launch.tell(barrier(kind, 0, 32));
  EXPECT_FALSE(launch.tell(read(9, 8, 200)));
  for (WaitKind kind : {WaitKind::Warp, WaitKind::WarpAfter}) launch.tell(barrier(kind, 32, 31));
  EXPECT_TRUE(launch.tell(read(40, 16, 300)));
}

TEST(RaceWatch, LanesThatWereElsewhereAreBehindAWarpsBarrierToo) {
  Launch launch;
  for (WaitKind kind : {WaitKind::Warp, WaitKind::WarpAfter}) launch.tell(barrier(kind, 0, 8));
  launch.tell(write(3, 8, 100));
  for (WaitKind kind : {WaitKind::Warp, WaitKind::WarpAfter}) launch.tell(barrier(kind, 0, 32));
  EXPECT_FALSE(launch.tell(read(20, 8, 200)));
}

Event by_block(uint32_t block, Event event) {
  event.block = block, event.shared = false;
  return event;
}
/// An atomic operation: nothing is found.
void sync(Launch& launch, uint32_t block, uint64_t offset) {
  for (AccessKind kind : {AccessKind::Atomic, AccessKind::AfterAtomic}) {
    Event event = by_block(block, read(0, offset, 50));
    event.access = kind;
    EXPECT_FALSE(launch.tell(event));
  }
}

TEST(RaceWatch, WhatAThreadHasReleasedStaysSoWhenItReleasesMore) {
  for (int more : {1, 3, 10}) {
    Launch launch;
    EXPECT_FALSE(launch.tell(by_block(0, write(0, 8, 100))));
    sync(launch, 0, 64);
    sync(launch, 1, 64);
    for (int i = 0; i < more; ++i) {
      EXPECT_FALSE(launch.tell(by_block(0, write(0, 128, 200))));
      sync(launch, 0, 256);
    }
    EXPECT_FALSE(launch.tell(by_block(1, read(0, 8, 300)))) << more;
  }
}

TEST(RaceWatch, WhatAThreadReleasesLaterIsNotAcquired) {
  Launch launch;
  sync(launch, 0, 64);
  sync(launch, 1, 64);
  EXPECT_FALSE(launch.tell(by_block(0, write(0, 128, 100))));
  sync(launch, 0, 256);
  EXPECT_TRUE(launch.tell(by_block(1, read(0, 128, 200))));
}

TEST(RaceWatch, EachThreadOfABlockReleasesItsOwn) {
  Launch launch;
  for (uint32_t thread : {0, 1})
    EXPECT_FALSE(launch.tell(by_block(0, write(thread, 8 * thread, 100))));
  sync(launch, 0, 64);
  Event second = by_block(0, read(1, 64, 50));
  second.access = AccessKind::Atomic;
  EXPECT_FALSE(launch.tell(second));
  sync(launch, 1, 64);
  EXPECT_FALSE(launch.tell(by_block(1, read(0, 8, 200))));
}

TEST(RaceWatch, ABarrierHandsOnWhatAtomicOperationsOrder) {
  // Threads 5 of two blocks; threads 0 speak for their blocks, behind and before a barrier.
  for (auto [released, acquired] : {std::pair{false, true}, {true, false}, {true, true}}) {
    Launch launch;
    EXPECT_FALSE(launch.tell(by_block(0, write(5, 8, 100))));
    if (released) launch.tell(by_block(0, barrier()));
    sync(launch, 0, 64);
    EXPECT_FALSE(launch.tell(by_block(0, write(5, 16, 200))));
    sync(launch, 1, 64);
    if (acquired) launch.tell(by_block(1, barrier()));
    EXPECT_EQ(launch.tell(by_block(1, read(5, 8, 300))) == nullptr, released && acquired);
    EXPECT_TRUE(launch.tell(by_block(1, read(5, 16, 300))));
  }
}

/// Threads 0 to 15 side by side.
Event row(AccessKind access, uint32_t block, uint64_t offset, uint32_t bytes) {
  Event event = by_block(block, read(0, offset, 100));
  event.access = access, event.bytes = bytes, event.step = bytes, event.count = kLanes;
  return event;
}

TEST(RaceWatch, ARowIsAsManyThreads) {
  for (uint32_t bytes : {4, 8}) {
    Launch launch;
    EXPECT_FALSE(launch.tell(row(AccessKind::Write, 0, 16, bytes)));
    Event one = by_block(1, read(3, 16 + 5 * bytes, 200));
    const Finding* found = launch.tell(one);
    ASSERT_TRUE(found) << bytes;
    EXPECT_EQ(found->other[0], 100u);
    EXPECT_EQ(found->other[1], 0u);
    EXPECT_EQ(found->other[4], 5u);
  }
}

TEST(RaceWatch, RowsThatBeginElsewhereMeet) {
  Launch launch;
  EXPECT_FALSE(launch.tell(row(AccessKind::Write, 0, 16, 4)));
  EXPECT_FALSE(launch.tell(row(AccessKind::Write, 1, 16 + 64, 4)));
  const Finding* found = launch.tell(row(AccessKind::Read, 1, 16 + 48, 4));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->other[4], 12u);
  EXPECT_EQ(found->lane, 0u);
}

TEST(RaceWatch, ARowRemembersWhoWroteWhatItReads) {
  Launch launch;
  EXPECT_FALSE(launch.tell(row(AccessKind::Write, 0, 16, 4)));
  EXPECT_FALSE(launch.tell(row(AccessKind::Read, 0, 16, 4)));
  Event other = by_block(0, barrier());
  EXPECT_FALSE(launch.tell(other));
  EXPECT_FALSE(launch.tell(row(AccessKind::Read, 0, 16, 4)));
  EXPECT_TRUE(launch.tell(row(AccessKind::Read, 1, 16, 4)));
}

TEST(RaceWatch, MemoryIsKeptFromLaunchToLaunchAndNothingElse) {
  for (uint32_t i = 0; i < 4; ++i) {
    Launch launch;
    for (uint32_t block = 0; block < kBlocks; ++block) {
      EXPECT_FALSE(launch.tell(by_block(block, write(0, 256 * block, 100))));
      EXPECT_FALSE(launch.tell(row(AccessKind::Write, block, 512 + 64 * block, 4)));
      Event own = write(i % 2, 0, 100);
      own.block = block;
      EXPECT_FALSE(launch.tell(own));
    }
    sync(launch, 0, 900);
    EXPECT_FALSE(launch.tell(by_block(0, read(0, 4 * i, 200))));
    EXPECT_FALSE(launch.tell(by_block(1, read(6 + i, 600 + 4 * i, 200)))) << i;
  }
}

TEST(RaceWatch, ContentsBelongToOneBlock) {
  Launch launch;
  Event store = write(5, 8, 1), load = read(6, 9, 2);
  store.watch = load.watch = WatchFor::Contents;
  load.bytes = 1;
  EXPECT_TRUE(launch.tell(load)->unwritten);
  EXPECT_FALSE(launch.tell(store));
  EXPECT_FALSE(launch.tell(load));
  load.offset = 12;
  EXPECT_TRUE(launch.tell(load));
}

Event random_event(std::mt19937& random) {
  auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  Event event;
  event.block = below(kBlocks), event.line = 1 + below(3), event.shared = below(3) != 0;
  if (below(4) == 0) {
    event.waits = true;
    event.count = kThreads - 1;
    event.wait = WaitKind::Block;
    return event;
  }
  constexpr AccessKind kKinds[] = {AccessKind::Read, AccessKind::Read, AccessKind::Write};
  event.access = kKinds[below(3)];
  event.thread = kLanes * below(3), event.count = below(4) ? kLanes : 1 + below(kLanes);
  event.bytes = below(4) ? 4 : 8;
  event.step = event.access == AccessKind::Write || below(3) ? event.bytes : 0;
  // Mostly what no other warp uses, so that there is something to find only now and then.
  uint32_t place = below(6) ? event.thread : kLanes * below(3) + below(2);
  event.offset = uint64_t{place} * event.bytes + (event.shared ? 0 : 256 * event.block);
  if (event.bytes == 8) event.offset %= 512;
  return event;
}

TEST(RaceWatch, LanesTogetherAreFoundLikeLanesApart) {
  int findings = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    std::vector<Event> events;
    std::mt19937 random(seed);
    for (int i = 0; i < 40; ++i) events.push_back(random_event(random));
    size_t ends[2];
    for (bool together : {false, true}) {
      Launch launch;
      size_t i = 0;
      while (i < events.size() &&
             !(together ? launch.tell(events[i]) : launch.tell_apart(events[i])))
        ++i;
      ends[together] = i;
    }
    ASSERT_EQ(ends[0], ends[1]) << "seed " << seed;
    findings += ends[0] < events.size();
  }
  EXPECT_GT(findings, 300);
  EXPECT_LT(findings, 2990);
}

}  // namespace
}  // namespace hetjit::runtime
