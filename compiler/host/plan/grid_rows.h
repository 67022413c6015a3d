// Rows of the grid in place of rows of blocks. A kernel that asks for its thread's place in the
// launch only (device.tid) computes the same however threads are dealt out into blocks. So rows of
// vectors run on through neighbouring blocks, along the axis that suits memory, and blocks of any
// shape take the same time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "compiler/host/facts/known_extents.h"
#include "compiler/host/facts/structure.h"

namespace hetjit::host {

struct GridRows {
  /// The launch's axes, in the order in which threads follow one another: the kernel's x is
  /// axes[0].
  std::array<uint8_t, 3> axes = {0, 1, 2};
  /// Rows of so many vectors that follow one another before those beside them do, as they read the
  /// same; 1: each row to its end.
  unsigned rows = 1, vectors = 1;
  const char* why = "";        // of several rows
  bool load_the_same = false;  // in a loop
};

/// Does it ask for its thread's place in the launch only? Of a kernel that calls nothing.
bool sees_no_blocks(const ir::Function& kernel);

/// For vectors of so many threads, of a kernel that sees no blocks.
GridRows choose_grid_rows(const ir::Function& kernel, const Structure& structure, unsigned width,
                          const KnownExtents& extents = {});

/// The kernel for threads whose axes are these of the launch.
void turn(ir::Function& kernel, const std::array<uint8_t, 3>& axes);

}  // namespace hetjit::host
