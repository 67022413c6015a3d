// Which of a block's axes a kernel takes for its row of threads.
#pragma once

#include <cstdint>

namespace hetjit::host {

/// The kernel's x is the launch's axis `first`, and the other way round; then so many axes, x
/// first, are one row; then so many blocks, neighbours along x, are one: its x tells which of them
/// a thread is in, its y and z are the thread's x and y, and none has a z. Of the launch: {0, 1,
/// 1}.
struct FlatBlocks {
  uint8_t first = 0;
  uint8_t axes = 1;
  unsigned together = 1;

  bool differs() const { return first != 0 || axes != 1; }
};

}  // namespace hetjit::host
