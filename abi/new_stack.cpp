#include "abi/new_stack.h"

#include <pthread.h>
#include <csignal>
#include <cstdint>
#include <ctime>

#include "abi/bug_subject.h"
#include "abi/fork_hold.h"
#include "abi/memory_limit.h"
#include "abi/status.h"

namespace hetjit {
namespace {

constexpr size_t kStackBytes = size_t{8} << 20;
constexpr size_t kVariablesBytes = 1 << 20;  // of a thread, far more than they take
// The most that a block shares, all of which may lie on the stack, and half as much for the rest.
constexpr size_t kEnough = 3 << 19;

// What the thread that waits gives to the new one, and gets back from it.
struct Run {
  const std::function<void()>& work;
  const BugReporter reporter = bug_reporter;
  BugScope* const subject = bug_subject;
  const Held held = held_now();
  bool enough = false;
};

void* start(void* given) {
  Run& run = *static_cast<Run*>(given);
  bug_reporter = run.reporter;
  bug_subject = run.subject;
  hold_as(run.held);
  run.enough = within_memory([&] { run.work(); });
  return nullptr;
}

constexpr long kPatience = 20'000'000;  // ns; what a user who interrupts does not notice

// Whether it has ended, and not gone in a fork.
bool join(pthread_t thread, const std::function<bool()>& meanwhile) {
  if (!meanwhile) return pthread_join(thread, nullptr) == 0;
  while (true) {
    timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += kPatience;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    if (pthread_clockjoin_np(thread, nullptr, CLOCK_MONOTONIC, &until) == 0) return true;
    if (meanwhile()) return false;
  }
}

// Where this thread's stack ends: 0 where the system does not say.
uintptr_t find_end() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* end = nullptr;
  size_t bytes = 0;
  pthread_attr_getstack(&attributes, &end, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(end);
}

}  // namespace

void on_new_stack(const std::function<void()>& work, const std::function<bool()>& meanwhile) {
  // A thread that begins without memory for its variables would end the process.
  if (!has_memory(kStackBytes + kVariablesBytes)) end_for_memory();
  Run run{work};
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  sigset_t all, before;  // signals belong to the program's own threads
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&thread, &attributes, start, &run) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (!started) return has_stack() ? work() : end_for_memory();
  if (join(thread, meanwhile) && !run.enough) end_for_memory();
}

bool has_stack() {
  thread_local const uintptr_t end = find_end();
  // On a stack that is not the thread's own, which lies elsewhere, all is well as far as we know.
  const uintptr_t here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here - end >= kEnough;
}

}  // namespace hetjit
