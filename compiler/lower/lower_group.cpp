// Blocks and warps: shared memory, barriers, votes, shuffles.
#include "compiler/lower/lowering.h"

namespace hetjit::lower {

Leaves lower(Lowering&, const ir::SharedMemory&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::DynamicSharedMemory&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::DynamicSharedBytes&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::LocalMemory&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::Barrier&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::BarrierReduce&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::GridBarrier&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::LaneIndex&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::ActiveMask&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::WarpBarrier&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::Vote&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::Ballot&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::Shuffle&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::Match&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}

}  // namespace hetjit::lower
