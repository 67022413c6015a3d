// The shared variables of a kernel: one per place in the source that makes one, whoever comes by.
// (HETX-MEM-1)
#pragma once

#include <cstdint>
#include <vector>

#include "abi/target_name.h"
#include "abi/type.h"
#include "frontend/diag/span.h"
#include "frontend/ssa/function.h"

namespace hetjit::typing {

/// Where one is made. Copies of an instruction, as unrolled loops and other specialisations of a
/// function have them, are one place when their columns are known.
struct MakingPlace {
  Span where;
  const ssa::Inst* inst = nullptr;
  friend bool operator==(const MakingPlace& a, const MakingPlace& b) {
    bool exact = a.where.known() && a.where.end_column != 0;
    return exact ? a.where == b.where : a.inst == b.inst;
  }
};

class SharedVariables {
 public:
  explicit SharedVariables(const TargetName& target) : target_(target.kind) {}

  /// The number of the variable that a place makes. Of other elements or size it is another one.
  uint32_t number_of(const MakingPlace& place, TypeId element, uint32_t bytes, uint32_t align);
  /// Bytes of all so far, as they lie one after another.
  uint64_t total() const;
  /// Bytes that a block may have without asking for them at the launch.
  uint32_t most() const;

 private:
  struct Variable {
    MakingPlace place;
    TypeId element;
    uint32_t bytes, align;
    friend bool operator==(const Variable&, const Variable&) = default;
  };
  TargetKind target_;
  std::vector<Variable> variables_;
};

}  // namespace hetjit::typing
