#include "compiler/host/plan/side_by_side.h"

namespace hetjit::host {

bool asks_beyond_x(const ir::Module& module) {
  if (!module.sites.empty()) return true;  // a message to the host says where it comes from
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (auto* asked = std::get_if<ir::ThreadIndex>(&inst.op); asked && asked->axis > 0)
          return true;
  return false;
}

SideBySide warps_side_by_side(const ir::Function& kernel, const Structure& structure,
                              const Shapes& shapes, unsigned width) {
  size_t accesses = 1, operations = 0, in_loops = 0;
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
    for (const ir::Inst& inst : kernel.blocks[block].insts) {
      accesses += (ir::info(inst.op).effects & (ir::Reads | ir::Writes)) != 0;
      if (!inst.result.valid() || shapes.of(inst.result).spread != Spread::Varying) continue;
      TypeId type = kernel.type_of(inst.result);
      operations += is_scalar(type) && is_floating(hetjit::type(type).scalar);
      in_loops += structure.loop_of(block) != nullptr;
    }
  SideBySide made;
  if (operations > kManyOperations * accesses)
    made = {2, "it computes much for what it reads and writes"};
  for (const auto& loop : structure.loops())
    if (shapes.leaves_apart(loop.get()))
      made = {in_loops <= kSmallLoop ? 4u : 2u, "threads leave a loop at different times"};
  return made.warps * width <= kWidestWarp ? made : SideBySide{};
}

bool rows_side_by_side(const ir::Module& module, const ByPhases& kernel,
                       const ir::Function& phase) {
  if (kernel.tier != Tier::Whole || kernel.loses_lanes || kernel.warp_ops) return false;
  std::optional<Structure> structure = Structure::find(phase);
  if (!structure || structure->loops().empty() || !asks_beyond_x(module)) return false;
  Shapes shapes(phase, *structure, {View::Block});
  for (uint32_t block = 0; block < phase.blocks.size(); ++block)
    for (const ir::Inst& inst : phase.blocks[block].insts) {
      const auto* load = std::get_if<ir::Load>(&inst.op);
      if (load && structure->loop_of(block) && shapes.of(load->in[0]).spread == Spread::Affine)
        return true;
    }
  return false;
}

}  // namespace hetjit::host
