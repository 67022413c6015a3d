// The shared variables of a kernel: one per place that makes one, whoever comes by. (HETX-MEM-1)
#pragma once

#include <cstdint>
#include <vector>

#include "abi/target_name.h"
#include "frontend/diag/span.h"
#include "frontend/ssa/function.h"

namespace hetjit::typing {

struct Instance;

/// Where one is made. Copies of an instruction, as unrolled loops have them, are one place when
/// their columns are known.
struct MakingPlace {
  const Instance* instance = nullptr;
  const ssa::Inst* inst = nullptr;
  Span where;
  friend bool operator==(const MakingPlace& a, const MakingPlace& b) {
    bool exact = a.where.known() && a.where.end_column != 0;
    return a.instance == b.instance && (exact ? a.where == b.where : a.inst == b.inst);
  }
};

class SharedVariables {
 public:
  explicit SharedVariables(const TargetName& target) : target_(target.kind) {}

  /// The number of the variable that a place makes. Those that differ in size are different ones.
  uint32_t number_of(const MakingPlace& place, uint32_t bytes, uint32_t align);
  /// Bytes of all so far, as they lie one after another.
  uint64_t total() const;
  /// Bytes that a block may have without asking for them at the launch.
  uint32_t most() const;

 private:
  struct Variable {
    MakingPlace place;
    uint32_t bytes, align;
  };
  TargetKind target_;
  std::vector<Variable> variables_;
};

}  // namespace hetjit::typing
