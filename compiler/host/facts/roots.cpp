#include "compiler/host/facts/roots.h"

#include "abi/type.h"

namespace hetjit::host {

// Sets grow until nothing changes: loops hand values to the blocks where they begin.
Roots::Roots(const ir::Function& kernel) : kernel_(kernel), sets_(kernel.types.size()) {
  for (ValueId id : kernel.blocks[0].params) {
    TypeId type = kernel.type_of(id);
    if (!ir::may_hold_addresses(type)) continue;
    RootSet bit = is_array(type) ? next_bit() : kUnknown;
    sets_[id.index] = bit;
    if (bit == kUnknown) continue;
    parameters_ |= bit;
    arrays_.push_back({bit, id});
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const ir::Block& block : kernel.blocks)
      for (const ir::Inst& inst : block.insts) changed |= visit(inst);
  }
}

ValueId Roots::parameter(RootSet one) const {
  for (auto [bit, id] : arrays_)
    if (bit == one) return id;
  return {};
}

RootSet Roots::of_result(const ir::Op& op) {
  RootSet all = 0;
  switch (ir::info(op).points) {
    case ir::Points::Along:
      for (ValueId id : ir::operands(op)) all |= of(id);
      return all;
    case ir::Points::Shared:
      return variable(std::get<ir::SharedMemory>(op).variable);
    case ir::Points::Dynamic:
      return kDynamic;
    case ir::Points::Local:
      return kLocal;
    case ir::Points::Anywhere:
      return kUnknown;
  }
  return kUnknown;
}

bool Roots::visit(const ir::Inst& inst) {
  bool changed = false;
  if (inst.result.valid() && ir::may_hold_addresses(kernel_.type_of(inst.result)))
    changed |= add(inst.result, of_result(inst.op));
  for (const ir::Edge* edge : ir::edges(inst.op)) {
    const std::vector<ValueId>& params = kernel_.blocks[edge->to.index].params;
    for (size_t i = 0; i < params.size(); ++i) changed |= add(params[i], of(edge->args[i]));
  }
  return changed;
}

bool Roots::add(ValueId to, RootSet roots) {
  RootSet before = sets_[to.index];
  sets_[to.index] |= roots;
  return sets_[to.index] != before;
}

RootSet Roots::variable(uint32_t number) {
  for (auto [known, bit] : variables_)
    if (known == number) return bit;
  RootSet bit = next_bit();
  if (bit != kUnknown) shared_ |= bit;
  variables_.push_back({number, bit});
  return bit;
}

RootSet Roots::next_bit() {
  RootSet bit = (used_ + 1) & ~used_;
  used_ |= bit;
  return bit ? bit : kUnknown;
}

}  // namespace hetjit::host
