#include "runtime/host/race_watch.h"

#include "runtime/host/watch_worker.h"

namespace hetjit::runtime {

void BlockState::begin(uint32_t next) {
  block = next;
  epochs.fill(0);
  first = {};
  first_epoch = 0;
  ticked = 0;
  used_since_tick = true;
  wrapped = 0;
  if (counts_warps) {
    warp_barriers.fill(0);
    warp_wrapped.fill(0);
  }
  if (acquires) acquired.fill(0);
  acquired_by_all = {};
  released_behind = 0;
  counts_warps = acquires = false;
}

BlockState& RaceWatch::block_at(uintptr_t memory) {
  std::lock_guard lock(making_);
  return blocks_[memory];
}

RaceWatch::Scope::Scope(RaceWatch& watch) {
  watch_worker = {};
  watch_worker.watch = &watch;
}

RaceWatch::Scope::~Scope() { watch_worker = {}; }

}  // namespace hetjit::runtime
