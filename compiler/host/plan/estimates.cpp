#include "compiler/host/plan/estimates.h"

#include <cmath>
#include <cstdlib>

#include "compiler/host/facts/costs.h"

namespace hetjit::host {

bool is_each_its_own(const Shapes& shapes, ValueId address) {
  const Shape shape = shapes.of(address);
  return shape.spread == Spread::Varying || std::abs(shape.stride) >= kFarNeighbours;
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
