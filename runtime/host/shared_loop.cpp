#include "runtime/host/shared_loop.h"

#include <algorithm>
#include <chrono>

#include "runtime/host/futex.h"

namespace hetjit::runtime {
namespace {

constexpr uint32_t kChunkGrowth = 8;  // a first, cold chunk says little about the next
constexpr int kLastLooks = 32;        // work may be on its way from one range to another
constexpr int kOwnerSpins = 4000;     // some 40 us before the owner sleeps
constexpr long kOwnerSleep = 50;      // milliseconds; then the body may ask whether to end

uint64_t now() {
  return static_cast<uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
}

uint32_t next_chunk(uint32_t size, uint64_t nanoseconds, uint64_t wanted) {
  const uint64_t ideal = size * wanted / std::max<uint64_t>(nanoseconds, 1);
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(ideal, 1, std::min<uint64_t>(uint64_t{size} * kChunkGrowth, 1u << 30)));
}

}  // namespace

IndexRange::Span IndexRange::take_front(uint32_t want, uint32_t least) {
  uint64_t word = packed_.load(std::memory_order_acquire);
  for (;;) {
    const Span all = unpack(word);
    if (all.size() == 0) return {};
    // Most of the range stays where thieves can find it.
    const uint32_t count =
        std::min({std::max(want, least), std::max(all.size() / 4, least), all.size()});
    const Span rest{all.first + count, all.last};
    if (packed_.compare_exchange_weak(word, pack(rest), std::memory_order_acq_rel))
      return {all.first, rest.first};
  }
}

IndexRange::Span IndexRange::take_back() {
  uint64_t word = packed_.load(std::memory_order_acquire);
  for (;;) {
    const Span all = unpack(word);
    if (all.size() == 0) return {};
    const bool begun = begun_.load(std::memory_order_relaxed);
    const Span rest{all.first, begun ? all.first + all.size() / 2 : all.first};
    if (packed_.compare_exchange_weak(word, pack(rest), std::memory_order_acq_rel))
      return {rest.last, all.last};
  }
}

SharedLoop::SharedLoop(uint32_t participants)
    : participants_(participants), ranges_(new IndexRange[participants]) {}

void SharedLoop::open(LoopBody body, uint64_t base, uint32_t count, Chunks chunks) {
  body_ = body;
  base_ = base;
  chunks_ = chunks;
  used_ = std::min(count, participants_);
  busy_.store(0, std::memory_order_relaxed);
  for (uint32_t i = 0; i < participants_; i++) {
    ranges_[i].reset();
    if (i < used_)
      ranges_[i].fill({static_cast<uint32_t>(uint64_t{count} * i / used_),
                       static_cast<uint32_t>(uint64_t{count} * (i + 1) / used_)});
  }
  state_.store(kOpen, std::memory_order_release);
}

bool SharedLoop::enter() {
  uint32_t state = state_.load(std::memory_order_relaxed);
  while (state & kOpen)
    if (state_.compare_exchange_weak(state, state + 1, std::memory_order_acq_rel)) return true;
  return false;
}

void SharedLoop::leave() {
  const uint32_t before = state_.fetch_sub(1, std::memory_order_acq_rel);
  if ((before & kOwnerSleeps) && (before & kHelpers) == 1) futex_wake(state_, 1);
}

void SharedLoop::work(uint32_t participant) {
  IndexRange& mine = ranges_[participant];
  mine.begin();
  do {
    while (run_own(mine)) {
    }
  } while (steal(participant));
}

bool SharedLoop::run_own(IndexRange& mine) {
  uint32_t want = chunks_.first;
  IndexRange::Span span = mine.take_front(want, chunks_.least);
  if (span.size() == 0) return false;
  const uint64_t began = now();
  for (uint64_t chunk_began = began; span.size() != 0;) {
    run(span);
    const uint64_t ended = now();
    want = next_chunk(span.size(), ended - chunk_began, chunks_.nanoseconds);
    chunk_began = ended;
    span = mine.take_front(want, chunks_.least);
  }
  busy_.fetch_add(now() - began, std::memory_order_relaxed);
  return true;
}

void SharedLoop::run(IndexRange::Span span) {
  body_.call(body_.object, base_ + span.first, base_ + span.last);
}

bool SharedLoop::steal(uint32_t participant) {
  for (int look = 0; look < kLastLooks; look++) {
    uint32_t richest = participant, most = 0;
    for (uint32_t i = 0; i < participants_; i++)
      if (const uint32_t size = ranges_[i].get().size(); size > most) {
        most = size;
        richest = i;
      }
    if (most != 0) {
      const IndexRange::Span span = ranges_[richest].take_back();
      if (span.size() == 0) continue;
      ranges_[participant].fill(span);
      return true;
    }
    pause_spinning();
  }
  return false;
}

bool SharedLoop::has_work() const {
  for (uint32_t i = 0; i < participants_; i++)
    if (ranges_[i].get().size() != 0) return true;
  return false;
}

uint32_t SharedLoop::idle_ranges() const {
  uint32_t idle = 0;
  for (uint32_t i = 0; i < participants_; i++) idle += ranges_[i].idle();
  return idle;
}

void SharedLoop::finish(const std::atomic<uint32_t>& forks, uint32_t forks_before) {
  for (int spins = 0;; spins++) {
    work(0);
    // No range holds anything. Helpers that are still inside may be moving some from range to
    // range, but each empties its own before it leaves: with none inside, all is done.
    uint32_t state = state_.load(std::memory_order_acquire);
    if ((state & kHelpers) == 0) {
      if (state_.compare_exchange_strong(state, 0, std::memory_order_acq_rel)) return;
    } else if (forks.load(std::memory_order_relaxed) != forks_before) {
      return;  // this is the child of a fork in the body
    } else if (spins * kLastLooks >= kOwnerSpins) {
      if (state_.compare_exchange_strong(state, state | kOwnerSleeps, std::memory_order_acq_rel))
        futex_wait_for(state_, state | kOwnerSleeps, kOwnerSleep);
      state_.fetch_and(~kOwnerSleeps, std::memory_order_acq_rel);
      body_.call(body_.object, base_, base_);
    }
  }
}

}  // namespace hetjit::runtime
