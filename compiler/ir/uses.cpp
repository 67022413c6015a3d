#include "compiler/ir/uses.h"

namespace hetjit::ir {

Definitions::Definitions(const Function& function)
    : ops_(function.types.size()), homes_(function.types.size()) {
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    for (ValueId id : function.blocks[block].params) homes_[id.index] = block;
    for (const Inst& inst : function.blocks[block].insts) {
      if (!inst.result.valid()) continue;
      ops_[inst.result.index] = &inst.op;
      homes_[inst.result.index] = block;
    }
  }
}

std::vector<uint32_t> count_uses(const Function& function) {
  std::vector<uint32_t> uses(function.types.size());
  for (const Block& block : function.blocks)
    for (const Inst& inst : block.insts) {
      for (ValueId id : operands(inst.op)) ++uses[id.index];
      for (const Edge* edge : edges(inst.op))
        for (ValueId id : edge->args) ++uses[id.index];
    }
  return uses;
}

// ---- blocks

BlockLists successors(const Function& function) {
  BlockLists all(function.blocks.size());
  for (size_t block = 0; block < all.size(); ++block)
    for (const Edge* edge : edges(function.blocks[block].insts.back().op))
      all[block].push_back(edge->to.index);
  return all;
}

std::vector<std::vector<Incoming>> incoming(const Function& function,
                                            const std::vector<uint32_t>& blocks) {
  std::vector<std::vector<Incoming>> all(function.blocks.size());
  for (uint32_t block : blocks)
    for (const Edge* edge : edges(function.blocks[block].insts.back().op))
      all[edge->to.index].push_back({block, edge});
  return all;
}

std::vector<std::vector<IncomingEdge<Edge>>> incoming(Function& function) {
  std::vector<std::vector<IncomingEdge<Edge>>> all(function.blocks.size());
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    for (Edge* edge : edges(function.blocks[block].insts.back().op))
      all[edge->to.index].push_back({block, edge});
  return all;
}

std::optional<Known> known_on(const Function& function, const Incoming& in) {
  const auto* branch = std::get_if<Branch>(&function.blocks[in.from].insts.back().op);
  if (!branch || branch->yes.to == branch->no.to) return std::nullopt;
  return Known{branch->in[0], in.edge == &branch->yes};
}

// ---- forms

const ElementAddress* element_of(const Definitions& definitions, ValueId address) {
  while (auto* field = definitions.made_by<FieldAddress>(address)) address = field->in[0];
  return definitions.made_by<ElementAddress>(address);
}

std::optional<int64_t> known_stride(const Function& function, const Definitions& definitions,
                                    ValueId array, uint8_t axis) {
  const Type& it = type(function.type_of(array));
  if (it.facts.order == Order::Contiguous)
    return axis + 1u == it.rank ? std::optional<int64_t>(1) : std::nullopt;
  const auto* view = definitions.made_by<MakeArray>(array);
  const auto* stride =
      view ? definitions.made_by<ConstInt>(view->in[1u + it.rank + axis]) : nullptr;
  return stride ? std::optional(static_cast<int64_t>(stride->bits)) : std::nullopt;
}

std::optional<uint8_t> unit_axis(const Function& function, const Definitions& definitions,
                                 ValueId array) {
  for (uint8_t axis = type(function.type_of(array)).rank; axis-- > 0;)
    if (known_stride(function, definitions, array, axis) == 1) return axis;
  return std::nullopt;
}

namespace {

// The axis along which a value is so many blocks times their dimension.
template <class Blocks>
std::optional<uint8_t> axis_of_blocks(const Definitions& definitions, ValueId id) {
  auto* product = definitions.made_by<Mul>(id);
  for (int side : {0, 1}) {
    auto* threads = product ? definitions.made_by<BlockDimension>(product->in[side]) : nullptr;
    auto* blocks = threads ? definitions.made_by<Blocks>(product->in[1 - side]) : nullptr;
    if (blocks && blocks->axis == threads->axis) return threads->axis;
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint8_t> axis_asked(const Op& op) {
  return std::visit(
      [](const auto& asked) -> std::optional<uint8_t> {
        if constexpr (kTellsPlace<std::decay_t<decltype(asked)>>)
          return asked.axis;
        else
          return std::nullopt;
      },
      op);
}

bool tells_threads_apart(const Op& op) {
  return std::holds_alternative<ThreadIndex>(op) || std::holds_alternative<BlockIndex>(op);
}

std::optional<uint8_t> axis_of_first_thread(const Definitions& definitions, ValueId id) {
  return axis_of_blocks<BlockIndex>(definitions, id);
}

std::optional<uint8_t> axis_of_all_threads(const Definitions& definitions, ValueId id) {
  return axis_of_blocks<GridDimension>(definitions, id);
}

std::optional<uint8_t> axis_of_place(const Definitions& definitions, ValueId id) {
  auto* sum = definitions.made_by<Add>(id);
  for (int side : {0, 1}) {
    auto* thread = sum ? definitions.made_by<ThreadIndex>(sum->in[side]) : nullptr;
    if (thread && axis_of_first_thread(definitions, sum->in[1 - side]) == thread->axis)
      return thread->axis;
  }
  return std::nullopt;
}

Comparison mirrored(Comparison kind) {
  using enum Comparison;
  constexpr Comparison kMirror[] = {Gt, Ge, Eq, Ne, Lt, Le};
  return kMirror[static_cast<size_t>(kind)];
}

Comparison opposite(Comparison kind) {
  using enum Comparison;
  constexpr Comparison kOpposite[] = {Ge, Gt, Ne, Eq, Le, Lt};
  return kOpposite[static_cast<size_t>(kind)];
}

}  // namespace hetjit::ir
