// Runs plans: one thread after another, each from its start to its end, or to where it waits.
#include "compiler/ir/interpret.h"

#include <algorithm>

#include "abi/layout.h"
#include "compiler/ir/interpret_grid.h"
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
  auto& frames = state_.frames;
  auto& stack = state_.stack;
  size_t base = frames.empty() ? 0 : frames.back().base + frames.back().plan->frame_slots;
  frames.push_back({&plan, nullptr, base});
  if (stack.size() < base + plan.frame_slots) stack.resize((base + plan.frame_slots) * 2);
  slots = stack.data() + base;
  for (const Constant& constant : plan.constants) slots[constant.slot] = constant.bits;
  if (plan.local_bytes) state_.locals.emplace_back(plan.local_bytes, plan.local_align);
}

Status Machine::run_thread() {
  const Plan& entry = *state_.frames.front().plan;
  state_.frames.resize(1);  // a thread that raised has left its callers where they were
  slots = state_.stack.data();
  state_.kept.clear();
  if (!state_.locals.empty()) {
    state_.locals.resize(entry.local_bytes ? 1 : 0);
    if (entry.local_bytes) state_.locals[0].poison();
  }
  state_.steps_left = max_steps_;
  state_.atomics = 0;
  return run(spend(entry.entry_cost) ? entry.steps.data() : nullptr);
}

Status Machine::run(const Step* step) {
  while (step) step = step->run(*this, *step);
  return status_;
}

Status Machine::resume(ThreadState thread) {
  state_ = std::move(thread);
  slots = state_.stack.data() + state_.frames.back().base;
  state_.wait = Wait::Nothing;
  state_.atomics = 0;
  return run(state_.waits_at + 1);
}

ThreadState Machine::put_away() {
  // Another thread begins with what every thread has: parameters and constants.
  const Plan& entry = *state_.frames.front().plan;
  ThreadState fresh;
  fresh.frames.push_back(state_.frames.front());
  fresh.stack.assign(state_.stack.begin(), state_.stack.begin() + entry.frame_slots);
  if (entry.local_bytes) fresh.locals.emplace_back(entry.local_bytes, entry.local_align);
  return std::exchange(state_, std::move(fresh));
}

const Step* Machine::wait(const Step& step, Wait for_whom) {
  state_.wait = for_whom;
  state_.waits_at = &step;
  return nullptr;
}

const Step* Machine::after_atomic(const Step& step) {
  constexpr uint32_t kInARow = 256;
  return ++state_.atomics < kInARow ? &step + 1 : wait(step, Wait::Others);
}

bool Machine::spend(uint64_t cost) {
  if (state_.steps_left < cost) {
    fail("a thread ran " + std::to_string(max_steps_) + " instructions without coming to its end");
    return false;
  }
  state_.steps_left -= cost;
  return true;
}

void Machine::move_overlapping(const std::vector<Move>& moves) {
  scratch_.resize(std::max(scratch_.size(), moves.size()));
  for (size_t i = 0; i < moves.size(); ++i) scratch_[i] = slots[moves[i].from];
  for (size_t i = 0; i < moves.size(); ++i) slots[moves[i].to] = scratch_[i];
}

const Step* Machine::call(const Step& step) {
  const Plan& callee = *step.detail->callee;
  const ThreadState::Frame& caller = state_.frames.back();
  size_t end = caller.base + caller.plan->frame_slots;
  if (state_.frames.size() == kMaxFrames || end + callee.frame_slots > kMaxSlots)
    return fail("calls nest too deeply");
  state_.frames.back().call = &step;
  size_t base = caller.base;
  enter(callee);
  const uint64_t* from = state_.stack.data() + base;
  for (size_t i = 0; i < callee.params.size(); ++i)
    std::copy_n(from + step.detail->slots[i], callee.params[i].size(),
                slots + callee.param_slots[i]);
  return spend(callee.entry_cost) ? callee.steps.data() : nullptr;
}

const Step* Machine::leave(uint32_t from) {
  const uint64_t* value = slots + from;
  auto& frames = state_.frames;
  if (frames.size() == 1) {
    result_slot = from;
    return nullptr;
  }
  size_t count = frames.back().plan->result.size();
  const Plan& left = *frames.back().plan;
  if (left.local_bytes && left.returns_local)
    state_.kept.push_back(std::move(state_.locals.back()));
  if (left.local_bytes) state_.locals.pop_back();
  frames.pop_back();
  const ThreadState::Frame& caller = frames.back();
  slots = state_.stack.data() + caller.base;
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

}  // namespace

Status interpret_kernel(const Module& module, std::span<const std::byte> parameters,
                        const Geometry& geometry, Report& report, uint32_t warp_size,
                        uint64_t max_steps) {
  HETJIT_TRY(verify(module));
  Program program(module);
  Machine machine(program.entry(), max_steps, report);
  machine.geometry = geometry;
  machine.warp_size = warp_size;
  HETJIT_TRY(bind(module, program.entry(), parameters, machine));
  return GridRun(program, machine).run();
}

Result<std::vector<std::byte>> interpret_function(const Module& module,
                                                  std::span<const std::byte> parameters,
                                                  Report& report, uint64_t max_steps) {
  HETJIT_TRY(verify(module));
  Program program(module);
  Machine machine(program.entry(), max_steps, report);
  HETJIT_TRY(bind(module, program.entry(), parameters, machine));
  HETJIT_TRY(GridRun(program, machine).run());
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
                        const Geometry& geometry, uint32_t warp_size, uint64_t max_steps) {
  Report report;
  HETJIT_TRY(interpret_kernel(module, parameters, geometry, report, warp_size, max_steps));
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
