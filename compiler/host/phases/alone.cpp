#include "compiler/host/phases/alone.h"

#include <algorithm>

#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/wait_loops.h"
#include "compiler/host/phases/straighten_loops.h"
#include "compiler/host/phases/watched_accesses.h"
#include "compiler/ir/own_memory.h"
#include "compiler/passes/inline.h"
#include "compiler/passes/passes.h"

namespace hetjit::host {
namespace {

template <class Visit>
void each_op(const ir::Function& function, Visit visit) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts) visit(inst.op);
}

bool has_wait_loop(const ir::Function& function, const std::vector<bool>& looking = {}) {
  std::optional<Structure> structure = Structure::find(function);
  if (!structure) return false;
  std::vector<bool> loops = find_wait_loops(function, *structure, looking);
  return std::find(loops.begin(), loops.end(), true) != loops.end();
}

std::vector<bool> only(uint32_t function, size_t count) {
  std::vector<bool> itself(count);
  itself[function] = true;
  return itself;
}

/// Which functions of a module call which.
class CallGraph {
 public:
  explicit CallGraph(const ir::Module& module) : callees_(module.functions.size()) {
    for (size_t i = 0; i < callees_.size(); ++i)
      each_op(module.functions[i], [&](const ir::Op& op) {
        if (auto* call = std::get_if<ir::Call>(&op)) callees_[i].push_back(call->function);
      });
  }
  /// Those that reach one of `some`, and these.
  std::vector<bool> callers_of(std::vector<bool> some) const {
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < callees_.size(); ++i)
        for (uint32_t callee : callees_[i])
          if (some[callee] && !some[i]) changed = some[i] = true;
    }
    return some;
  }
  bool in_circle(uint32_t function) const {
    std::vector<bool> callers = callers_of(only(function, callees_.size()));
    return std::any_of(callees_[function].begin(), callees_[function].end(),
                       [&](uint32_t callee) { return callers[callee]; });
  }

 private:
  std::vector<std::vector<uint32_t>> callees_;
};

/// By function: do threads wait in it, or in what it calls?
std::vector<bool> waiting_functions(const ir::Module& module, const CallGraph& calls) {
  std::vector<bool> waits(module.functions.size());
  for (size_t i = 0; i < waits.size(); ++i) {
    bool found = false;
    each_op(module.functions[i],
            [&](const ir::Op& op) { found |= ir::info(op).needs >= ir::Needs::Turn; });
    waits[i] = found || has_wait_loop(module.functions[i]);
  }
  return calls.callers_of(std::move(waits));
}

/// By function: may a call of it find what another thread wrote?
std::vector<bool> looking_functions(const ir::Module& module, const CallGraph& calls) {
  std::vector<bool> looks(module.functions.size());
  for (size_t i = 0; i < looks.size(); ++i)
    each_op(module.functions[i],
            [&](const ir::Op& op) { looks[i] = looks[i] || ir::info(op).looks(); });
  return calls.callers_of(std::move(looks));
}

/// Those that wait; and those that return memory of theirs, which would end with the call.
std::vector<bool> least_to_take_in(const ir::Module& module, const CallGraph& calls) {
  std::vector<bool> taken = waiting_functions(module, calls);
  const std::vector<bool> return_own = ir::return_own_memory(module);
  for (size_t i = 0; i < taken.size(); ++i) taken[i] = taken[i] || return_own[i];
  return taken;
}

/// And those that may be waited with, but for circles.
std::vector<bool> functions_to_take_in(const ir::Module& module) {
  CallGraph calls(module);
  std::vector<bool> looks = looking_functions(module, calls);
  std::vector<bool> taken = least_to_take_in(module, calls);
  for (uint32_t i = 0; i < taken.size(); ++i)
    taken[i] = taken[i] || (looks[i] && !calls.in_circle(i));
  return taken;
}

/// Takes in no more than what must be, unless a loop waits for what a call finds.
bool take_in_waits(ir::Module& module) {
  CallGraph calls(module);
  const std::vector<bool> looking = looking_functions(module, calls);
  for (const ir::Function& function : module.functions)
    if (!has_wait_loop(function) && has_wait_loop(function, looking)) return false;
  const std::vector<bool> taken = least_to_take_in(module, calls);
  if (std::none_of(taken.begin() + 1, taken.end(), [](bool each) { return each; })) return true;
  return passes::inline_calls(module, taken, kMaxWaiting);
}

bool take_in_calls(ir::Module& module) {
  if (!has_calls(module.functions[0])) return true;  // of any length
  return passes::inline_calls(module) ||
         passes::inline_calls(module, functions_to_take_in(module), kMaxWaiting) ||
         take_in_waits(module);
}

/// Where `from` first calls one of the functions.
Span place_of_call(const ir::Function& from, const std::vector<bool>& called) {
  for (const ir::Block& block : from.blocks)
    for (const ir::Inst& inst : block.insts) {
      const ir::Call* call = std::get_if<ir::Call>(&inst.op);
      if (call && called[call->function] && inst.where.valid()) return from.spans[inst.where.index];
    }
  return {};
}

}  // namespace

bool has_calls(const ir::Function& function) {
  bool found = false;
  each_op(function, [&](const ir::Op& op) { found |= std::holds_alternative<ir::Call>(op); });
  return found;
}

std::vector<ir::Function> called_functions(const ir::Function& kernel, const ir::Module& module) {
  if (!has_calls(kernel)) return {};
  std::vector<ir::Function> called(module.functions.size());
  auto add_from = [&](auto& self, const ir::Function& function) -> void {
    each_op(function, [&](const ir::Op& op) {
      auto* call = std::get_if<ir::Call>(&op);
      if (!call || !called[call->function].blocks.empty()) return;
      called[call->function] = module.functions[call->function];
      self(self, module.functions[call->function]);
    });
  };
  add_from(add_from, kernel);
  return called;
}

NotAlone why_not_alone(const ir::Module& module) {
  CallGraph calls(module);
  const std::vector<bool> waits = waiting_functions(module, calls);
  for (uint32_t i = 0; i < waits.size(); ++i)
    if (waits[i] && calls.in_circle(i))
      return NotAlone{"functions whose threads wait for one another call each other in a circle",
                      "write the recursion as a loop, or wait outside of it",
                      place_of_call(module.functions[i], calls.callers_of(only(i, waits.size())))};
  std::vector<bool> taken = functions_to_take_in(module);
  return NotAlone{
      "functions whose threads wait for one another, or that return local arrays, have more than " +
          std::to_string(kMaxWaiting) + " operations together, each call counted",
      "write calls that follow one another as a loop round one call",
      place_of_call(module.functions[0], taken)};
}

std::optional<ir::Function> alone(const ir::Module& module) {
  ir::Module flat = module;
  if (!take_in_calls(flat)) return std::nullopt;
  if (has_calls(module.functions[0])) passes::merge_blocks(flat);  // what was handed over is known
  ir::Function kernel = std::move(flat.functions[0]);
  if (!has_calls(kernel)) drop_needless_watches(kernel);
  straighten_loops(kernel);
  if (kernel.result == none_type()) return kernel;
  ValueId address{static_cast<uint32_t>(kernel.types.size())};
  kernel.types.push_back(pointer_type(kernel.result));
  kernel.blocks[0].params.push_back(address);
  kernel.parameter_names.push_back("result");
  kernel.result = none_type();
  for (ir::Block& block : kernel.blocks) {
    auto* leave = std::get_if<ir::Return>(&block.insts.back().op);
    if (!leave) continue;
    ir::Inst last = std::move(block.insts.back());
    block.insts.pop_back();
    ir::Store store;
    store.in = {address, std::get<ir::Return>(last.op).in[0]};
    block.insts.push_back({store, {}, last.where});
    ValueId none{static_cast<uint32_t>(kernel.types.size())};
    kernel.types.push_back(none_type());
    block.insts.push_back({ir::ConstNone{}, none, last.where});
    std::get<ir::Return>(last.op).in = {none};
    block.insts.push_back(std::move(last));
  }
  return kernel;
}

}  // namespace hetjit::host
