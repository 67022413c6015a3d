#include "runtime/host/releases.h"

#include <gtest/gtest.h>

#include <thread>

namespace hetjit::runtime {
namespace {

// What each has done before it releases is told to whoever comes to the same place, whatever the
// other does meanwhile.
TEST(Releases, ThreadsThatShareAnEntryLoseNothing) {
  // Multiples of the golden ratio: of numbers a Fibonacci number apart they are near each other.
  constexpr uint64_t kOne = 5, kOther = 610 << 6 | 5;
  constexpr int kTurns = 300'000;
  Releases releases;
  std::atomic<int> lost{0};
  auto work = [&](uint64_t thread, uint64_t place) {
    for (int turn = 0; turn < kTurns; ++turn) {
      const uint32_t done = releases.now(), ticked = releases.tick();
      releases.add(thread, place, releases.now(), ticked);
      lost += !releases.has(thread, done, releases.last_at(place));
    }
  };
  std::thread other(work, kOther, 128);
  work(kOne, 64);
  other.join();
  EXPECT_EQ(lost, 0);
}

}  // namespace
}  // namespace hetjit::runtime
