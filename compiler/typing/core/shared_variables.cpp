#include "compiler/typing/core/shared_variables.h"

#include <algorithm>

#include "compiler/typing/known/target_facts.h"

namespace hetjit::typing {

uint32_t SharedVariables::number_of(const MakingPlace& place, TypeId element, uint32_t bytes,
                                    uint32_t align) {
  const Variable made{place, element, bytes, align};
  auto known = std::find(variables_.begin(), variables_.end(), made);
  if (known == variables_.end()) known = variables_.insert(known, made);
  return static_cast<uint32_t>(known - variables_.begin());
}

uint64_t SharedVariables::total() const {
  uint64_t end = 0;
  for (const Variable& variable : variables_) {
    const uint64_t align = variable.align;
    end = (end + align - 1) / align * align + variable.bytes;
  }
  return end;
}

uint32_t SharedVariables::most() const { return target_facts(target_).shared_bytes; }

}  // namespace hetjit::typing
