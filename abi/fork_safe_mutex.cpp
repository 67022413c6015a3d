#include "abi/fork_safe_mutex.h"

#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <mutex>

namespace hetjit {

// The real mutex. Nodes live for ever and are used again, so that a fork may walk the list while
// others are made: a lock around the list would be one more that fork has to wait for, inside locks
// that are held while a mutex is made.
struct ForkSafeMutex::Node {
  std::mutex mutex;
  std::atomic<bool> used{true};
  Node* next = nullptr;
};

namespace {

using Node = ForkSafeMutex::Node;

std::atomic<Node*> newest{nullptr};
Node* newest_at_fork =
    nullptr;  // written and read by the thread that forks, under glibc's own lock

void unlock_until(const Node* end) {
  for (Node* node = newest_at_fork; node != end; node = node->next) node->mutex.unlock();
}

// The first node that another thread holds, with all before it locked, or null with all locked.
const Node* lock_until_held() {
  for (Node* node = newest_at_fork; node; node = node->next)
    if (!node->mutex.try_lock()) return node;
  return nullptr;
}

// Threads may hold one of these and wait for another, in any order: fork never waits while it holds
// one, so it cannot close a circle.
void lock_all() {
  while (true) {
    newest_at_fork = newest.load();
    const Node* held = lock_until_held();
    if (!held && newest.load() == newest_at_fork) return;  // none was made meanwhile
    unlock_until(held);
    sched_yield();
  }
}

void unlock_all() { unlock_until(nullptr); }

Node* reuse() {
  for (Node* node = newest.load(); node; node = node->next) {
    bool used = false;
    if (node->used.compare_exchange_strong(used, true)) return node;
  }
  return nullptr;
}

Node* make() {
  Node* node = new Node;
  node->next = newest.load();
  while (!newest.compare_exchange_weak(node->next, node)) {
  }
  return node;
}

}  // namespace

ForkSafeMutex::ForkSafeMutex() {
  static const int registered = pthread_atfork(lock_all, unlock_all, unlock_all);
  (void)registered;  // fails only for lack of memory; then a fork is as safe as with any mutex
  node_ = reuse();
  if (!node_) node_ = make();
}

ForkSafeMutex::~ForkSafeMutex() { node_->used.store(false); }
void ForkSafeMutex::lock() { node_->mutex.lock(); }
void ForkSafeMutex::unlock() { node_->mutex.unlock(); }

}  // namespace hetjit
