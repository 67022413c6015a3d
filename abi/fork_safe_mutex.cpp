#include "abi/fork_safe_mutex.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <mutex>

#include "abi/fork_hold.h"

namespace hetjit {

// The real mutex. Nodes live for ever and are used again, so that a fork may walk the list while
// others are made: a lock around the list would be one more that fork has to wait for, inside locks
// that are held while a mutex is made.
struct ForkSafeMutex::Node {
  std::mutex mutex;
  std::atomic<bool> used{true};
  Node* next = nullptr;
  Node* held_before = nullptr;  // by the thread that holds this one
};

namespace {

using Node = ForkSafeMutex::Node;

std::atomic<Node*> newest{nullptr};
Node* newest_at_fork = nullptr;  // written and read by the one thread that forks
thread_local Node* held_last = nullptr;

constexpr uint32_t kForking = 1u << 31;  // a thread is about to fork
constexpr uint32_t kForks = 1u << 30;    // and waits for nobody any more
constexpr useconds_t kLook = 100;        // microseconds between two looks
std::atomic<uint32_t> holds{0};          // ForkHolds that live, and the two above
thread_local uint32_t own_holds = 0;

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

// One fork at a time; no hold begins from now on, but of those that it waits for.
void announce_fork() {
  while (holds.fetch_or(kForking) & kForking) usleep(kLook);
}

void end_holds() {
  while ((holds.load() & ~kForking) != own_holds) usleep(kLook);
}

// A hold that began inside a mutex may outlive it; then both are waited for once more.
void before_fork() {
  announce_fork();
  while (true) {
    end_holds();
    lock_all();
    uint32_t none = kForking | own_holds;
    if (holds.compare_exchange_strong(none, none | kForks)) return;
    unlock_until(nullptr);
  }
}

void after_fork() {
  unlock_until(nullptr);
  holds.fetch_and(~(kForking | kForks));
}

// Whom the fork waits for, because of a hold or a mutex, must go on, or both would wait for ever.
bool waits_for_fork(uint32_t now) {
  if (own_holds) return false;
  return (now & kForks) || ((now & kForking) && !held_last);
}

void watch_forks() {
  static const int registered = pthread_atfork(before_fork, after_fork, after_fork);
  (void)registered;  // fails only for lack of memory; then a fork is as safe as with any mutex
}

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
  watch_forks();
  node_ = reuse();
  if (!node_) node_ = make();
}

ForkSafeMutex::~ForkSafeMutex() { node_->used.store(false); }

void ForkSafeMutex::lock() {
  node_->mutex.lock();
  node_->held_before = held_last;
  held_last = node_;
}

void ForkSafeMutex::unlock() {
  Node** place = &held_last;
  while (*place != node_) place = &(*place)->held_before;
  *place = node_->held_before;
  node_->mutex.unlock();
}

Held held_now() { return {held_last, own_holds}; }

void let_go_since(const Held& held) {
  while (held_last != held.mutex) {
    Node* node = held_last;
    held_last = node->held_before;
    node->mutex.unlock();
  }
  holds.fetch_sub(own_holds - held.holds);
  own_holds = held.holds;
}

void hold_as(const Held& held) {
  held_last = held.mutex;
  own_holds = held.holds;
}

ForkHold::ForkHold() {
  watch_forks();
  uint32_t now = holds.load();
  while (waits_for_fork(now) || !holds.compare_exchange_weak(now, now + 1)) {
    if (waits_for_fork(now)) usleep(kLook);
    now = holds.load();
  }
  ++own_holds;
}

ForkHold::~ForkHold() {
  --own_holds;
  holds.fetch_sub(1);
}

}  // namespace hetjit
