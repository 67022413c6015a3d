// One loop that several threads share. Each participant owns a contiguous range of the indices
// (neighbours stay on one core, and hardware prefetch works), takes chunks from its front, and when
// it is empty steals the back half of somebody else's.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace hetjit::runtime {

/// What a loop runs: `call(object, first, last)` for ranges that together are [0, n), each index
/// once. While the owner only waits for helpers, it is called on the owner's thread now and then
/// with an empty range: whoever wants to end early can ask there.
struct LoopBody {
  void (*call)(void* object, uint64_t first, uint64_t last) = nullptr;
  void* object = nullptr;
};

/// That a chunk should last: long enough that taking it costs nothing, and short enough that the
/// last ones end together.
inline constexpr uint64_t kChunkNanoseconds = 20'000;

/// The chunks that participants take: how many indices at first, how many at least while there are
/// as many, and how long later ones last.
struct Chunks {
  uint32_t first = 1;
  uint32_t least = 1;
  uint64_t nanoseconds = kChunkNanoseconds;
};

/// A participant's range of 32-bit indices, both ends in one word. Any thread may shrink it, only
/// its owner may fill it, and only when it is empty.
class alignas(64) IndexRange {
 public:
  struct Span {
    uint32_t first = 0, last = 0;
    uint32_t size() const { return last - first; }
  };

  Span get() const { return unpack(packed_.load(std::memory_order_relaxed)); }
  void fill(Span span) { packed_.store(pack(span), std::memory_order_release); }
  /// Removes indices from the front: `want`, but a quarter of those that are left at most, and
  /// `least` in any case, while there are as many; empty when there are none.
  Span take_front(uint32_t want, uint32_t least);
  /// Removes the back half, or everything when the owner has not begun.
  Span take_back();
  /// The owner is here: leave it its front half.
  void begin() { begun_.store(true, std::memory_order_relaxed); }
  void reset() { begun_.store(false, std::memory_order_relaxed); }
  /// Holds indices that nobody works on yet.
  bool idle() const { return !begun_.load(std::memory_order_relaxed) && get().size() != 0; }

 private:
  static uint64_t pack(Span span) { return uint64_t{span.last} << 32 | span.first; }
  static Span unpack(uint64_t word) {
    return {static_cast<uint32_t>(word), static_cast<uint32_t>(word >> 32)};
  }
  std::atomic<uint64_t> packed_{0};
  std::atomic<bool> begun_{false};
};

/// Memory for one loop at a time, used again and again and never freed while threads may look at
/// it. `open` makes it a loop; helpers `enter`, `work`, `leave`; its owner works, too, and `finish`
/// returns when all is done.
class SharedLoop {
 public:
  explicit SharedLoop(uint32_t participants);

  /// The owner's right to use this object, until release().
  bool acquire() { return !taken_.exchange(true, std::memory_order_acquire); }
  void release() { taken_.store(false, std::memory_order_release); }

  /// Begins a loop over [base, base + count). Ranges go to the first min(count, participants)
  /// participants; number 0 is the owner.
  void open(LoopBody body, uint64_t base, uint32_t count, Chunks chunks);
  /// Works as the owner until all indices are done, helpers' included; or until helpers are gone
  /// for good, which is where `forks` is no longer what it was.
  void finish(const std::atomic<uint32_t>& forks, uint32_t forks_before);
  /// Nanoseconds that all participants together spent in the body; after finish().
  uint64_t busy() const { return busy_.load(std::memory_order_relaxed); }

  /// A helper's way in; false when the loop is not open. After true the loop lives until leave().
  bool enter();
  /// Runs indices until none are to be had.
  void work(uint32_t participant);
  void leave();
  /// Whether entering is worth while; only a guess. Any time.
  bool has_work() const;
  /// Ranges that nobody has begun: how many more helpers are of use.
  uint32_t idle_ranges() const;

 private:
  bool run_own(IndexRange& mine);
  bool steal(uint32_t participant);
  void run(IndexRange::Span span);

  static constexpr uint32_t kOpen = 1u << 31;
  static constexpr uint32_t kOwnerSleeps = 1u << 30;
  static constexpr uint32_t kHelpers = kOwnerSleeps - 1;

  alignas(64) std::atomic<uint32_t> state_{0};  // kOpen, kOwnerSleeps, number of helpers inside
  std::atomic<bool> taken_{false};
  alignas(64) LoopBody body_;
  uint64_t base_ = 0;
  Chunks chunks_;
  uint32_t used_ = 0;  // ranges in use
  const uint32_t participants_;
  std::unique_ptr<IndexRange[]> ranges_;
  alignas(64) std::atomic<uint64_t> busy_{0};
};

}  // namespace hetjit::runtime
