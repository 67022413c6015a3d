#include "compiler/host/phases/element_uses.h"

namespace hetjit::host {
namespace {

bool has_scalars(const Type& array) {
  return array.rank > 0 && array.facts.order == Order::Contiguous &&
         is_scalar(without_align(array.element));
}

}  // namespace

ElementUses::ElementUses(const ir::Function& function, NamesMemory names_memory)
    : function_(function), definitions_(function), uses_(function.types.size()) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts)
      if (inst.result.valid()) uses_[inst.result.index] = use_of(inst.op, names_memory);
}

ElementUses::Use ElementUses::use_of(const ir::Op& op, NamesMemory names_memory) const {
  if (names_memory(op)) return {What::Memory, {}};
  auto is_memory = [&](ValueId id) {
    const ir::Op* made = definitions_.of(id);
    return made && names_memory(*made);
  };
  if (auto* array = std::get_if<ir::MakeArray>(&op))
    if (is_memory(array->in[0])) return {What::Array, array->in[0]};
  if (auto* element = std::get_if<ir::ElementAddress>(&op))
    if (auto* array = definitions_.made_by<ir::MakeArray>(element->in[0]))
      if (is_memory(array->in[0])) return {What::Element, element->in[0]};
  return {};
}

ValueId ElementUses::memory(ValueId id) const {
  const Use& use = uses_[id.index];
  if (use.what == What::Memory) return id;
  return use.what == What::Nothing ? ValueId{} : memory(use.from);
}

void ElementUses::add_unsuitable(std::set<uint32_t>& to) const {
  auto add = [&](ValueId id) {
    if (ValueId found = memory(id); found.valid()) to.insert(found.index);
  };
  for (const ir::Block& block : function_.blocks)
    for (const ir::Inst& inst : block.insts) {
      std::span<const ValueId> operands = ir::operands(inst.op);
      for (size_t i = 0; i < operands.size(); ++i)
        if (!is_suitable(inst, operands[i], i)) add(operands[i]);
      for (const ir::Edge* edge : ir::edges(inst.op))
        for (ValueId id : edge->args) add(id);
    }
}

bool ElementUses::is_suitable(const ir::Inst& inst, ValueId operand, size_t place) const {
  switch (uses_[operand.index].what) {
    case What::Nothing:
      return true;
    case What::Memory:
      return place == 0 && std::holds_alternative<ir::MakeArray>(inst.op) &&
             has_scalars(type(function_.type_of(inst.result)));
    case What::Array:
      return place == 0 && (std::holds_alternative<ir::ElementAddress>(inst.op) ||
                            std::holds_alternative<ir::Extent>(inst.op) ||
                            std::holds_alternative<ir::Stride>(inst.op));
    case What::Element:
      return place == 0 && (std::holds_alternative<ir::Load>(inst.op) ||
                            std::holds_alternative<ir::Store>(inst.op));
  }
  return false;
}

}  // namespace hetjit::host
