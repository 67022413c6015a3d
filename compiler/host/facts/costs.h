// Numbers that were chosen by measuring, for kernels on the CPU: what each counts, and what decides
// it. Times are benchmarks/kernel_time.py's, of the kernel that is named; tests/golden/plans.txt
// shows which of them a number concerns. In the lowest room, as all that look at a graph use them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "compiler/passes/limits.h"

namespace hetjit::host {

// ---- memory side by side

/// Bytes from lane to lane, at most, for accesses that count as neighbours: caches deliver lines.
/// (tiled product; sums)
inline constexpr int64_t kNeighbours = 16;
/// Operations that the step of an index is looked for through. (5-point stencil)
inline constexpr int kStepDepth = 6;

/// Elements from lane to lane, at most, for accesses by vectors of neighbours and shuffles, one
/// each; further apart an access for each lane is cheaper. (complex product, particles)
inline constexpr int64_t kMostApart = 8;
/// The same for stores, which write all that lies between under masks. (complex product; a rotation
/// of points in an array of shape (n, 3) takes 2.6 times as long by masks)
inline constexpr int64_t kMostApartStored = 2;
/// Elements along an axis, at most, that a form of a kernel of its own is for. (grey, products_4x4)
inline constexpr int64_t kMostKnown = 16;

// ---- vectors side by side (side_by_side.h)

/// Vector operations on floats for an access: with more, two warps are one vector. (Black-Scholes)
inline constexpr size_t kManyOperations = 16;
/// Vector operations of a loop that lanes leave apart: up to these four warps are one vector, else
/// two; more would not stay in registers. (Mandelbrot)
inline constexpr size_t kSmallLoop = 16;
/// Bytes of all vector registers with AVX-512, and without. (n-body)
inline constexpr size_t kWideRegisters = 32 * 64, kNarrowRegisters = 16 * 32;
/// Lanes of all vectors together on CPUs without AVX-512, where masks go from block to block: a
/// mask of more lanes is in no register there. (gallery: medians, search)
inline constexpr unsigned kMostUnmasked = 32;
/// Bytes from lane to lane from which on each lane has a line of the caches to itself. (gallery:
/// row_sums)
inline constexpr int64_t kFarNeighbours = 64;
/// Bytes of a register, and at most of the elements of which several vectors fill one: of four
/// bytes each is one by itself. (gallery: automaton, axpy_half)
inline constexpr size_t kRegisterBytes = 64, kSmallElement = 2;
/// Rows of a block that are one piece of code: as many as hide an operation's latency, and few
/// enough that what they share stays in registers. (tiled product)
inline constexpr unsigned kRowsTogether = 4;

// ---- arrays of a thread's own (needs_phases.h)

/// Bytes of all of a thread's, at most, where those of a vector's threads, of up to 64, lie on the
/// stack: in the nearest cache, and a few of a thread's 8 MiB. (gallery: medians, queens)
inline constexpr uint64_t kMostOnStack = 4096;

// ---- arrays that threads only put numbers together in (summed_arrays.h)

/// Bytes of all of which each range of blocks has a copy of its own, at most: they stay in the
/// nearest cache. (gallery: bins)
inline constexpr uint64_t kOwnSumBytes = 16384;

/// Microseconds that a range of blocks should last for them: copies of all those bytes take some
/// ten. (gallery: bins)
inline constexpr uint32_t kOwnSumRange = 200;

// ---- loops that ask for bounds (bounds.h)

/// Turns of a loop that is written out: with a second form for lanes within bounds, a mean of 3 x 3
/// neighbours takes 1.1 times as long as with masks. (gallery: windows)
inline constexpr uint64_t kWrittenOut = 8;

// ---- rows of the grid (grid_rows.h)

/// Turns of a loop that are counted for an access in it, and at most for one in nested loops.
inline constexpr int64_t kUsualTurns = 8, kMostTurns = 512;
/// Rows that are gone through together where they load the same. (product by rows of the gallery)
inline constexpr unsigned kTileRows = 16;
/// So many of them, at most, are one piece of code. (the same; products of 256² to 1024²)
inline constexpr unsigned kMostRowsAsOne = 4;
/// Bytes of a line of memory: so many rows go through an array that lies across them as share one,
/// if it holds an element for each row of a square of lanes. (transposition)
inline constexpr unsigned kLineBytes = 64;
/// A lane's store by itself against a load. (transposition of 1024²)
inline constexpr int64_t kStoreApart = 5, kLoadApart = 4;
/// Rows, and vectors in each, that are gone through together where they read each other's
/// neighbours: what three rows read stays in the nearest cache for the fourth. (5-point stencil)
inline constexpr unsigned kStencilRows = 4, kStencilVectors = 16;

// ---- loops in which a thread walks along a row (row_walks.h; the gallery's row_sums, recurrence,
// byte_product, products_4x4, sparse_product)

/// What a loop costs, in loads of one vector: an operation of one thread, and an access of one lane
/// by itself; how many usual operations a division or a root is.
inline constexpr double kAloneOperation = 0.4, kLaneAccess = 1.5, kDearOperation = 8;
/// An access of one lane where some turns' elements are loaded at once and turned, and the fewest
/// turns for which that pays. (row_sums)
inline constexpr double kTurnedAccess = 0.35;
inline constexpr unsigned kFewestTurned = 4;
/// By how much turns cost less where LLVM may make vectors of those of one thread, and more where
/// lanes wait for the last one.
inline constexpr double kAloneAsVectors = 0.3, kLanesApart = 1.3;
/// What a thread's turn costs at least where it adds to a float, which waits for the turn before,
/// in loops of more turns than few; and what each costs more where nobody foresees how many there
/// are, on CPUs whose lanes wait under masks. (products of rows, CSR: without AVX-512 vectors of it
/// take 1.7 times as long as one thread after another, with it 0.6; products_4x4)
inline constexpr double kCarriedFloat = 4, kUnforeseenTurns = 5;
inline constexpr int64_t kFewTurns = 16;

// ---- loops in which threads go different ways (divergence.h; the gallery's queens against search;
// walks of trees and lists, heaps, fills of areas)

/// What it costs, in loads of one vector: a store of one lane by itself, and a branch of one thread
/// that nobody foresees; by how much a loop costs more where lanes wait for the last one, and again
/// in a loop inside of it.
inline constexpr double kLaneStore = 3, kGuessedBranch = 3, kThreadsPart = 1.5;
/// By how much vectors must cost more, without masks for memory accesses and with them.
inline constexpr double kPartingGain = 1.2, kPartingGainWithMasks = 1.5;

// ---- blocks as lanes (block_lanes.h; the gallery's sort_blocks, odd_even_sort, prefix_sums)

/// What it costs, in loads of one vector: that lanes part; a usual operation that is the same for
/// all of them; an access of one lane to what was passed, where each lane has a line of memory.
inline constexpr double kPartingLanes = 2, kSameForAll = 0.25, kFarAccess = 4;
/// By how much it must cost less.
inline constexpr double kBlockLanesGain = 1.3;
/// Bytes of shared arrays of all lanes' blocks, at most: they stay in a core's second cache.
inline constexpr uint64_t kMostSharedOfLanes = 1 << 18;

// ---- loops that warps go through turn by turn (warp_order.h; a sum of 64M numbers by one block)

/// Vectors that a warp carries from turn to turn, and vector operations for a load, at most: what
/// is carried goes through memory.
inline constexpr size_t kMostCarried = 2, kMostWork = 8;
/// Elements that the threads of a launch go through, at least, where some of them leave a turn
/// before others (turns_of_all.h): fewer lie in the caches. (dot products, sums of rows by blocks)
inline constexpr uint64_t kFewestSwept = 1 << 20;
/// Bytes that such loops read, at least, of a kernel that is rows of threads else, in which nothing
/// but a thread's own vectors is carried. (gallery: squares; sums of a launch's own strides)
inline constexpr uint64_t kFewestSweptBytes = 8 << 20;

// ---- loops that wait for another thread (patient_loops.h)

/// Turns that a thread goes through at once: more than a search in a table has, and no more than
/// threads that do wait may lose once. (hash_insert, union_find)
inline constexpr uint32_t kTurnsInARow = 64;

// ---- phases whose warps need not all ask (busy_threads.h; gallery: prefix_sums, sums by trees)

/// Instructions of a phase that is written once more for each side of its question, and how many
/// phases of a kernel are, the first ones.
inline constexpr size_t kMostSettled = 64, kMostSettledPhases = 8;

// ---- prefetches (prefetch.h; tiled product)

/// Instructions from a loop's counters to an address that is fetched ahead.
inline constexpr size_t kLongestAddress = 32;
/// Bytes from a turn's address to the next one's that the CPU fetches ahead by itself. (histogram)
inline constexpr int64_t kNearbyTurn = 512;

// ---- places taken apart (periods.h)

/// Vectors in a period, at least, where it is a constant: of a shorter one many warps see the end,
/// and begin again with masks. (flat_index of the gallery)
inline constexpr unsigned kFewestInPeriod = 2;
/// A vector in so many periods or fewer, and one more that it begins in, comes in a part for each,
/// where they are of a number of run time: of more, lanes read and write one by one. (flat_index)
inline constexpr unsigned kMostParts = 2;

// ---- masks (warp_control.cpp; Mandelbrot, and the guards of all)

/// Operations of a block that cost less than asking whether a lane is active in it.
inline constexpr size_t kFewOperations = 8;

// ---- compilation

/// Instructions of a kernel whose threads wait with everything taken in that waits: some seconds.
/// (benchmarks/scaling.py: functions)
inline constexpr size_t kMaxWaiting = 16 * passes::kMaxInlined;
/// Arrays that an access under check="race" is compared with when a launch begins. (checks.py)
inline constexpr uint32_t kMostGuards = 6;

}  // namespace hetjit::host
