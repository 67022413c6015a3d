// What compiler/host makes of a kernel whose threads wait for one another: functions that run from
// one wait to the next, phases. Nobody else makes these ops, and they reach no GPU.
//
// A phase returns u32: 0 when the thread is done, else the number of the phase that follows its
// wait. What a later phase needs is kept in slots of the thread's context.
#pragma once

#include "compiler/ir/ops_base.h"
#include "compiler/ir/ops_group.h"

namespace hetjit::ir {

/// Keeps in[0] for later phases.
struct Keep : Operands<1> {
  static constexpr OpInfo info = kind::of_host("keep", Writes, Gives::Nothing);
  uint32_t slot = 0;
  auto attributes() { return std::tie(slot); }
};

/// Asks for the memory at address in[0], which may be no array's, to come into the cache: lanes
/// whose addresses lie side by side will read it soon.
struct Prefetch : Operands<1> {
  static constexpr OpInfo info = kind::of_host("prefetch", Writes, Gives::Nothing);
};

/// How a kept value spreads over the lanes of a warp.
enum class KeptSpread : uint8_t { Uniform, Affine, Varying };

/// What was kept in a slot. Affine: lane after lane it grows by `stride`, two's complement.
struct Take : Operands<0> {
  static constexpr OpInfo info = kind::of_host("take", Reads, Gives::ByRule);
  uint32_t slot = 0;
  KeptSpread spread = KeptSpread::Varying;
  uint32_t stride = 0;
  auto attributes() { return std::tie(slot, spread, stride); }
};

/// Before a wait of the block: the thread's vote, in[0].
struct CastVote : Operands<1> {
  static constexpr OpInfo info = kind::of_host("castvote", Writes, Gives::Nothing);
};

/// After that wait: what the votes come to, as BarrierReduce says.
struct TakeVote : Operands<0> {
  static constexpr OpInfo info = kind::of_host("takevote", Reads, Gives::PerBlock);
  BarrierVote vote = BarrierVote::Count;
  auto attributes() { return std::tie(vote); }
};

/// Where threads run one by one: gives in[0], u64, to the other lanes of the warp.
struct Post : Operands<1> {
  static constexpr OpInfo info = kind::of_host("post", Writes, Gives::Nothing);
};

/// What lane in[0], i32, has posted, u64; where no thread is that lane, what this one has.
struct Posted : Operands<1> {
  static constexpr OpInfo info = kind::of_host("posted", Reads, Gives::PerThread);
};

/// Mask of those lanes of mask in[0] that have posted in[1].
struct PostedEqual : Operands<2> {
  static constexpr OpInfo info = kind::of_host("postedequal", Reads, Gives::PerThread);
};

using PhaseOps = OpList<Keep, Prefetch, Take, CastVote, TakeVote, Post, Posted, PostedEqual>;

}  // namespace hetjit::ir
