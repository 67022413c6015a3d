#include "runtime/host/race_watch.h"

#include "runtime/host/watch_worker.h"

namespace hetjit::runtime {

void BlockState::begin(uint32_t next) {
  block = next;
  epochs.fill(0);
  first = {};
  first_epoch = 0;
  wrapped = 0;
  if (counts_warps) {
    warp_barriers.fill(0);
    warp_wrapped.fill(0);
  }
  if (acquires) acquired.fill(0);
  counts_warps = acquires = false;
}

BlockState& RaceWatch::block_at(uintptr_t memory) {
  std::lock_guard lock(making_);
  return blocks_[memory];
}

void RaceWatch::release(uint64_t thread, uint64_t place, uint32_t time) {
  by_thread_[hash(thread)].store(time, std::memory_order_relaxed);
  by_place_[hash(place)].store(time, std::memory_order_relaxed);
}

RaceWatch::Scope::Scope(RaceWatch& watch) {
  watch_worker = {};
  watch_worker.watch = &watch;
}

RaceWatch::Scope::~Scope() { watch_worker = {}; }

}  // namespace hetjit::runtime
