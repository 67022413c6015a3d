#include "compiler/typing/captured_changes.h"

#include <algorithm>

#include "compiler/typing/lost_assignments.h"
#include "compiler/typing/specializer.h"
#include "frontend/build/captures.h"

namespace hetjit::typing {
namespace {

using ssa::Inst;

std::vector<reader::CellStore> changes_of(const Instance& instance) {
  std::vector<reader::CellStore> stores;
  for (uint32_t block : instance.flow->blocks_in_order) {
    const std::vector<Inst>& insts = instance.code->blocks[block].insts;
    for (size_t i = 0; instance.live_blocks[block] && i < insts.size(); ++i)
      if (std::optional<uint32_t> local = changed_local(instance, insts[i]);
          local && !instance.type_of(insts[i].result).erroneous())
        stores.push_back({block, i + 1, *local, insts[i].result, insts[i].where});
  }
  return stores;
}

void report(Evaluation& at, const Inst& made, const reader::CapturedChange& change) {
  const ssa::Function& function = at.function();
  const reader::CellStore& store = change.store;
  at.enter(function.blocks[store.block].insts[store.inst - 1]);
  auto error = at.error(Code::CapturedChanges, {function.local_names[store.local]});
  reader::explain_captured_change(error, function, made, change);
  error.report();
}

}  // namespace

bool report_captured_changes(Evaluation& at) {
  const Instance& instance = at.instance();
  const std::vector<reader::CellStore> stores = changes_of(instance);
  if (stores.empty()) return false;
  std::vector<SpanId> told;  // copies of one assignment, in loops and where paths end
  for (uint32_t block : instance.flow->blocks_in_order)
    for (const Inst& inst : instance.code->blocks[block].insts) {
      if (!instance.live_blocks[block] || !std::holds_alternative<ssa::MakeFunction>(inst.op))
        continue;
      auto change =
          reader::find_captured_change(*instance.code, inst, stores, instance.live_blocks);
      if (!change || std::find(told.begin(), told.end(), change->store.where) != told.end())
        continue;
      told.push_back(change->store.where);
      report(at, inst, *change);
    }
  return !told.empty();
}

}  // namespace hetjit::typing
