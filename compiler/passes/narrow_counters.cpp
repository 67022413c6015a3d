// Loops count in 32 bits where their counter provably fits: a 64-bit block parameter that stays
// in 32 bits becomes a 32-bit one, widened at the top of its block and cut down on every edge. What
// that leaves behind simplify removes; together they turn a loop over an extent that was counted in
// 64 bits, for lack of knowledge, into one that a GPU counts in one register and whose index the
// host's vectoriser recognises.
#include "compiler/ir/edit.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::passes {
namespace {

// The narrow type of a parameter, invalid where it stays.
TypeId narrowed(const ir::Function& function, const ValueRanges& ranges, uint32_t block,
                ValueId id) {
  TypeId wide = function.type_of(id);
  if (!is_scalar(wide) || !is_integer(type(wide).scalar) || info(type(wide).scalar).bits != 64)
    return {};
  Scalar narrow = type(wide).scalar == Scalar::Int64 ? Scalar::Int32 : Scalar::UInt32;
  bool fits = numbers_of(narrow).holds(ranges.interval(id, {block}));
  return fits ? scalar_type(narrow) : TypeId{};
}

ir::Inst conversion(ValueId from, ValueId to, SpanId where) {
  ir::Convert op;
  op.in = {from};
  return {op, to, where};
}

bool narrow_counters_in(ir::Function& function) {
  ValueRanges ranges(function);
  std::vector<std::vector<TypeId>> types(function.blocks.size());  // by block and parameter
  bool changed = false;
  for (uint32_t block = 1; block < function.blocks.size(); ++block) {
    ir::Block& it = function.blocks[block];
    std::vector<ir::Inst> widening;
    for (ValueId& id : it.params) {
      TypeId type = narrowed(function, ranges, block, id);
      types[block].push_back(type);
      if (!type.valid()) continue;
      ValueId wide = std::exchange(id, ir::new_value(function, type));
      widening.push_back(conversion(id, wide, it.insts.front().where));
    }
    changed |= !widening.empty();
    it.insts.insert(it.insts.begin(), widening.begin(), widening.end());
  }
  if (!changed) return false;
  for (ir::Block& block : function.blocks) {
    ir::Inst last = std::move(block.insts.back());
    block.insts.pop_back();
    for (ir::Edge* edge : ir::edges(last.op))
      for (size_t i = 0; i < edge->args.size(); ++i) {
        TypeId type = types[edge->to.index][i];
        if (!type.valid()) continue;
        ValueId wide = std::exchange(edge->args[i], ir::new_value(function, type));
        block.insts.push_back(conversion(wide, edge->args[i], last.where));
      }
    block.insts.push_back(std::move(last));
  }
  return true;
}

}  // namespace

bool narrow_counters(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) changed |= narrow_counters_in(function);
  return changed;
}

}  // namespace hetjit::passes
