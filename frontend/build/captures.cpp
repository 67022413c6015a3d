#include "frontend/build/captures.h"

#include <algorithm>
#include <unordered_map>

namespace hetjit::reader {
namespace {

using ssa::Block;
using ssa::Function;
using ssa::Inst;

/// Follows one inner function and everything made from it through the graph, and asks at each use
/// whether a captured variable was assigned since it was made.
class Tracker {
 public:
  Tracker(const Function& function, ValueId made, std::vector<CellStore> stores,
          const std::vector<bool>& live)
      : function_(function), stores_(std::move(stores)), live_(live) {
    track(made);
    while (find_more()) {
    }
    stale_on_entry_.assign(function.blocks.size(), Stale(tracked_.size(), false));
  }

  std::optional<CapturedChange> find() {
    std::vector<uint32_t> work(function_.blocks.size());
    for (uint32_t block = 0; block < work.size(); ++block) work[block] = block;
    while (!work.empty()) {
      uint32_t block = work.back();
      work.pop_back();
      walk(block, &work);
    }
    for (uint32_t block = 0; block < function_.blocks.size(); ++block) {
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

  /// What a tracked value flows into. The result of calling a tracked function is a plain value,
  /// but a call that gets one as an argument may return it.
  bool find_more() {
    size_t before = tracked_.size();
    for (const Block& block : function_.blocks)
      for (const Inst& inst : block.insts) {
        auto used = ssa::operands(inst.op);
        if (std::holds_alternative<ssa::Call>(inst.op) && !used.empty()) used = used.subspan(1);
        bool flows = std::any_of(used.begin(), used.end(), [&](ValueId v) { return tracked(v); });
        if (flows && inst.result.valid()) track(inst.result);
        for (const ssa::Edge* edge : ssa::edges(inst.op))
          for (size_t i = 0; i < edge->args.size(); ++i)
            if (tracked(edge->args[i])) track(function_.blocks[edge->to.index].params[i]);
      }
    return tracked_.size() != before;
  }

  /// Through one block. With `work`, tells the successors and queues those that learn something;
  /// without, looks for uses of stale values.
  void walk(uint32_t block, std::vector<uint32_t>* work) {
    if (!live_[block]) return;
    Stale stale = stale_on_entry_[block];
    const auto& insts = function_.blocks[block].insts;
    for (size_t i = 0; i < insts.size(); ++i) {
      for (const CellStore& store : stores_)
        if (store.block == block && store.inst == i) {
          stale.assign(stale.size(), true);
          if (!work) last_store_ = &store;
        }
      step(insts[i], stale, work != nullptr);
      if (work)
        for (const ssa::Edge* edge : ssa::edges(insts[i].op)) pass(*edge, stale, *work);
    }
  }

  void step(const Inst& inst, Stale& stale, bool quiet) {
    bool uses_stale = false;
    for (ValueId value : ssa::operands(inst.op))
      if (auto found = index_.find(value); found != index_.end())
        uses_stale |= stale[found->second];
    if (uses_stale && !quiet && !problem_)
      problem_ = CapturedChange{last_store_ ? *last_store_ : stores_.front(), inst.where};
    if (auto made = index_.find(inst.result); inst.result.valid() && made != index_.end())
      stale[made->second] = uses_stale;
  }

  void pass(const ssa::Edge& edge, const Stale& stale, std::vector<uint32_t>& work) {
    Stale& target = stale_on_entry_[edge.to.index];
    Stale incoming = stale;
    const auto& params = function_.blocks[edge.to.index].params;
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

  const Function& function_;
  std::vector<CellStore> stores_;  // to what the function captured
  const std::vector<bool>& live_;  // by block
  std::vector<ValueId> tracked_;
  std::unordered_map<ValueId, uint32_t> index_;
  std::vector<Stale> stale_on_entry_;
  const CellStore* last_store_ = nullptr;
  std::optional<CapturedChange> problem_;
};

/// A captured variable that holds the function itself is no capture.
void find_self(const Function& function, std::span<const CellStore> stores, ValueId made,
               ssa::MakeFunction& make) {
  for (const CellStore& store : stores) {
    if (store.value != made) continue;
    auto found =
        std::find(make.captures.begin(), make.captures.end(), function.local_names[store.local]);
    if (found == make.captures.end()) continue;
    make.self = *found;
    make.in.erase(make.in.begin() + make.default_count + (found - make.captures.begin()));
    make.captures.erase(found);
    return;
  }
}

/// The assignments that would change what `make` means.
std::vector<CellStore> changes(const Function& function, std::span<const CellStore> stores,
                               ValueId made, const ssa::MakeFunction& make) {
  std::vector<CellStore> result;
  for (const CellStore& store : stores) {
    const std::string& name = function.local_names[store.local];
    bool captured =
        std::find(make.captures.begin(), make.captures.end(), name) != make.captures.end();
    if (captured || (name == make.self && store.value != made)) result.push_back(store);
  }
  return result;
}

}  // namespace

std::optional<CapturedChange> find_captured_change(const Function& function, const Inst& inst,
                                                   std::span<const CellStore> stores,
                                                   const std::vector<bool>& live) {
  auto relevant = changes(function, stores, inst.result, std::get<ssa::MakeFunction>(inst.op));
  if (relevant.empty()) return std::nullopt;
  return Tracker(function, inst.result, std::move(relevant), live).find();
}

void explain_captured_change(Diagnostics::Builder& error, const Function& function,
                             const Inst& made, const CapturedChange& change) {
  error.label(span_of(function, made.where), "this function uses it")
      .label(span_of(function, change.use), "and is used again here")
      .help("pass the value as an argument, or make the function after the assignment");
}

bool settle_captures(Function& function, std::span<const CellStore> stores, Diagnostics& diags) {
  if (stores.empty()) return true;
  bool fine = true;
  const std::vector<bool> live(function.blocks.size(), true);
  for (Block& block : function.blocks)
    for (Inst& inst : block.insts) {
      auto* make = std::get_if<ssa::MakeFunction>(&inst.op);
      if (!make) continue;
      find_self(function, stores, inst.result, *make);
      auto change = find_captured_change(function, inst, stores, live);
      if (!change) continue;
      auto error = diags.error(Code::CapturedChanges, span_of(function, change->store.where),
                               {function.local_names[change->store.local]});
      explain_captured_change(error, function, inst, *change);
      fine = error.report();
    }
  return fine;
}

}  // namespace hetjit::reader
