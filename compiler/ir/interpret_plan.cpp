// Turns a verified graph into steps: values get their slots, operands become slot numbers, edges
// become moves, each op is bound to the code that runs it.
#include <chrono>
#include <optional>
#include <type_traits>
#include <utility>

#include "abi/layout.h"
#include "compiler/ir/interpret_values.h"
#include "compiler/ir/numbers.h"
#include "compiler/ir/own_memory.h"

namespace hetjit::ir {
namespace {

// ---- steps

const Step* run_compute(Machine& machine, const Step& step) {
  uint64_t* slots = machine.slots;
  slots[step.result] = step.compute(slots[step.a], slots[step.b], slots[step.c]);
  return &step + 1;
}
const Step* run_select(Machine& machine, const Step& step) {
  const uint64_t* from = machine.slots + (machine.slots[step.a] ? step.b : step.c);
  for (uint64_t i = 0; i < step.immediate; ++i) machine.slots[step.result + i] = from[i];
  return &step + 1;
}
const Step* run_moves(Machine& machine, const Step& step) {
  for (Move move : step.detail->moves) machine.slots[move.to] = machine.slots[move.from];
  return &step + 1;
}
const Step* run_jump(Machine& machine, const Step& step) {
  return machine.follow(step.detail->paths[0]);
}
const Step* run_branch(Machine& machine, const Step& step) {
  return machine.follow(step.detail->paths[machine.slots[step.a] ? 0 : 1]);
}
const Step* run_return(Machine& machine, const Step& step) { return machine.leave(step.a); }
const Step* run_unreachable(Machine& machine, const Step&) {
  return machine.fail("a thread came to a place that cannot be reached");
}
const Step* run_raise(Machine& machine, const Step& step) {
  if (!machine.report.error) machine.report.error = machine.message(step);
  return nullptr;
}
const Step* run_check_below(Machine& machine, const Step& step) {
  if (machine.slots[step.a] < machine.slots[step.b]) return &step + 1;
  return run_raise(machine, step);
}
const Step* run_print(Machine& machine, const Step& step) {
  machine.report.prints.push_back(machine.message(step));
  return &step + 1;
}
const Step* run_phase_op(Machine& machine, const Step&) {
  return machine.fail("phases of a host kernel are not interpreted; the kernel is");
}
const Step* run_external(Machine& machine, const Step& step) {
  return machine.fail("'" + step.detail->symbol + "' is compiled C++, which is not interpreted");
}
const Step* run_call(Machine& machine, const Step& step) { return machine.call(step); }
const Step* run_thread_index(Machine& machine, const Step& step) {
  machine.slots[step.result] = machine.thread[step.immediate];
  return &step + 1;
}
const Step* run_block_index(Machine& machine, const Step& step) {
  machine.slots[step.result] = machine.block[step.immediate];
  return &step + 1;
}
const Step* run_block_size(Machine& machine, const Step& step) {
  machine.slots[step.result] = machine.geometry.block[step.immediate];
  return &step + 1;
}
const Step* run_grid_size(Machine& machine, const Step& step) {
  machine.slots[step.result] = machine.geometry.grid[step.immediate];
  return &step + 1;
}
const Step* run_clock(Machine& machine, const Step& step) {
  auto now = std::chrono::steady_clock::now().time_since_epoch();
  machine.slots[step.result] =
      static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  return &step + 1;
}

// ---- planning

class Planner {
 public:
  /// `shared` has a place for every shared variable of the module already.
  Planner(const Function& function, const std::vector<Plan>& plans, Variables& shared, Plan& plan)
      : function_(function),
        plans_(plans),
        shared_(shared),
        plan_(plan),
        slots_(function.types.size()) {}

  void run() {
    assign_slots();
    for (const Block& block : function_.blocks) {
      block_steps_.push_back(plan_.steps.size());
      for (const Inst& inst : block.insts)
        std::visit([&](const auto& op) { make(op, inst.result); }, inst.op);
    }
    for (Detail& detail : plan_.details)
      for (Path& path : detail.paths) path.to = &plan_.steps[block_steps_[path.block]];
  }

 private:
  uint32_t slot(ValueId id) const { return slots_[id.index]; }
  TypeId type_of(ValueId id) const { return function_.type_of(id); }
  static uint32_t count(TypeId id) { return static_cast<uint32_t>(leaves(id).size()); }

  void assign_slots();
  bool rename(const Inst& inst);
  static std::vector<Move> moves(uint32_t from, uint32_t to, uint32_t count);
  void add_path(Detail& to, const Edge& edge) const;
  Step& add(StepFunction run, ValueId result = {});
  Detail& add_detail(Step& step);
  void add_message(Step& step, uint32_t site, const std::vector<ValueId>& numbers);

  // How an op makes steps, one per op.
  template <ScalarOp T>
  void make(const T& op, ValueId result);
  void make(const ConstInt& op, ValueId result);
  void make(const ConstFloat& op, ValueId result);
  void make(const ConstNone&, ValueId) {}
  void make(const Select& op, ValueId result);
  void make(const Extent&, ValueId) {}  // renamed
  void make(const Stride& op, ValueId result);
  void make(const ElementAddress& op, ValueId result);
  void make(const FieldAddress& op, ValueId result);
  void make(const MakeArray& op, ValueId result);
  void make(const ArrayData&, ValueId) {}  // renamed
  void make(const MoveAddress& op, ValueId result);
  void make(const Load& op, ValueId result) { make_load(op, run_load, result); }
  void make(const Store& op, ValueId) { make_store(op, run_store); }
  void make(const Jump& op, ValueId);
  void make(const Branch& op, ValueId);
  void make(const Return& op, ValueId) { add(run_return).a = slot(op.in[0]); }
  void make(const Unreachable&, ValueId) { add(run_unreachable); }
  void make(const Raise& op, ValueId) { add_message(add(run_raise), op.site, op.in); }
  void make(const CheckBelow& op, ValueId);
  void make(const CheckAccess&, ValueId) {}   // only the host's runtime listens
  void make(const CheckBarrier&, ValueId) {}  // the same
  void make(const Apart&, ValueId result) { plan_.constants.push_back({slot(result), 0}); }
  void make(const Print& op, ValueId) { add_message(add(run_print), op.site, op.in); }
  void make(const Call& op, ValueId result);
  template <OneOf<ExternalCall, ExternalValue> T>
  void make(const T& op, ValueId) {
    add_detail(add(run_external)).symbol = op.symbol;
  }
  void make(const ThreadIndex& op, ValueId to) { add(run_thread_index, to).immediate = op.axis; }
  void make(const BlockIndex& op, ValueId to) { add(run_block_index, to).immediate = op.axis; }
  void make(const BlockDimension& op, ValueId to) { add(run_block_size, to).immediate = op.axis; }
  void make(const GridDimension& op, ValueId to) { add(run_grid_size, to).immediate = op.axis; }
  void make(const Clock&, ValueId to) { add(run_clock, to); }
  void make(const MakeTuple& op, ValueId result) { make_parts(op.in, result); }
  void make(const Extract&, ValueId) {}  // renamed
  void make(const MakeComplex& op, ValueId result) { make_parts(op.in, result); }
  void make(const RealPart&, ValueId) {}       // renamed
  void make(const ImaginaryPart&, ValueId) {}  // renamed
  void make(const MultiplyComplex& op, ValueId result);
  void make(const DivideComplex& op, ValueId result);
  void make(const TableItem& op, ValueId result);
  template <class T>
  requires(T::info.host_only.value) void make(const T&, ValueId result) {
    add(run_phase_op, result);
  }
  void make(const SharedMemory& op, ValueId result);
  void make(const DynamicSharedMemory&, ValueId result);
  void make(const DynamicSharedBytes&, ValueId to) { add(run_dynamic_shared_bytes, to); }
  void make(const LocalMemory& op, ValueId result);
  void make(const AtomicLoad& op, ValueId result) { make_load(op, run_atomic_load, result); }
  void make(const AtomicStore& op, ValueId) { make_store(op, run_atomic_store); }
  void make(const AtomicUpdate& op, ValueId result);
  void make(const AtomicCompareExchange& op, ValueId result);
  void make(const Fence&, ValueId) {}  // one thread at a time runs
  void make(const Pause&, ValueId) { add(run_pause); }
  void make(const Barrier&, ValueId) { add_detail(add(run_barrier)); }
  void make(const GridBarrier&, ValueId) { add_detail(add(run_grid_barrier)); }
  void make(const GridDependency&, ValueId) {}  // one launch at a time runs
  void make(const LaneIndex&, ValueId result) { add(run_lane_index, result); }
  void make(const WarpBarrier& op, ValueId) { make_together(op, run_warp_step, {}); }
  template <class T>
  requires requires(const T& op) { completion(op); }
  void make(const T& op, ValueId result) {
    constexpr bool kBlock = std::is_same_v<T, BarrierReduce>;
    constexpr bool kAny = std::is_same_v<T, ActiveMask>;
    auto run = kBlock ? run_barrier : kAny ? run_active_mask : run_warp_step;
    make_together(op, run, result).complete = completion(op);
  }

  void make_load(const auto& op, StepFunction run, ValueId result);
  void make_store(const auto& op, StepFunction run);
  Detail& make_together(const auto& op, StepFunction run, ValueId result);
  void make_parts(std::span<const ValueId> parts, ValueId result);

  // Ops whose result is a run of their operand's slots: the first one's place in there.
  template <class T>
  std::optional<uint32_t> renamed(const T&) const {
    return std::nullopt;
  }
  std::optional<uint32_t> renamed(const Extent& op) const { return 1 + op.axis; }
  std::optional<uint32_t> renamed(const ArrayData&) const { return 0; }
  std::optional<uint32_t> renamed(const Stride& op) const;
  std::optional<uint32_t> renamed(const Extract& op) const;
  std::optional<uint32_t> renamed(const RealPart&) const { return 0; }
  std::optional<uint32_t> renamed(const ImaginaryPart&) const { return 1; }

  const Function& function_;
  const std::vector<Plan>& plans_;  // of all functions; only their addresses are taken
  Variables& shared_;
  Variables locals_;
  Plan& plan_;
  std::vector<uint32_t> slots_;      // by value: its first slot
  std::vector<size_t> block_steps_;  // by block: its first step
};

void Planner::assign_slots() {
  auto give = [&](ValueId id) {
    slots_[id.index] = plan_.frame_slots;
    plan_.frame_slots += count(type_of(id));
  };
  for (const Block& block : function_.blocks) {
    for (ValueId id : block.params) give(id);
    for (const Inst& inst : block.insts)
      if (inst.result.valid()) give(inst.result);
  }
  // A renamed value may be named before its operand is: a definition's block dominates, but need
  // not be listed first. So until nothing changes; parts of parts end, as types do.
  for (bool changed = true; changed;) {
    changed = false;
    for (const Block& block : function_.blocks)
      for (const Inst& inst : block.insts) changed |= rename(inst);
  }
  for (ValueId id : function_.blocks[0].params) {
    plan_.params.push_back(leaves(type_of(id)));
    plan_.param_slots.push_back(slot(id));
  }
  plan_.result = leaves(function_.result);
  plan_.entry_cost = function_.blocks[0].insts.size();
}

bool Planner::rename(const Inst& inst) {
  auto place = std::visit([&](const auto& op) { return renamed(op); }, inst.op);
  if (!place) return false;
  uint32_t renamed = slot(operands(inst.op)[0]) + *place;
  return std::exchange(slots_[inst.result.index], renamed) != renamed;
}

std::optional<uint32_t> Planner::renamed(const Stride& op) const {
  const Type& array = type(type_of(op.in[0]));
  if (array.facts.order == Order::Contiguous) return std::nullopt;
  return 1 + array.rank + op.axis;
}

std::optional<uint32_t> Planner::renamed(const Extract& op) const {
  const Type& from = type(type_of(op.in[0]));
  if (from.kind == TypeKind::Vector) return op.index * count(scalar_type(from.scalar));
  uint32_t place = 0;
  for (uint32_t i = 0; i < op.index; ++i) place += count(from.fields[i].type);
  return place;
}

std::vector<Move> Planner::moves(uint32_t from, uint32_t to, uint32_t count) {
  std::vector<Move> all;
  for (uint32_t i = 0; i < count && from != to; ++i) all.push_back({from + i, to + i});
  return all;
}

Step& Planner::add(StepFunction run, ValueId result) {
  Step& step = plan_.steps.emplace_back();
  step.run = run;
  if (result.valid()) step.result = slot(result);
  return step;
}

Detail& Planner::add_detail(Step& step) {
  Detail& detail = plan_.details.emplace_back();
  step.detail = &detail;
  return detail;
}

void Planner::add_message(Step& step, uint32_t site, const std::vector<ValueId>& numbers) {
  step.immediate = site;
  Detail& detail = add_detail(step);
  for (ValueId id : numbers) detail.slots.push_back(slot(id));
}

void Planner::make(const CheckBelow& op, ValueId) {
  Step& step = add(run_check_below);
  step.a = slot(op.in[0]);
  step.b = slot(op.in[1]);
  add_message(step, op.site, {op.in.begin() + 2, op.in.end()});
}

void Planner::add_path(Detail& to, const Edge& edge) const {
  Path& path = to.paths.emplace_back();
  const Block& target = function_.blocks[edge.to.index];
  path.block = edge.to.index;
  path.cost = target.insts.size();
  for (size_t i = 0; i < edge.args.size(); ++i)
    for (Move move :
         moves(slot(edge.args[i]), slot(target.params[i]), count(type_of(edge.args[i])))) {
      for (Move earlier : path.moves) path.overlaps |= earlier.to == move.from;
      path.moves.push_back(move);
    }
}

template <ScalarOp T>
void Planner::make(const T& op, ValueId result) {
  Step& step = add(run_compute, result);
  uint32_t* places[] = {&step.a, &step.b, &step.c};
  for (size_t i = 0; i < op.in.size(); ++i) *places[i] = slot(op.in[i]);
  step.compute = meaning(op, type(type_of(op.in[0])).scalar, type(type_of(result)).scalar);
}

void Planner::make(const ConstInt& op, ValueId result) {
  plan_.constants.push_back({slot(result), op.bits});
}
void Planner::make(const ConstFloat& op, ValueId result) {
  plan_.constants.push_back({slot(result), float_to_bits(type(type_of(result)).scalar, op.value)});
}

void Planner::make(const Select& op, ValueId result) {
  Step& step = add(run_select, result);
  step.a = slot(op.in[0]);
  step.b = slot(op.in[1]);
  step.c = slot(op.in[2]);
  step.immediate = count(type_of(result));
}

void Planner::make(const Stride& op, ValueId result) {
  if (renamed(op)) return;
  Step& step = add(run_contiguous_stride, result);
  step.a = slot(op.in[0]);
  step.immediate = op.axis;
  add_detail(step).rank = type(type_of(op.in[0])).rank;
}

void Planner::make(const ElementAddress& op, ValueId result) {
  Step& step = add(run_element, result);
  step.a = slot(op.in[0]);
  const Type& array = type(type_of(op.in[0]));
  Detail& detail = add_detail(step);
  for (size_t i = 1; i < op.in.size(); ++i) detail.slots.push_back(slot(op.in[i]));
  detail.rank = array.rank;
  detail.contiguous = array.facts.order == Order::Contiguous;
  detail.element_bytes = layout(array.element).stride();
  if (array.rank == 0) return;
  Scalar index = type(type_of(op.in[1])).scalar;
  detail.index_unused_bits = 64u - info(index).bits;
  detail.index_signed = info(index).is_signed;
}

void Planner::make(const FieldAddress& op, ValueId result) {
  Step& step = add(run_field, result);
  step.a = slot(op.in[0]);
  step.immediate = layout(type(type_of(op.in[0])).element).offsets[op.index];
}

void Planner::make(const MakeArray& op, ValueId result) {
  Detail& detail = add_detail(add(run_moves));
  for (uint32_t i = 0; i < op.in.size(); ++i)
    detail.moves.push_back({slot(op.in[i]), slot(result) + i});
  const Type& array = type(type_of(result));
  if (array.facts.order == Order::Contiguous) add(run_fill_strides, result).immediate = array.rank;
}

void Planner::make(const MoveAddress& op, ValueId result) {
  Step& step = add(run_move_address, result);
  step.a = slot(op.in[0]);
  step.b = slot(op.in[1]);
}

void Planner::make_load(const auto& op, StepFunction run, ValueId result) {
  Step& step = add(run, result);
  step.a = slot(op.in[0]);
  add_detail(step).leaves = leaves(type_of(result));
}

void Planner::make_store(const auto& op, StepFunction run) {
  Step& step = add(run);
  step.a = slot(op.in[0]);
  step.b = slot(op.in[1]);
  add_detail(step).leaves = leaves(type_of(op.in[1]));
}

void Planner::make(const SharedMemory& op, ValueId result) {
  add(run_shared_memory, result).immediate = shared_.place(op.variable, op.bytes, op.align);
}

void Planner::make(const DynamicSharedMemory&, ValueId result) {
  add(run_shared_memory, result).immediate = dynamic_shared_offset(shared_);
}

void Planner::make(const LocalMemory& op, ValueId result) {
  add(run_local_memory, result).immediate = locals_.place(op.variable, op.bytes, op.align);
  plan_.local_bytes = locals_.bytes();
  plan_.local_align = locals_.align();
}

void Planner::make(const AtomicUpdate& op, ValueId result) {
  Scalar scalar = type(type_of(result)).scalar;
  make_load(op, run_atomic_update, result);
  plan_.steps.back().b = slot(op.in[1]);
  plan_.steps.back().compute = meaning(op.operation, scalar);
}

void Planner::make(const AtomicCompareExchange& op, ValueId result) {
  make_load(op, run_compare_exchange, result);
  plan_.steps.back().b = slot(op.in[1]);
  plan_.steps.back().c = slot(op.in[2]);
}

Detail& Planner::make_together(const auto& op, StepFunction run, ValueId result) {
  Step& step = add(run, result);
  uint32_t* places[] = {&step.a, &step.b, &step.c};
  for (size_t i = 0; i < op.in.size(); ++i) *places[i] = slot(op.in[i]);
  return add_detail(step);
}

void Planner::make(const Jump& op, ValueId) { add_path(add_detail(add(run_jump)), op.to); }

void Planner::make(const Branch& op, ValueId) {
  Step& step = add(run_branch);
  step.a = slot(op.in[0]);
  Detail& detail = add_detail(step);
  add_path(detail, op.yes);
  add_path(detail, op.no);
}

void Planner::make(const Call& op, ValueId result) {
  Step& step = add(run_call, result);
  Detail& detail = add_detail(step);
  detail.callee = &plans_[op.function];
  for (ValueId id : op.in) detail.slots.push_back(slot(id));
}

void Planner::make_parts(std::span<const ValueId> whole, ValueId result) {
  Detail& detail = add_detail(add(run_moves));
  uint32_t to = slot(result);
  for (ValueId part : whole) {
    uint32_t parts = count(type_of(part));
    for (Move move : moves(slot(part), to, parts)) detail.moves.push_back(move);
    to += parts;
  }
}

void Planner::make(const TableItem& op, ValueId result) {
  Step& step = add(run_table_item, result);
  step.a = slot(op.in[0]);
  add_detail(step).table = op.table;
}

void Planner::make(const MultiplyComplex& op, ValueId result) {
  Step& step = add(complex_product(type(type_of(result)).scalar), result);
  step.a = slot(op.in[0]);
  step.b = slot(op.in[1]);
  step.immediate = op.fused;
}

void Planner::make(const DivideComplex& op, ValueId result) {
  Step& step = add(complex_quotient(type(type_of(result)).scalar), result);
  step.a = slot(op.in[0]);
  step.b = slot(op.in[1]);
}

}  // namespace

Program::Program(const Module& module) : plans_(module.functions.size()) {
  for (const Function& function : module.functions)
    for (const Block& block : function.blocks)
      for (const Inst& inst : block.insts)
        if (const auto* op = std::get_if<SharedMemory>(&inst.op))
          shared_.place(op->variable, op->bytes, op->align);
  const std::vector<bool> return_own = return_own_memory(module);
  for (size_t i = 0; i < plans_.size(); ++i) {
    plans_[i].returns_local = return_own[i];
    Planner(module.functions[i], plans_, shared_, plans_[i]).run();
  }
}

}  // namespace hetjit::ir
