// Numbers that a loop moves by a constant in each turn, beside a counter that ends it: `p += 4` in
// `for k in range(4)`. What goes round is known by the number of turns, and does not grow for all
// the ranges can tell.
#include <algorithm>

#include "compiler/passes/value_ranges.h"

namespace hetjit::passes {

bool ValueRanges::goes_round(uint32_t header, const ir::Incoming& edge) const {
  return tree_.dominates(header, edge.from);
}

/// By how much every way round moves a parameter of a loop's head; nullopt: it does otherwise.
std::optional<Wide> ValueRanges::step(uint32_t header, size_t index) const {
  const ValueId param = function_.blocks[header].params[index];
  std::optional<Wide> found;
  for (const ir::Incoming& edge : incoming_[header]) {
    if (!goes_round(header, edge)) continue;
    const auto* sum = made_by<ir::Add>(edge.edge->args[index]);
    const auto* number = sum ? made_by<ir::ConstInt>(sum->in[1]) : nullptr;
    if (!number || sum->in[0] != param) return std::nullopt;
    const Wide by = number_of(type(function_.type_of(param)).scalar, number->bits);
    if (found && *found != by) return std::nullopt;
    found = by;
  }
  return found;
}

/// What a parameter of a loop's head is when the loop begins.
ValueRanges::Range ValueRanges::start(uint32_t header, size_t index) const {
  Range joined;
  for (const ir::Incoming& edge : incoming_[header])
    if (!goes_round(header, edge)) joined = joined_with(joined, edge, index);
  return joined;
}

/// How often a loop goes round at most: while its head finds a counter that grows below a limit.
std::optional<Wide> ValueRanges::most_turns(uint32_t header) const {
  const ir::Block& head = function_.blocks[header];
  const auto* branch = std::get_if<ir::Branch>(&head.insts.back().op);
  const auto* asked = branch ? made_by<ir::Compare>(branch->in[0]) : nullptr;
  if (!asked || asked->kind != ir::Comparison::Lt || incoming_[branch->yes.to.index].size() != 1)
    return std::nullopt;
  const auto param = std::ranges::find(head.params, asked->in[0]);
  if (param == head.params.end()) return std::nullopt;
  for (const ir::Incoming& edge : incoming_[header])
    if (goes_round(header, edge) && !tree_.dominates(branch->yes.to.index, edge.from))
      return std::nullopt;
  const auto index = static_cast<size_t>(param - head.params.begin());
  const std::optional<Wide> by = step(header, index);
  const Range first = start(header, index), limit = lookup(asked->in[1], header);
  if (!by || *by <= 0 || !first.visited || !limit.visited) return std::nullopt;
  const Wide last = limit.is.hi - 1 + *by;  // where it finds itself at the limit or beyond
  if (last > all_numbers(*param).hi) return std::nullopt;
  return std::max<Wide>(0, (last - first.is.lo) / *by);
}

std::optional<ValueRanges::Range> ValueRanges::moved(uint32_t block, size_t index) const {
  if (std::ranges::none_of(incoming_[block], [&](auto& edge) { return goes_round(block, edge); }))
    return std::nullopt;
  const std::optional<Wide> by = step(block, index);
  const std::optional<Wide> turns = by ? most_turns(block) : std::nullopt;
  if (!turns) return std::nullopt;
  Range range = start(block, index);
  range.place = false;
  range.is.lo += std::min<Wide>(0, *by * *turns);
  range.is.hi += std::max<Wide>(0, *by * *turns);
  const ValueId param = function_.blocks[block].params[index];
  return !range.visited || all_numbers(param).holds(range.is) ? std::optional(range) : std::nullopt;
}

}  // namespace hetjit::passes
