// What the threads of a block or a warp do together: each stops at the step; when all are there,
// each gets its result.
#include <algorithm>
#include <bit>

#include "compiler/ir/interpret_grid.h"

namespace hetjit::ir {
namespace {

uint64_t& result_of(Waiter& waiter) { return waiter.state.slot(waiter.state.waits_at->result); }
uint64_t operand(const Waiter& waiter, uint32_t slot) {
  return const_cast<Waiter&>(waiter).state.slot(slot);
}

void give(const Group& group, uint64_t bits) {
  for (Waiter* member : group.members()) result_of(*member) = bits;
}

/// How many members have a true value in the slot.
uint64_t count_true(const Group& group, uint32_t slot) {
  return static_cast<uint64_t>(std::count_if(
      group.members().begin(), group.members().end(),
      [&](const Waiter* member) { return operand(*member, slot) != 0; }));
}

/// The lane's member, or null where there is none.
Waiter* find_lane(const Group& group, uint64_t lane) {
  for (Waiter* member : group.members())
    if (group.lane(*member) == lane) return member;
  return nullptr;
}

/// The lane that a shuffle reads; the warp's size or more where there is none.
uint64_t source_lane(ShuffleKind kind, uint64_t lane, uint64_t amount, uint64_t warp_size) {
  const auto signed_amount = static_cast<int64_t>(static_cast<int32_t>(amount));
  const auto own = static_cast<int64_t>(lane);
  switch (kind) {
    case ShuffleKind::Index:
      return amount % warp_size;
    case ShuffleKind::Up:
      return static_cast<uint64_t>(own - signed_amount);
    case ShuffleKind::Down:
      return static_cast<uint64_t>(own + signed_amount);
    case ShuffleKind::Xor:
      return static_cast<uint64_t>(own ^ signed_amount);
  }
  return lane;
}

template <ShuffleKind kind>
void shuffle(const Group& group, const Step& step) {
  for (Waiter* member : group.members()) {
    const uint64_t lane = group.lane(*member);
    uint64_t from = source_lane(kind, lane, operand(*member, step.c), group.warp_size());
    if (from >= group.warp_size()) from = lane;
    const Waiter* source = find_lane(group, from);
    result_of(*member) = operand(source ? *source : *member, step.b);
  }
}

void match_any(const Group& group, const Step& step) {
  for (Waiter* member : group.members()) {
    uint64_t same = 0;
    for (const Waiter* other : group.members())
      if (operand(*other, step.b) == operand(*member, step.b))
        same |= uint64_t{1} << group.lane(*other);
    result_of(*member) = same;
  }
}

bool all_equal(const Group& group, uint32_t slot) {
  const uint64_t first = operand(*group.members().front(), slot);
  return std::all_of(group.members().begin(), group.members().end(),
                     [&](const Waiter* member) { return operand(*member, slot) == first; });
}

}  // namespace

const Step* run_barrier(Machine& machine, const Step& step) {
  return machine.wait(step, Wait::Block);
}
const Step* run_grid_barrier(Machine& machine, const Step& step) {
  return machine.wait(step, Wait::Grid);
}
const Step* run_warp_step(Machine& machine, const Step& step) {
  return machine.wait(step, Wait::Warp);
}
const Step* run_active_mask(Machine& machine, const Step& step) {
  return machine.wait(step, Wait::ActiveLanes);
}

const Step* run_lane_index(Machine& machine, const Step& step) {
  const uint32_t *thread = machine.thread, *extent = machine.geometry.block;
  uint64_t number = (uint64_t{thread[2]} * extent[1] + thread[1]) * extent[0] + thread[0];
  machine.slots[step.result] = number % machine.warp_size;
  return &step + 1;
}

Completion completion(const BarrierReduce& op) {
  // By BarrierVote.
  constexpr Completion kVotes[] = {
      [](const Group& group, const Step& step) { give(group, count_true(group, step.a)); },
      [](const Group& group, const Step& step) {
        give(group, count_true(group, step.a) == group.members().size());
      },
      [](const Group& group, const Step& step) { give(group, count_true(group, step.a) != 0); },
  };
  return kVotes[static_cast<size_t>(op.vote)];
}

Completion completion(const ActiveMask&) {
  return [](const Group& group, const Step&) { give(group, group.mask()); };
}

Completion completion(const Vote& op) {
  // By WarpVote.
  constexpr Completion kVotes[] = {
      [](const Group& group, const Step& step) {
        give(group, count_true(group, step.b) == group.members().size());
      },
      [](const Group& group, const Step& step) { give(group, count_true(group, step.b) != 0); },
      [](const Group& group, const Step& step) { give(group, all_equal(group, step.b)); },
  };
  return kVotes[static_cast<size_t>(op.vote)];
}

Completion completion(const Ballot&) {
  return [](const Group& group, const Step& step) {
    uint64_t mask = 0;
    for (const Waiter* member : group.members())
      mask |= (operand(*member, step.b) & 1) << group.lane(*member);
    give(group, mask);
  };
}

Completion completion(const Shuffle& op) {
  // By ShuffleKind.
  constexpr Completion kShuffles[] = {shuffle<ShuffleKind::Index>, shuffle<ShuffleKind::Up>,
                                      shuffle<ShuffleKind::Down>, shuffle<ShuffleKind::Xor>};
  return kShuffles[static_cast<size_t>(op.kind)];
}

Completion completion(const Match& op) {
  if (op.kind == MatchKind::Any) return match_any;
  return [](const Group& group, const Step& step) {
    give(group, all_equal(group, step.b) ? group.mask() : 0);
  };
}

}  // namespace hetjit::ir
