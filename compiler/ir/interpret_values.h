// How the interpreter holds values and code. Private to compiler/ir.
//
// A value is a run of 64-bit slots in its function's frame, one per leaf: a scalar or pointer is
// one slot (its bits, numbers.h), a tuple its parts' slots in order, an array its descriptor's
// fields. Every slot has a fixed place, so that running needs no heap and no lookup.
#pragma once

#include <cstddef>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "abi/kernel_image.h"

#include "compiler/ir/interpret_arith.h"

namespace hetjit::ir {

/// One slot of a value, as it lies in memory.
struct Leaf {
  uint32_t offset;  // bytes from the value's start
  uint32_t bytes;
};

/// The slots of a type, in order; none has no slots.
std::vector<Leaf> leaves(TypeId id);

inline uint64_t read_leaf(const std::byte* from, Leaf leaf) {
  uint64_t bits = 0;  // little endian: the low bytes
  std::memcpy(&bits, from + leaf.offset, leaf.bytes);
  return bits;
}
inline void write_leaf(std::byte* to, Leaf leaf, uint64_t bits) {
  std::memcpy(to + leaf.offset, &bits, leaf.bytes);
}

class Machine;
struct Step;

/// Runs one step and says which is next; null: the thread is done, or has failed.
using StepFunction = const Step* (*)(Machine&, const Step&);

struct Move {
  uint32_t from, to;  // slots
};

/// A jump: moves to make, all at once, and where to go on. `cost` counts the target's instructions.
struct Path {
  std::vector<Move> moves;
  bool overlaps = false;  // some move reads what an earlier one writes
  uint32_t block = 0;
  const Step* to = nullptr;
  uint64_t cost = 0;
};

struct Plan;
class Group;

/// What a step with more than three operands, or with anything but slots, needs.
struct Detail {
  std::vector<uint32_t> slots;  // operands
  std::vector<Leaf> leaves;     // of what is loaded, stored or moved
  std::vector<Path> paths;      // of a terminator
  std::vector<Move> moves;
  const Plan* callee = nullptr;
  std::string symbol;  // of what is not ours
  Table table;
  uint32_t element_bytes = 0;
  uint32_t index_unused_bits = 0;  // of 64, in the indices' type
  bool index_signed = false;
  uint8_t rank = 0;
  bool contiguous = false;
  void (*complete)(const Group&, const Step&) = nullptr;  // of an op of several threads; null: none
};

struct Step {
  StepFunction run = nullptr;
  uint32_t result = 0, a = 0, b = 0, c = 0;  // slots
  ScalarFunction compute = nullptr;
  const Detail* detail = nullptr;
  uint64_t immediate = 0;
};

struct Constant {
  uint32_t slot;
  uint64_t bits;
};

/// A function, ready to run.
struct Plan {
  std::vector<Step> steps;
  std::deque<Detail> details;             // never moved: steps point to them
  std::vector<Constant> constants;        // set once when a frame is made
  std::vector<std::vector<Leaf>> params;  // by parameter
  std::vector<uint32_t> param_slots;      // where each begins
  std::vector<Leaf> result;               // as it lies in memory
  uint32_t frame_slots = 0;
  uint64_t entry_cost = 0;
  uint32_t local_bytes = 0, local_align = 1;  // of a call's local memory
  bool returns_local = false;                 // which outlives the call (own_memory.h)
};

/// Where variables lie in one piece of memory.
class Variables {
 public:
  /// The variable's offset; the same for the same number.
  uint32_t place(uint32_t variable, uint32_t bytes, uint32_t align);
  uint32_t bytes() const { return bytes_; }
  uint32_t align() const { return align_; }

 private:
  std::map<uint32_t, uint32_t> offsets_;
  uint32_t bytes_ = 0, align_ = 1;
};

/// Where the shared memory begins that a launch asks for.
uint32_t dynamic_shared_offset(const Variables& shared);

/// Memory with undefined contents: filled with a pattern that is hardly ever what a kernel wants.
class PoisonedMemory {
 public:
  PoisonedMemory() = default;
  PoisonedMemory(size_t bytes, size_t align);
  std::byte* data() const { return start_; }
  void poison();

 private:
  std::unique_ptr<std::byte[]> owned_;
  std::byte* start_ = nullptr;
  size_t bytes_ = 0;
};
inline constexpr std::byte kPoison{0xDB};

/// The module's functions as plans. Steps hold addresses into the program: it stays where it is.
class Program {
 public:
  explicit Program(const Module& module);
  Program(const Program&) = delete;
  const Plan& entry() const { return plans_.front(); }
  /// Variables in shared memory; behind them, aligned to 16, is what a launch asks for.
  const Variables& shared() const { return shared_; }

 private:
  std::vector<Plan> plans_;
  Variables shared_;
};

/// What a thread waits for.
enum class Wait : uint8_t { Nothing, Others /* to go on first */, Warp, ActiveLanes, Block, Grid };

/// All that a thread is: it can be put away and go on later.
struct ThreadState {
  struct Frame {
    const Plan* plan;
    const Step* call;  // the step that called the next frame
    size_t base;       // of its slots
  };
  std::vector<Frame> frames;
  std::vector<uint64_t> stack;
  std::vector<PoisonedMemory> locals;  // of those frames that have local memory
  std::vector<PoisonedMemory> kept;    // of calls that returned theirs
  uint64_t steps_left = 0;
  uint32_t atomics = 0;  // operations since it began or went on
  Wait wait = Wait::Nothing;
  const Step* waits_at = nullptr;

  uint64_t& slot(uint32_t slot) { return stack[frames.back().base + slot]; }
};

/// One thread at work.
class Machine {
 public:
  /// What threads raise and print goes to `report`.
  Machine(const Plan& entry, uint64_t max_steps, Report& report);

  /// Runs the entry from its start, until it ends or waits. Its parameters are in the frame already
  /// and stay there.
  Status run_thread();
  /// Lets a thread that was put away go on behind the step that it waited at.
  Status resume(ThreadState thread);
  /// Whether the thread waits, and has not come to its end.
  bool waits() const { return state_.wait != Wait::Nothing; }
  ThreadState put_away();

  uint64_t* slots = nullptr;  // of the running function's frame
  Geometry geometry;
  uint32_t thread[3] = {}, block[3] = {};
  uint32_t warp_size = 32;
  std::byte* shared = nullptr;  // of the block
  Report& report;

  /// Takes a path: null when the thread has made too many steps.
  const Step* follow(const Path& path) {
    if (path.overlaps)
      move_overlapping(path.moves);
    else
      for (Move move : path.moves) slots[move.to] = slots[move.from];
    return spend(path.cost) ? path.to : nullptr;
  }
  const Step* call(const Step& step);
  /// Returns the value at slot `from` to the caller.
  const Step* leave(uint32_t from);
  const Step* fail(std::string text);
  /// Stops the thread at this step.
  const Step* wait(const Step& step, Wait for_whom);
  /// Goes on behind an atomic operation, or lets others go first: the thread may be waiting for
  /// what they write.
  const Step* after_atomic(const Step& step);
  std::byte* local() const { return state_.locals.back().data(); }
  /// The message of site `step.immediate` with the numbers at `step.detail->slots`.
  Message message(const Step& step) const;

  uint64_t result_slot = 0;  // where the entry's result stands when it has returned

 private:
  void enter(const Plan& plan);
  Status run(const Step* step);
  void move_overlapping(const std::vector<Move>& moves);
  bool spend(uint64_t cost);

  ThreadState state_;
  std::vector<uint64_t> scratch_;
  uint64_t max_steps_;
  Status status_;
};

// Steps that interpret_memory.cpp defines.
const Step* run_element(Machine& machine, const Step& step);
const Step* run_field(Machine& machine, const Step& step);
const Step* run_load(Machine& machine, const Step& step);
const Step* run_store(Machine& machine, const Step& step);
const Step* run_move_address(Machine& machine, const Step& step);
const Step* run_fill_strides(Machine& machine, const Step& step);
const Step* run_contiguous_stride(Machine& machine, const Step& step);
const Step* run_shared_memory(Machine& machine, const Step& step);
const Step* run_dynamic_shared_bytes(Machine& machine, const Step& step);
const Step* run_local_memory(Machine& machine, const Step& step);
const Step* run_table_item(Machine& machine, const Step& step);

// interpret_atomic.cpp: one thread at a time runs, so atomic operations are plain ones.
const Step* run_atomic_load(Machine& machine, const Step& step);
const Step* run_atomic_store(Machine& machine, const Step& step);
const Step* run_atomic_update(Machine& machine, const Step& step);
const Step* run_compare_exchange(Machine& machine, const Step& step);
const Step* run_pause(Machine& machine, const Step& step);
/// The new value from the old one and the operand.
ScalarFunction meaning(AtomicOperation operation, Scalar scalar);

// interpret_together.cpp: what several threads do at a step. They wait there, and then one of these
// gives each its result.
const Step* run_barrier(Machine& machine, const Step& step);
const Step* run_grid_barrier(Machine& machine, const Step& step);
const Step* run_warp_step(Machine& machine, const Step& step);
const Step* run_active_mask(Machine& machine, const Step& step);
const Step* run_lane_index(Machine& machine, const Step& step);
using Completion = void (*)(const Group&, const Step&);
Completion completion(const BarrierReduce& op);
Completion completion(const ActiveMask& op);
Completion completion(const Vote& op);
Completion completion(const Ballot& op);
Completion completion(const Shuffle& op);
Completion completion(const Match& op);

// Steps on complex numbers (interpret_complex.cpp); `immediate` of a product: whether it is fused.
StepFunction complex_product(Scalar complex);
StepFunction complex_quotient(Scalar complex);

}  // namespace hetjit::ir
