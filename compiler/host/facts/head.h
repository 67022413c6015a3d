// The head of a kernel: what its threads do before anything is written, in no loop, as long as
// nearly all of them go the same way. A warp that turns out to be another one than was hoped for
// begins again there.
#pragma once

#include <optional>
#include <vector>

#include "compiler/host/facts/shape.h"

namespace hetjit::host {

/// Nothing but the kernel's end.
bool only_returns(const ir::Block& block);

/// Is the way by this edge of the branch at the block's end the end of threads, and few warps part
/// there? An error, or the end behind a question for places (`if i >= n: return`).
bool gives_up(const ir::Function& function, const Shapes& shapes, uint32_t block,
              const ir::Edge& edge);

/// Does it end the head? What was written would be written again, and what was raised raised.
bool writes(const ir::Op& op);

/// By block: was nothing written before it, and are the loops round it, in which nothing is either,
/// written out? There, too, a warp may begin again, for little.
std::vector<bool> before_writes(const ir::Function& function, const Structure& structure,
                                const Shapes& shapes);

/// Does the branch at the block's end part lanes only where their numbers are at an end, other than
/// threads' own (gives_up) and those of loops that are written twice for it (asks_for_bounds)?
bool parts_at_ends(const ir::Function& function, const Structure& structure, const Shapes& shapes,
                   uint32_t block);

/// Before anything is written, are some elements that are accessed neighbours but where their index
/// is at an end, or does some branch part lanes there and nowhere else?
bool has_rows_between_ends(const ir::Function& function, const Structure& structure,
                           const Shapes& shapes);

/// The block of the head to which whole warps go on from this block of the head; nullopt: here it
/// ends.
std::optional<uint32_t> next_of_head(const ir::Function& function, const Structure& structure,
                                     const Shapes& shapes, uint32_t block);

}  // namespace hetjit::host
