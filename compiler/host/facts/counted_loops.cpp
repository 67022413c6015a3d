#include "compiler/host/facts/counted_loops.h"

#include <algorithm>

#include "compiler/host/facts/costs.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::host {
namespace {

class Counting {
 public:
  Counting(const ir::Function& function, const ir::Definitions& definitions, const Loop& loop)
      : function_(function), definitions_(definitions), loop_(loop) {}

  /// Does the loop end because the branch at the end of this block leaves it?
  bool ends_at(uint32_t block, const ir::Branch& branch) const {
    const auto* compare = definitions_.made_by<ir::Compare>(branch.in[0]);
    const bool stays = loop_.holds(branch.yes.to.index);
    if (!compare || stays == loop_.holds(branch.no.to.index)) return false;
    const ir::Comparison kind = stays ? compare->kind : ir::opposite(compare->kind);
    return stays_below(compare->in[0], kind, compare->in[1], block) ||
           stays_below(compare->in[1], ir::mirrored(kind), compare->in[0], block);
  }

 private:
  /// Does every turn add to the number, which goes on only below a limit that stays and that it
  /// reaches?
  bool stays_below(ValueId number, ir::Comparison kind, ValueId limit, uint32_t block) const {
    number = before_widening(number);
    const Type& of = type(function_.type_of(number));
    if (of.kind != TypeKind::Scalar || !is_integer(of.scalar)) return false;
    if (kind != ir::Comparison::Lt && kind != ir::Comparison::Le) return false;
    if (!stays(limit)) return false;
    const std::optional<ValueId> step = step_of(number);
    if (!step) return false;
    const passes::ValueRanges ranges(function_);
    const passes::Interval steps = ranges.interval(*step, {loop_.header});
    const passes::Interval limits = ranges.interval(limit, {block});
    return steps.lo >= 1 && reaches(of.scalar, limit, limits, steps, kind == ir::Comparison::Lt);
  }

  /// Does no sum wrap before the limit? One that only the launch knows may lie less than a step
  /// below the end of the counter's type, and an array may have more elements than 32 bits count:
  /// both are taken for what does not happen. Asking in each turn would cost a sum by grid strides
  /// a third of its time. (squares of the gallery)
  bool reaches(Scalar counter, ValueId limit, passes::Interval limits, passes::Interval steps,
               bool below) const {
    const passes::Interval numbers = passes::numbers_of(counter);
    if (limits.hi + steps.hi - below <= numbers.hi) return true;
    if (limits.lo == limits.hi) return false;  // the program says it
    return numbers.holds(limits) ||
           (info(counter).bits >= 32 && definitions_.made_by<ir::Extent>(limit));
  }

  /// What an integer was before it became one of more bits.
  ValueId before_widening(ValueId id) const {
    const auto* convert = definitions_.made_by<ir::Convert>(id);
    if (!convert) return id;
    const Type &from = type(function_.type_of(convert->in[0])), &to = type(function_.type_of(id));
    const bool widens = is_integer(from.scalar) && is_integer(to.scalar) &&
                        passes::numbers_of(to.scalar).holds(passes::numbers_of(from.scalar));
    return widens ? convert->in[0] : id;
  }

  /// Is it the same in every turn?
  bool stays(ValueId id, int depth = 0) const {
    if (!loop_.holds(definitions_.home(id))) return true;
    const ir::Op* op = definitions_.of(id);
    if (!op || depth == kStepDepth || ir::info(*op).effects != ir::Pure) return false;
    return std::ranges::all_of(ir::operands(*op),
                               [&](ValueId operand) { return stays(operand, depth + 1); });
  }

  /// Of a parameter of the header, or of what it will be in the next turn.
  std::optional<ValueId> step_of(ValueId number) const {
    const std::vector<ValueId>& params = function_.blocks[loop_.header].params;
    for (size_t i = 0; i < params.size(); ++i) {
      const std::optional<ValueId> next = next_turn(function_, loop_, i);
      if (!next || (number != params[i] && number != *next)) continue;
      const auto* sum = definitions_.made_by<ir::Add>(*next);
      if (!sum) continue;
      for (size_t side : {0, 1})
        if (sum->in[side] == params[i] && stays(sum->in[1 - side])) return sum->in[1 - side];
    }
    return std::nullopt;
  }

  const ir::Function& function_;
  const ir::Definitions& definitions_;
  const Loop& loop_;
};

}  // namespace

std::optional<ValueId> next_turn(const ir::Function& function, const Loop& loop, size_t param) {
  std::optional<ValueId> found;
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    if (!loop.holds(block)) continue;
    for (const ir::Edge* edge : ir::edges(function.blocks[block].insts.back().op)) {
      if (edge->to.index != loop.header) continue;
      if (found && *found != edge->args[param]) return std::nullopt;
      found = edge->args[param];
    }
  }
  return found;
}

bool counts(const ir::Function& function, const Structure& structure,
            const ir::Definitions& definitions, const Loop& loop) {
  const Counting counting(function, definitions, loop);
  for (uint32_t block = 0; block < function.blocks.size(); ++block) {
    if (structure.loop_of(block) != &loop || !loop.goes_on[block]) continue;
    const auto* branch = std::get_if<ir::Branch>(&function.blocks[block].insts.back().op);
    if (branch && counting.ends_at(block, *branch)) return true;
  }
  return false;
}

std::optional<int64_t> known_turns(const ir::Function& function, const ir::Definitions& definitions,
                                   const Loop& loop) {
  const ir::Block& head = function.blocks[loop.header];
  const auto* branch = std::get_if<ir::Branch>(&head.insts.back().op);
  const auto* asked = branch ? definitions.made_by<ir::Compare>(branch->in[0]) : nullptr;
  const auto found = asked ? std::ranges::find(head.params, asked->in[0]) : head.params.end();
  if (found == head.params.end()) return std::nullopt;
  const auto param = static_cast<size_t>(found - head.params.begin());
  const std::optional<ValueId> next = next_turn(function, loop, param);
  const auto* sum = next ? definitions.made_by<ir::Add>(*next) : nullptr;
  const auto number = [&](ValueId id) { return definitions.made_by<ir::ConstInt>(id); };
  const ir::ConstInt *step = sum ? number(sum->in[1]) : nullptr, *end = number(asked->in[1]);
  if (!step || !end || sum->in[0] != *found) return std::nullopt;
  const auto by = static_cast<int32_t>(step->bits), to = static_cast<int32_t>(end->bits);
  int64_t from = 0;
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    for (const ir::Edge* edge : ir::edges(function.blocks[block].insts.back().op))
      if (edge->to.index == loop.header && !loop.holds(block)) {
        const ir::ConstInt* first = number(edge->args[param]);
        if (!first) return std::nullopt;
        from = static_cast<int32_t>(first->bits);
      }
  if (by == 0) return std::nullopt;
  return std::clamp<int64_t>((to - from) / by, 1, kMostTurns);
}

int64_t usual_turns(const ir::Function& function, const ir::Definitions& definitions,
                    const Loop& loop) {
  return known_turns(function, definitions, loop).value_or(kUsualTurns);
}

}  // namespace hetjit::host
