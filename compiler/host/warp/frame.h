// The memory of one block of a kernel with phases, and what points into it. What the runtime knows
// of it is in abi/host_calls.h.
//
//   votes            BlockVotes
//   block slots      what phases keep once for the block
//   shared memory    variables, then what the launch asked for; before it and behind it what
//                    vectors reach that begin or end with lanes which are not active
//   contexts         one per warp: slots, local variables, lanes that are not done
#pragma once

#include <cstddef>
#include <map>

#include "abi/host_calls.h"
#include "compiler/host/phases/frame_parameters.h"
#include "compiler/host/phases/phases.h"
#include "compiler/lower/lowering.h"

namespace hetjit::host {

struct Frame {
  unsigned width = 1;                   // lanes of a warp
  std::vector<uint64_t> slots;          // offsets, in the block's part or in a context
  std::map<uint32_t, uint64_t> shared;  // by variable: offset in the block's part
  std::map<uint32_t, uint64_t> local;   // by the value that names it: offset in a context
  uint64_t reach = 0;                   // before shared memory and behind it
  uint64_t block_bytes = 0;             // up to where the launch's own shared memory begins
  uint64_t context_bytes = 0;           // of a warp
  uint64_t live = 0;                    // offset in a context of the lanes that are not done, u64
  uint64_t state = 0;                   // where threads go by themselves: whether they are done
  uint64_t posted = 0;                  // what a lane has posted, u64
};

Frame lay_out(const Phases& phases, lower::Types& types, unsigned width);

/// Offsets in the votes at the frame's beginning.
enum VoteOffset : uint64_t {
  kCast = offsetof(BlockVotes, now.cast),
  kInFavour = offsetof(BlockVotes, now.in_favour),
  kCastBefore = offsetof(BlockVotes, before.cast),
  kInFavourBefore = offsetof(BlockVotes, before.in_favour),
};

llvm::Value* byte_address(llvm::IRBuilder<>& build, llvm::Value* base, uint64_t offset);

}  // namespace hetjit::host
