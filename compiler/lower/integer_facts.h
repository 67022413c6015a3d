// What is known of a function's integers, for code of GPUs: that a sum does not wrap LLVM cannot
// see, but builds addresses, counters and shorter comparisons on it. Private to lower/.
#pragma once

#include "compiler/passes/value_ranges.h"

namespace hetjit::lower {

/// Does a sum, difference or product wrap, its operands read as unsigned or as signed numbers?
struct Exactness {
  bool as_unsigned = false, as_signed = false;
};

class IntegerFacts {
 public:
  explicit IntegerFacts(const ir::Function& function);

  passes::Interval interval(ValueId id, BlockId at) const { return ranges_.interval(id, at); }
  bool is_nonnegative(ValueId id, BlockId at) const { return interval(id, at).lo >= 0; }
  /// Of an op on integers of type `scalar`, with this rule in exact arithmetic.
  Exactness exactness(const std::array<ValueId, 2>& in, Scalar scalar, BlockId at,
                      std::optional<passes::Interval> (*rule)(passes::Interval,
                                                              passes::Interval)) const;
  /// Is the value an index of elements and nothing else?
  bool is_index(ValueId id) const { return is_index_[id.index]; }

 private:
  passes::ValueRanges ranges_;
  std::vector<bool> is_index_;  // by value
};

}  // namespace hetjit::lower
