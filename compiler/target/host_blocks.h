// Memory and turns for the blocks of host kernels: what their code calls. (compiler/host)
#pragma once

#include <cstddef>
#include <cstdint>

#include "abi/kernel_image.h"

namespace hetjit::target {

/// At least so many bytes for the block that this thread runs, aligned to 64: the thread's until it
/// ends, with what the block before left in it. Null: there is not so much (abi/memory_limit.h).
void* block_memory(uint64_t bytes);

/// Not 0: the launch shall end early. To be asked now and then by whoever may go on for ever.
uint32_t launch_stopped(const Geometry* geometry);
/// How many turns of a loop may pass between two questions.
constexpr uint32_t kTurnsUnasked = 1024;

/// Whom those who come to a wait wait for.
enum class HostWait : uint8_t { Block, Grid, Warp, Turn };

/// A kernel whose units, warps or threads, go on by themselves from wait to wait. compiler/host
/// builds it; the layout is known there.
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
  uint64_t state;          // offset in a context of a u32: kDone when the unit is done
  uint64_t mask;           // and of the mask of lanes that a unit waits for, u32
  uint32_t units;          // of a block
  uint32_t units_of_warp;  // that wait for one another at HostWait::Warp
};
constexpr uint32_t kDone = UINT32_MAX;

/// Blocks [first, last) of the grid. Those whose units all wait for somebody else keep their place
/// while further ones begin: at the return some may still be waiting, if other blocks of the launch
/// were not begun; whoever begins those takes them over. (HostLaunch, in the geometry.) Once a
/// thread has raised and nobody gets on any more, those who wait are ended: it may be for that one.
void run_blocks(const FreeKernel* kernel, uint64_t first, uint64_t last);

}  // namespace hetjit::target
