// Implicit conversion, whole: AMB-7 of the requirements as code. The rows live in abi/scalars.def.
#pragma once

#include <optional>

#include "abi/scalar.h"

namespace hetjit::typing {

/// The common type of two fixed-format (or two weak) scalars. nullopt: they do not mix, the caller
/// reports it (uint64 with a signed type, float8 with anything).
std::optional<Scalar> promote(Scalar a, Scalar b);

struct Number {
  Scalar scalar;
  bool weak = false;  // a builtin Python number
  friend bool operator==(const Number&, const Number&) = default;
};

/// The same with weak operands (HET-PROM-5): a builtin that meets a fixed-format number of the same
/// or a higher category takes its format; of a lower category it brings its own (float + int8 ->
/// float32). The result is weak only when both are.
std::optional<Number> promote(Number a, Number b);

}  // namespace hetjit::typing
