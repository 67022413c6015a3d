// Not one of the standard passes: LLVM inlines well. The host's vector form needs it, because how a
// value spreads over the lanes of a warp is known only where the arguments are.
#include "compiler/passes/inline.h"

#include <utility>

namespace hetjit::passes {
namespace {

// Instructions of a function with those of its chosen callees; more than `most` for a circle.
class Sizes {
 public:
  Sizes(const ir::Module& module, const std::vector<bool>& chosen, size_t most)
      : module_(module), chosen_(chosen), most_(most), known_(module.functions.size()) {}

  size_t of(uint32_t function) {
    State& state = known_[function];
    if (state.open) return most_ + 1;
    if (state.size) return state.size;
    state.open = true;
    size_t size = 1;
    for (const ir::Block& block : module_.functions[function].blocks)
      for (const ir::Inst& inst : block.insts) {
        const ir::Call* call = std::get_if<ir::Call>(&inst.op);
        bool taken = call && chosen_[call->function];
        size = std::min(size + (taken ? of(call->function) : 1), most_ + 1);
      }
    state = {size, false};
    return size;
  }

 private:
  struct State {
    size_t size = 0;
    bool open = false;
  };
  const ir::Module& module_;
  const std::vector<bool>& chosen_;
  const size_t most_;
  std::vector<State> known_;
};

class Inliner {
 public:
  Inliner(ir::Module& module, const std::vector<bool>& chosen)
      : module_(module), entry_(module.functions[0]), chosen_(chosen) {}

  void run() {
    for (uint32_t block = 0; block < entry_.blocks.size(); ++block)  // grows on the way
      for (size_t i = 0; i < entry_.blocks[block].insts.size(); ++i) {
        const auto* call = std::get_if<ir::Call>(&entry_.blocks[block].insts[i].op);
        if (!call || !chosen_[call->function]) continue;
        take_in(block, i);
        break;  // what followed the call stands in a block of its own now
      }
  }

 private:
  // The block ends where the callee begins; what followed goes on with the result.
  void take_in(uint32_t block, size_t index) {
    ir::Inst call = std::move(entry_.blocks[block].insts[index]);
    const ir::Call& op = std::get<ir::Call>(call.op);
    const ir::Function& callee = module_.functions[op.function];
    ir::Block rest;
    auto& insts = entry_.blocks[block].insts;
    rest.insts.assign(std::make_move_iterator(insts.begin() + static_cast<ptrdiff_t>(index) + 1),
                      std::make_move_iterator(insts.end()));
    insts.resize(index);
    if (call.result.valid()) rest.params.push_back(call.result);
    BlockId first = copy_blocks(callee, call.result.valid());
    ir::Jump enter;
    enter.to = {first, {op.in.begin(), op.in.end()}};
    entry_.blocks[block].insts.push_back({std::move(enter), {}, call.where});
    entry_.blocks.push_back(std::move(rest));  // right behind the copy, as copy_blocks assumes
  }

  BlockId copy_blocks(const ir::Function& callee, bool wants_result) {
    uint32_t first_block = static_cast<uint32_t>(entry_.blocks.size());
    uint32_t first_value = static_cast<uint32_t>(entry_.types.size());
    uint32_t first_span = static_cast<uint32_t>(entry_.spans.size());
    BlockId rest{first_block + static_cast<uint32_t>(callee.blocks.size())};
    entry_.types.insert(entry_.types.end(), callee.types.begin(), callee.types.end());
    entry_.spans.insert(entry_.spans.end(), callee.spans.begin(), callee.spans.end());
    auto moved = [&](ValueId& id) {
      if (id.valid()) id.index += first_value;
    };
    for (const ir::Block& from : callee.blocks) {
      ir::Block block = from;
      for (ValueId& param : block.params) moved(param);
      for (ir::Inst& inst : block.insts) {
        for (ValueId& operand : ir::operands(inst.op)) moved(operand);
        moved(inst.result);
        if (inst.where.valid()) inst.where.index += first_span;
        for (ir::Edge* edge : ir::edges(inst.op)) {
          edge->to.index += first_block;
          for (ValueId& argument : edge->args) moved(argument);
        }
        if (const ir::Return* back = std::get_if<ir::Return>(&inst.op)) {
          ir::Jump jump;
          jump.to = {rest,
                     wants_result ? std::vector<ValueId>{back->in[0]} : std::vector<ValueId>{}};
          inst.op = std::move(jump);
        }
      }
      entry_.blocks.push_back(std::move(block));
    }
    return {first_block};
  }

  ir::Module& module_;
  ir::Function& entry_;
  const std::vector<bool>& chosen_;
};

}  // namespace

bool inline_calls(ir::Module& module, const std::vector<bool>& chosen, size_t most) {
  if (Sizes(module, chosen, most).of(0) > most) return false;
  Inliner(module, chosen).run();
  return true;
}

bool inline_calls(ir::Module& module) {
  std::vector<bool> all(module.functions.size(), true);
  if (!inline_calls(module, all, kMaxInlined)) return false;
  module.functions.resize(1);
  return true;
}

}  // namespace hetjit::passes
