#include "compiler/host/facts/roots.h"

#include "abi/type.h"

namespace hetjit::host {

/// What the result of an op points to.
struct RootRules {
  Roots& roots;
  TypeId result;

  template <class Op>
  RootSet operator()(const Op&) const {
    TypeKind kind = type(result).kind;
    return kind == TypeKind::Scalar || kind == TypeKind::Vector ? 0 : Roots::kUnknown;
  }
  RootSet operator()(const ir::ConstNone&) const { return 0; }
  RootSet operator()(const ir::SharedMemory& op) const { return roots.variable(op.variable); }
  RootSet operator()(const ir::DynamicSharedMemory&) const { return Roots::kDynamic; }
  RootSet operator()(const ir::LocalMemory&) const { return Roots::kLocal; }
  RootSet operator()(const ir::ElementAddress& op) const { return roots.of(op.in[0]); }
  RootSet operator()(const ir::FieldAddress& op) const { return roots.of(op.in[0]); }
  RootSet operator()(const ir::MoveAddress& op) const { return roots.of(op.in[0]); }
  RootSet operator()(const ir::MakeArray& op) const { return roots.of(op.in[0]); }
  RootSet operator()(const ir::ArrayData& op) const { return roots.of(op.in[0]); }
  RootSet operator()(const ir::Extract& op) const { return roots.of(op.in[0]); }
  RootSet operator()(const ir::Select& op) const { return roots.of(op.in[1]) | roots.of(op.in[2]); }
  RootSet operator()(const ir::MakeTuple& op) const {
    RootSet all = 0;
    for (ValueId id : op.in) all |= roots.of(id);
    return all;
  }
};

// Sets grow until nothing changes: loops hand values to the blocks where they begin.
Roots::Roots(const ir::Function& kernel) : kernel_(kernel), sets_(kernel.types.size()) {
  for (ValueId id : kernel.blocks[0].params) {
    TypeKind kind = type(kernel.type_of(id)).kind;
    if (kind == TypeKind::Scalar || kind == TypeKind::Vector) continue;
    RootSet bit = kind == TypeKind::Array ? next_bit() : kUnknown;
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

bool Roots::visit(const ir::Inst& inst) {
  bool changed = false;
  if (inst.result.valid())
    changed |=
        add(inst.result, std::visit(RootRules{*this, kernel_.type_of(inst.result)}, inst.op));
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
