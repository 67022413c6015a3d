#include "compiler/typing/new_stack.h"

#include <pthread.h>
#include <csignal>

namespace hetjit::typing {
namespace {

constexpr size_t kStackBytes = size_t{8} << 20;

void* run(void* work) {
  (*static_cast<const std::function<void()>*>(work))();
  return nullptr;
}

}  // namespace

void on_new_stack(const std::function<void()>& work) {
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  sigset_t all, before;  // signals belong to the program's own threads
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  auto* argument = const_cast<std::function<void()>*>(&work);
  const bool started = pthread_create(&thread, &attributes, run, argument) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (started)
    pthread_join(thread, nullptr);
  else
    work();
}

}  // namespace hetjit::typing
