// Loads by which each thread reads a row of memory of its own, an element in each turn of a loop
// (`a[i, k]` for k after k, i the thread's). What the turns that follow will read is known.
#pragma once

#include <optional>

#include "compiler/host/facts/shape.h"

namespace hetjit::host {

/// Nothing in the loop writes, looks at what others write, or may end a thread.
bool only_reads(const ir::Function& kernel, const Loop& loop);

/// How long the loop goes on: while counter < limit, integers of one type that are made at its
/// head; the counter grows by one from turn to turn, the limit stays.
struct RowRead {
  const Loop* loop;
  ValueId counter, limit;
};

/// In a kernel, with what is known of it.
struct RowReads {
  const ir::Function& kernel;
  const Structure& structure;
  const Shapes& shapes;
  unsigned width;  // of a warp

  /// nullopt: it is no such load, or too few turns' elements fill a register; or it is not sure to
  /// be made in each turn, or the loop may write.
  std::optional<RowRead> find(const ir::Load& load, uint32_t block) const;
  /// Turns whose elements are read at once.
  unsigned turns(const ir::Load& load) const;
  /// How many there are, in one loop or in all.
  size_t count(const Loop* loop = nullptr) const;
};

}  // namespace hetjit::host
