#include "compiler/host/phases/prefetch.h"

#include <cstdlib>
#include <map>

#include "abi/layout.h"
#include "compiler/host/facts/bounds.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/roots.h"
#include "compiler/host/phases/phases.h"

namespace hetjit::host {
namespace {

/// The address of a load in a loop, one turn later.
class NextTurn {
 public:
  NextTurn(ir::Function& kernel, const Shapes& rows, const Loop& loop)
      : kernel_(kernel), rows_(rows), loop_(loop) {}

  /// The value as it will be in the next turn, or nullopt; what computes it comes to `made`.
  std::optional<ValueId> of(ValueId id) { return copy(id, true); }
  std::vector<ir::Inst> made;

 private:
  using Known = std::map<uint32_t, ValueId>;

  /// As it is in this turn (which what the latch hands on may not be yet), or will be in the next.
  std::optional<ValueId> copy(ValueId id, bool next) {
    if (!loop_.holds(rows_.home(id))) return id;
    Known& known = next ? next_ : now_;
    if (auto found = known.find(id.index); found != known.end()) return found->second;
    const ir::Op* op = rows_.definitions().of(id);
    std::optional<ValueId> copied = op ? copy_op(*op, id, next) : copy_parameter(id, next);
    if (copied) known[id.index] = *copied;
    return copied;
  }

  std::optional<ValueId> copy_parameter(ValueId id, bool next) {
    if (rows_.home(id) != loop_.header) return std::nullopt;
    if (!next) return id;
    const std::vector<ValueId>& params = kernel_.blocks[loop_.header].params;
    std::optional<ValueId> handed_on;
    for (uint32_t from = 0; from < kernel_.blocks.size(); ++from) {
      if (!loop_.holds(from)) continue;
      for (const ir::Edge* edge : ir::edges(kernel_.blocks[from].insts.back().op))
        for (size_t i = 0; edge->to.index == loop_.header && i < params.size(); ++i) {
          if (params[i] != id) continue;
          if (handed_on && *handed_on != edge->args[i]) return std::nullopt;
          handed_on = edge->args[i];
        }
    }
    return handed_on ? copy(*handed_on, false) : std::nullopt;
  }

  std::optional<ValueId> copy_op(const ir::Op& op, ValueId id, bool next) {
    if (ir::info(op).effects != ir::Pure || made.size() >= kLongestAddress) return std::nullopt;
    ir::Op copied = op;
    for (ValueId& operand : ir::operands(copied)) {
      std::optional<ValueId> one = copy(operand, next);
      if (!one) return std::nullopt;
      operand = *one;
    }
    kernel_.types.push_back(kernel_.type_of(id));
    ValueId result{static_cast<uint32_t>(kernel_.types.size() - 1)};
    made.push_back({std::move(copied), result, {}});
    return result;
  }

  ir::Function& kernel_;
  const Shapes& rows_;
  const Loop& loop_;
  Known now_, next_;
};

bool waits_inside(const ir::Function& kernel, const Structure& structure, const Loop& loop,
                  const std::vector<bool>& steps) {
  for (uint32_t block = 0; block < kernel.blocks.size(); ++block) {
    if (structure.loop_of(block) != &loop) continue;
    if (block < steps.size() && steps[block]) return true;
    for (const ir::Inst& inst : kernel.blocks[block].insts)
      if (ir::info(inst.op).needs == ir::Needs::Block) return true;
  }
  return false;
}

bool is_side_by_side(const Shapes& rows, ValueId address) {
  Shape shape = rows.of(address);
  return shape.spread == Spread::Affine && shape.stride > 0 && shape.stride <= kNeighbours;
}

/// Does the next turn read so near that the CPU's own prefetching is there?
bool goes_on_nearby(const ir::Function& kernel, const Shapes& rows, const Loop& loop,
                    ValueId address) {
  const auto* element = rows.definitions().made_by<ir::ElementAddress>(address);
  if (!element || element->in.size() != 2) return false;
  const std::optional<int64_t> step = step_by_turn(kernel, rows, loop, element->in[1]);
  const auto bytes = static_cast<int64_t>(layout(type(kernel.type_of(address)).element).stride());
  return step && std::abs(*step) * bytes <= kNearbyTurn;
}

void add_to_block(ir::Function& kernel, const Shapes& rows, const Roots& roots, const Loop& loop,
                  uint32_t block) {
  const std::vector<ir::Inst>& before = kernel.blocks[block].insts;
  std::vector<ir::Inst> after;
  for (const ir::Inst& inst : before) {
    after.push_back(inst);
    const ir::Load* load = std::get_if<ir::Load>(&inst.op);
    if (!load || !loop.holds(rows.home(load->in[0])) || !is_side_by_side(rows, load->in[0]) ||
        roots.is_shared(load->in[0]) || goes_on_nearby(kernel, rows, loop, load->in[0]))
      continue;
    NextTurn turn(kernel, rows, loop);
    std::optional<ValueId> address = turn.of(load->in[0]);
    if (!address) continue;
    for (ir::Inst& made : turn.made) after.push_back({std::move(made.op), made.result, inst.where});
    ir::Prefetch prefetch;
    prefetch.in = {*address};
    after.push_back({prefetch, {}, inst.where});
  }
  kernel.blocks[block].insts = std::move(after);
}

}  // namespace

void add_prefetches(ir::Function& kernel, const Structure& structure,
                    const std::vector<bool>& steps) {
  for (const auto& loop : structure.loops()) {
    if (!waits_inside(kernel, structure, *loop, steps)) continue;
    const Roots roots(kernel);
    for (uint32_t block = 0; block < kernel.blocks.size(); ++block)
      if (structure.loop_of(block) == loop.get()) {
        Shapes rows(kernel, structure);
        add_to_block(kernel, rows, roots, *loop, block);
      }
  }
}

}  // namespace hetjit::host
