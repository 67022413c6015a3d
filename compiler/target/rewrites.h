// What is rewritten in LLVM's IR because its passes or back ends would not do it. Private to
// target/: it shows LLVM.
#pragma once

#include <llvm/IR/Module.h>

namespace llvm {
class LoopInfo;
class ScalarEvolution;
}  // namespace llvm

namespace hetjit::target {

/// argument_spaces.cpp: tells functions the address space that all their callers' pointers are in.
void share_argument_spaces(llvm::Module& module);

/// nvptx_shifts.cpp: guarded shifts by counts of 64 bits, so that the guard is kept.
void write_ptx_shifts(llvm::Module& module);

/// amdgpu_zeros.cpp: 0.0 - x, so that it does not become -x.
void keep_differences_from_zero(llvm::Module& module);

/// amdgpu_waits.cpp: threads of a wave that wait let the others go on.
void let_waiting_threads_yield(llvm::Module& module);

/// host_division.cpp: integers of C++, of which nothing was optimised yet, are divided as ours are
/// (ir::FloorDiv): x / 0 and x % 0 are 0, min / -1 is min. C++ leaves it open, and a CPU would end
/// the process.
void divide_without_traps(llvm::Module& module);

/// host_vector_division.cpp: vectors of integers are divided as floats, 64 bits where all lanes'
/// numbers are below 2^52. By constants LLVM has better.
void divide_vectors_as_floats(llvm::Module& module);

/// host_wide_stores.cpp: a vector of several registers of that many bytes is stored register after
/// register, in the order of addresses; also where it stores some lanes only, if the CPU has masks
/// that are registers of their own: else taking one apart costs more.
void store_in_order(llvm::Module& module, unsigned register_bytes, bool has_masks);

/// saturating.cpp: GPUs' instructions from f32 to 32 bits saturate and make NaN 0, but LLVM adds
/// comparisons for every case. Last of all, when nothing looks at it any more, the saturating
/// conversion becomes the plain one, which is that instruction; frozen, as to LLVM it is undefined
/// out of range. But where it is to unsigned, instruction selection may not see what it is of: of a
/// small signed integer's float it would make the integer itself, and 255 of -1. A fence hides
/// that, where LLVM can always place one; else such a conversion stays as it is.
enum class HideSource : uint8_t { ByFence, Cannot };
void use_saturating_instructions(llvm::Module& module, HideSource hide);

/// extremes.cpp: `max(0.0, max(x, 0.0))` and its kind, in any spelling, as the one choice between x
/// and 0.0 that it is; true: some were. InstCombine takes both for maxima and drops the second,
/// though the first one's answer for NaN, or which zero, is not the second one's. To be called
/// before it. Where it may bring two together itself (`-min(-x, -1.0)`), one asks for the number
/// next to its bound: to InstCombine that is no maximum.
bool merge_choices(llvm::Function& function);
/// The same file: `x if x < 0.0 else 0.0` is 0.0 of -0.0, but instruction selection for GPUs makes
/// a minimum of it, which is -0.0. So such choices are made of bits, last of all.
void keep_choices_of_zero(llvm::Module& module);

/// constant_offsets.cpp: constants in indices become offsets of addresses; true: some did. Or those
/// of places that are words (words.h) only: InstCombine forgets of their sums that they
/// fit.
enum class Places : bool { Words, All };
bool take_out_constants(llvm::Function& function, Places of);

/// array_loops.cpp: loops that are to be written out, so that a thread's own arrays are registers.
void write_out_array_loops(llvm::Function& function, llvm::LoopInfo& loops,
                           llvm::ScalarEvolution& evolution);

/// short_loops.cpp: other loops with known counts that are to be written out, in whole or some
/// turns together; and that those too long for it are not.
void write_out_short_loops(llvm::LoopInfo& loops, llvm::ScalarEvolution& evolution);

/// nvvm_dialect.cpp: an optimised module as libNVVM reads it.
void write_nvvm_dialect(llvm::Module& module);
/// The same file: says a number of a function, as NVVM IR does.
void annotate(llvm::Function& function, llvm::StringRef what, uint32_t number);

/// nvvm_signatures.cpp: functions that C++ calls, with the types that nvcc gives them. Before the
/// above, of whose annotations it makes some.
void write_nvcc_signatures(llvm::Module& module);

}  // namespace hetjit::target
