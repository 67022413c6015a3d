// Operations on the bits of numbers.
#include "compiler/ir/number_types.h"

namespace hetjit::ir {
namespace {

template <Scalar S>
struct OnesOf {
  static uint64_t apply(uint64_t a, uint64_t, uint64_t) {
    return static_cast<uint64_t>(std::popcount(a));  // nothing is set above the width
  }
};

template <Scalar S>
struct ReverseOf {
  static uint64_t apply(uint64_t a, uint64_t, uint64_t) {
    uint64_t reversed = 0;
    for (unsigned bit = 0; bit < info(S).bits; ++bit) reversed = reversed << 1 | (a >> bit & 1);
    return reversed;
  }
};

template <Scalar S>
struct LeadingOf {
  static uint64_t apply(uint64_t a, uint64_t, uint64_t) {
    return static_cast<uint64_t>(std::countl_zero(a)) - (64u - info(S).bits);
  }
};

template <Scalar S>
struct TrailingOf {
  static uint64_t apply(uint64_t a, uint64_t, uint64_t) {
    return a ? static_cast<uint64_t>(std::countr_zero(a)) : info(S).bits;
  }
};

template <Scalar S>
struct HighOf {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t) {
    using Wide = std::conditional_t<is_signed_integer(S), __int128, unsigned __int128>;
    Wide product = Wide{decode<S>(a)} * Wide{decode<S>(b)};
    return encode<S>(static_cast<Compute<S>>(product >> info(S).bits));
  }
};

uint64_t same_bits(uint64_t a, uint64_t, uint64_t) { return a; }

}  // namespace

template <>
ScalarFunction meaning(const CountOnes&, Scalar of, Scalar) {
  return pick<OnesOf>(of, kIntegers);
}
template <>
ScalarFunction meaning(const ReverseBits&, Scalar of, Scalar) {
  return pick<ReverseOf>(of, kIntegers);
}
template <>
ScalarFunction meaning(const LeadingZeros&, Scalar of, Scalar) {
  return pick<LeadingOf>(of, kIntegers);
}
template <>
ScalarFunction meaning(const TrailingZeros&, Scalar of, Scalar) {
  return pick<TrailingOf>(of, kIntegers);
}
template <>
ScalarFunction meaning(const MulHigh&, Scalar of, Scalar) {
  return pick<HighOf>(of, kIntegers);
}
template <>
ScalarFunction meaning(const Reinterpret&, Scalar, Scalar) {
  return same_bits;
}

}  // namespace hetjit::ir
