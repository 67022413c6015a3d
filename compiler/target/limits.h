// Numbers that were chosen by measuring: what each counts, and what decides it. Compile times are
// benchmarks/compile_time.py's and, for programs that grow, benchmarks/scaling.py's; what is lost
// shows in benchmarks/kernel_time.py, and of GPUs' code in benchmarks/codegen.py. Of the host's
// forms there is compiler/host/plan. Private to target/ and lower/.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hetjit::target {

/// What the pass pipeline is for a target (optimize.cpp).
struct PassChoices {
  unsigned
      speculated;    // instructions of a joined condition that are evaluated in place of a branch
  int inline_cost;   // up to which calls are inlined, as LLVM counts it
  bool has_spaces;   // pointers' address spaces are worth finding out
  bool has_vectors;  // threads and loops are made vectors
};

/// On a GPU a few instructions cost less than a branch and a mask of the threads that take it, and
/// calls are dear. (codegen.py, scaling.py: functions)
inline constexpr PassChoices kGpuPasses{
    .speculated = 4, .inline_cost = 1000, .has_spaces = true, .has_vectors = false};
/// A call keeps a loop from being vectorised, but code has to be compiled. (compile_time.py)
inline constexpr PassChoices kHostPasses{
    .speculated = 1, .inline_cost = 275, .has_spaces = false, .has_vectors = true};

// ---- inlining (scaling.py: functions that call functions)

/// Instructions of our graph: a function without calls that has no more is always inlined, as a
/// call costs more than it does, and arrays stay in registers.
inline constexpr size_t kAlwaysInlined = 200;
/// Instructions of LLVM's that a function may have with everything inlined that it calls. Beyond,
/// functions with more than kStaysFunction, called from several places, stay functions.
inline constexpr size_t kFitsInlined = 10000, kStaysFunction = 64;

// ---- loops that are written out so that a thread's own arrays are registers (codegen_wide.py:
// chacha)

/// Bytes of all such arrays of a kernel: half of the registers that a thread may have.
inline constexpr uint64_t kBytesOfArrays = 512;
/// Turns of such a loop; those that are assumed of one in another which LLVM cannot bound, until
/// the other is written out; and instructions of LLVM's that all of them may become, each time.
inline constexpr unsigned kTurnsOfArrays = 64, kTurnsNobodyKnows = 4;
inline constexpr uint64_t kLengthForArrays = 8000;

// ---- GPUs' loops with known counts that are written out
// (codegen_wide.py; tests/golden/ptx/tiled_product.py)

/// Instructions of LLVM's of all turns that are written one after another.
inline constexpr uint64_t kLengthOfTurns = 256;
/// Of a loop that has more, but not more turns than that: of eight or four of them.
inline constexpr uint64_t kLengthInParts = 600;
inline constexpr unsigned kMostTurnsInParts = 32;
/// Bytes of a thread's own array that is sure to be registers then.
inline constexpr uint64_t kBytesInRegisters = 64;

// ---- constants that become offsets of GPUs' addresses (codegen.py: halo_plane, tiles)

/// Elements, and bits of an element's size: no product of the two is near what an offset may be.
inline constexpr int64_t kFarthestOffset = 1 << 20;
inline constexpr uint64_t kOffsetSizeBits = 16;
/// Sums and products that are looked through.
inline constexpr int kOffsetDepth = 6;

// ---- what is too long for passes whose time grows with the square
// (scaling.py; tests/differential/test_long_functions.py)

/// Instructions of a block that is selected as a whole, and of the pieces into which a longer one
/// is cut.
inline constexpr size_t kLongBlock = 480, kPiece = 240;
/// Loops of a function; loads and stores of a block; instructions of a function.
inline constexpr size_t kManyLoops = 100, kManyAccesses = 400, kLargeFunction = 6000;

// ---- vectors of the host (kernel_time.py)

/// Threads side by side: twice the widest registers of floats, as two independent vectors hide the
/// latency of one.
inline constexpr unsigned kLanes = 16;
/// Bits of the loop vectoriser's: as fast here as 512, and compiled sooner. (compile_time.py)
inline constexpr const char* kLoopVectorBits = "256";

// ---- waiting loops on GPUs: how long a thread lets others go first
// (tests/differential, kernels with locks; no GPU was at hand when they were chosen)

inline constexpr uint32_t kPauseNanoseconds = 100;  // NVIDIA
inline constexpr uint32_t kPauseTicks = 2;          // AMD: of 64 clocks

}  // namespace hetjit::target
