// What becomes of lanes that go different ways at the end of a block: where they meet again, and
// which loops they leave in different turns.
//
// Lanes that stay in a loop go through it turn by turn together. So what a branch does to them is
// asked of the turn in which it parts them: what comes round by the loop's back edges belongs to
// the next turn, and meets nobody of this one.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/host/facts/structure.h"

namespace hetjit::host {

/// An edge by which lanes come to a block where they meet; those of one way have come together.
struct ByEdge {
  const ir::Edge* edge;
  uint32_t way;
};

/// Where lanes of different ways meet: a block, or a loop's header in its next turn.
struct Meeting {
  uint32_t block;
  std::vector<ByEdge> by;
};

struct Parting {
  std::vector<Meeting> meetings;
  std::vector<const Loop*> apart;  // loops that they leave in different turns
};

/// `block`: its branch parts the lanes.
Parting part_lanes(const ir::Function& function, const Structure& structure, uint32_t block);

}  // namespace hetjit::host
