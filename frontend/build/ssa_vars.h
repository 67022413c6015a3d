// Variables become values: Braun and others, "Simple and Efficient Construction of Static Single
// Assignment Form" (2013), with block parameters in place of phis. Private to frontend/build.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "frontend/ssa/ids.h"

namespace hetjit::reader {

/// Anything that holds a value and may be written more than once: a local, a word of the operand
/// stack, a loop's position. The caller numbers them.
using Variable = uint32_t;

/// A parameter that a block needs because its predecessors may disagree on a variable.
struct VariableParam {
  Variable variable = 0;
  ValueId value;
  std::vector<ValueId> args;  // per incoming edge
};

/// What each variable is worth at each place. Blocks are filled one at a time; a block is sealed
/// when all its predecessors have been filled. Nothing here recurses: 50,000 blocks in a row or a
/// loop nest of any depth need no more machine stack than one block.
class SsaVars {
 public:
  /// predecessors[b]: where the edges into b come from, one entry per edge. Block 0 has none, and
  /// every block can be reached from it. `fresh` makes a new value, `missing` the value of a
  /// variable that is read in block 0 before any write (it is asked once per variable).
  SsaVars(std::vector<std::vector<uint32_t>> predecessors, std::function<ValueId()> fresh,
          std::function<ValueId(Variable)> missing);

  void write(Variable variable, uint32_t block, ValueId value);
  /// The value at the end of `block` as far as it has been filled.
  ValueId read(Variable variable, uint32_t block);
  void seal(uint32_t block);

  /// Complete once all blocks are sealed.
  const std::vector<VariableParam>& params(uint32_t block) const { return blocks_[block].params; }

 private:
  struct State {
    std::vector<uint32_t> predecessors;
    std::unordered_map<Variable, ValueId> values;
    std::vector<VariableParam> params;
    bool sealed = false;
  };
  struct Pending {
    uint32_t block, param;
  };

  ValueId find(Variable variable, uint32_t block);
  ValueId declare(Variable variable, uint32_t block);
  void fill_pending();

  std::vector<State> blocks_;
  std::vector<Pending> pending_;  // parameters whose arguments are still to be found
  std::function<ValueId()> fresh_;
  std::function<ValueId(Variable)> missing_;
};

}  // namespace hetjit::reader
