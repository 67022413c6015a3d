#include "runtime/host/thread_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include "support.h"

namespace hetjit::runtime {
namespace {

using test::in_child;

// Counts how often each index of a loop is visited.
class Visits {
 public:
  explicit Visits(uint64_t count) : count_(count), times_(new std::atomic<uint8_t>[count]()) {}
  void operator()(uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; i++) times_[i].fetch_add(1, std::memory_order_relaxed);
  }
  bool each_once() const {
    for (uint64_t i = 0; i < count_; i++)
      if (times_[i].load(std::memory_order_relaxed) != 1) return false;
    return true;
  }

 private:
  uint64_t count_;
  std::unique_ptr<std::atomic<uint8_t>[]> times_;
};

bool visits_each_once(ThreadPool& pool, uint64_t count, LoopCost* cost = nullptr) {
  Visits visits(count);
  pool.parallel_for(count, visits, cost);
  return visits.each_once();
}

void spend(std::chrono::microseconds time) {
  const auto until = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < until) {
  }
}

TEST(ThreadPool, VisitsEachIndexOnce) {
  for (uint32_t threads : {1u, 2u, 3u, 8u}) {
    ThreadPool pool(threads);
    for (uint64_t count : {0, 1, 2, 3, 7, 8, 9, 63, 64, 1000, 4096, 100'003})
      EXPECT_TRUE(visits_each_once(pool, count)) << count << " on " << threads << " threads";
  }
}

TEST(ThreadPool, VisitsEachIndexOnceWhateverTheCostSays) {
  ThreadPool pool(4);
  for (uint64_t nanoseconds : {1ull, 100ull, 1'000'000'000ull}) {
    LoopCost cost;
    for (int again = 0; again < 20; again++) {
      cost.learn(nanoseconds, 1000);
      for (uint64_t count : {2, 3, 5, 50, 777})
        EXPECT_TRUE(visits_each_once(pool, count, &cost)) << count;
    }
  }
}

TEST(ThreadPool, ManyLoopsInARow) {
  ThreadPool pool(4);
  for (int loop = 0; loop < 3000; loop++) ASSERT_TRUE(visits_each_once(pool, 40));
}

TEST(ThreadPool, LoopsFromManyThreads) {
  ThreadPool pool(4);
  std::atomic<int> bad{0};
  std::vector<std::thread> callers;
  // More callers than the pool shares loops at one time.
  for (int caller = 0; caller < 24; caller++)
    callers.emplace_back([&, caller] {
      for (int loop = 0; loop < 60; loop++)
        if (!visits_each_once(pool, static_cast<uint64_t>(caller * 13 + loop * 7 + 2))) bad++;
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(bad.load(), 0);
}

TEST(ThreadPool, LoopInsideALoopRunsOnTheThreadThatMeetsIt) {
  ThreadPool pool(4);
  std::atomic<uint64_t> inner{0}, elsewhere{0};
  pool.parallel_for(50, [&](uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; i++) {
      const std::thread::id here = std::this_thread::get_id();
      pool.parallel_for(20, [&](uint64_t from, uint64_t to) {
        inner += to - from;
        if (std::this_thread::get_id() != here) elsewhere++;
      });
    }
  });
  EXPECT_EQ(inner.load(), 50u * 20u);
  EXPECT_EQ(elsewhere.load(), 0u);
}

TEST(ThreadPool, SharesWorkThatTakesTime) {
  ThreadPool pool(4);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  pool.parallel_for(64, [&](uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; i++)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(threads.size(), 4u);
}

TEST(ThreadPool, StealsFromWhoeverHasTheMost) {
  ThreadPool pool(4);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  // All the time goes into the first quarter, which begins as one thread's.
  pool.parallel_for(64, [&](uint64_t first, uint64_t last) {
    for (uint64_t i = first; i < last; i++)
      if (i < 16) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::lock_guard lock(mutex);
    if (first < 16) threads.insert(std::this_thread::get_id());
  });
  EXPECT_GE(threads.size(), 3u);
}

TEST(ThreadPool, KeepsACheapLoopToItself) {
  ThreadPool pool(4);
  LoopCost cost;
  cost.learn(1000, 1000);
  std::atomic<int> elsewhere{0};
  const std::thread::id here = std::this_thread::get_id();
  pool.parallel_for(
      100,
      [&](uint64_t, uint64_t) {
        if (std::this_thread::get_id() != here) elsewhere++;
      },
      &cost);
  EXPECT_EQ(elsewhere.load(), 0);
}

TEST(ThreadPool, SharesALoopThatProvesDearer) {
  ThreadPool pool(4);
  LoopCost cost;
  cost.learn(1000, 1000);  // 1 ns: a lie
  std::atomic<int> elsewhere{0};
  const std::thread::id here = std::this_thread::get_id();
  pool.parallel_for(
      64,
      [&](uint64_t first, uint64_t last) {
        for (uint64_t i = first; i < last; i++)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (std::this_thread::get_id() != here) elsewhere++;
      },
      &cost);
  EXPECT_GT(elsewhere.load(), 0);
  EXPECT_GT(cost.of(64, 1), 10'000'000u);
}

TEST(ThreadPool, ALoneThreadTakesChunksToo) {
  ThreadPool pool(1);
  int calls = 0;
  pool.parallel_for(100, [&](uint64_t first, uint64_t last) {
    calls++;
    std::this_thread::sleep_for(std::chrono::microseconds(100 * (last - first)));
  });
  EXPECT_GT(calls, 50);
}

TEST(ThreadPool, WeightScalesTheCost) {
  LoopCost cost;
  EXPECT_FALSE(cost.known());
  cost.learn(8000, 2000);
  EXPECT_EQ(cost.of(10, 100), 4000u);
  EXPECT_EQ(cost.of(UINT64_MAX, 2), UINT64_MAX);
}

TEST(ThreadPool, RangesBeyond32Bits) {
  ThreadPool pool(4);
  const uint64_t count = (1ull << 33) + 5;
  std::atomic<uint64_t> visited{0}, largest{0};
  pool.parallel_for(count, [&](uint64_t first, uint64_t last) {
    visited += last - first;
    uint64_t seen = largest.load();
    while (last > seen && !largest.compare_exchange_weak(seen, last)) {
    }
  });
  EXPECT_EQ(visited.load(), count);
  EXPECT_EQ(largest.load(), count);
}

TEST(ThreadPool, AForkedChildHasThreadsOfItsOwn) {
  ThreadPool pool(4);
  ASSERT_TRUE(visits_each_once(pool, 500));
  const int code = in_child([&] {
    std::mutex mutex;
    std::set<std::thread::id> threads;
    pool.parallel_for(64, [&](uint64_t, uint64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
    if (threads.size() < 2) return 2;
    return visits_each_once(pool, 500) ? 0 : 1;
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(visits_each_once(pool, 500));
}

TEST(ThreadPool, ForkWhileOtherThreadsAreInLoops) {
  ThreadPool pool(4);
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    while (!stop)
      pool.parallel_for(100, [](uint64_t, uint64_t) { spend(std::chrono::microseconds(5)); });
  });
  for (int i = 0; i < 20; i++)
    EXPECT_EQ(in_child([&] { return visits_each_once(pool, 300) ? 0 : 1; }), 0);
  stop = true;
  busy.join();
}

TEST(ThreadPool, AChildOfAChildWorksToo) {
  ThreadPool pool(3);
  ASSERT_TRUE(visits_each_once(pool, 100));
  EXPECT_EQ(in_child([&] {
              if (!visits_each_once(pool, 100)) return 1;
              return in_child([&] { return visits_each_once(pool, 100) ? 0 : 2; });
            }),
            0);
}

TEST(ThreadPool, DestroyedWithoutEverSharing) {
  for (int i = 0; i < 50; i++) {
    ThreadPool pool(4);
    if (i % 2) {
      EXPECT_TRUE(visits_each_once(pool, 10));
    }
  }
}

}  // namespace
}  // namespace hetjit::runtime
