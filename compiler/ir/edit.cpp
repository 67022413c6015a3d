#include "compiler/ir/edit.h"

#include "compiler/ir/uses.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::ir {

ValueId new_value(Function& function, TypeId type) {
  function.types.push_back(type);
  return {static_cast<uint32_t>(function.types.size() - 1)};
}

Editor::Editor(Function& function)
    : function_(function),
      order_(reverse_post_order(successors(function))),
      replacement_(function.types.size()),
      originals_(function.types.size()),
      places_(function.types.size()) {
  for (uint32_t i = 0; i < originals_.size(); ++i) originals_[i] = {i};
}

const Op* Editor::definition(ValueId id) const {
  const Place& place = places_[id.index];
  if (place.block == UINT32_MAX) return nullptr;
  return &function_.blocks[place.block].insts[place.inst].op;
}

ValueId Editor::emit(Op op, TypeId type) {
  const ValueId id = new_value(function_, type);
  replacement_.emplace_back();
  originals_.emplace_back();
  places_.emplace_back();
  append({std::move(op), id, where_});
  changed_ = true;
  return id;
}

void Editor::emit(Op op) {
  append({std::move(op), {}, where_});
  changed_ = true;
}

ValueId Editor::number(uint64_t bits, TypeId type) {
  ConstInt op;
  op.bits = bits;
  return emit(op, type);
}

ValueId Editor::convert(ValueId value, TypeId to) {
  return type_of(value) == to ? value : make<Convert>(to, value);
}

void Editor::append(Inst inst) {
  std::vector<Inst>& insts = function_.blocks[block_].insts;
  if (inst.result.valid())
    places_[inst.result.index] = {block_, static_cast<uint32_t>(insts.size())};
  insts.push_back(std::move(inst));
}

void Editor::replace(ValueId id, ValueId by) {
  replacement_[id.index] = by;
  if (!originals_[by.index].valid()) originals_[by.index] = id;
  changed_ = true;
}

ValueId Editor::resolve(ValueId id) const {
  while (replacement_[id.index].valid()) id = replacement_[id.index];
  return id;
}

void Editor::resolve_operands(Op& op) const {
  for (ValueId& id : operands(op)) id = resolve(id);
  for (Edge* edge : edges(op))
    for (ValueId& id : edge->args) id = resolve(id);
}

// Arguments of edges back to a loop's header may have been replaced after the edge was visited, and
// blocks that cannot be reached were not visited at all.
void Editor::finish() {
  for (Block& block : function_.blocks)
    for (Inst& inst : block.insts) resolve_operands(inst.op);
}

}  // namespace hetjit::ir
