#include "compiler/passes/edit.h"

#include "frontend/ssa/dominators.h"

namespace hetjit::passes {

std::vector<std::vector<uint32_t>> successors(const ir::Function& function) {
  std::vector<std::vector<uint32_t>> all(function.blocks.size());
  for (size_t block = 0; block < all.size(); ++block)
    for (const ir::Edge* edge : ir::edges(function.blocks[block].insts.back().op))
      all[block].push_back(edge->to.index);
  return all;
}

std::vector<uint32_t> count_uses(const ir::Function& function) {
  std::vector<uint32_t> uses(function.types.size());
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts) {
      for (ValueId id : ir::operands(inst.op)) ++uses[id.index];
      for (const ir::Edge* edge : ir::edges(inst.op))
        for (ValueId id : edge->args) ++uses[id.index];
    }
  return uses;
}

Editor::Editor(ir::Function& function)
    : function_(function),
      order_(reverse_post_order(successors(function))),
      replacement_(function.types.size()),
      originals_(function.types.size()),
      places_(function.types.size()) {
  for (uint32_t i = 0; i < originals_.size(); ++i) originals_[i] = {i};
}

const ir::Op* Editor::definition(ValueId id) const {
  const Place& place = places_[id.index];
  if (place.block == UINT32_MAX) return nullptr;
  return &function_.blocks[place.block].insts[place.inst].op;
}

ValueId Editor::emit(ir::Op op, TypeId type) {
  ValueId id{static_cast<uint32_t>(function_.types.size())};
  function_.types.push_back(type);
  replacement_.emplace_back();
  originals_.emplace_back();
  places_.emplace_back();
  append({std::move(op), id, where_});
  changed_ = true;
  return id;
}

void Editor::emit(ir::Op op) {
  append({std::move(op), {}, where_});
  changed_ = true;
}

void Editor::append(ir::Inst inst) {
  std::vector<ir::Inst>& insts = function_.blocks[block_].insts;
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

void Editor::resolve_operands(ir::Op& op) const {
  for (ValueId& id : ir::operands(op)) id = resolve(id);
  for (ir::Edge* edge : ir::edges(op))
    for (ValueId& id : edge->args) id = resolve(id);
}

// Arguments of edges back to a loop's header may have been replaced after the edge was visited, and
// blocks that cannot be reached were not visited at all.
void Editor::finish() {
  for (ir::Block& block : function_.blocks)
    for (ir::Inst& inst : block.insts) resolve_operands(inst.op);
}

}  // namespace hetjit::passes
