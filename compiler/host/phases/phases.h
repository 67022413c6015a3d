// A kernel whose threads wait for one another, as functions that run from one wait to the next.
//
//   phase 0:  from the kernel's start          each returns, u32: 0, the thread is done, or the
//   phase k:  from behind wait k               number of the wait that it has come to
//
// Phases are ordinary functions of our graph. What a thread needs behind a wait is kept in slots of
// its context (ops_phase.h), if it is not cheaper to compute again from the kernel's arguments and
// the thread's place.
#pragma once

#include <vector>

#include "compiler/host/facts/shape.h"
#include "compiler/ir/ir.h"

namespace hetjit::host {

/// Whom a thread waits for: those of its block or grid, those of its warp, or for its next turn,
/// when others have had theirs.
enum class WaitFor : uint8_t { Block, Grid, Warp, Turn };

struct Wait {
  WaitFor whom = WaitFor::Block;
  Span where;
  bool told = false;  // to the runtime, of all threads of the block at once
};

/// A value that some phase keeps and another takes.
struct Slot {
  TypeId type;
  Shape shape;    // over the lanes of a warp
  bool of_block;  // the same for all threads of the block: kept once
};

struct Phases {
  /// Parameters of each: the kernel's, then those of `block_slots`, in their order.
  std::vector<ir::Function> functions;
  std::vector<Wait> waits;  // parallel to functions; [0] has no meaning
  std::vector<Slot> slots;
  std::vector<std::vector<uint32_t>> block_slots;  // by phase: slots that come as parameters
  std::vector<ir::Function> called;                // by phases (called_functions, tier.h)
};

/// Which ops of a kernel are waits.
struct WaitRule {
  bool warp_barriers = false;  // threads run one by one
  bool together = false;       // all threads of a block come to the same barriers
  /// Blocks, by number, behind which a thread waits for its next turn.
  std::vector<bool> turns;
  /// Blocks, by number, behind which it waits for its block, to go through a loop in step.
  std::vector<bool> steps;
};

/// What the kernel's values look like, for the slots.
struct KernelShapes {
  const Shapes* warp = nullptr;   // null: threads run one by one
  const Shapes* block = nullptr;  // null: nothing is kept once for the block
};

/// The kernel with its waits at the ends of blocks and with what can be computed anywhere computed
/// at its start. The shapes are found on this form.
struct Prepared {
  ir::Function function;
  std::vector<Wait> waits;           // [0] has no meaning
  std::vector<uint32_t> behind;      // by wait: the block that follows it
  std::vector<uint32_t> wait_after;  // by block: the wait at its end, or 0
  std::vector<bool> computed_first;  // by value: at the start, from arguments and places only
  bool keeps_masks = false;          // of the lanes that a thread waits for, in kMaskSlot
};
constexpr uint32_t kMaskSlot = 0;
Prepared prepare(ir::Function kernel, const WaitRule& rule);

/// `done_joins`: threads that are done come to a phase's end like those that wait, so that the
/// shape of its result tells whether lanes of a warp are done while others wait.
Phases split(const Prepared& kernel, const Structure& structure, const KernelShapes& shapes,
             bool done_joins);

}  // namespace hetjit::host
