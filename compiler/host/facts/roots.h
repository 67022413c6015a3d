// Which memory addresses and arrays lie in: parameters, shared variables, a thread's own.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// A set of memories, a bit for each.
using RootSet = uint64_t;

class Roots {
 public:
  static constexpr RootSet kUnknown = 1, kLocal = 2, kDynamic = 4;

  explicit Roots(const ir::Function& kernel);

  /// Where an address or the elements of an array may lie.
  RootSet of(ValueId id) const { return sets_[id.index]; }
  /// Of all arrays that are parameters; of the block's memory.
  RootSet parameters() const { return parameters_; }
  RootSet shared() const { return shared_; }
  /// Does an address, or an array, lie in the block's memory, and nowhere else?
  bool is_shared(ValueId id) const { return of(id) && !(of(id) & ~shared_); }
  /// The parameter, where the set is that of one.
  ValueId parameter(RootSet one) const;

 private:
  bool visit(const ir::Inst& inst);
  RootSet of_result(const ir::Op& op);
  bool add(ValueId to, RootSet roots);
  RootSet variable(uint32_t number);
  RootSet next_bit();

  const ir::Function& kernel_;
  std::vector<RootSet> sets_;  // by value
  RootSet parameters_ = 0, shared_ = kDynamic;
  std::vector<std::pair<RootSet, ValueId>> arrays_;      // parameters
  std::vector<std::pair<uint32_t, RootSet>> variables_;  // shared
  RootSet used_ = kUnknown | kLocal | kDynamic;
};

}  // namespace hetjit::host
