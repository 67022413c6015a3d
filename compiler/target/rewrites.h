// What is rewritten in LLVM's IR because its passes or back ends would not do it. Private to
// target/: it shows LLVM.
#pragma once

#include <llvm/IR/Module.h>

namespace hetjit::target {

/// argument_spaces.cpp: tells functions the address space that all their callers' pointers are in.
void share_argument_spaces(llvm::Module& module);

/// nvptx_shifts.cpp: guarded shifts by counts of 64 bits, so that the guard is kept.
void write_ptx_shifts(llvm::Module& module);

/// amdgpu_zeros.cpp: 0.0 - x, so that it does not become -x.
void keep_differences_from_zero(llvm::Module& module);

/// amdgpu_waits.cpp: threads of a wave that wait let the others go on.
void let_waiting_threads_yield(llvm::Module& module);

}  // namespace hetjit::target
