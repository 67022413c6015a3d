#include "compiler/typing/run/watched_returns.h"

#include <algorithm>
#include <optional>

#include "compiler/typing/kinds/lanes_left.h"
#include "compiler/typing/run/closing_barrier.h"

namespace hetjit::typing {
namespace {

bool uses(const ir::Module& module, uint32_t variable) {
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (auto* shared = std::get_if<ir::SharedMemory>(&inst.op);
            shared && shared->variable == variable)
          return true;
  return false;
}

/// Where the kernel's first instruction stands that has a place.
SpanId first_place(const ir::Function& kernel) {
  for (const ir::Block& block : kernel.blocks)
    for (const ir::Inst& inst : block.insts)
      if (inst.where.valid()) return inst.where;
  return {};
}

/// What `write` emits, in a kernel whose blocks stay as they are.
template <class Write>
std::vector<ir::Inst> written(ir::Function& kernel, SpanId where, Write write) {
  ir::Builder builder(kernel);
  builder.set_block(builder.new_block());
  write(builder);
  std::vector<ir::Inst> insts = std::move(kernel.blocks.back().insts);
  kernel.blocks.pop_back();
  for (ir::Inst& inst : insts) inst.where = where;
  return insts;
}

// All lanes that there are come to the kernel's beginning, and go on when the word is written.
void begin(ir::Builder& builder, uint32_t variable, Scalar bits) {
  const TypeId mask = scalar_type(bits);
  ir::Ballot present;
  present.in = {builder.const_int(mask, ~uint64_t{0} >> (64 - info(bits).bits)),
                builder.const_int(scalar_type(Scalar::Bool), 1)};
  ValueId there = builder.emit(present, mask);
  builder.store(lanes_left_address(builder, variable, bits), builder.unary<ir::BitNot>(there));
  ir::WarpBarrier barrier;
  barrier.in = {present.in[0]};
  builder.emit(barrier);
}

/// By block: will whoever comes to it come to a `return`, and meet nobody of its warp before?
std::vector<bool> leaving(const ir::Function& kernel, const std::vector<Source>& sources) {
  auto meets = [&](const ir::Inst& inst) {
    const ir::OpInfo& op = ir::info(inst.op);
    const bool goes_round =
        std::holds_alternative<ir::Return>(inst.op) && !is_written_return(kernel, inst, sources);
    return op.together() || (op.effects & ir::Calls) != 0 || goes_round;
  };
  std::vector<bool> leaves;
  for (const ir::Block& block : kernel.blocks)
    leaves.push_back(std::ranges::none_of(block.insts, meets));
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < leaves.size(); ++i)
      for (const ir::Edge* edge : ir::edges(kernel.blocks[i].insts.back().op))
        if (leaves[i] && !leaves[edge->to.index]) changed = true, leaves[i] = false;
  }
  return leaves;
}

/// Which lanes leave at the end of a block that not all leave from: the thread's own, or none.
std::optional<ValueId> bits_that_leave(ir::Builder& builder, const ir::Op& end, Scalar bits,
                                       const std::vector<bool>& leaves) {
  std::vector<bool> ways;
  for (const ir::Edge* edge : ir::edges(end)) ways.push_back(leaves[edge->to.index]);
  if (std::ranges::find(ways, true) == ways.end() && !ways.empty()) return std::nullopt;
  const TypeId mask = scalar_type(bits);
  ValueId lane = builder.emit(ir::LaneIndex{}, scalar_type(Scalar::UInt32));
  ValueId own =
      builder.binary<ir::ShiftLeft>(builder.const_int(mask, 1), builder.convert(lane, mask));
  const auto* branch = std::get_if<ir::Branch>(&end);
  if (!branch || ways[0] == ways[1]) return own;
  ValueId none = builder.const_int(mask, 0);
  return builder.select(branch->in[0], ways[0] ? own : none, ways[0] ? none : own);
}

void leave(ir::Builder& builder, uint32_t variable, Scalar bits, ValueId own) {
  ir::AtomicUpdate gone;
  gone.operation = ir::AtomicOperation::Or;
  gone.order = ir::MemoryOrder::Relaxed;
  gone.scope = ir::MemoryScope::Block;
  gone.in = {lanes_left_address(builder, variable, bits), own};
  builder.emit(gone, scalar_type(bits));
}

}  // namespace

// A lane is taken to have left where it parts from the others: what stands behind a loop is done
// when the loop has ended, for those too who have left it before.
void watch_returns(ir::Module& module, const std::vector<Source>& sources, uint32_t variable,
                   unsigned lanes) {
  if (!uses(module, variable)) return;
  ir::Function& kernel = module.functions[0];
  const Scalar bits = lanes == 64 ? Scalar::UInt64 : Scalar::UInt32;
  const std::vector<bool> leaves = leaving(kernel, sources);
  for (size_t i = 0; i < leaves.size(); ++i) {
    const ir::Inst last = kernel.blocks[i].insts.back();
    const bool returns = is_written_return(kernel, last, sources);
    if (leaves[i] || (ir::edges(last.op).empty() && !returns)) continue;
    std::vector<ir::Inst> made = written(kernel, last.where, [&](ir::Builder& builder) {
      if (auto own = bits_that_leave(builder, last.op, bits, leaves))
        leave(builder, variable, bits, *own);
    });
    std::vector<ir::Inst>& insts = kernel.blocks[i].insts;
    insts.insert(insts.end() - 1, made.begin(), made.end());
  }
  std::vector<ir::Inst> beginning = written(
      kernel, first_place(kernel),
      [&](ir::Builder& builder) { begin(builder, variable, bits); });
  std::vector<ir::Inst>& insts = kernel.blocks[0].insts;
  insts.insert(insts.begin(), beginning.begin(), beginning.end());
}

}  // namespace hetjit::typing
