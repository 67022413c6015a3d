// Runs the threads of a grid. Private to compiler/ir.
//
// Threads run one after another, each as far as it gets. One that waits for others is put away;
// when all threads of its block wait or have ended, those go on that have what they wait for. A
// block that nobody waits in costs nothing but a test per thread. Blocks run one after another, but
// for those whose threads wait for other blocks.
#pragma once

#include <vector>

#include "compiler/ir/interpret_values.h"

namespace hetjit::ir {

/// A thread that was put away.
struct Waiter {
  ThreadState state;
  uint32_t number = 0;  // in its block, x fastest
  bool ready = false;   // has what it waited for
};

/// The threads that are at one step together, by number.
class Group {
 public:
  Group(std::vector<Waiter*> members, uint32_t warp_size)
      : members_(std::move(members)), warp_size_(warp_size) {}

  const std::vector<Waiter*>& members() const { return members_; }
  uint32_t warp_size() const { return warp_size_; }
  uint32_t lane(const Waiter& member) const { return member.number % warp_size_; }
  /// The group's mask of lanes; its members are of one warp.
  uint64_t mask() const;

 private:
  std::vector<Waiter*> members_;
  uint32_t warp_size_;
};

class GridRun {
 public:
  /// The machine's geometry is the grid's, its frame has the parameters.
  GridRun(const Program& program, Machine& machine);
  /// Errors: Invalid where threads wait for one another at different places.
  Status run();

 private:
  struct Block {
    uint32_t index[3];
    PoisonedMemory shared;
    std::vector<Waiter> waiters;  // its threads that have not ended, by number
  };
  /// What a round over the waiting threads of a block has moved.
  enum class Progress : uint8_t { Some, OnlyTurns /* of threads that let others go first */, None };

  Status start(uint64_t number);
  Result<Progress> round(Block& block);
  Status go_on(Block& block);
  Progress release(Block& block);
  bool release_warp(std::span<Waiter> warp);
  bool release_block(Block& block);
  bool release_grid();
  bool all_wait_for_grid(const Block& block) const;
  void complete(std::vector<Waiter*> members);
  void enter(const Block& block);
  Error divergence(const Block& block) const;

  const Program& program_;
  Machine& machine_;
  std::vector<Block> blocks_;  // begun, and with threads that wait
  uint64_t block_count_, started_ = 0;
};

}  // namespace hetjit::ir
