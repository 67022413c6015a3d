// Rows of the grid as one piece of code, where a loop loads for each thread of a row what is the
// same in the rows beside it: it is loaded once for all of them, and they fill each other's gaps.
#pragma once

#include <optional>

#include "compiler/host/facts/shape.h"

namespace hetjit::host {

struct RowsAsOne {
  ir::Function kernel;   // its thread index along y is that of the first row
  unsigned rows = 1;     // that follow one another
  unsigned vectors = 1;  // side by side of each
  /// The block in which rows find that not all of them go on, before anything was written: they
  /// begin again one by one. No block of that number: they always go the same way.
  uint32_t again = 0;
};

/// The kernel for that many rows: what is not the same in all of them is there once for each.
/// nullopt: they go different ways, behind the questions for places at its head, or do more than
/// load, compute and store. `shapes`: of the lanes of a row.
std::optional<RowsAsOne> write_rows_as_one(const ir::Function& kernel, const Structure& structure,
                                           const Shapes& shapes, unsigned rows);

/// As many rows, of `vectors` vectors or of one, as half of the registers, of so many bytes
/// together, hold what goes from turn to turn of. nullopt: one row is as good.
std::optional<RowsAsOne> choose_rows_as_one(const ir::Function& kernel, const Structure& structure,
                                            const Shapes& shapes, unsigned width, unsigned vectors,
                                            size_t register_bytes);

}  // namespace hetjit::host
