// Between which numbers an integer value lies. For passes, and for compiler/host.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/uses.h"
#include "compiler/passes/interval.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::passes {

/// Is a number that is not negative smaller than another one? OrBothZero: or both are 0.
enum class Below : uint8_t { Unknown, OrBothZero, Always };

/// Intervals of all integers and bools of a function.
///
/// Sound for every op's wrapping arithmetic, with one assumption, which is the language's:
/// positions in the launch (sums and products of thread and block indices and dimensions) are
/// builtin ints and fit one, so that they stay below 2^31.
class ValueRanges {
 public:
  /// With an array that has elements, where one is named.
  explicit ValueRanges(const ir::Function& function, ValueId has_elements = {});

  /// Of a value where block `at` uses it: conditions that dominate the block count.
  Interval interval(ValueId id, BlockId at) const;
  /// Of two values of block `at` (below.cpp): by a condition that dominates it, as a remainder of a
  /// division by `limit`, by their intervals.
  Below below(ValueId id, ValueId limit, BlockId at) const;
  /// Are two values one number, whatever types it has been given?
  bool equal(ValueId a, ValueId b) const;

 private:
  struct Range {
    bool visited = false;
    bool place = false;  // made of positions in the launch only
    Interval is;
    friend bool operator==(const Range&, const Range&) = default;
  };
  friend struct RangeRules;
  friend struct BelowRules;

  bool visit(uint32_t block, bool (ValueRanges::*update)(ValueId, Range));
  bool grow(ValueId id, Range range);
  bool shrink(ValueId id, Range range);
  Range join_params(uint32_t block, size_t index) const;
  Range joined_with(Range joined, const ir::Incoming& in, size_t index) const;
  // value_steps.cpp: of a parameter that a loop moves by a constant in each of its turns, of which
  // it has a known number at most.
  std::optional<Range> moved(uint32_t block, size_t index) const;
  std::optional<Wide> most_turns(uint32_t header) const;
  std::optional<Wide> step(uint32_t header, size_t index) const;
  Range start(uint32_t header, size_t index) const;
  bool goes_round(uint32_t header, const ir::Incoming& edge) const;
  Range lookup(ValueId id, uint32_t block) const;
  void refine(Range& range, ValueId id, const ir::Incoming& edge) const;
  void refine(Range& range, ValueId id, ir::Known known, int depth = 0) const;
  void refine_by(Range& range, ValueId id, const ir::Compare& compare, bool truth) const;
  bool stands_for(ValueId operand, ValueId id, const Range& range) const;
  bool same_number(ValueId a, ValueId b, int depth = 0) const;
  Interval all_numbers(ValueId id) const;
  ValueId plain_number(ValueId id) const;
  template <class AnyOp>
  const AnyOp* made_by(ValueId id) const {
    return definitions_.made_by<AnyOp>(id);
  }

  const ir::Function function_;  // a copy: asked about while the original is being rewritten
  const ValueId has_elements_;
  Dominators tree_;
  std::vector<std::vector<ir::Incoming>> incoming_;  // from blocks that are reached
  ir::Definitions definitions_;
  std::vector<Range> ranges_;    // by value, where it is defined
  std::vector<uint8_t> growth_;  // by value: how often its range grew
};

}  // namespace hetjit::passes
