// What a thread knows of its place, u32 each, axis 0 is x (HETX-TP-1); and of the time.
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// Index of the thread in its block, 0 <= i < block dimension.
struct ThreadIndex : Operands<0> {
  static constexpr OpInfo info =
      kind::place("threadindex", Needs::Nothing, Gives::ByRule, Ranged | Divided);
  uint8_t axis = 0;
  auto attributes() { return std::tie(axis); }
};
/// Index of the block in the grid.
struct BlockIndex : Operands<0> {
  static constexpr OpInfo info = kind::place("blockindex", Needs::Nothing, Gives::PerBlock, Ranged);
  uint8_t axis = 0;
  auto attributes() { return std::tie(axis); }
};
/// Threads of a block along the axis, 1..1024.
struct BlockDimension : Operands<0> {
  static constexpr OpInfo info =
      kind::place("blockdim", Needs::Nothing, Gives::PerBlock, Ranged | Divided);
  uint8_t axis = 0;
  auto attributes() { return std::tie(axis); }
};
/// Blocks of the grid along the axis.
struct GridDimension : Operands<0> {
  static constexpr OpInfo info = kind::place("griddim", Needs::Nothing, Gives::PerBlock, Ranged);
  uint8_t axis = 0;
  auto attributes() { return std::tie(axis); }
};

/// A counter of the processor, i64, that only grows while the thread stays where it is: cycles or
/// ticks on GPUs, the time stamp counter on the host, nanoseconds in the interpreter. Each one is
/// read anew, in the order of the program among stores and other clocks.
struct Clock : Operands<0> {
  static constexpr OpInfo info =
      kind::event("clock", Writes, Needs::Nothing, Gives::PerWarp, Vectors::No);
};

using DeviceOps = OpList<ThreadIndex, BlockIndex, BlockDimension, GridDimension, Clock>;

}  // namespace hetjit::ir
