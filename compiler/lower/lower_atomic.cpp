// Atomic operations and fences.
#include "compiler/lower/lowering.h"

namespace hetjit::lower {

Leaves lower(Lowering&, const ir::AtomicLoad&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::AtomicStore&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::AtomicUpdate&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::AtomicCompareExchange&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::Fence&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}
Leaves lower(Lowering&, const ir::Pause&) {
  HETJIT_CHECK(false && "no builtin makes it yet");
  return {};
}

}  // namespace hetjit::lower
