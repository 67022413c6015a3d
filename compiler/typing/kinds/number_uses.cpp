#include "compiler/typing/kinds/number_uses.h"

#include <algorithm>

#include "compiler/builtins/registry.h"

namespace hetjit::typing {

const ssa::Inst* maker_of(const Instance& instance, ValueId id) {
  auto [block, place] = instance.flow->defined[id.index];
  return place == Flow::kParameter ? nullptr : &instance.code->blocks[block].insts[place];
}

void add_brought(const Instance& instance, ValueId param, std::vector<ValueId>& to) {
  const uint32_t block = instance.flow->defined[param.index].first;
  const std::vector<ValueId>& params = instance.code->blocks[block].params;
  for (const FlowEdge& edge : instance.flow->incoming[block])
    for (size_t i = 0; i < params.size(); ++i)
      if (params[i] == param && instance.live_edges[edge.number]) to.push_back(edge.edge->args[i]);
}

std::vector<ValueId> numbers_of_index(const Instance& instance, ValueId whole, ValueId index) {
  if (!instance.type_of(whole).holds<ArrayType>()) return {};
  const ssa::Inst* maker = maker_of(instance, index);
  const auto* several = maker ? std::get_if<ssa::BuildTuple>(&maker->op) : nullptr;
  return several ? several->in : std::vector{index};
}

std::optional<Scalar> format_of_elements(const Instance& instance, ValueId array) {
  const ArrayType* found = instance.type_of(array).as<ArrayType>();
  if (!found) return std::nullopt;
  const Type& element = type(without_align(type(found->type).element));
  return element.kind == TypeKind::Scalar ? std::optional(element.scalar) : std::nullopt;
}

std::string_view ordering(const TypeValue& callee) {
  constexpr std::string_view kAll[] = {"range", "abs", "min", "max"}, kOf = "builtins.";
  const BuiltinType* named = callee.as<BuiltinType>();
  const std::string_view name = named ? named->builtin->name : "";
  const std::string_view behind = name.starts_with(kOf) ? name.substr(kOf.size()) : "";
  return std::ranges::count(kAll, behind) ? behind : "";
}

}  // namespace hetjit::typing
