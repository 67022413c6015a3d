// What a program does that was asked to watch itself (compiler/checks). Typing writes these.
#pragma once

#include "abi/watch_kinds.h"
#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// A check: where in[0] < in[1], both of one integer type and read as unsigned, is false, as Raise
/// with the rest of `in`. Other threads of the block may end with that thread; a launch of which a
/// check has failed has no results.
struct CheckBelow : ManyOperands {
  static constexpr OpInfo info = kind::raising("checkbelow", Writes);
  SiteId site;
  auto attributes() { return std::tie(site); }
};

/// Tells the runtime that this thread reads or writes `bytes` bytes at address in[0], which others
/// may use too. Where another thread has, and nothing orders the two, as Raise with: line, block x
/// y z and thread x y z of the other, i64 each, and the rest of `in`. Where it
/// reads shared or local memory that nobody has written, as Raise at `unwritten` with the rest of
/// `in`. The `guards` operands behind the address are bools, and none of the rest: where there are
/// some and all are true, nothing is told. Only the host listens.
struct CheckAccess : ManyOperands {
  static constexpr OpInfo info = kind::raising("checkaccess", Writes);
  AccessKind kind = AccessKind::Read;
  WatchFor watch = WatchFor::Both;
  uint32_t bytes = 0, guards = 0;
  SiteId site, unwritten;
  auto attributes() { return std::tie(kind, watch, bytes, guards, site, unwritten); }
};

/// Tells the runtime that this thread comes to a barrier, or behind one of a warp or the grid.
/// Where another thread of the block waits at a barrier on another line, as Raise with what
/// CheckAccess says of the other.
struct CheckBarrier : ManyOperands {
  static constexpr OpInfo info = kind::raising("checkbarrier", Writes);
  WaitKind kind = WaitKind::Block;
  SiteId site;
  auto attributes() { return std::tie(kind, site); }
};

/// Where true, no byte of an element of array in[0] is one of array in[1]'s; bool. Where false,
/// nothing is said. Only the host's own passes make it (compiler/host).
struct Apart : Operands<2> {
  static constexpr OpInfo info = kind::of_host("apart", Pure, Gives::Follows);
};

using CheckOps = OpList<CheckBelow, CheckAccess, CheckBarrier, Apart>;

}  // namespace hetjit::ir
