#include "compiler/lower/integer_facts.h"

namespace hetjit::lower {
namespace {

std::vector<bool> values_used_as_indices(const ir::Function& function) {
  std::vector<uint32_t> others = ir::count_uses(function);
  std::vector<bool> found(function.types.size());
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts)
      if (const auto* element = std::get_if<ir::ElementAddress>(&inst.op))
        for (size_t i = 1; i < element->in.size(); ++i) {
          found[element->in[i].index] = true;
          --others[element->in[i].index];
        }
  for (size_t i = 0; i < found.size(); ++i) found[i] = found[i] && others[i] == 0;
  return found;
}

}  // namespace

IntegerFacts::IntegerFacts(const ir::Function& function)
    : ranges_(function), is_index_(values_used_as_indices(function)) {}

Exactness IntegerFacts::exactness(const std::array<ValueId, 2>& in, Scalar scalar, BlockId at,
                                  std::optional<passes::Interval> (*rule)(passes::Interval,
                                                                          passes::Interval)) const {
  passes::Interval a = interval(in[0], at), b = interval(in[1], at);
  std::optional<passes::Interval> exact = rule(a, b);
  if (!exact) return {};
  const unsigned bits = info(scalar).bits;
  const passes::Interval plain{0, (passes::Wide{1} << bits) - 1};
  const passes::Interval with_sign{-(passes::Wide{1} << (bits - 1)),
                                   (passes::Wide{1} << (bits - 1)) - 1};
  auto fits = [&](passes::Interval all) {
    return all.holds(a) && all.holds(b) && all.holds(*exact);
  };
  return {fits(plain), fits(with_sign)};
}

}  // namespace hetjit::lower
