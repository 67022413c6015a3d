// How a caller who waits for the host's kernels learns that it should not wait any longer (Ctrl-C).
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

namespace hetjit::runtime {

/// Asked now and then on the thread that waits in a launch; true: stop. Set by the composition
/// root, null until then. Memory that the kernel writes is then partly written. What it runs may
/// launch, compile and free in its turn: no lock of ours is held, and each launch has its own
/// state.
using InterruptCheck = bool (*)();
inline std::atomic<InterruptCheck> interrupt_check{nullptr};

inline constexpr std::chrono::milliseconds kInterruptInterval{50};

/// One launch's view of it. `stopped` may be asked on any thread, between blocks.
class InterruptibleLaunch {
 public:
  /// One that is asked once before it ends, as that of a single block, reads no clock: that takes
  /// longer than the block may.
  explicit InterruptibleLaunch(bool is_asked_again) {
    if (is_asked_again) next_ = Clock::now() + kInterruptInterval;
  }

  /// On the waiting thread: when it is time, what `ask` says, which is given the check. Once
  /// stopped it asks no more: what stopped it is still to be raised.
  template <class Ask>
  bool stopped_or(Ask ask) {
    InterruptCheck check = interrupt_check.load(std::memory_order_relaxed);
    if (!check || stopped() || !is_time()) return stopped();
    if (ask(check)) stopped_.store(true, std::memory_order_relaxed);
    next_ = Clock::now() + kInterruptInterval;
    return stopped();
  }
  bool stopped() const { return stopped_.load(std::memory_order_relaxed); }

 private:
  using Clock = std::chrono::steady_clock;
  bool is_time() {
    if (next_) return Clock::now() >= *next_;
    if (std::exchange(began_, true)) next_ = Clock::now() + kInterruptInterval;
    return false;
  }

  std::optional<Clock::time_point> next_;
  bool began_ = false;  // asked once
  std::atomic<bool> stopped_{false};
};

}  // namespace hetjit::runtime
