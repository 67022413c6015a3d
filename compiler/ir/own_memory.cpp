#include "compiler/ir/own_memory.h"

#include <algorithm>

namespace hetjit::ir {
namespace {

/// Which values of a function may lie in memory of its own call.
class OwnMemory {
 public:
  /// `given`: by function, whether what it returns may lie in its own memory.
  OwnMemory(const Function& function, const std::vector<bool>& given)
      : function_(function), given_(given), own_(function.types.size()) {
    // Loops hand values to the blocks where they begin.
    for (size_t before = SIZE_MAX, now = 0; before != now; before = now, now = count())
      for (const Block& block : function.blocks)
        for (const Inst& inst : block.insts) visit(inst);
  }

  /// The `return` of such a value; null: there is none.
  const Inst* returned() const {
    for (const Block& block : function_.blocks) {
      const Inst& last = block.insts.back();
      if (std::holds_alternative<Return>(last.op) && is_any(operands(last.op))) return &last;
    }
    return nullptr;
  }

 private:
  size_t count() const { return std::ranges::count(own_, true); }

  bool is_any(std::span<const ValueId> ids) const {
    return std::ranges::any_of(ids, [&](ValueId id) { return own_[id.index]; });
  }

  bool is_own(const Op& op) const {
    if (const auto* call = std::get_if<Call>(&op)) return given_[call->function];
    const Points points = info(op).points;
    return points == Points::Local || (points == Points::Along && is_any(operands(op)));
  }

  void visit(const Inst& inst) {
    if (inst.result.valid() && may_hold_addresses(function_.type_of(inst.result)))
      own_[inst.result.index] = own_[inst.result.index] || is_own(inst.op);
    for (const Edge* edge : edges(inst.op)) {
      const std::vector<ValueId>& params = function_.blocks[edge->to.index].params;
      for (size_t i = 0; i < params.size(); ++i)
        own_[params[i].index] = own_[params[i].index] || own_[edge->args[i].index];
    }
  }

  const Function& function_;
  const std::vector<bool>& given_;
  std::vector<bool> own_;  // by value
};

}  // namespace

const Inst* returned_own_memory(const Function& function, const std::vector<bool>& given) {
  return OwnMemory(function, given).returned();
}

std::vector<bool> return_own_memory(const Module& module) {
  std::vector<bool> given(module.functions.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = given.size(); i-- > 0;)
      if (!given[i] && returned_own_memory(module.functions[i], given)) changed = given[i] = true;
  }
  return given;
}

}  // namespace hetjit::ir
