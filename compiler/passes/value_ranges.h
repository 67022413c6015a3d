// Which integers cannot be negative, and how large they can be. Private to compiler/passes.
#pragma once

#include <memory>
#include <optional>

#include "compiler/ir/ir.h"
#include "frontend/ssa/dominators.h"

namespace hetjit::passes {

/// What is known of a value: it is in [0, bound]. Of other values nothing is known.
///
/// Sound for every op's wrapping arithmetic, with one assumption, which is the language's:
/// positions in the launch (sums and products of thread and block indices and dimensions) are
/// builtin ints and fit one, so that they stay below 2^31.
class ValueRanges {
 public:
  explicit ValueRanges(const ir::Function& function);

  /// The bound of an integer where block `at` uses it: conditions that dominate the block count.
  std::optional<uint64_t> bound(ValueId id, BlockId at) const;

 private:
  struct Range {
    enum Kind : uint8_t { Unvisited, Bounded, Unknown } kind = Unvisited;
    uint64_t bound = 0;
    bool place = false;  // made of positions in the launch only
    friend bool operator==(const Range&, const Range&) = default;
  };
  /// Holds in a block: this condition is `truth`.
  struct Fact {
    ValueId condition;
    bool truth = false;
  };
  struct Incoming {
    uint32_t from;
    const ir::Edge* edge;
    Fact fact;  // its condition is invalid for a jump
  };
  friend struct RangeRules;

  void find_definitions();
  bool visit(uint32_t block);
  bool set(ValueId id, Range range);
  Range join_params(uint32_t block, size_t index) const;
  Range lookup(ValueId id, uint32_t block) const;
  void refine(Range& range, ValueId id, Fact fact, int depth = 0) const;
  void refine_by(Range& range, ValueId id, const ir::Compare& compare, bool truth) const;
  uint64_t type_max(ValueId id) const;

  const ir::Function function_;  // a copy: asked about while the original is being rewritten
  Dominators tree_;
  std::vector<std::vector<Incoming>> incoming_;  // by block, from reachable blocks
  std::vector<Range> ranges_;                    // by value, where it is defined
  std::vector<uint8_t> growth_;                  // by value: how often a parameter's bound grew
  std::vector<const ir::Op*> definitions_;       // by value; null: a parameter
  std::vector<uint32_t> home_;                   // by value: its block
};

}  // namespace hetjit::passes
