// // and % of floats, with operands of f32 or f64 or vectors of them: as CPython computes them,
// rounded in that format (language.md, "Operators").
#pragma once

#include "compiler/lower/lowering.h"

namespace hetjit::lower {

/// a % b: of the sign of b, zeros too; NaN for b = 0 and for an infinite a.
llvm::Value* mod_float(Lowering& at, llvm::Value* a, llvm::Value* b);
/// a // b: what a / b gives for b = 0; NaN for an infinite a.
llvm::Value* floordiv_float(Lowering& at, llvm::Value* a, llvm::Value* b);

/// fmod(a, b) where b is known and a power of two; null where it is not.
llvm::Value* fmod_by_power_of_two(Lowering& at, llvm::Value* a, llvm::Value* b);

}  // namespace hetjit::lower
