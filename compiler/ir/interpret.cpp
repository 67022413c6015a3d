// Runs plans: one thread after another, each from its start to its end.
#include "compiler/ir/interpret.h"

#include <algorithm>

#include "abi/layout.h"
#include "compiler/ir/interpret_values.h"

namespace hetjit::ir {
namespace {

// What recursion may use of the machine's memory: calls, and slots of all their frames (32 MiB).
constexpr size_t kMaxFrames = 1u << 16, kMaxSlots = 1u << 22;

}  // namespace

Machine::Machine(const Plan& entry, uint64_t max_steps, Report& report)
    : report(report), max_steps_(max_steps) {
  enter(entry);
}

void Machine::enter(const Plan& plan) {
  size_t base = frames_.empty() ? 0 : frames_.back().base + frames_.back().plan->frame_slots;
  frames_.push_back({&plan, nullptr, base});
  if (stack_.size() < base + plan.frame_slots) stack_.resize((base + plan.frame_slots) * 2);
  slots = stack_.data() + base;
  for (const Constant& constant : plan.constants) slots[constant.slot] = constant.bits;
}

Status Machine::run_thread() {
  const Plan& entry = *frames_.front().plan;
  frames_.resize(1);  // a thread that raised has left its callers where they were
  slots = stack_.data();
  steps_left_ = max_steps_;
  const Step* step = spend(entry.entry_cost) ? entry.steps.data() : nullptr;
  while (step) step = step->run(*this, *step);
  return status_;
}

bool Machine::spend(uint64_t cost) {
  if (steps_left_ < cost) {
    fail("a thread ran " + std::to_string(max_steps_) + " instructions without coming to its end");
    return false;
  }
  steps_left_ -= cost;
  return true;
}

void Machine::move_overlapping(const std::vector<Move>& moves) {
  scratch_.resize(std::max(scratch_.size(), moves.size()));
  for (size_t i = 0; i < moves.size(); ++i) scratch_[i] = slots[moves[i].from];
  for (size_t i = 0; i < moves.size(); ++i) slots[moves[i].to] = scratch_[i];
}

const Step* Machine::call(const Step& step) {
  const Plan& callee = *step.detail->callee;
  const Frame& caller = frames_.back();
  size_t end = caller.base + caller.plan->frame_slots;
  if (frames_.size() == kMaxFrames || end + callee.frame_slots > kMaxSlots)
    return fail("calls nest too deeply");
  frames_.back().call = &step;
  size_t base = caller.base;
  enter(callee);
  const uint64_t* from = stack_.data() + base;
  for (size_t i = 0; i < callee.params.size(); ++i)
    std::copy_n(from + step.detail->slots[i], callee.params[i].size(),
                slots + callee.param_slots[i]);
  return spend(callee.entry_cost) ? callee.steps.data() : nullptr;
}

const Step* Machine::leave(uint32_t from) {
  const uint64_t* value = slots + from;
  if (frames_.size() == 1) {
    result_slot = from;
    return nullptr;
  }
  size_t count = frames_.back().plan->result.size();
  frames_.pop_back();
  const Frame& caller = frames_.back();
  slots = stack_.data() + caller.base;
  std::copy_n(value, count, slots + caller.call->result);
  return caller.call + 1;
}

Message Machine::message(const Step& step) const {
  Message made;
  made.site = static_cast<uint32_t>(step.immediate);
  std::copy_n(block, 3, made.block);
  std::copy_n(thread, 3, made.thread);
  for (uint32_t slot : step.detail->slots) made.words.push_back(slots[slot]);
  return made;
}

const Step* Machine::fail(std::string text) {
  status_ = Error{ErrorCode::Invalid, std::move(text)};
  return nullptr;
}

namespace {

// Reads the parameter block into the entry's parameters.
Status bind(const Module& module, const Plan& entry, std::span<const std::byte> parameters,
            Machine& machine) {
  const Function& function = module.functions[0];
  std::vector<TypeId> types;
  for (ValueId id : function.blocks[0].params) types.push_back(function.type_of(id));
  BlockLayout block = parameter_block(types);
  if (parameters.size() < block.size)
    return Error{ErrorCode::Invalid, "the parameter block has " +
                                         std::to_string(parameters.size()) + " bytes instead of " +
                                         std::to_string(block.size)};
  for (size_t i = 0; i < entry.params.size(); ++i)
    for (size_t leaf = 0; leaf < entry.params[i].size(); ++leaf)
      machine.slots[entry.param_slots[i] + leaf] =
          read_leaf(parameters.data() + block.offsets[i], entry.params[i][leaf]);
  return {};
}

// Calls `body` for every index below `extent`, x fastest, until it fails.
template <class Body>
Status for_each_index(const uint32_t (&extent)[3], uint32_t (&index)[3], Body body) {
  for (index[2] = 0; index[2] < extent[2]; ++index[2])
    for (index[1] = 0; index[1] < extent[1]; ++index[1])
      for (index[0] = 0; index[0] < extent[0]; ++index[0]) HETJIT_TRY(body());
  return {};
}

}  // namespace

Status interpret_kernel(const Module& module, std::span<const std::byte> parameters,
                        const Geometry& geometry, Report& report, uint64_t max_steps) {
  HETJIT_TRY(verify(module));
  Program program(module);
  Machine machine(program.entry(), max_steps, report);
  machine.geometry = geometry;
  HETJIT_TRY(bind(module, program.entry(), parameters, machine));
  return for_each_index(geometry.grid, machine.block, [&] {
    return for_each_index(geometry.block, machine.thread, [&] { return machine.run_thread(); });
  });
}

Result<std::vector<std::byte>> interpret_function(const Module& module,
                                                  std::span<const std::byte> parameters,
                                                  Report& report, uint64_t max_steps) {
  HETJIT_TRY(verify(module));
  Program program(module);
  Machine machine(program.entry(), max_steps, report);
  HETJIT_TRY(bind(module, program.entry(), parameters, machine));
  HETJIT_TRY(machine.run_thread());
  if (report.error) return std::vector<std::byte>{};
  std::vector<std::byte> bytes;
  TypeId result = module.functions[0].result;
  if (result != none_type()) bytes.resize(layout(result).size);
  const std::vector<Leaf>& parts = program.entry().result;
  for (size_t i = 0; i < parts.size(); ++i)
    write_leaf(bytes.data(), parts[i], machine.slots[machine.result_slot + i]);
  return bytes;
}

namespace {

Status unheard(const Module& module, const Report& report) {
  if (!report.error) return {};
  return Error{ErrorCode::Invalid, "a thread raised " + module.sites[report.error->site].exception};
}

}  // namespace

Status interpret_kernel(const Module& module, std::span<const std::byte> parameters,
                        const Geometry& geometry, uint64_t max_steps) {
  Report report;
  HETJIT_TRY(interpret_kernel(module, parameters, geometry, report, max_steps));
  return unheard(module, report);
}

Result<std::vector<std::byte>> interpret_function(const Module& module,
                                                  std::span<const std::byte> parameters,
                                                  uint64_t max_steps) {
  Report report;
  auto result = interpret_function(module, parameters, report, max_steps);
  HETJIT_TRY(unheard(module, report));
  return result;
}

}  // namespace hetjit::ir
