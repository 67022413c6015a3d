#include "runtime/host/attention.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <vector>

#include "abi/fork_safe_mutex.h"
#include "runtime/host/futex.h"
#include "runtime/host/thread_pool.h"
#include "runtime/interrupt.h"

namespace hetjit::runtime {

static_assert(sizeof(AttentionWord) == 4 && AttentionWord::is_always_lock_free);

/// The thread, and the launches that it looks after. One, for as long as the process lives; the
/// child of a fork begins anew.
class Ticker {
 public:
  static Ticker& the() {
    static auto* one = new Ticker;
    return *one;
  }

  void add(Attention& launch) {
    std::lock_guard lock(mutex_);
    begin_anew_in_a_child();
    launches_.push_back(&launch);
    if (!runs_) start();
    if (asleep_.exchange(0)) futex_wake(asleep_, 1);
  }
  void remove(Attention& launch) {
    std::lock_guard lock(mutex_);
    std::erase(launches_, &launch);
    tell(launch.word_);
  }
  void answered(Attention& launch, bool ends) {
    std::lock_guard lock(mutex_);
    launch.ends_ = ends;
    launch.wanted_ = ends;
    tell(launch.word_);
  }

 private:
  static constexpr int kQuietTicks = 20;  // before the thread sleeps until somebody launches

  /// Launches of one module have one word.
  void tell(AttentionWord* word) {
    const bool wanted = std::any_of(launches_.begin(), launches_.end(), [&](const Attention* one) {
      return one->word_ == word && one->wanted_;
    });
    word->store(wanted, std::memory_order_relaxed);
  }

  void begin_anew_in_a_child() {
    if (forks_ == ThreadPool::forks()) return;
    forks_ = ThreadPool::forks();
    launches_.clear();
    runs_ = false;
  }

  /// Where no thread can be had now, the next launch tries again.
  void start() {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // signals belong to the program's own threads
    pthread_t thread;
    auto run = [](void* self) -> void* { static_cast<Ticker*>(self)->tick(); };
    runs_ = pthread_create(&thread, nullptr, run, this) == 0;
    if (runs_) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  [[noreturn]] void tick() {
    for (int quiet = 0;;) {
      std::this_thread::sleep_for(kInterruptInterval);
      if (quiet = want_all() ? 0 : quiet + 1; quiet < kQuietTicks) continue;
      asleep_.store(1);
      if (!want_all()) futex_wait(asleep_, 1);
      asleep_.store(0);
      quiet = 0;
    }
  }

  /// False: there are none.
  bool want_all() {
    std::lock_guard lock(mutex_);
    for (Attention* launch : launches_) {
      launch->wanted_ = true;
      launch->word_->store(1, std::memory_order_relaxed);
    }
    return !launches_.empty();
  }

  ForkSafeMutex mutex_;
  std::vector<Attention*> launches_;
  bool runs_ = false;
  uint32_t forks_ = ThreadPool::forks();
  std::atomic<uint32_t> asleep_{0};
};

Attention::Attention(AttentionWord* word) : word_(word) {
  if (word_) Ticker::the().add(*this);
}

Attention::~Attention() {
  if (word_) Ticker::the().remove(*this);
}

void Attention::answered(bool ends) {
  if (word_ && (ends || word_->load(std::memory_order_relaxed)))
    Ticker::the().answered(*this, ends);
}

}  // namespace hetjit::runtime
