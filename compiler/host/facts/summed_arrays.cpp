#include "compiler/host/facts/summed_arrays.h"

#include <algorithm>
#include <map>
#include <optional>

#include "compiler/host/facts/written_arrays.h"
#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

/// Nobody is told by it when other things were done.
bool tells_nothing(const ir::AtomicUpdate& update) {
  return update.order == ir::MemoryOrder::Relaxed && update.scope != ir::MemoryScope::System;
}

}  // namespace

std::vector<SummedArray> summed_arrays(const ir::Function& kernel) {
  if (written_arrays(kernel).empty()) return {};
  const ir::Definitions definitions(kernel);
  const std::vector<uint32_t> uses = ir::count_uses(kernel);
  std::map<uint32_t, std::optional<Combining>> found;  // nullopt: something else is done to it
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts) {
      const uint8_t access = ir::info(inst.op).access;
      if (!access) continue;
      const auto* update = std::get_if<ir::AtomicUpdate>(&inst.op);
      if ((access & ir::Atomic) && (!update || !tells_nothing(*update) || uses[inst.result.index]))
        return {};
      const std::optional<uint32_t> array = accessed_parameter(kernel, definitions, inst.op);
      if (!array) continue;
      std::optional<Combining> by;
      if (update) by = combining(update->operation, type(kernel.type_of(inst.result)).scalar);
      const auto [place, first] = found.emplace(*array, by);
      if (!first && place->second != by) place->second.reset();
    }
  std::vector<SummedArray> made;
  for (const auto& [array, by] : found)
    if (by) made.push_back({array, *by});
  return made;
}

ir::Function seen_by_a_block(ir::Function kernel, const std::vector<SummedArray>& arrays) {
  const ir::Definitions definitions(kernel);
  for (ir::Block& block : kernel.blocks)
    for (ir::Inst& inst : block.insts) {
      auto* update = std::get_if<ir::AtomicUpdate>(&inst.op);
      if (!update) continue;
      const std::optional<uint32_t> array = accessed_parameter(kernel, definitions, inst.op);
      if (array && std::ranges::find(arrays, *array, &SummedArray::parameter) != arrays.end())
        update->scope = ir::MemoryScope::Block;
    }
  return kernel;
}

}  // namespace hetjit::host
