// What the code of host kernels calls of the runtime (runtime/host/block_scheduler.h), and the
// memory of a block as both know it. The compiler writes calls by these names; whoever links an
// object is handed their addresses.
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/kernel_image.h"

namespace hetjit {

/// A function that code of host kernels may call.
struct HostSymbol {
  const char* name;
  const void* address;
};

/// void* (uint64_t bytes): memory for the block that this thread runs.
inline constexpr const char* kBlockMemoryCall = "hetjit_block_memory";
/// uint32_t (const Geometry*): not 0: the launch shall end early. To be asked now and then by
/// whoever may go on for ever.
inline constexpr const char* kLaunchStoppedCall = "hetjit_launch_stopped";
/// void (const FreeKernel*, uint64_t first, uint64_t last)
inline constexpr const char* kRunBlocksCall = "hetjit_run_blocks";
/// void (): returns if the launch goes on; else the thread leaves the kernel from there.
inline constexpr const char* kAttendCall = "hetjit_attend";
inline constexpr const char* kHostCalls[] = {kBlockMemoryCall, kLaunchStoppedCall, kRunBlocksCall,
                                             kAttendCall};

/// Global of a module with loops whose ends nobody knows, a u32: while the runtime has set it, each
/// turn of these loops makes kAttendCall.
inline constexpr const char* kAttentionSymbol = "hetjit_attention";

/// Constant of a module whose kernel takes blocks that follow one another together, a u32: how
/// many. It takes others, too, and they last longer.
inline constexpr const char* kBlocksTogetherSymbol = "hetjit_blocks_together";
/// Constant of a module whose kernel does for each range of blocks what the range had better be
/// long for, a u32: how many microseconds.
inline constexpr const char* kRangeTimeSymbol = "hetjit_range_time";

/// How many turns of a loop may pass between two questions.
inline constexpr uint32_t kTurnsUnasked = 1024;

// ---- the memory of a block: its votes, then what the compiler lays out
// (compiler/host/warp/frame.h), and a context for each unit

/// Bytes: a cache line, and the widest vector.
inline constexpr uint64_t kBlockAlign = 64;

/// Votes of a block's threads at a wait.
struct Votes {
  uint32_t cast, in_favour;
};
/// Begins a block's memory; zero when the block begins.
struct BlockVotes {
  Votes now;     // of the wait at hand
  Votes before;  // of the one before it, which threads read behind it
};
static_assert(sizeof(BlockVotes) == 16 && offsetof(BlockVotes, before) == 8);

/// Whom those who come to a wait wait for: the block, the grid, the lanes of a mask; nobody, but
/// others may go on first.
enum class HostWait : uint8_t { Block, Grid, Warp, Turn };

/// A kernel whose units, warps or threads, go on by themselves from wait to wait.
struct FreeKernel {
  /// Runs a unit of a block from behind wait `phase`, or from its start (0), to its next wait: the
  /// result is that one's number, or 0 when the unit is done.
  using Step = uint32_t (*)(const FreeKernel* kernel, std::byte* memory, uint64_t block,
                            uint32_t unit, uint32_t phase);
  /// Units of a block wait at two barriers that are not the same.
  using Diverged = void (*)(const FreeKernel* kernel, std::byte* memory, uint64_t block,
                            uint32_t unit, uint32_t phase, uint32_t other_unit,
                            uint32_t other_phase);
  Step step;
  Diverged diverged;
  const std::byte* parameters;
  const Geometry* geometry;
  uint64_t* raised;        // not 0: a thread of the launch has raised
  const HostWait* waits;   // by phase
  uint64_t phases;         // how many
  uint64_t memory_bytes;   // of a block
  uint64_t contexts;       // offset of the first unit's context in it
  uint64_t context_bytes;  // of a unit
  uint64_t state;          // offset in a context of a u32: kUnitDone when the unit is done
  uint64_t mask;           // and of the mask of lanes that a unit waits for, u32
  uint32_t units;          // of a block
  uint32_t units_of_warp;  // that wait for one another at HostWait::Warp, at most 32
};
inline constexpr uint32_t kUnitDone = UINT32_MAX;

}  // namespace hetjit
