#include "compiler/host/tier.h"
#include "compiler/host/watched_accesses.h"
#include "compiler/passes/inline.h"

namespace hetjit::host {
namespace {

bool calls(const ir::Function& function) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts)
      if (std::holds_alternative<ir::Call>(inst.op)) return true;
  return false;
}

}  // namespace

std::optional<ir::Function> alone(const ir::Module& module) {
  ir::Module flat = module;
  // Of any length, if it is one function already.
  if (calls(flat.functions[0]) && !passes::inline_calls(flat)) return std::nullopt;
  ir::Function kernel = std::move(flat.functions[0]);
  drop_needless_watches(kernel);
  if (kernel.result == none_type()) return kernel;
  ValueId address{static_cast<uint32_t>(kernel.types.size())};
  kernel.types.push_back(pointer_type(kernel.result));
  kernel.blocks[0].params.push_back(address);
  kernel.parameter_names.push_back("result");
  kernel.result = none_type();
  for (ir::Block& block : kernel.blocks) {
    auto* leave = std::get_if<ir::Return>(&block.insts.back().op);
    if (!leave) continue;
    ir::Inst last = std::move(block.insts.back());
    block.insts.pop_back();
    ir::Store store;
    store.in = {address, std::get<ir::Return>(last.op).in[0]};
    block.insts.push_back({store, {}, last.where});
    ValueId none{static_cast<uint32_t>(kernel.types.size())};
    kernel.types.push_back(none_type());
    block.insts.push_back({ir::ConstNone{}, none, last.where});
    std::get<ir::Return>(last.op).in = {none};
    block.insts.push_back(std::move(last));
  }
  return kernel;
}

}  // namespace hetjit::host
