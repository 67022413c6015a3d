// The last two columns of HETJIT_NORMAL_OPS, as functions.
#include <algorithm>
#include <bit>
#include <string>

#include "frontend/bytecode/decode.h"

namespace hetjit::bytecode {
namespace {

/// More than any code object asks for; keeps sums of effects far from overflow.
constexpr int64_t kDeepest = 1 << 20;

constexpr uint32_t bits(uint32_t flags) { return static_cast<uint32_t>(std::popcount(flags)); }

using Effect = StackEffect (*)(uint32_t N);

constexpr Effect kEffects[] = {
#define NORMAL_OP(name, text, argument, pops, pushes) \
  [](uint32_t N) -> StackEffect {                     \
    (void)N;                                          \
    return {(pops), (pushes)};                        \
  },
    HETJIT_NORMAL_OPS(NORMAL_OP)
#undef NORMAL_OP
};

Error wrong_stack(const char* what, const NormalInst& inst) {
  return {ErrorCode::Invalid, std::string("malformed bytecode: ") + what + " at code unit " +
                                  std::to_string(inst.offset)};
}

/// Depths of all instructions, found by following every path once.
class Depths {
 public:
  explicit Depths(std::span<const NormalInst> insts)
      : insts_(insts), depths_(insts.size(), kUnreached) {}

  Result<std::vector<int32_t>> run() {
    if (!insts_.empty()) HETJIT_TRY(arrive(0, 0));
    while (!work_.empty()) {
      const size_t at = work_.back();
      work_.pop_back();
      HETJIT_TRY(leave(at));
    }
    return std::move(depths_);
  }

 private:
  Status leave(size_t at) {
    const NormalInst& inst = insts_[at];
    if (falls_through(inst.op)) HETJIT_TRY(follow(at, stack_effect(inst), at + 1));
    if (jumps(inst.op))
      HETJIT_TRY(follow(at, stack_effect_of_jump(inst), static_cast<size_t>(inst.arg)));
    if (depths_[at] < static_cast<int64_t>(stack_effect(inst).pops))
      return wrong_stack("too few words on the stack", inst);
    return ok();
  }

  Status follow(size_t at, StackEffect effect, size_t to) {
    const int64_t depth = depths_[at];
    if (depth < effect.pops) return wrong_stack("too few words on the stack", insts_[at]);
    if (to >= insts_.size()) return wrong_stack("an end that is not a return", insts_[at]);
    return arrive(to, depth - effect.pops + effect.pushes);
  }

  Status arrive(size_t at, int64_t depth) {
    if (depth > kDeepest) return wrong_stack("too many words on the stack", insts_[at]);
    if (depths_[at] == depth) return ok();
    if (depths_[at] != kUnreached) return wrong_stack("paths with different stacks", insts_[at]);
    depths_[at] = static_cast<int32_t>(depth);
    work_.push_back(at);
    return ok();
  }

  std::span<const NormalInst> insts_;
  std::vector<int32_t> depths_;
  std::vector<size_t> work_;
};

}  // namespace

StackEffect stack_effect(const NormalInst& inst) {
  return kEffects[static_cast<size_t>(inst.op)](static_cast<uint32_t>(inst.arg));
}

StackEffect stack_effect_of_jump(const NormalInst& inst) {
  if (inst.op == NormalOp::ForIter) return {1, 0};
  if (inst.op == NormalOp::ForIterPair) return {2, 0};
  return stack_effect(inst);
}

Result<std::vector<int32_t>> stack_depths(std::span<const NormalInst> insts) {
  return Depths(insts).run();
}

}  // namespace hetjit::bytecode
