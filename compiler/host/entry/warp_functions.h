// The forms in which a kernel runs as vectors. Private to compiler/host and compiler/lower.
#pragma once

#include "compiler/host/plan/plan.h"
#include "compiler/lower/lowering.h"

namespace hetjit::host {

/// Both take what functions[0] takes, the thread index along x being that of the first lane. `some`
/// has one parameter more, before the coordinates: which lanes are active, <width x i1>.
struct WarpFunctions {
  llvm::Function* all = nullptr;
  llvm::Function* some = nullptr;
  unsigned width = 0;
  /// All lanes of `wide_by` warps side by side, for kernels that compute more than they read: so
  /// many chains of operations that do not wait for one another. Null: no such form.
  llvm::Function* wide = nullptr;
  unsigned wide_by = 1;
  /// All lanes of several rows that follow one another, from the thread index along y on, of
  /// `rows_wide_by` warps side by side (rows_as_one.h). Null: no such form.
  llvm::Function* rows = nullptr;
  unsigned rows_count = 1, rows_wide_by = 1;
  /// `all` and `wide` are for blocks whose extent along x is a multiple of the width.
  bool whole_rows = false;
  /// Of a phase: all lanes of a warp of the first threads, and of the rest (plan/busy_threads.h).
  /// Null: no such form.
  llvm::Function *first = nullptr, *rest = nullptr;
  /// Of a phase: several rows of the block run side by side (side_by_side.h).
  bool by_rows = false;
};

WarpFunctions write_warp_functions(lower::ModuleLowering& module, const ByRows& way);

}  // namespace hetjit::host
