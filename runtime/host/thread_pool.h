// Threads that share loops. Any thread may start a loop at any time and works on it itself; a loop
// inside a loop runs on the thread that meets it. After a fork the child gets threads of its own at
// its first loop.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include "runtime/host/shared_loop.h"

namespace hetjit::runtime {

/// What one unit of work of some loop costs, learned from run to run. It keeps loops that are done
/// sooner than anybody could wake up on the thread that starts them. Safe to share.
class LoopCost {
 public:
  bool known() const { return picoseconds_.load(std::memory_order_relaxed) != 0; }
  /// Nanoseconds for that many indices of that weight; 0 when not known.
  uint64_t of(uint64_t count, uint64_t weight) const;
  void learn(uint64_t nanoseconds, uint64_t work);
  /// That a chunk of its runs should last. To be set before the first one.
  uint64_t chunk_nanoseconds = kChunkNanoseconds;

 private:
  std::atomic<uint64_t> picoseconds_{0};  // per unit
};

class ThreadPool {
 public:
  /// `threads` counts the thread that starts a loop, so 1 means no threads of the pool's own. None
  /// are made before the first loop that has a use for them.
  explicit ThreadPool(uint32_t threads);
  /// No loop may be running.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  uint32_t threads() const { return threads_; }

  /// How often this process, and those before it, were forked. Threads do not survive that.
  static uint32_t forks();

  /// While it lives, loops that this thread starts are shared as if it were in none.
  class Outside {
   public:
    Outside();
    ~Outside();
    Outside(const Outside&) = delete;
    Outside& operator=(const Outside&) = delete;

   private:
    const bool before_;
  };

  /// Calls body(first, last) for ranges that together are [0, count), each index once, on several
  /// threads; returns when all are done. `weight`: units of work per index, for `cost`.
  template <class Body>
  void parallel_for(uint64_t count, Body&& body, LoopCost* cost = nullptr, uint64_t weight = 1) {
    using Plain = std::remove_reference_t<Body>;
    run({[](void* object, uint64_t first, uint64_t last) {
           (*static_cast<Plain*>(object))(first, last);
         },
         const_cast<void*>(static_cast<const void*>(&body))},
        count, cost, weight);
  }

 private:
  class Crew;
  void run(LoopBody body, uint64_t count, LoopCost* cost, uint64_t weight);
  static uint64_t run_alone(LoopBody body, uint64_t count, LoopCost& cost, uint64_t weight);
  void share(LoopBody body, uint64_t base, uint64_t count, LoopCost* cost, uint64_t weight);
  Crew& crew();

  const uint32_t threads_;
  std::atomic<Crew*> crew_{nullptr};
};

}  // namespace hetjit::runtime
