#include "compiler/typing/run/captured_changes.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/ops/lazy_values.h"
#include "compiler/typing/run/lost_assignments.h"

namespace hetjit::typing {
namespace {

using ssa::Inst;

/// An instruction that gives a local variable another value.
struct Change {
  uint32_t local = 0;
  const Inst* inst = nullptr;
};

/// A function that is used after a variable it captured got another value.
struct LateUse {
  Change change;
  SpanId use;
};

/// Follows one inner function and everything made from it through the graph, and asks at each use
/// whether a captured variable was assigned since it was made.
class Tracker {
 public:
  Tracker(const Instance& instance, ValueId made, std::vector<Change> changes)
      : instance_(instance), code_(*instance.code), changes_(std::move(changes)) {
    track(made);
    while (find_more()) {
    }
    stale_on_entry_.assign(code_.blocks.size(), Stale(tracked_.size(), false));
  }

  std::optional<LateUse> find() {
    std::vector<uint32_t> work = instance_.flow->blocks_in_order;
    std::reverse(work.begin(), work.end());
    while (!work.empty()) {
      uint32_t block = work.back();
      work.pop_back();
      walk(block, &work);
    }
    for (uint32_t block : instance_.flow->blocks_in_order) {
      walk(block, nullptr);
      if (problem_) return problem_;
    }
    return std::nullopt;
  }

 private:
  using Stale = std::vector<bool>;  // by place in tracked_

  void track(ValueId value) {
    if (index_.try_emplace(value, static_cast<uint32_t>(tracked_.size())).second)
      tracked_.push_back(value);
  }
  bool tracked(ValueId value) const { return index_.contains(value); }

  /// What a tracked value flows into: what is made of it and may have it inside.
  bool find_more() {
    size_t before = tracked_.size();
    for (const ssa::Block& block : code_.blocks)
      for (const Inst& inst : block.insts) {
        auto used = ssa::operands(inst.op);
        bool flows = std::any_of(used.begin(), used.end(), [&](ValueId v) { return tracked(v); });
        if (flows && inst.result.valid() && evaluates_later(instance_.type_of(inst.result)))
          track(inst.result);
        for (const ssa::Edge* edge : ssa::edges(inst.op))
          for (size_t i = 0; i < edge->args.size(); ++i)
            if (tracked(edge->args[i])) track(code_.blocks[edge->to.index].params[i]);
      }
    return tracked_.size() != before;
  }

  /// Through one block. With `work`, tells the successors and queues those that learn something;
  /// without, looks for uses of stale values.
  void walk(uint32_t block, std::vector<uint32_t>* work) {
    if (!instance_.live_blocks[block]) return;
    Stale stale = stale_on_entry_[block];
    for (const Inst& inst : code_.blocks[block].insts) {
      step(inst, stale, work != nullptr);
      for (const Change& change : changes_)
        if (change.inst == &inst) {
          stale.assign(stale.size(), true);
          if (!work) last_change_ = change;
        }
      if (work)
        for (const ssa::Edge* edge : ssa::edges(inst.op)) pass(*edge, stale, *work);
    }
  }

  void step(const Inst& inst, Stale& stale, bool quiet) {
    bool uses_stale = false;
    if (std::holds_alternative<ssa::StoreCell>(inst.op)) return;
    for (ValueId value : ssa::operands(inst.op))
      if (auto found = index_.find(value); found != index_.end())
        uses_stale |= stale[found->second];
    if (uses_stale && !quiet && !problem_)
      problem_ = LateUse{last_change_.inst ? last_change_ : changes_.front(), inst.where};
    if (auto made = index_.find(inst.result); inst.result.valid() && made != index_.end())
      stale[made->second] = uses_stale;
  }

  void pass(const ssa::Edge& edge, const Stale& stale, std::vector<uint32_t>& work) {
    Stale& target = stale_on_entry_[edge.to.index];
    Stale incoming = stale;
    const auto& params = code_.blocks[edge.to.index].params;
    for (size_t i = 0; i < params.size(); ++i) {
      auto param = index_.find(params[i]);
      if (param == index_.end()) continue;
      auto arg = index_.find(edge.args[i]);
      incoming[param->second] = arg != index_.end() && stale[arg->second];
    }
    bool learned = false;
    for (size_t i = 0; i < target.size(); ++i) {
      learned |= incoming[i] && !target[i];
      target[i] = target[i] || incoming[i];
    }
    if (learned) work.push_back(edge.to.index);
  }

  const Instance& instance_;
  const ssa::Function& code_;
  std::vector<Change> changes_;  // of what the function captured
  std::vector<ValueId> tracked_;
  std::unordered_map<ValueId, uint32_t> index_;
  std::vector<Stale> stale_on_entry_;
  Change last_change_;
  std::optional<LateUse> problem_;
};

std::vector<Change> changes_in(const Instance& instance) {
  std::vector<Change> changes;
  for (uint32_t block : instance.flow->blocks_in_order)
    for (const Inst& inst : instance.code->blocks[block].insts) {
      if (!instance.live_blocks[block]) break;
      if (const auto* store = std::get_if<ssa::StoreCell>(&inst.op))
        changes.push_back({store->local, &inst});
      else if (std::optional<uint32_t> local = changed_local(instance, inst);
               local && !instance.type_of(inst.result).erroneous())
        changes.push_back({*local, &inst});
    }
  return changes;
}

/// Those that would change what `made` means.
std::vector<Change> changes_of(const Instance& instance, const std::vector<Change>& changes,
                               const Inst& made) {
  const auto& make = std::get<ssa::MakeFunction>(made.op);
  std::vector<Change> result;
  for (const Change& change : changes) {
    const std::string& name = instance.code->local_names[change.local];
    const auto* store = std::get_if<ssa::StoreCell>(&change.inst->op);
    bool captured =
        std::find(make.captures.begin(), make.captures.end(), name) != make.captures.end();
    bool other_self = name == make.self && !(store && store->in[0] == made.result);
    if (captured || other_self) result.push_back(change);
  }
  return result;
}

void report(Evaluation& at, const Inst& made, const LateUse& late) {
  const ssa::Function& function = at.function();
  const bool generator =
      at.whole().snapshot(std::get<ssa::MakeFunction>(made.op).function).is_generator;
  at.enter(*late.change.inst);
  at.error(Code::CapturedChanges, {function.local_names[late.change.local],
                                   generator ? "a generator expression" : "a function"})
      .label(span_of(function, made.where),
             generator ? "this generator expression uses it" : "this function uses it")
      .label(span_of(function, late.use), "and is used again here")
      .help(generator ? "go through it before the assignment, or write it behind the assignment"
                      : "pass the value as an argument, or make the function after the assignment")
      .report();
}

}  // namespace

bool report_captured_changes(Evaluation& at) {
  const Instance& instance = at.instance();
  const std::vector<Change> changes = changes_in(instance);
  if (changes.empty()) return false;
  std::vector<SpanId> told;  // copies of one assignment, in loops and where paths end
  for (uint32_t block : instance.flow->blocks_in_order)
    for (const Inst& inst : instance.code->blocks[block].insts) {
      if (!instance.live_blocks[block] || !std::holds_alternative<ssa::MakeFunction>(inst.op))
        continue;
      std::vector<Change> relevant = changes_of(instance, changes, inst);
      if (relevant.empty()) continue;
      std::optional<LateUse> late = Tracker(instance, inst.result, std::move(relevant)).find();
      if (!late || std::find(told.begin(), told.end(), late->change.inst->where) != told.end())
        continue;
      told.push_back(late->change.inst->where);
      report(at, inst, *late);
    }
  return !told.empty();
}

}  // namespace hetjit::typing
