// Turns of a loop that all threads of a launch share out, dealt out anew.
//
//   for i in range(device.tid(1), n, device.grid_size(1)): …
//
// A thread's turns lie a whole launch apart in memory, and what a turn reads lies beside what the
// next thread's same turn does. Where any thread may have any turn (free_turns.h), they go as
// memory lies, and the launch's own shape plays no part.
#pragma once

#include <optional>
#include <vector>

#include "compiler/host/facts/structure.h"

namespace hetjit::host {

/// Functions of the kernel's parameters, and for what launches turns are dealt out.
struct GridTurns {
  ir::Function more;       // a bool: has the thread such a turn? None has more than one before it
  ir::Function limit;      // what the counter stays below,
  bool inclusive = false;  // or is at last
  std::vector<uint32_t> written;  // parameters: they share no memory with other arrays
  uint32_t line = 0;              // of the loop; 0: unknown
};

/// Makes of a kernel what a thread does in one turn, if it has that one. Which it is stands in the
/// thread index along y, its low word, and along z. For kernels that see no blocks (grid_rows.h)
/// and tell the host nothing; nullopt: it is not such a loop, or gains nothing, and stays.
std::optional<GridTurns> take_turns(ir::Function& kernel, const Structure& structure);

}  // namespace hetjit::host
