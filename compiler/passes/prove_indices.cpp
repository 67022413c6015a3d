// An array of which an element is accessed has elements, so its extents are not zero. Where that
// keeps an index from being negative, as in `x - 1 if x > 0 else width - 1`, it is not wrapped.
#include <map>

#include "compiler/ir/edit.h"
#include "compiler/ir/uses.h"
#include "compiler/passes/passes.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::passes {
namespace {

/// By value: the array of which it is an index, where it is nothing else and the array is one whose
/// extents are read. One that is there before all branches: of what a loop makes or takes anew in
/// each turn, the extents read may be those of an earlier turn's array, which had no elements.
std::vector<ValueId> arrays_indexed(const ir::Function& function) {
  std::vector<uint32_t> others = ir::count_uses(function);
  std::vector<ValueId> arrays(function.types.size());
  std::vector<bool> measured(function.types.size());
  const ir::Definitions definitions(function);
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts) {
      if (const auto* extent = std::get_if<ir::Extent>(&inst.op))
        measured[extent->in[0].index] = definitions.home(extent->in[0]) == 0;
      const auto* element = std::get_if<ir::ElementAddress>(&inst.op);
      if (!element) continue;
      for (size_t i = 1; i < element->in.size(); ++i) {
        ValueId& array = arrays[element->in[i].index];
        if (!array.valid()) array = element->in[0];
        if (array == element->in[0]) --others[element->in[i].index];
      }
    }
  for (size_t i = 0; i < arrays.size(); ++i)
    if (others[i] != 0 || (arrays[i].valid() && !measured[arrays[i].index])) arrays[i] = {};
  return arrays;
}

/// Values of indices that need not be wrapped.
std::vector<bool> proved_indices(const ir::Function& function) {
  std::vector<ValueId> arrays = arrays_indexed(function);
  std::vector<bool> proved(function.types.size());
  std::map<uint32_t, ValueRanges> known;  // by the array that has elements
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    for (const ir::Inst& inst : function.blocks[block].insts) {
      const auto* wrap = std::get_if<ir::WrapIndex>(&inst.op);
      if (!wrap || !arrays[inst.result.index].valid()) continue;
      ValueId array = arrays[inst.result.index];
      auto ranges = known.try_emplace(array.index, function, array).first;
      proved[inst.result.index] = ranges->second.interval(wrap->in[0], {block}).lo >= 0;
    }
  return proved;
}

}  // namespace

bool prove_indices(ir::Module& module) {
  bool changed = false;
  for (ir::Function& function : module.functions) {
    std::vector<bool> proved = proved_indices(function);
    ir::Editor at(function);
    changed |= at.run([&](ir::Inst& inst) -> std::optional<ValueId> {
      bool drop =
          inst.result.valid() && inst.result.index < proved.size() && proved[inst.result.index];
      return drop ? std::optional(std::get<ir::WrapIndex>(inst.op).in[0]) : std::nullopt;
    });
  }
  return changed;
}

}  // namespace hetjit::passes
