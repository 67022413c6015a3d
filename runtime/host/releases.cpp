#include "runtime/host/releases.h"

#include <sys/mman.h>

#include <algorithm>

namespace hetjit::runtime {
namespace {

template <class Word>
Word get(Word& word) {
  return std::atomic_ref(word).load(std::memory_order_acquire);
}
template <class Word>
void set(Word& word, Word value) {
  std::atomic_ref(word).store(value, std::memory_order_release);
}

void raise_to(uint32_t& word, uint32_t value) {
  std::atomic_ref at(word);
  uint32_t known = at.load(std::memory_order_relaxed);
  while (known < value && !at.compare_exchange_weak(known, value, std::memory_order_release)) {
  }
}

}  // namespace

// Pages are given by the system, not by an allocator: most launches use few of them, and those that
// nobody uses cost nothing.
Releases::Releases() {
  void* memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return;
  by_block_ = static_cast<uint64_t*>(memory);
  by_thread_ = reinterpret_cast<uint32_t*>(by_block_ + kEntries * kTimes);
  by_place_ = by_thread_ + kEntries * kTimes;
}

Releases::~Releases() {
  if (by_thread_) munmap(by_block_, kBytes);
}

// The times stand in order. Threads that share an entry change it one after another: what one of
// them lost would be a false alarm.
void Releases::add(uint64_t thread, uint64_t place, uint32_t time, uint32_t idle_since) {
  if (!complete()) return;
  const uint64_t entry = entry_of_thread(thread);
  uint32_t* times = &by_thread_[entry];
  if (const uint32_t last = get(times[0]); last < idle_since || last > time) {
    std::atomic<bool>& busy = busy_[entry / kTimes % busy_.size()];
    while (busy.exchange(true, std::memory_order_acquire)) {
    }
    insert(times, time, idle_since);
    busy.store(false, std::memory_order_release);
  }
  raise_to(by_place_[entry_of_place(place)], time);
}

void Releases::insert(uint32_t* times, uint32_t time, uint32_t idle_since) {
  size_t at = 0;
  while (at < kTimes && get(times[at]) > time) ++at;
  if (at == kTimes || get(times[at]) >= idle_since) return;
  // From the end, so that who reads from the front meanwhile misses none but the oldest.
  for (size_t i = kTimes - 1; i > at; --i) set(times[i], get(times[i - 1]));
  set(times[at], time);
}

bool Releases::has(uint64_t thread, uint32_t from, uint32_t to) const {
  if (!complete()) return true;
  uint32_t at = 0;
  for (size_t i = 0; i < kTimes; ++i) {
    at = get(by_thread_[entry_of_thread(thread) + i]);
    if (from < at && at <= to) return true;
  }
  return from < std::min(at, to);
}

void Releases::add_behind(uint32_t block, uint32_t barrier, uint32_t time) {
  if (!complete()) return;
  const uint64_t entry = entry_of_block(block);
  uint64_t* known = &by_block_[entry];
  std::atomic<bool>& busy = busy_[entry / kTimes % busy_.size()];
  while (busy.exchange(true, std::memory_order_acquire)) {
  }
  for (size_t i = kTimes - 1; i > 0; --i) set(known[i], get(known[i - 1]));
  set(known[0], uint64_t{time} << 32 | name_of(block, barrier));
  busy.store(false, std::memory_order_release);
}

bool Releases::has_behind(uint32_t block, uint32_t barrier, uint32_t from, uint32_t to) const {
  if (!complete()) return true;
  const uint64_t name = name_of(block, barrier);
  uint32_t at = 0;
  for (size_t i = 0; i < kTimes; ++i) {
    const uint64_t known = get(by_block_[entry_of_block(block) + i]);
    at = static_cast<uint32_t>(known >> 32);
    const uint64_t differs = (known & UINT32_MAX) ^ name;
    if (from < at && at <= to && differs && !(differs >> 10)) return true;
  }
  return from < std::min(at, to);
}

uint32_t Releases::last_at(uint64_t place) const {
  return complete() ? get(by_place_[entry_of_place(place)]) : now();
}

}  // namespace hetjit::runtime
