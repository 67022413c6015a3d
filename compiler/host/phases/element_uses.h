// What a function does with arrays in variables of one kind: a thread's own, or its block's.
#pragma once

#include <set>
#include <vector>

#include "compiler/ir/uses.h"

namespace hetjit::host {

class ElementUses {
 public:
  /// Does an op name a variable of the kind?
  using NamesMemory = bool (*)(const ir::Op&);
  ElementUses(const ir::Function& function, NamesMemory names_memory);

  /// The memory that a value leads to, by the value that names it; invalid: to none.
  ValueId memory(ValueId id) const;
  bool is_element(ValueId id) const { return uses_[id.index].what == What::Element; }

  /// Adds the memory, by value, of which this function uses more than elements, or accesses them
  /// otherwise than as they are.
  void add_unsuitable(std::set<uint32_t>& to) const;

 private:
  enum class What : uint8_t { Nothing, Memory, Array, Element };
  struct Use {
    What what = What::Nothing;
    ValueId from;
  };

  Use use_of(const ir::Op& op, NamesMemory names_memory) const;
  bool is_suitable(const ir::Inst& inst, ValueId operand, size_t place) const;

  const ir::Function& function_;
  const ir::Definitions definitions_;
  std::vector<Use> uses_;  // by value
};

}  // namespace hetjit::host
