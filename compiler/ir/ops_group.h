// What the threads of a block or a warp do together. (HETX-BS, WS)
//
// A warp is 32 threads that follow one another in the block (x fastest), 64 on AMD targets of that
// width. A warp mask is a u32, or u64 there; bit i stands for lane i.
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

// ---- the block

/// Every thread of the block waits for all others; what they wrote before is seen after it.
struct Barrier : Operands<0> {
  static constexpr OpInfo info = kind::together("barrier", Needs::Block, Gives::Nothing);
};

enum class BarrierVote : uint8_t { Count, And, Or };

/// A Barrier that tells how many threads gave a true in[0] (Count: i32), whether all did (And), or
/// any (Or).
struct BarrierReduce : Operands<1> {
  static constexpr OpInfo info = kind::together("barriervote", Needs::Block, Gives::PerBlock);
  BarrierVote vote = BarrierVote::Count;
  auto attributes() { return std::tie(vote); }
};

/// The same for every thread of the grid. The launch must be a cooperative one.
struct GridBarrier : Operands<0> {
  static constexpr OpInfo info = kind::together("gridbarrier", Needs::Grid, Gives::Nothing);
};

enum class DependencyStep : uint8_t { Wait, Trigger };

/// How launches of a stream follow one another where the later one may begin early. Wait: until the
/// launches before it are done, and what they wrote is seen. Trigger: for what this thread does
/// from here on the next launch need not wait before it begins. Neither means anything to other
/// threads.
struct GridDependency : Operands<0> {
  static constexpr OpInfo info =
      kind::event("griddependency", Reads | Writes, Needs::Nothing, Gives::Nothing, Vectors::Yes);
  DependencyStep step = DependencyStep::Wait;
  auto attributes() { return std::tie(step); }
};

// ---- the warp

/// The thread's place in its warp, u32.
struct LaneIndex : Operands<0> {
  static constexpr OpInfo info =
      kind::place("laneindex", Needs::Lanes, Gives::ByRule, Ranged | Divided);
};

/// Mask of the lanes that execute this op together.
struct ActiveMask : Operands<0> {
  static constexpr OpInfo info = kind::together("activemask", Needs::Warp, Gives::PerWarp);
};

/// The lanes of mask in[0] wait for one another; what they wrote before is seen after it.
struct WarpBarrier : Operands<1> {
  static constexpr OpInfo info = kind::together("warpbarrier", Needs::Warp, Gives::Nothing);
};

enum class WarpVote : uint8_t { All, Any, Equal };

/// Of the lanes of mask in[0]: have all (any) a true in[1]; have all the same (Equal)? bool.
struct Vote : Operands<2> {
  static constexpr OpInfo info = kind::together("vote", Needs::Warp, Gives::ByRule);
  WarpVote vote = WarpVote::All;
  auto attributes() { return std::tie(vote); }
};

/// Mask of those lanes of mask in[0] that have a true in[1].
struct Ballot : Operands<2> {
  static constexpr OpInfo info = kind::together("ballot", Needs::Warp, Gives::ByRule);
};

enum class ShuffleKind : uint8_t { Index, Up, Down, Xor };

/// in[1] of another lane: of lane in[2] modulo the warp's size (Index), in[2] lanes below (Up) or
/// above (Down), or of lane index xor in[2]; the thread's own where that is outside the warp (but
/// for Index) and, but on GPUs, where no thread is it. All lanes of mask in[0] execute it; what one
/// outside has is undefined. in[1] is a scalar of at most 8 bytes, not complex; in[2] is i32.
struct Shuffle : Operands<3> {
  static constexpr OpInfo info = kind::together("shuffle", Needs::Warp, Gives::ByRule);
  ShuffleKind kind = ShuffleKind::Index;
  auto attributes() { return std::tie(kind); }
};

enum class MatchKind : uint8_t { Any, All };

/// Mask of the lanes of mask in[0] whose bits of in[1] are those of this lane (Any); of all that
/// there are if they have the same bits, else 0 (All). in[1] is an integer of 4 or 8 bytes.
struct Match : Operands<2> {
  static constexpr OpInfo info = kind::together("match", Needs::Warp, Gives::ByRule);
  MatchKind kind = MatchKind::Any;
  auto attributes() { return std::tie(kind); }
};

using GroupOps = OpList<Barrier, BarrierReduce, GridBarrier, GridDependency, LaneIndex, ActiveMask,
                        WarpBarrier, Vote, Ballot, Shuffle, Match>;

}  // namespace hetjit::ir
