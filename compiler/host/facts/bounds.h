// Branches in a loop that ask whether a place lies within bounds: `0 <= i + k < n`. Lanes part
// there at the ends of an array only.
#pragma once

#include <optional>
#include <vector>

#include "compiler/host/facts/shape.h"

namespace hetjit::host {

/// What is asked: is the number that steps evenly from lane to lane within the bound?
struct BoundsQuestion {
  ValueId number;       // affine; it may be narrower than what is compared
  ValueId bound;        // the same for all lanes and in all turns
  ir::Comparison kind;  // of number and bound
  bool inside;          // the answer of nearly all lanes
};

/// Of the branch at the block's end, in a loop; nullopt: it asks for something else.
std::optional<BoundsQuestion> bounds_question(const ir::Function& kernel, const Shapes& shapes,
                                              const Loop& loop, uint32_t block);

/// The same outside of loops, or of what is the same in all turns: a number that steps evenly is
/// compared with 0 or 1, or with an array's extent or an argument, or nearly.
std::optional<BoundsQuestion> edge_question(const ir::Function& kernel, const Shapes& shapes,
                                            const Loop* loop, uint32_t block);

/// By how much an integer of the loop differs from turn to turn, modulo its type: a sum of what the
/// loop counts, or a constant times it, and of what stays; nullopt: by other numbers, or none is
/// known.
std::optional<int64_t> step_by_turn(const ir::Function& kernel, const Shapes& shapes,
                                    const Loop& loop, ValueId id);

/// Where a number that steps evenly is compared with what is the same for all lanes, at the end of
/// a block outside of loops; `inside`: the answer that is hoped for.
std::optional<BoundsQuestion> place_question(const ir::Function& kernel, const Shapes& shapes,
                                             uint32_t block, bool inside);

/// The blocks of a loop that ask for bounds and to which lanes come together, if all are within
/// those that were asked for before.
std::vector<uint32_t> bounds_blocks(const ir::Function& kernel, const Shapes& shapes,
                                    const Loop& loop);

/// Has it so few turns, and so many always, that they are written out?
bool is_written_out(const ir::Function& kernel, const Shapes& shapes, const Loop& loop);

/// Are there any, or accesses whose index is a row's but at its ends, and may a turn be begun again
/// where lanes are there? Of loops without others in them, which they leave at their heads.
bool asks_for_bounds(const ir::Function& kernel, const Structure& structure, const Shapes& shapes,
                     const Loop& loop);

}  // namespace hetjit::host
