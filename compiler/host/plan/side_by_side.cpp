#include "compiler/host/plan/side_by_side.h"

#include <algorithm>
#include <cstdlib>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"

namespace hetjit::host {
namespace {

/// How many vectors of floats a vector of these is.
size_t registers_of(TypeId id) {
  constexpr size_t kFloat = 4;
  return is_scalar(id) ? std::max<size_t>(layout(id).size / kFloat, 1) : 1;
}

/// Does a turn of a loop begin with vectors that the one before ends with?
bool waits_for_itself(const ir::Function& kernel, const Structure& structure,
                      const Shapes& shapes) {
  return std::ranges::any_of(structure.loops(), [&](const auto& loop) {
    return std::ranges::any_of(kernel.blocks[loop->header].params, [&](ValueId param) {
      return shapes.of(param).spread == Spread::Varying;
    });
  });
}

bool is_each_its_own(const Shapes& shapes, ValueId address) {
  const Shape shape = shapes.of(address);
  if (shape.spread == Spread::Varying) return !shapes.likely_neighbours(address);
  return std::abs(shape.stride) > kFarNeighbours;
}

/// Does a loop access memory for each lane by itself? Then nothing else is what it waits for.
bool goes_lane_by_lane(const ir::Function& kernel, const Structure& structure,
                       const Shapes& shapes) {
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
    for (const ir::Inst& inst : kernel.blocks[block].insts)
      if (structure.loop_of(block) && ir::info(inst.op).access &&
          is_each_its_own(shapes, ir::operands(inst.op)[0]))
        return true;
  return false;
}

/// Elements of one or two bytes: of those of one vector's lanes a register holds more.
SideBySide fill_registers(const ir::Function& kernel, const Shapes& shapes, unsigned width) {
  size_t widest = 0;
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts) {
      if (!ir::info(inst.op).access) continue;
      const ValueId address = ir::operands(inst.op)[0];
      if (shapes.of(address) == kUniform) continue;
      if (is_each_its_own(shapes, address)) return {};
      const TypeId element = without_align(type(kernel.type_of(address)).element);
      widest = std::max<size_t>(widest, layout(element).stride());
    }
  const size_t fit = widest == 0 ? 1 : kRegisterBytes / (widest * width);
  if (fit <= 1 || widest > kSmallElement) return {};
  return {static_cast<unsigned>(fit), "a register holds more of the small elements"};
}

}  // namespace

size_t carried_bytes(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
                     unsigned width) {
  size_t most = 0;
  for (const auto& loop : structure.loops()) {
    size_t bytes = 0;
    for (ValueId param : kernel.blocks[loop->header].params)
      if (const TypeId id = kernel.type_of(param);
          is_scalar(id) && shapes.of(param).spread == Spread::Varying)
        bytes += width * layout(id).size;
    most = std::max(most, bytes);
  }
  return most;
}

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
                              const Shapes& shapes, unsigned width, size_t register_bytes) {
  size_t accesses = 1, operations = 0, in_loops = 0, registers = 0;
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
    for (const ir::Inst& inst : kernel.blocks[block].insts) {
      accesses += (ir::info(inst.op).effects & (ir::Reads | ir::Writes)) != 0;
      if (!inst.result.valid() || shapes.of(inst.result).spread != Spread::Varying) continue;
      TypeId type = kernel.type_of(inst.result);
      operations += is_scalar(type) && is_floating(hetjit::type(type).scalar);
      in_loops += structure.loop_of(block) != nullptr;
      if (structure.loop_of(block)) registers += registers_of(type);
    }
  SideBySide made = fill_registers(kernel, shapes, width);
  if (operations > kManyOperations * accesses)
    made = {2, "it computes much for what it reads and writes"};
  if (registers <= 2 * kSmallLoop && waits_for_itself(kernel, structure, shapes) &&
      !goes_lane_by_lane(kernel, structure, shapes))
    made = {registers <= kSmallLoop ? 4u : 2u, "a loop's turns wait for those before"};
  const size_t carried = carried_bytes(kernel, structure, shapes, width);
  while (made.warps > 1 && 4 * carried * made.warps > 3 * register_bytes) made.warps /= 2;
  for (const auto& loop : structure.loops())
    if (shapes.leaves_apart(loop.get()))
      made = {in_loops <= kSmallLoop ? 4u : 2u, "threads leave a loop at different times"};
  return made.warps * width <= kWidestWarp ? made : SideBySide{};
}

bool rows_side_by_side(const ir::Module& module, const ByPhases& kernel,
                       const ir::Function& phase) {
  if (kernel.tier != Tier::Whole || kernel.loses_lanes || kernel.warp_ops) return false;
  std::optional<Structure> structure = Structure::find(phase);
  if (!structure || structure->loops().empty()) return false;
  if (!asks_beyond_x(module) && kernel.flat.together == 1) return false;
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
