#include "frontend/build/truths.h"

#include <algorithm>

namespace hetjit::reader {
namespace {

using ssa::Function;
using ssa::Inst;

bool asks_truth(const ssa::Op& op) {
  if (const auto* unary = std::get_if<ssa::Unary>(&op)) return unary->kind == ssa::UnaryKind::Not;
  return std::holds_alternative<ssa::Branch>(op) || std::holds_alternative<ssa::ToBool>(op);
}

bool is_truth(const ssa::Op& op) {
  if (const auto* unary = std::get_if<ssa::Unary>(&op)) return unary->kind == ssa::UnaryKind::Not;
  return std::holds_alternative<ssa::ToBool>(op) || std::holds_alternative<ssa::Compare>(op) ||
         std::holds_alternative<ssa::Is>(op) || std::holds_alternative<ssa::Contains>(op);
}

class Truths {
 public:
  explicit Truths(Function& function)
      : function_(function), only_truth_(function.value_count), known_(function.value_count) {}

  void run() {
    start();
    while (remove_some()) {
    }
    for (ssa::Block& block : function_.blocks) convert(block);
  }

 private:
  template <class Visit>
  void for_each_edge(const ssa::Block& block, Visit visit) {
    for (const ssa::Edge* edge : ssa::edges(block.insts.back().op))
      for (size_t i = 0; i < edge->args.size(); ++i)
        visit(edge->args[i], function_.blocks[edge->to.index].params[i]);
  }

  void start() {
    for (size_t b = 1; b < function_.blocks.size(); ++b) {
      const ssa::Block& block = function_.blocks[b];
      for (size_t i = 0; i < block.params.size(); ++i)
        only_truth_[block.params[i].index] = block.param_locals[i] == UINT32_MAX;
    }
    std::vector<bool> used(function_.value_count);
    for (const ssa::Block& block : function_.blocks)
      for (const Inst& inst : block.insts) {
        if (inst.result.valid()) known_[inst.result.index] = is_truth(inst.op);
        for (ValueId value : ssa::operands(inst.op)) {
          used[value.index] = true;
          if (!asks_truth(inst.op)) only_truth_[value.index] = false;
        }
      }
    for (const ssa::Block& block : function_.blocks)
      for_each_edge(block, [&](ValueId arg, ValueId) { used[arg.index] = true; });
    for (size_t value = 0; value < used.size(); ++value)
      if (!used[value]) only_truth_[value] = false;
  }

  /// A value that becomes part of one of which more is asked.
  bool remove_some() {
    bool removed = false;
    for (const ssa::Block& block : function_.blocks)
      for_each_edge(block, [&](ValueId arg, ValueId param) {
        if (!only_truth_[arg.index] || only_truth_[param.index]) return;
        only_truth_[arg.index] = false;
        removed = true;
      });
    return removed;
  }

  void convert(ssa::Block& block) {
    Inst last = std::move(block.insts.back());
    block.insts.pop_back();
    for (ssa::Edge* edge : ssa::edges(last.op)) {
      const ssa::Block& to = function_.blocks[edge->to.index];
      for (size_t i = 0; i < edge->args.size(); ++i) {
        ValueId& arg = edge->args[i];
        bool already = only_truth_[arg.index] || known_[arg.index];
        if (!only_truth_[to.params[i].index] || already) continue;
        ValueId truth{function_.value_count++};
        only_truth_.push_back(false);
        known_.push_back(true);
        block.insts.push_back({ssa::ToBool{{arg}}, truth, last.where});
        arg = truth;
      }
    }
    block.insts.push_back(std::move(last));
  }

  Function& function_;
  std::vector<bool> only_truth_;  // by value: parameters of which nothing but the truth is used
  std::vector<bool> known_;       // by value: bools anyway
};

}  // namespace

void join_truths(Function& function) { Truths(function).run(); }

}  // namespace hetjit::reader
