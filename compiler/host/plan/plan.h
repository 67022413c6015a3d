// How a kernel runs on the CPU: decided here, once. Lowering writes it as code
// (compiler/host/entry), `explain` says it in words, to_text prints it.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "compiler/host/facts/flat_blocks.h"
#include "compiler/host/facts/summed_arrays.h"
#include "compiler/host/phases/alone.h"
#include "compiler/host/plan/grid_rows.h"
#include "compiler/host/plan/grid_turns.h"
#include "compiler/host/plan/rows_as_one.h"
#include "compiler/host/plan/side_by_side.h"
#include "compiler/host/plan/tier.h"
#include "compiler/passes/pass.h"

namespace hetjit::host {

/// Which kernels of tier Whole have blocks as lanes (block_lanes.h), of those that may.
enum class BlockLanes : uint8_t { WhereFaster, Always, Never };

/// The CPU, and what was asked for.
struct Machine {
  unsigned lanes = 1;        // threads in a vector; 1: none
  bool lanes_asked = false;  // by an option, not by the CPU
  bool has_masks = true;     // in registers of their own, of 64 lanes
  Tier least = Tier::Whole;  // no tier before it
  BlockLanes block_lanes = BlockLanes::WhereFaster;
  bool verify = false;  // the graph after every step
};

/// One thread after another, each a call of the module's functions[0].
struct ByThreads {
  std::string why;
  Span where;  // of the op that vectors do not have; unknown: it is about the whole kernel
};

/// Threads side by side along x as the lanes of vectors: nothing in the kernel waits for another
/// thread.
struct ByRows {
  std::string why;
  ir::Function kernel;  // calls taken in; with a grid, turned; with turns, one of them
  unsigned width = 1;   // lanes of a vector
  SideBySide vectors;
  /// Lanes know more where the block's extent along x is a multiple of the width; in other blocks
  /// they all have masks.
  bool whole_rows = false;
  std::optional<GridRows> grid = std::nullopt;    // rows run on through blocks
  std::optional<GridTurns> turns = std::nullopt;  // of its loop are rows of the grid
  KnownExtents extents = {};                      // of the launches that it is for
  /// Lanes are neighbours where they lie between two multiples of what places are divided by
  /// (facts/periods.h); other warps come in parts that do, or have masks.
  bool in_one_period = false, in_parts = false;
  /// Lanes are neighbours where their indices are at no end (`x[max(i - 1, 0)]`); other warps begin
  /// again in a form that asks at each access.
  bool between_ends = false;
  FlatBlocks flat = {};  // how a block's threads are rows; without a grid
  std::optional<RowsAsOne> rows_as_one = std::nullopt;  // of the grid

  /// The lanes of so many vectors as one, which have no masks.
  Lanes lanes(unsigned together = 1) const {
    return {View::Row,        width * together, whole_rows ? width : 1,
            grid.has_value(), extents,          in_one_period};
  }
  /// The kernel for so many vectors as one: local arrays lie element after element (interleave.h).
  ir::Function laid_out(unsigned together = 1) const;
};

/// ByPhases (tier.h): from wait to wait. NotAlone: there is no way, and the user is to be told.
using Way = std::variant<ByThreads, ByRows, ByPhases, NotAlone>;

/// A way for launches whose arrays have the extents that the kernel's indices suggest, lie in
/// columns, or share no memory.
struct FewElements {
  KnownExtents extents;
  Way way;
  /// Parameters that are written; they lie apart from all other arrays, so that LLVM may read ahead
  /// where threads go one by one, or a loop carries elements (held_elements.h). None: that is not
  /// asked for.
  std::vector<uint32_t> written = {};
};

/// A way for launches in which arrays that threads only put numbers together in are small: each
/// range of blocks does so in copies of its own, without atomic instructions, and puts what is in
/// them into the arrays at its end. They share no memory with other arrays.
struct OwnSums {
  std::vector<SummedArray> arrays;
  Way way;
};

/// A way for launches in which the arrays that threads sum up by strides of the launch are larger
/// than caches: a block's warps go through these loops turn by turn, as memory lies.
struct LongSweeps {
  std::vector<uint32_t> arrays;  // parameters
  ByPhases way;
};

struct Plan {
  Machine machine;
  Way way;
  /// Before the way, for as many blocks side by side along x as a vector has lanes.
  std::optional<ByPhases> block_lanes = std::nullopt;
  std::optional<FewElements> few = std::nullopt;    // before the way, for whom it is
  std::optional<OwnSums> own_sums = std::nullopt;   // before both
  std::optional<LongSweeps> sweeps = std::nullopt;  // before all
};

/// `module`: after the passes.
Plan plan(const ir::Module& module, const Machine& machine);

/// What was decided, a line each with its reason; then the functions that were made of the kernel.
std::string to_text(const Plan& plan);

/// The graph-to-graph steps that a plan is made of, by name, for tests that begin at IR text. Those
/// that depend on the machine are for vectors of 16 lanes.
std::span<const passes::Pass> plan_steps();

}  // namespace hetjit::host
