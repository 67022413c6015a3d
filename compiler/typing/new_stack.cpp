#include "compiler/typing/new_stack.h"

#include <pthread.h>
#include <csignal>

#include "abi/bug_subject.h"
#include "abi/memory_limit.h"
#include "abi/status.h"

namespace hetjit::typing {
namespace {

constexpr size_t kStackBytes = size_t{8} << 20;
constexpr size_t kVariablesBytes = 1 << 20;  // of a thread, far more than they take

// What the thread that waits gives to the new one, and gets back from it.
struct Run {
  const std::function<void()>& work;
  const BugReporter reporter = bug_reporter;
  BugScope* const subject = bug_subject;
  bool enough = false;
};

void* start(void* given) {
  Run& run = *static_cast<Run*>(given);
  bug_reporter = run.reporter;
  bug_subject = run.subject;
  run.enough = within_memory([&] { run.work(); });
  return nullptr;
}

}  // namespace

void on_new_stack(const std::function<void()>& work) {
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
  if (!started) return work();
  pthread_join(thread, nullptr);
  if (!run.enough) end_for_memory();
}

}  // namespace hetjit::typing
