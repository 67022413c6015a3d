#include "compiler/typing/run/unrolling.h"

#include "compiler/typing/core/evaluation.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::typing {
namespace {

// A loop that runs more often stays a loop: its body is to have types of its own only a few times.
constexpr Integer kMostCopies = 256;

struct Loop {
  uint32_t header = 0, body = 0;  // blocks
  uint32_t copies = 0;
};

// The loop of a block when it is known how often it runs, and it has no copies for that yet.
std::optional<Loop> known_loop(const Instance& instance, uint32_t block) {
  const ssa::Block& code = instance.code->blocks[block];
  const auto* branch = std::get_if<ssa::Branch>(&code.insts.back().op);
  if (!branch || code.loop == UINT32_MAX) return std::nullopt;
  for (const ssa::Inst& inst : code.insts) {
    const auto* has = std::get_if<ssa::IterHas>(&inst.op);
    if (!has || inst.result != branch->in[0]) continue;
    const IteratorType* iterator = instance.type_of(has->in[0]).as<IteratorType>();
    bool counts = iterator && iterator->parts.size() == 2;  // else the second is no number of turns
    if (!counts) return std::nullopt;
    std::optional<Integer> count = integer_literal(iterator->parts[1]);
    auto copied = instance.reading.copies.find(code.loop);
    Integer before = copied == instance.reading.copies.end() ? 0 : copied->second;
    if (!count || *count <= before || *count > kMostCopies) return std::nullopt;
    return Loop{block, branch->yes.to.index, static_cast<uint32_t>(*count)};
  }
  return std::nullopt;
}

// The block of the first mistake, in the order of the code.
std::optional<uint32_t> first_mistake(Specializer& whole, Instance& instance) {
  Diagnostics found;
  Evaluation at(whole, instance, found, nullptr);
  for (uint32_t block : instance.flow->blocks_in_order) {
    if (!instance.live_blocks[block]) continue;
    const std::vector<ssa::Inst>& insts = instance.code->blocks[block].insts;
    for (size_t i = 0; i + 1 < insts.size() && found.empty(); ++i) at.evaluated(insts[i]);
    at.enter(insts.back());
    if (const auto* branch = std::get_if<ssa::Branch>(&insts.back().op); branch && found.empty())
      truth(at, at.operand(branch->in[0]));
    if (!found.empty()) return block;
  }
  return std::nullopt;
}

// Whether the values that a loop carries along change their type on the way.
bool carries_several_types(const Instance& instance, const Loop& loop) {
  for (ValueId param : instance.code->blocks[loop.header].params)
    if (instance.type_of(param).holds<Disagreement>()) return true;
  return false;
}

}  // namespace

bool unroll_a_loop(Specializer& whole, Instance& instance) {
  std::vector<Loop> loops;  // outer ones first
  for (uint32_t block : instance.flow->blocks_in_order)
    if (instance.live_blocks[block])
      if (std::optional<Loop> loop = known_loop(instance, block)) loops.push_back(*loop);
  if (loops.empty()) return false;
  std::optional<uint32_t> mistake = first_mistake(whole, instance);
  if (!mistake) return false;
  Dominators dominators(ssa::successors(*instance.code));
  const Loop* chosen = nullptr;
  for (const Loop& loop : loops)
    if (dominators.dominates(loop.body, *mistake)) chosen = &loop;
  for (const Loop& loop : loops)  // a mistake behind the loop
    if (!chosen && carries_several_types(instance, loop)) chosen = &loop;
  if (!chosen) return false;
  Reading reading = instance.reading;
  reading.copies[instance.code->blocks[chosen->header].loop] = chosen->copies;
  return whole.read_as(instance, reading);
}

}  // namespace hetjit::typing
