#include "compiler/host/warp/frame.h"

#include <algorithm>

#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/costs.h"

namespace hetjit::host {
namespace {

uint64_t round_up(uint64_t value, uint64_t align) { return (value + align - 1) / align * align; }

uint64_t take(uint64_t& end, uint64_t bytes, uint64_t align) {
  uint64_t at = round_up(end, align);
  end = at + bytes;
  return at;
}

/// Bytes of a slot: each leaf as a scalar or as a vector of all lanes.
uint64_t slot_bytes(const Slot& slot, lower::Types& types, unsigned width) {
  uint64_t bytes = 0;
  bool varying = slot.shape.spread == Spread::Varying && !slot.of_block;
  for (const lower::Leaf& leaf : types.leaves(slot.type)) {
    uint64_t one = leaf.stored->isPointerTy() ? 8 : leaf.stored->getScalarSizeInBits() / 8;
    bytes += round_up(one * (varying ? width : 1), 8);
  }
  return bytes;
}

constexpr uint64_t kElementBytes = sizeof(uint64_t);

template <class Predicate>
bool any_in(const Phases& phases, Predicate predicate) {
  for (const auto* functions : {&phases.functions, &phases.called})
    for (const ir::Function& function : *functions)
      if (any_op(function, predicate)) return true;
  return false;
}

}  // namespace

Frame lay_out(const Phases& phases, lower::Types& types, unsigned width) {
  Frame frame;
  frame.width = width;
  uint64_t block = sizeof(BlockVotes), context = 0;
  frame.live = take(context, 8, 8);
  frame.state = take(context, 8, 8);
  frame.posted = take(context, 8, 8);
  for (const Slot& slot : phases.slots) {
    uint64_t bytes = slot_bytes(slot, types, width);
    frame.slots.push_back(slot.of_block ? take(block, bytes, 8)
                                        : take(context, bytes, bytes >= 64 ? 64 : 8));
  }
  const bool shares = any_in(phases, [](const ir::Op& op) {
    const ir::Points points = ir::info(op).points;
    return points == ir::Points::Shared || points == ir::Points::Dynamic;
  });
  if (shares) frame.reach = round_up(width * kMostApart * kElementBytes, kBlockAlign);
  block += frame.reach;
  auto take_shared = [&](const ir::SharedMemory& op) {
    if (frame.shared.contains(op.variable)) return;
    frame.shared[op.variable] = take(block, op.bytes, std::max<uint64_t>(op.align, kBlockAlign));
  };
  auto take_local = [&](const ir::LocalMemory& op, ValueId id) {
    if (frame.local.contains(id.index)) return;
    uint64_t bytes = static_cast<uint64_t>(local_stride(op)) * width;
    frame.local[id.index] = take(context, bytes, std::max<uint64_t>(op.align, kBlockAlign));
  };
  for (const auto* functions : {&phases.functions, &phases.called})
    for (const ir::Function& function : *functions)
      for (const ir::Block& part : function.blocks)
        for (const ir::Inst& inst : part.insts) {
          if (auto* shared = std::get_if<ir::SharedMemory>(&inst.op)) take_shared(*shared);
          auto* local = std::get_if<ir::LocalMemory>(&inst.op);
          if (local && functions == &phases.functions) take_local(*local, inst.result);
        }
  frame.block_bytes = round_up(block, kBlockAlign);
  frame.context_bytes = round_up(context, kBlockAlign);
  return frame;
}

llvm::Value* byte_address(llvm::IRBuilder<>& build, llvm::Value* base, uint64_t offset) {
  if (offset == 0) return base;
  return build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), base, offset);
}

}  // namespace hetjit::host
