// Operations on integers that put numbers together in any order.
#pragma once

#include <cstdint>
#include <optional>

#include "abi/scalar.h"
#include "compiler/ir/ops_atomic.h"

namespace hetjit::host {

/// An operation of which doing it once with two numbers put together is doing it with one after the
/// other.
struct Combining {
  ir::AtomicOperation operation;  // Add, And, Or, Xor, Max, Min: puts two together
  uint64_t neutral;               // bits, to be cut to the type's: with it nothing is done
  bool operator==(const Combining&) const = default;
};

/// nullopt: its order matters, as that of sums of floats.
std::optional<Combining> combining(ir::AtomicOperation operation, Scalar scalar);

}  // namespace hetjit::host
