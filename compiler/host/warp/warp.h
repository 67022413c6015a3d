// A warp's code: W threads side by side along x as the lanes of vectors. Private to compiler/host.
//
// Blocks follow one another in the order of structure.h, each behind a branch that skips it when no
// lane is active there; where ways meet, values are selected by mask. Branches that all lanes take
// alike become such skips on one bit, and LLVM threads the jumps. A loop runs until no lane is left
// in it. Every op means what compiler/lower says it means: its handler is given vectors.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "compiler/host/facts/bounds.h"
#include "compiler/host/facts/record_stores.h"
#include "compiler/host/facts/roots.h"
#include "compiler/host/facts/shape.h"
#include "compiler/host/plan/tier.h"
#include "compiler/host/warp/frame.h"
#include "compiler/host/warp/mask.h"
#include "compiler/lower/device_ops.h"

namespace hetjit::host {

/// A value in a warp's code.
struct Spreading {
  Spread spread = Spread::Uniform;
  int64_t stride = 0;    // Affine
  lower::Leaves leaves;  // Uniform: the value. Affine: lane 0's. Varying: vectors.
};

/// What the code of a phase has to know beside the phase itself.
struct WarpPlan {
  const Phases& phases;
  const Frame& frame;
  View view = View::Row;
  bool loses_lanes = false;  // lanes may be done when others of their warp wait
  Tier tier = Tier::Whole;
};

/// Which function is made.
struct WarpForm {
  llvm::Function& function;
  unsigned width;
  /// The form that a warp begins again in which does not stay together, and its width. Null: this
  /// is one that is given a mask.
  llvm::Function* retry = nullptr;
  unsigned retry_width = 0;
  const WarpPlan* plan = nullptr;  // of a phase; null: of a whole kernel
  bool retry_has_mask = true;      // else it asks itself whether its warp stays together
  bool between_ends = false;       // lanes at an end of a row begin again, too
  /// The form with a mask that does whatever lanes it is given, for those that ask for periods.
  /// Null: they begin again as for all else.
  llvm::Function* any_lanes = nullptr;
  /// It is given a mask and does the lanes of it that lie in the first one's period; its result is
  /// how many are done.
  bool is_part = false;
  /// The block from which rows that are one piece of code begin again one by one (rows_as_one.h).
  uint32_t again = UINT32_MAX;
};

/// A slot's value, and back; bools are bytes there.
lower::Leaves load_slot(lower::Lowering& at, llvm::Value* base, uint64_t offset, TypeId type,
                        unsigned lanes);
void store_slot(lower::Lowering& at, llvm::Value* base, uint64_t offset, TypeId type,
                unsigned lanes, llvm::ArrayRef<llvm::Value*> leaves);
/// The alias scope of all slots.
llvm::MDNode* slot_scope(lower::ModuleLowering& module);
/// What the votes before the last wait of the block came to.
llvm::Value* load_vote(llvm::IRBuilder<>& build, llvm::Value* block, ir::BarrierVote vote);

/// The warp function under construction.
class Warp {
 public:
  Warp(lower::ModuleLowering& module, const ir::Function& ir, const Structure& structure,
       const Shapes& shapes, const WarpForm& form);
  void run();

 private:
  using Value = llvm::Value;
  struct Arrival {  // an edge that was taken by the lanes of `mask`
    const Mask* mask = nullptr;
    std::vector<Spreading> arguments;
  };
  struct Region {  // what is being written: the function, or a loop's body
    const Loop* loop = nullptr;
    const Mask* base = nullptr;  // never empty where the region's code runs
    std::map<const ir::Edge*, Arrival> exits;
    std::vector<Arrival> back;         // to the header
    llvm::BasicBlock* left = nullptr;  // where all lanes come together from the loop's head
    bool while_all_stay = false;       // it is left for good as soon as one lane leaves
    llvm::PHINode* turn = nullptr;     // how many came before it, u32: where that is asked
    // While all stay: so many turns are within the bounds that those blocks ask for; i64.
    Value* turns_within = nullptr;
    std::vector<bool> within;
  };
  struct LoopState;
  class Guard;
  class LastTurns;

  void find_uses();
  void begin_phase(unsigned first);

  // warp_control.cpp: blocks, edges, loops
  void write_items(const std::vector<Item>& items);
  void write_block(uint32_t block);
  void write_body(uint32_t block, const Mask* mask);
  void leave(uint32_t block, const Mask* mask);
  void leave_by(uint32_t block, const Mask* mask, const ir::Branch& op);
  bool stay_together(uint32_t block, const Mask* mask, const ir::Branch& op);
  Value* call_again(llvm::Function* form, bool has_mask, unsigned lane);
  void begin_again_unless(Value* holds);
  void begin_again_unless(Value* holds, llvm::Function* form, bool has_mask);
  void return_done();
  bool return_together(const Mask* mask, const ir::Branch& op);
  bool go_on_in_all_rows(const Mask* mask, const ir::Branch& op);
  bool leave_loop_together(uint32_t block, const Mask* mask, const ir::Branch& op);
  Value* some_give(uint32_t block, const ir::Branch& op, bool answer);
  bool stay_between_ends(uint32_t block, const Mask* mask, const ir::Branch& op);
  bool stay_within(uint32_t block, const Mask* mask, const ir::Branch& op);
  Value* holds_for_all(const BoundsQuestion& asked);
  bool may_begin_turn_again(const Mask* mask) const;
  void begin_turn_again_unless(Value* holds);
  struct FirstTurn;
  Value* turns_within(const Loop& loop, uint32_t block, const std::vector<Spreading>& first);
  void count_turns_within(Region& region, const std::vector<Spreading>& first);
  void arrive(const ir::Edge& edge, const Mask* mask);
  void deliver(const ir::Edge& edge, Arrival arrival);
  const Mask* gather(const std::vector<Arrival>& arrivals);
  std::vector<Spreading> blended(uint32_t block, const std::vector<Arrival>& arrivals);
  Spreading blend(ValueId param, size_t index, const std::vector<Arrival>& arrivals);
  static const Spreading& most_brought(size_t index, const std::vector<Arrival>& arrivals);
  bool worth_a_branch(uint32_t block) const;

  // warp_loop.cpp
  void write_loop(const Loop& loop);
  LoopState enter_loop(const Loop& loop, const Mask* enter, std::vector<Spreading> first,
                       bool apart, bool counts_turns = false);
  std::vector<Spreading> write_whole_turns(const Loop& loop, const Mask* enter,
                                           std::vector<Spreading> first);
  void remember_leavers(LoopState& state);
  void close_loop(LoopState& state);
  bool leave_at_last(const Loop& loop, const ir::Edge& edge) const;
  bool changes_in(const Loop& loop, ValueId id) const;
  size_t leaf_count(ValueId id) { return module_.types.leaves(ir_.type_of(id)).size(); }
  Arrival exit_of(LoopState& state, const ir::Edge& edge);

  // warp_ops.cpp: one instruction
  void write(const ir::Inst& inst);
  template <class Op>
  Spreading emit(const Op& op, const ir::Inst& inst);
  Spreading emit(const ir::Load& op, const ir::Inst& inst);
  Spreading emit(const ir::Store& op, const ir::Inst& inst);
  Spreading emit(const ir::ElementAddress& op, const ir::Inst& inst);
  Value* element_at(const ir::ElementAddress& op, TypeId pointer, Value* likely_index = nullptr);
  Spreading emit(const ir::FieldAddress& op, const ir::Inst& inst);
  Spreading emit(const ir::Convert& op, const ir::Inst& inst);
  Spreading emit(const ir::FloorDiv& op, const ir::Inst& inst);
  Spreading emit(const ir::Mod& op, const ir::Inst& inst);
  struct Steps;
  /// Where a remainder's lanes are neighbours: lane 0's, or what says that they are none; i1.
  struct RestRow {
    Value *first, *holds;
    int64_t stride;
  };
  std::map<ValueId, RestRow> rest_rows_;
  std::optional<Steps> steps_of(ValueId number, ValueId by, const ir::Inst& inst);
  template <class Op, class OfOne>
  Spreading divided(const Op& op, const ir::Inst& inst, OfOne of_one);
  Spreading emit(const ir::Raise& op, const ir::Inst& inst);
  Spreading emit(const ir::CheckBelow& op, const ir::Inst& inst);
  Spreading emit(const ir::CheckAccess& op, const ir::Inst& inst);
  Spreading emit(const ir::CheckBarrier& op, const ir::Inst& inst);
  Spreading emit(const ir::Print& op, const ir::Inst& inst);
  Spreading emit(const ir::Return& op, const ir::Inst& inst);
  // warp_periods.cpp
  Spreading in_one_period(const ir::Inst& inst);
  bool asks_for_periods(uint32_t block) const;
  bool ends_without_lanes(const Mask& mask);
  void have_periods(Value* hold);
  void keep_period(Value* left, int64_t stride);
  // warp_phase.cpp
  Spreading emit(const ir::Keep& op, const ir::Inst& inst);
  Spreading emit(const ir::Take& op, const ir::Inst& inst);
  Spreading emit(const ir::Prefetch& op, const ir::Inst& inst);
  Spreading emit(const ir::CastVote& op, const ir::Inst& inst);
  Spreading emit(const ir::TakeVote& op, const ir::Inst& inst);
  Spreading emit(const ir::SharedMemory& op, const ir::Inst& inst);
  Spreading emit(const ir::DynamicSharedMemory& op, const ir::Inst& inst);
  Spreading emit(const ir::DynamicSharedBytes& op, const ir::Inst& inst);
  Spreading emit(const ir::LocalMemory& op, const ir::Inst& inst);
  Value* on_stack(const ir::LocalMemory& op, ValueId name);
  Spreading emit(const ir::ThreadIndex& op, const ir::Inst& inst);
  void find_threads();
  Value* bits_of(Value* lanes);
  // warp_external.cpp
  Spreading emit(const ir::ExternalCall& op, const ir::Inst& inst);
  Spreading emit(const ir::ExternalValue& op, const ir::Inst& inst);
  template <class Op>
  lower::Leaves call_lanes(const Op& op, const ir::Inst& inst);
  // warp_atomic.cpp
  Spreading in_order(ir::AtomicUpdate op, const ir::Inst& inst);
  Spreading emit(const ir::AtomicUpdate& op, const ir::Inst& inst);
  Spreading emit(const ir::AtomicCompareExchange& op, const ir::Inst& inst);
  Spreading emit(const ir::AtomicLoad& op, const ir::Inst& inst);
  Spreading emit(const ir::AtomicStore& op, const ir::Inst& inst);
  Spreading emit(const ir::Fence& op, const ir::Inst& inst);
  Spreading emit(const ir::Pause& op, const ir::Inst& inst);
  Spreading emit(const ir::GridDependency& op, const ir::Inst& inst);
  template <class Op>
  Spreading lane_by_lane(Op op, const ir::Inst& inst);
  template <class Op>
  lower::Leaves lane_of(const Op& op, const ir::Inst& inst, Value* lane);
  lower::Leaves lane_value(ValueId id, Value* lane);
  Value* take_out(Value* vector, Value* lane);
  void find_serial();
  bool goes_lane_by_lane(const ir::Op& op) const;
  bool is_cheap_for_a_lane(const ir::Op& op) const;
  bool is_shared(ValueId address);
  template <class Op>
  lower::Leaves every_lane(const Op& op, const ir::Inst& inst);
  template <class Op>
  lower::Leaves active_lanes(const Op& op, const ir::Inst& inst);
  // warp_group.cpp
  struct Poll {
    bool uniform;  // numbers, not vectors
    Value *present, *in_favour;
  };
  Spreading emit(const ir::LaneIndex& op, const ir::Inst& inst);
  Spreading emit(const ir::ActiveMask& op, const ir::Inst& inst);
  Spreading emit(const ir::WarpBarrier& op, const ir::Inst& inst);
  Spreading emit(const ir::Ballot& op, const ir::Inst& inst);
  Spreading emit(const ir::Vote& op, const ir::Inst& inst);
  Spreading emit(const ir::Shuffle& op, const ir::Inst& inst);
  Spreading emit(const ir::Match& op, const ir::Inst& inst);
  Spreading match_any(const ir::Match& op, const ir::Inst& inst);
  Spreading match_all(const ir::Match& op, const ir::Inst& inst);
  Poll poll(ValueId mask, ValueId vote);
  Value* active_bits();
  Value* as_mask(Value* bits, ValueId result);
  Value* source_lanes(ir::ShuffleKind kind, Value* delta);
  Value* permute(Value* vector, Value* from);
  Value* or_own(Value* read, Value* own, Value* from);
  Value* same_as(Value* vector, Value* lane);
  Value* first_active(Value* named);
  /// By the op's handler, on vectors or, with one lane, on lane 0's numbers.
  template <class Op>
  lower::Leaves lowered(const Op& op, const ir::Inst& inst, unsigned lanes) {
    for (ValueId id : op.in) lowering_.define(id, lanes == 1 ? at(id).leaves : vectors(at(id)));
    lowering_.lanes = lanes;
    lowering_.result_type = inst.result.valid() ? ir_.type_of(inst.result) : none_type();
    return lower::lower(lowering_, op);
  }

  // warp_messages.cpp
  /// `lanes`: which of them, i1 each; null: those of the mask.
  void say(SiteKind kind, uint32_t site, llvm::ArrayRef<ValueId> numbers, Value* lanes = nullptr,
           llvm::ArrayRef<Value*> before = {});
  template <class Op>
  void watch(const Op& op, llvm::ArrayRef<ValueId> numbers, Value* addresses, int64_t step = 0);
  Value* all_below(const Spreading& index, const Spreading& limit);
  void give_up();

  // warp_neighbours.cpp
  /// An access of neighbours in memory, unless lanes turn out to be somewhere else.
  struct Neighbours {
    Value* holds;          // are they? i1
    Spreading address;     // then
    bool at_ends = false;  // they are, but at an end
  };
  std::optional<Neighbours> likely_neighbours(ValueId address);
  bool may_begin_again(uint32_t block, const Mask* mask) const;
  std::optional<Neighbours> unwrapped(const ir::ElementAddress& op, ValueId along, ValueId address,
                                      int64_t step);
  struct AtEnds;
  std::optional<Neighbours> between_ends(const ir::ElementAddress& op, ValueId along,
                                         ValueId address, int64_t step);
  Neighbours in_steps(const ir::ElementAddress& op, ValueId along, ValueId address, int64_t step);
  // warp_memory.cpp
  template <class Access>
  lower::Leaves access_place(ValueId address, Access access);
  Spreading last_lane(const Spreading& address, const lower::Leaf& leaf);
  template <class Access>
  Value* with_mask_reversed(Access access);
  /// Who may access memory while a warp does: all of a block's threads run on one core. What lies
  /// round the elements of shared arrays is memory, too (frame.h), and so are all lanes' own rows.
  enum class Owner : uint8_t { Others, Thread, Block };
  Owner owner_of(ValueId address);
  const Roots& roots();
  Value* nowhere();
  Value* of_active_lanes(Value* addresses, Value* instead);
  void scatter_leaf(Value* addresses, const lower::Leaf& leaf, Value* value);
  Value* load_small_row(const lower::Leaf& leaf, Value* from);
  Value* load_leaf(const Spreading& address, const lower::Leaf& leaf, Owner owner = Owner::Others);
  Value* gather_leaf(const Spreading& address, const lower::Leaf& leaf);
  lower::Leaves load_leaves(const Spreading& address, llvm::ArrayRef<lower::Leaf> leaves,
                            Owner owner);
  bool reads_rows(const Loop& loop) const;
  Value* read_row(const ir::Load& op, const lower::Leaf& leaf);
  void store_leaf(const Spreading& address, const lower::Leaf& leaf, Value* value, Owner owner);
  void store_lanes(Value* to, Value* value);
  void store_leaves(const Spreading& address, llvm::ArrayRef<lower::Leaf> leaves,
                    llvm::ArrayRef<Value*> values, Owner owner);
  bool writes_records(const RecordStores& record, ValueId address);
  const RecordStores* record_of(const ir::Store& op);
  std::optional<Neighbours> records_at(const RecordStores& record, const lower::Leaf& leaf);
  void write_records(const RecordStores& record);
  void write_one(const ir::Store& op);
  lower::Leaves stored_lanes(const ir::Store& op);
  Value* last_active(Value* vector);
  Value* leaf_addresses(const Spreading& address, const lower::Leaf& leaf);

  /// The leaves as vectors, whatever the spread.
  lower::Leaves vectors(const Spreading& value);
  Value* vector_of(const Spreading& value, size_t leaf);
  Value* splat(Value* value);
  /// 0, stride, 2 stride, … of an integer type.
  Value* steps(llvm::Type* type, int64_t stride);
  Spreading& at(ValueId id) { return values_[id.index]; }

  lower::ModuleLowering& module_;
  const ir::Function& ir_;
  const Structure& structure_;
  const Shapes& shapes_;
  std::optional<Roots> roots_;      // once something asks
  llvm::Value* nowhere_ = nullptr;  // where lanes write that are not active
  unsigned width_;
  llvm::Function& function_;
  llvm::Function* retry_;
  unsigned retry_width_;
  bool retry_has_mask_;
  llvm::Function* any_lanes_;
  bool is_part_;
  uint32_t again_;
  Value* done_ = nullptr;            // of a part: where it is kept how many lanes that is, u32
  std::vector<bool> before_writes_;  // by block; empty: no lanes at a row's end begin again
  const WarpPlan* plan_;
  struct Memory {
    Value *block = nullptr, *context = nullptr, *dynamic_bytes = nullptr;
  } memory_;
  std::vector<RecordStores> records_;  // which stores are one where all lanes are active
  std::map<uint32_t, llvm::AllocaInst*> on_stack_;  // local arrays, by the value that names them
  Value* next_phase_ = nullptr;                     // where the result is collected
  Value* thread_of_lane_[3] = {};                   // of a Linear view
  lower::Lowering lowering_;
  llvm::IRBuilder<>& build_;
  Masks masks_;
  bool wrote_memory_ = false;
  const Mask* mask_ = nullptr;         // of the block at hand
  std::vector<uint32_t> rejoins_;      // by block: where its lanes were together before
  std::vector<const Mask*> masks_of_;  // by block, as it was written last
  uint32_t block_ = 0;
  Region* region_ = nullptr;
  std::vector<Spreading> values_;                    // by ValueId
  std::map<uint32_t, std::vector<Arrival>> coming_;  // by block
  std::vector<bool> used_;                           // by value
  bool checks_ = false;                              // of numbers: CheckBelow
  bool taking_all_ = false;                          // an op is written for one lane after another,
  std::map<Value*, Value*> taken_apart_;             // and where its vectors are, lane by lane
  std::vector<const ir::Inst*> serial_;  // by value: made lane by lane, where it is used
  std::vector<bool> used_elsewhere_;     // by value: outside its block, or on edges
  std::map<const Loop*, std::vector<ValueId>> live_out_;  // made in the loop and used outside of it
};

/// Code that runs only when some lane of a mask is active.
class Warp::Guard {
 public:
  Guard(Warp& warp, const Mask* mask, bool wanted);
  void close();
  /// The value as code behind the guard may use it; 0 where the guarded code did not run.
  Value* escape(Value* value);
  void escape(Spreading& value) {
    for (Value*& leaf : value.leaves) leaf = escape(leaf);
  }
  const Mask* escape(const Mask* mask);

 private:
  Warp& warp_;
  llvm::BasicBlock *head_ = nullptr, *end_ = nullptr, *join_ = nullptr;
  std::map<const Mask*, const Mask*> escaped_;
};

/// Vectors as wide as the CPU has: for every function that has code for warps in it.
void use_wide_registers(llvm::Function& function);

}  // namespace hetjit::host
