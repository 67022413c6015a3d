#include "compiler/host/plan/estimates.h"

#include <cmath>
#include <cstdlib>

#include "compiler/host/facts/costs.h"

namespace hetjit::host {

std::optional<int64_t> step_in_most_warps(const Shapes& shapes, ValueId address) {
  const auto* element = shapes.definitions().made_by<ir::ElementAddress>(address);
  const uint32_t block = shapes.home(address);
  const auto row = element ? shapes.row_of(*element, block) : std::nullopt;
  if (!row || !row->known || shapes.of(address).spread != Spread::Varying) return std::nullopt;
  return shapes.likely_step(row->index, block);
}

bool is_each_its_own(const Shapes& shapes, ValueId address) {
  const Shape shape = shapes.of(address);
  if (shape.spread == Spread::Varying) {
    const std::optional<int64_t> step = step_in_most_warps(shapes, address);
    return !step || !is_near(*step);
  }
  return std::abs(shape.stride) >= kFarNeighbours;
}

double weight_of(const ir::Op& op) {
  return ir::info(op).cost == ir::Cost::Dear ? kDearOperation : 1;
}

std::string vectors_would_take(double times) {
  const auto tenths = static_cast<int>(std::lround(10 * times));
  return "vectors would take " + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) +
         " times as long";
}

}  // namespace hetjit::host
