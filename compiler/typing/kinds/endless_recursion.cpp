#include "compiler/typing/kinds/endless_recursion.h"

#include <algorithm>

#include "compiler/typing/kinds/number_uses.h"

namespace hetjit::typing {
namespace {

const FunctionType* callee_of(const Instance& instance, const ssa::Call& call) {
  return instance.type_of(call.in[0]).as<FunctionType>();
}

bool is_own(const Instance& instance, const ssa::Call& call) {
  const FunctionType* callee = callee_of(instance, call);
  return callee && callee->function == instance.closure.function;
}

constexpr int kDeepest = 8;  // operations of one expression that are looked through

bool has_own(const Instance& instance, ValueId id, int depth = 0) {
  const ssa::Inst* inst = maker_of(instance, id);
  if (!inst || depth == kDeepest) return false;
  if (const auto* call = std::get_if<ssa::Call>(&inst->op)) return is_own(instance, *call);
  if (!std::holds_alternative<ssa::Binary>(inst->op)) return false;
  return std::ranges::any_of(ssa::operands(inst->op), [&](ValueId operand) {
    return has_own(instance, operand, depth + 1);
  });
}

bool goes_on(const Instance& instance, const ssa::Block& block) {
  for (const ssa::Inst& inst : block.insts)
    if (const auto* call = std::get_if<ssa::Call>(&inst.op))
      if (callee_of(instance, *call) && !is_own(instance, *call)) return false;
  const ssa::Op& last = block.insts.back().op;
  if (const auto* returned = std::get_if<ssa::Return>(&last))
    return has_own(instance, returned->in[0]);
  return !std::holds_alternative<ssa::Raise>(last);
}

}  // namespace

bool never_returns(const Instance& instance) {
  for (size_t i = 0; i < instance.live_blocks.size(); ++i)
    if (instance.live_blocks[i] && !goes_on(instance, instance.code->blocks[i])) return false;
  // Nothing was found that it returns, or what is computed of nothing.
  return instance.recursive && (instance.result.holds<NoneType>() || instance.result.erroneous());
}

}  // namespace hetjit::typing
