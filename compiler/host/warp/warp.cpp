#include "compiler/host/warp/warp.h"

#include "compiler/host/facts/bounds.h"
#include "compiler/host/facts/head.h"
#include "compiler/host/facts/rejoins.h"

namespace hetjit::host {

Warp::Warp(lower::ModuleLowering& module, const ir::Function& ir, const Structure& structure,
           const Shapes& shapes, const WarpForm& form)
    : module_(module),
      ir_(ir),
      structure_(structure),
      shapes_(shapes),
      width_(form.width),
      function_(form.function),
      retry_(form.retry),
      retry_width_(form.retry_width),
      retry_has_mask_(form.retry_has_mask),
      any_lanes_(form.any_lanes),
      is_part_(form.is_part),
      again_(form.again),
      before_writes_(form.between_ends ? before_writes(ir, structure, shapes)
                                       : std::vector<bool>()),
      plan_(form.plan),
      lowering_(module, ir, form.function),
      build_(lowering_.build),
      masks_(build_, form.width),
      values_(ir.types.size()),
      used_(ir.types.size()),
      serial_(ir.types.size()),
      used_elsewhere_(ir.types.size()) {
  find_uses();
  find_serial();
  rejoins_ = rejoins(ir, structure);
  masks_of_.resize(ir.blocks.size());
  for (const ir::Block& block : ir.blocks)
    for (RecordStores& record : record_stores(ir, shapes.definitions(), block))
      records_.push_back(std::move(record));
}

void Warp::find_uses() {
  std::map<const Loop*, std::vector<bool>> leaves;  // by loop, by value
  for (const auto& loop : structure_.loops()) leaves[loop.get()].resize(ir_.types.size());
  auto use = [&](ValueId id, uint32_t at, bool by_terminator) {
    used_[id.index] = true;
    uint32_t home = shapes_.home(id);
    if (home != at || by_terminator) used_elsewhere_[id.index] = true;
    for (const Loop* loop = structure_.loop_of(home); loop && !loop->holds(at); loop = loop->parent)
      leaves[loop][id.index] = true;
  };
  for (uint32_t block : structure_.reverse_post_order()) {
    for (const ir::Inst& inst : ir_.blocks[block].insts) {
      bool last = ir::info(inst.op).effects & ir::Ends;
      for (ValueId id : ir::operands(inst.op)) use(id, block, last);
      for (const ir::Edge* edge : ir::edges(inst.op))
        for (ValueId id : edge->args) use(id, block, true);
    }
    // What its branch compares is asked of the first lane and the last where the block has ended.
    if (const auto asked = edge_question(ir_, shapes_, structure_.loop_of(block), block))
      use(asked->number, block, true), use(asked->bound, block, true);
  }
  for (auto& [loop, values] : leaves) {
    std::vector<ValueId>& list = live_out_[loop];
    for (uint32_t i = 0; i < values.size(); ++i)
      if (values[i] && !shapes_.is_constant({i})) list.push_back({i});
  }
}

void Warp::run() {
  build_.SetInsertPoint(llvm::BasicBlock::Create(module_.context(), "entry", &function_));
  unsigned next = 0;
  for (ValueId param : ir_.blocks[0].params)
    for (size_t i = module_.types.leaves(ir_.type_of(param)).size(); i > 0; --i)
      at(param).leaves.push_back(function_.getArg(next++));
  Region whole;
  whole.base = masks_.add({nullptr, retry_ ? nullptr : function_.getArg(next)});
  region_ = &whole;
  if (is_part_) {
    done_ = build_.CreateAlloca(build_.getInt32Ty());
    build_.CreateStore(build_.getInt32(width_), done_);
  }
  if (plan_) begin_phase(next + (retry_ ? 0 : 1));
  write_items(structure_.items());
  if (!plan_) return return_done();
  build_.CreateRet(build_.CreateLoad(build_.getInt32Ty(), next_phase_));
}

void Warp::begin_phase(unsigned first) {
  memory_ = {function_.getArg(first), function_.getArg(first + 1), function_.getArg(first + 2)};
  next_phase_ = build_.CreateAlloca(build_.getInt32Ty());
  build_.CreateStore(build_.getInt32(0), next_phase_);
  if (plan_->view == View::Linear) find_threads();
}

void use_wide_registers(llvm::Function& function) {
  function.addFnAttr("prefer-vector-width", "512");
  function.addFnAttr("min-legal-vector-width", "512");
}

}  // namespace hetjit::host
