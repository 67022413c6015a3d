// Blocks and warps: shared memory, barriers, votes, shuffles.
#include "compiler/lower/lowering.h"

namespace hetjit::lower {

Leaves lower(Lowering& at, const ir::SharedMemory& op) { return host::thread_memory(at, op); }
Leaves lower(Lowering& at, const ir::DynamicSharedMemory& op) {
  return host::thread_memory(at, op);
}
Leaves lower(Lowering& at, const ir::DynamicSharedBytes& op) { return host::thread_memory(at, op); }
Leaves lower(Lowering& at, const ir::LocalMemory& op) { return host::thread_memory(at, op); }
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
Leaves lower(Lowering& at, const ir::LaneIndex&) { return host::thread_lane(at); }
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
