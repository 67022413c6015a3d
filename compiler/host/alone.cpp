#include <algorithm>

#include "compiler/host/tier.h"
#include "compiler/host/wait_loops.h"
#include "compiler/host/watched_accesses.h"
#include "compiler/passes/inline.h"

namespace hetjit::host {
namespace {

/// Of a kernel whose threads wait, with all that wait taken in: some seconds of compiling.
constexpr size_t kMaxWaiting = 16 * passes::kMaxInlined;

struct Waits {
  template <class Op>
  bool operator()(const Op&) const {
    return Op::info.effects & ir::Together;
  }
  bool operator()(const ir::Pause&) const { return true; }
};

/// A loop round a call of a function with one of these may wait for another thread.
struct Looks {
  template <class Op>
  bool operator()(const Op&) const {
    return false;
  }
  bool operator()(const ir::AtomicLoad&) const { return true; }
  bool operator()(const ir::AtomicUpdate&) const { return true; }
  bool operator()(const ir::AtomicCompareExchange&) const { return true; }
};

template <class Visit>
void each_op(const ir::Function& function, Visit visit) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts) std::visit(visit, inst.op);
}

bool has_wait_loop(const ir::Function& function) {
  std::optional<Structure> structure = Structure::find(function);
  if (!structure) return false;
  std::vector<bool> loops = find_wait_loops(function, *structure);
  return std::find(loops.begin(), loops.end(), true) != loops.end();
}

/// Which functions of a module call which.
class CallGraph {
 public:
  explicit CallGraph(const ir::Module& module) : callees_(module.functions.size()) {
    for (size_t i = 0; i < callees_.size(); ++i)
      each_op(module.functions[i], [&]<class Op>(const Op& op) {
        if constexpr (std::is_same_v<Op, ir::Call>) callees_[i].push_back(op.function);
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
    std::vector<bool> itself(callees_.size());
    itself[function] = true;
    std::vector<bool> callers = callers_of(itself);
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
    each_op(module.functions[i], [&](const auto& op) { found = found || Waits{}(op); });
    waits[i] = found || has_wait_loop(module.functions[i]);
  }
  return calls.callers_of(std::move(waits));
}

/// And those that may be waited with, but for circles.
std::vector<bool> functions_to_take_in(const ir::Module& module) {
  CallGraph calls(module);
  std::vector<bool> looks(module.functions.size());
  for (size_t i = 0; i < looks.size(); ++i)
    each_op(module.functions[i], [&](const auto& op) { looks[i] = looks[i] || Looks{}(op); });
  std::vector<bool> taken = waiting_functions(module, calls);
  looks = calls.callers_of(std::move(looks));
  for (uint32_t i = 0; i < taken.size(); ++i)
    taken[i] = taken[i] || (looks[i] && !calls.in_circle(i));
  return taken;
}

bool take_in_calls(ir::Module& module) {
  if (!has_calls(module.functions[0])) return true;  // of any length
  return passes::inline_calls(module) ||
         passes::inline_calls(module, functions_to_take_in(module), kMaxWaiting);
}

}  // namespace

bool has_calls(const ir::Function& function) {
  bool found = false;
  each_op(function, [&]<class Op>(const Op&) { found |= std::is_same_v<Op, ir::Call>; });
  return found;
}

std::vector<ir::Function> called_functions(const ir::Function& kernel, const ir::Module& module) {
  if (!has_calls(kernel)) return {};
  std::vector<ir::Function> called(module.functions.size());
  auto add_from = [&](auto& self, const ir::Function& function) -> void {
    each_op(function, [&]<class Op>(const Op& op) {
      if constexpr (std::is_same_v<Op, ir::Call>) {
        if (!called[op.function].blocks.empty()) return;
        called[op.function] = module.functions[op.function];
        self(self, module.functions[op.function]);
      }
    });
  };
  add_from(add_from, kernel);
  return called;
}

std::optional<std::string> why_not_alone(const ir::Module& module) {
  if (!may_need_phases(module)) return std::nullopt;
  ir::Module flat = module;
  if (take_in_calls(flat)) return std::nullopt;
  CallGraph calls(module);
  std::vector<bool> waits = waiting_functions(module, calls);
  for (uint32_t i = 0; i < waits.size(); ++i)
    if (waits[i] && calls.in_circle(i))
      return "functions whose threads wait for one another call each other in a circle";
  return "functions whose threads wait for one another have more than " +
         std::to_string(kMaxWaiting) + " operations together";
}

std::optional<ir::Function> alone(const ir::Module& module) {
  ir::Module flat = module;
  if (!take_in_calls(flat)) return std::nullopt;
  ir::Function kernel = std::move(flat.functions[0]);
  if (!has_calls(kernel)) drop_needless_watches(kernel);
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
