// Memory and turns for the blocks of host kernels: what their code calls. (abi/host_calls.h)
#pragma once

#include <span>

#include "abi/host_calls.h"

namespace hetjit::runtime {

/// At least so many bytes for the block that this thread runs, aligned to kBlockAlign: the thread's
/// until it ends, with what the block before left in it. Null: there is not so much
/// (abi/memory_limit.h).
void* block_memory(uint64_t bytes);

/// Not 0: the launch shall end early.
uint32_t launch_stopped(const Geometry* geometry);

/// Leaves the innermost run_or_leave() of this thread if its launch shall end early.
void attend();

/// Blocks [first, last) of the grid. Those whose units all wait for somebody else keep their place
/// while further ones begin: at the return some may still be waiting, if other blocks of the launch
/// were not begun; whoever begins those takes them over. (HostLaunch, in the geometry.) Once a
/// thread has raised and nobody gets on any more, those who wait are ended: it may be for that one.
void run_blocks(const FreeKernel* kernel, uint64_t first, uint64_t last);

/// All of these by the names by which code calls them, kHostCalls.
std::span<const HostSymbol> host_calls();

}  // namespace hetjit::runtime
