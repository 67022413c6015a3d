#include "compiler/host/facts/written_arrays.h"

#include <algorithm>
#include <set>

#include "compiler/ir/uses.h"

namespace hetjit::host {
namespace {

bool is_plain(TypeId id) {
  if (is_scalar(id)) return true;
  const Type& array = type(id);
  return array.kind == TypeKind::Array && array.facts.order == Order::Contiguous &&
         is_scalar(array.element);
}

}  // namespace

std::optional<uint32_t> accessed_parameter(const ir::Function& kernel,
                                           const ir::Definitions& definitions, const ir::Op& op) {
  const std::vector<ValueId>& params = kernel.blocks[0].params;
  const ir::ElementAddress* element = ir::element_of(definitions, ir::operands(op)[0]);
  const auto found = element ? std::ranges::find(params, element->in[0]) : params.end();
  if (found == params.end()) return std::nullopt;
  return static_cast<uint32_t>(found - params.begin());
}

std::vector<uint32_t> written_arrays(const ir::Function& kernel) {
  const std::vector<ValueId>& params = kernel.blocks[0].params;
  if (!std::ranges::all_of(params, [&](ValueId id) { return is_plain(kernel.type_of(id)); }))
    return {};
  const ir::Definitions definitions(kernel);
  std::set<uint32_t> written;
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts) {
      const ir::OpInfo& facts = ir::info(inst.op);
      if (!facts.access) {
        if (facts.effects & (ir::Writes | ir::Calls)) return {};
        continue;
      }
      const ir::ElementAddress* element = ir::element_of(definitions, ir::operands(inst.op)[0]);
      if (!element) return {};
      const auto param = std::ranges::find(params, element->in[0]);
      const auto* own = definitions.made_by<ir::MakeArray>(element->in[0]);
      const bool local = own && definitions.made_by<ir::LocalMemory>(own->in[0]);
      if (param == params.end() && !local) return {};
      if (param != params.end() && (facts.access & ir::Stores))
        written.insert(static_cast<uint32_t>(param - params.begin()));
    }
  return {written.begin(), written.end()};
}

}  // namespace hetjit::host
