#include "runtime/host/thread_pool.h"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "abi/memory_limit.h"
#include "runtime/host/futex.h"

namespace hetjit::runtime {
namespace {

using Clock = std::chrono::steady_clock;

// Waking a sleeping thread takes 5 to 15 us: a loop shorter than this is done sooner alone.
constexpr uint64_t kAloneNanoseconds = 20'000;
constexpr uint32_t kAloneParts = 4;  // after each part the clock tells whether to go on alone
// A thread that has just worked waits this long for more before it sleeps: launches come in rows.
constexpr std::chrono::microseconds kSpinTime{20};
constexpr uint32_t kLoops = 16;                // that can be shared at one time
constexpr uint64_t kLargestLoop = 1ull << 31;  // ranges have 32-bit indices
constexpr uint32_t kWakeAtOnce = 2;            // each one woken wakes as many again
constexpr size_t kStackBytes = 8 << 20;        // as the main thread has by default
constexpr size_t kVariablesBytes = 1 << 20;    // of a thread, far more than they take

// True in pool threads, and in others while they work on a loop of theirs.
thread_local bool inside_loop = false;

// A crew made under another number has no threads in this process.
std::atomic<uint32_t> forks_so_far{0};

uint64_t since(Clock::time_point began) {
  return static_cast<uint64_t>(std::chrono::nanoseconds(Clock::now() - began).count());
}

void call(const LoopBody& body, uint64_t first, uint64_t last) {
  body.call(body.object, first, last);
}

}  // namespace

uint64_t LoopCost::of(uint64_t count, uint64_t weight) const {
  uint64_t work = 0, picoseconds = 0;
  if (__builtin_mul_overflow(count, weight, &work) ||
      __builtin_mul_overflow(picoseconds_.load(std::memory_order_relaxed), work, &picoseconds))
    return UINT64_MAX;
  return picoseconds / 1000;
}

void LoopCost::learn(uint64_t nanoseconds, uint64_t work) {
  const double each = static_cast<double>(nanoseconds) * 1000 / static_cast<double>(work);
  picoseconds_.store(each < 1 ? 1 : static_cast<uint64_t>(each), std::memory_order_relaxed);
}

uint32_t ThreadPool::forks() { return forks_so_far.load(std::memory_order_relaxed); }

ThreadPool::Outside::Outside() : before_(std::exchange(inside_loop, false)) {}
ThreadPool::Outside::~Outside() { inside_loop = before_; }

// The threads and the loops they share.
class ThreadPool::Crew {
 public:
  Crew(uint32_t helpers, uint32_t made_under);
  ~Crew();

  uint32_t made_under() const { return made_under_; }
  /// A loop that no one uses, or null: then so many run already that all threads have work.
  SharedLoop* acquire();
  void run(SharedLoop& loop);

 private:
  struct Helper {
    Crew* crew;
    uint32_t participant;
    pthread_t thread;
  };
  static void* main(void* helper);
  void work(uint32_t participant);
  bool help(uint32_t participant);
  bool spin(uint32_t epoch);
  void sleep(uint32_t epoch);
  void wake(uint32_t count);
  void start(Helper& helper);

  const uint32_t made_under_;
  std::vector<std::unique_ptr<SharedLoop>> loops_;
  std::vector<Helper> helpers_;
  size_t started_ = 0;
  alignas(64) std::atomic<uint32_t> epoch_{0};  // counts loops opened; helpers sleep on it
  std::atomic<uint32_t> open_{0};               // bit i: loops_[i] may have work
  std::atomic<bool> stop_{false};
  alignas(64) std::atomic<uint32_t> sleepers_{0};
};

ThreadPool::Crew::Crew(uint32_t helpers, uint32_t made_under)
    : made_under_(made_under), helpers_(helpers) {
  for (uint32_t i = 0; i < kLoops; i++) loops_.push_back(std::make_unique<SharedLoop>(helpers + 1));
  // Signals belong to the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  for (uint32_t i = 0; i < helpers; i++) start(helpers_[i] = {this, i + 1, {}});
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void ThreadPool::Crew::start(Helper& helper) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  // Where the system gives no more threads, those that exist do the work. One that begins without
  // memory for its variables would end the process.
  if (started_ == helper.participant - 1 && has_memory(kStackBytes + kVariablesBytes) &&
      pthread_create(&helper.thread, &attributes, main, &helper) == 0) {
    pthread_setname_np(helper.thread, "hetjit-cpu");
    started_++;
  }
  pthread_attr_destroy(&attributes);
}

ThreadPool::Crew::~Crew() {
  stop_.store(true);
  epoch_.fetch_add(1);
  futex_wake(epoch_, INT32_MAX);
  for (size_t i = 0; i < started_; i++) pthread_join(helpers_[i].thread, nullptr);
}

void* ThreadPool::Crew::main(void* helper) {
  inside_loop = true;
  auto* self = static_cast<Helper*>(helper);
  self->crew->work(self->participant);
  return nullptr;
}

void ThreadPool::Crew::work(uint32_t participant) {
  bool worked = false;
  for (;;) {
    const uint32_t epoch = epoch_.load(std::memory_order_acquire);
    if (stop_.load(std::memory_order_relaxed)) return;
    if (help(participant)) {
      worked = true;
    } else if (!(worked && spin(epoch))) {
      worked = false;
      sleep(epoch);
    }
  }
}

// True when a loop was entered whose end may have let another begin.
bool ThreadPool::Crew::help(uint32_t participant) {
  bool helped = false;
  for (uint32_t open = open_.load(std::memory_order_acquire); open != 0; open &= open - 1) {
    SharedLoop& loop = *loops_[static_cast<uint32_t>(__builtin_ctz(open))];
    if (!loop.has_work() || !loop.enter()) continue;
    wake(std::min(loop.idle_ranges(), kWakeAtOnce));
    loop.work(participant);
    loop.leave();
    helped = true;
  }
  return helped;
}

bool ThreadPool::Crew::spin(uint32_t epoch) {
  const Clock::time_point until = Clock::now() + kSpinTime;
  do {
    for (int i = 0; i < 16; i++) {
      if (epoch_.load(std::memory_order_relaxed) != epoch) return true;
      pause_spinning();
    }
  } while (Clock::now() < until);
  return false;
}

void ThreadPool::Crew::sleep(uint32_t epoch) {
  // Sequentially consistent on both sides: either the opener sees a sleeper, or we see its epoch.
  sleepers_.fetch_add(1);
  if (epoch_.load() == epoch) futex_wait(epoch_, epoch);
  sleepers_.fetch_sub(1);
}

void ThreadPool::Crew::wake(uint32_t count) {
  if (count != 0 && sleepers_.load() != 0) futex_wake(epoch_, count);
}

SharedLoop* ThreadPool::Crew::acquire() {
  for (std::unique_ptr<SharedLoop>& loop : loops_)
    if (loop->acquire()) return loop.get();
  return nullptr;
}

void ThreadPool::Crew::run(SharedLoop& loop) {
  uint32_t bit = 1;
  for (size_t i = 0; loops_[i].get() != &loop; i++) bit <<= 1;
  open_.fetch_or(bit);
  epoch_.fetch_add(1);
  wake(kWakeAtOnce);
  loop.finish(forks_so_far, made_under_);
  open_.fetch_and(~bit);
}

ThreadPool::ThreadPool(uint32_t threads) : threads_(std::max(threads, 1u)) {
  static const int registered = pthread_atfork(
      nullptr, nullptr, [] { forks_so_far.fetch_add(1, std::memory_order_relaxed); });
  (void)registered;  // fails only for lack of memory
}

ThreadPool::~ThreadPool() {
  Crew* crew = crew_.load();
  // A crew from before a fork has no threads to join and may hold locks: it stays as it is.
  if (crew && crew->made_under() == forks()) delete crew;
}

ThreadPool::Crew& ThreadPool::crew() {
  const uint32_t forks_now = forks();
  Crew* crew = crew_.load(std::memory_order_acquire);
  while (!crew || crew->made_under() != forks_now) {
    auto fresh = std::make_unique<Crew>(threads_ - 1, forks_now);
    if (crew_.compare_exchange_strong(crew, fresh.get(), std::memory_order_acq_rel))
      return *fresh.release();
  }
  return *crew;
}

void ThreadPool::share(LoopBody body, uint64_t base, uint64_t count, LoopCost* cost,
                       uint64_t weight) {
  Crew& crew = this->crew();
  SharedLoop* loop = crew.acquire();
  if (!loop) return call(body, base, base + count);
  const uint64_t each = cost ? cost->of(1, weight) : 0;
  const uint64_t chunk = cost ? cost->chunk_nanoseconds : kChunkNanoseconds;
  const uint64_t first = each == 0 ? 1 : std::clamp<uint64_t>(chunk / each, 1, 1u << 30);
  Chunks chunks{static_cast<uint32_t>(first), 1, chunk};
  if (chunk > kChunkNanoseconds)  // short ones are dear; half of a range may be stolen all the same
    chunks.least = static_cast<uint32_t>(std::clamp<uint64_t>(count / (2 * threads_), 1, first));
  loop->open(body, base, static_cast<uint32_t>(count), chunks);
  crew.run(*loop);
  if (cost) cost->learn(loop->busy(), count * weight);
  loop->release();
}

// Runs a loop that was cheap the last time, in parts: with other arguments it may be dear, and then
// the rest is for everybody. Returns how many indices are done.
uint64_t ThreadPool::run_alone(LoopBody body, uint64_t count, LoopCost& cost, uint64_t weight) {
  const Clock::time_point began = Clock::now();
  uint64_t done = 0, spent = 0;
  for (uint64_t part = 1; part <= kAloneParts && spent < kAloneNanoseconds; part++) {
    const uint64_t end = count * part / kAloneParts;
    if (end == done) continue;
    call(body, done, end);
    done = end;
    spent = since(began);
  }
  cost.learn(spent, done * weight);
  return done;
}

void ThreadPool::run(LoopBody body, uint64_t count, LoopCost* cost, uint64_t weight) {
  if (count == 0) return;
  // A lone thread takes chunks like all others: between them a body may look whether to go on.
  if (count == 1 || inside_loop) return call(body, 0, count);
  inside_loop = true;
  uint64_t done = 0;
  if (cost && cost->known() && cost->of(count, weight) < kAloneNanoseconds)
    done = run_alone(body, count, *cost, weight);
  while (done < count) {
    const uint64_t some = std::min(count - done, kLargestLoop);
    share(body, done, some, cost, weight);
    done += some;
  }
  inside_loop = false;
}

}  // namespace hetjit::runtime
