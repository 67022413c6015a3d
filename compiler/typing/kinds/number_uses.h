// What warnings of numbers ask of a function whose types are final: where its values come from, and
// where a number's size shows.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "compiler/typing/core/instance.h"

namespace hetjit::typing {

/// The instruction that makes a value; null: it is a block's parameter.
const ssa::Inst* maker_of(const Instance& instance, ValueId id);
/// Adds what live edges bring as a block's parameter.
void add_brought(const Instance& instance, ValueId param, std::vector<ValueId>& to);

/// Looks for an instruction behind a value that is `followed`: `look(inst, waiting)` gives the one
/// that was looked for, or null, and adds the operands to go on with. Null: there is none.
template <class Followed, class Look>
const ssa::Inst* find_behind(const Instance& instance, ValueId id, Followed followed, Look look) {
  std::vector<bool> seen(instance.values.size());
  std::vector<ValueId> waiting = {id};
  while (!waiting.empty()) {
    const ValueId next = waiting.back();
    waiting.pop_back();
    if (seen[next.index] || !followed(next)) continue;
    seen[next.index] = true;
    const ssa::Inst* inst = maker_of(instance, next);
    if (!inst)
      add_brought(instance, next, waiting);
    else if (const ssa::Inst* found = look(*inst, waiting))
      return found;
  }
  return nullptr;
}

/// The numbers that an index consists of; none where `whole` is no array.
std::vector<ValueId> numbers_of_index(const Instance& instance, ValueId whole, ValueId index);
/// The format of an array's elements; nullopt: it is no array of numbers.
std::optional<Scalar> format_of_elements(const Instance& instance, ValueId array);
/// "min" of Python's min(); "" of what is not one of range, abs, min and max.
std::string_view ordering(const TypeValue& callee);

}  // namespace hetjit::typing
