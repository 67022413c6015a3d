// The bits of numbers: counted, reversed, read as another type.
#pragma once

#include "compiler/ir/ops_base.h"

namespace hetjit::ir {

/// How many bits of the integer in[0] are set; its bits in reverse order; how many zeros stand
/// above its highest set bit and below its lowest one: the width when none is set.
struct CountOnes : Operands<1> {
  static constexpr OpInfo info = kind::scalar("countones", Cost::Plain, TypeOnly);
};
struct ReverseBits : Operands<1> {
  static constexpr OpInfo info = kind::scalar("reversebits", Cost::Plain, TypeOnly);
};
struct LeadingZeros : Operands<1> {
  static constexpr OpInfo info = kind::scalar("leadingzeros", Cost::Plain, TypeOnly);
};
struct TrailingZeros : Operands<1> {
  static constexpr OpInfo info = kind::scalar("trailingzeros", Cost::Plain, TypeOnly);
};

/// The upper half of the product of the integers in[0] and in[1], which has twice their bits: the
/// product divided by 2^width, rounded down.
struct MulHigh : Operands<2> {
  static constexpr OpInfo info = kind::scalar("mulhigh", Cost::Plain, TypeOnly).commuting();
};

/// The bits of in[0] read as another type of the same size. Both are integers or floats.
struct Reinterpret : Operands<1> {
  static constexpr OpInfo info = kind::scalar("reinterpret", Cost::Plain, TypeOnly);
};

using BitOps = OpList<CountOnes, ReverseBits, LeadingZeros, TrailingZeros, MulHigh, Reinterpret>;

}  // namespace hetjit::ir
