// Arithmetic, exactly as the comments of ops_arith.h say: a function per op over the types that
// numbers are computed in (number_types.h).
#include "compiler/ir/interpret_arith.h"

#include "compiler/ir/number_types.h"

namespace hetjit::ir {
namespace {

// Integers are computed as unsigned, where wrapping is defined, and cut to their width by encode.
template <class T>
constexpr bool kIsInteger = std::is_integral_v<T>;

struct AddNumbers {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kIsInteger<T>) return static_cast<T>(uint64_t(a) + uint64_t(b));
    return a + b;
  }
};

struct SubtractNumbers {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kIsInteger<T>) return static_cast<T>(uint64_t(a) - uint64_t(b));
    return a - b;
  }
};

struct MultiplyNumbers {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (kIsInteger<T>) return static_cast<T>(uint64_t(a) * uint64_t(b));
    return a * b;
  }
};

struct DivideNumbers {
  template <class T>
  T operator()(T a, T b) const {
    return a / b;
  }
};

struct FloorDivideNumbers {
  uint64_t operator()(uint64_t a, uint64_t b) const { return b == 0 ? 0 : a / b; }
  int64_t operator()(int64_t a, int64_t b) const {
    if (b == 0) return 0;
    if (b == -1) return static_cast<int64_t>(0 - uint64_t(a));  // min // -1 wraps
    int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  }
  template <class T>
  requires std::is_floating_point_v<T> T operator()(T a, T b) const {
    if (b == 0) return a / b;
    T remainder = std::fmod(a, b);
    T quotient = (a - remainder) / b;
    if (remainder != 0 && (b < 0) != (remainder < 0)) quotient -= 1;
    if (quotient == 0) return std::copysign(T{0}, a / b);
    T floor = std::floor(quotient);
    return quotient - floor > T{0.5} ? floor + 1 : floor;
  }
};

struct ModNumbers {
  uint64_t operator()(uint64_t a, uint64_t b) const { return b == 0 ? 0 : a % b; }
  int64_t operator()(int64_t a, int64_t b) const {
    if (b == 0 || b == -1) return 0;
    int64_t remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
  }
  template <class T>
  requires std::is_floating_point_v<T> T operator()(T a, T b) const {
    T remainder = std::fmod(a, b);
    if (remainder == 0) return std::copysign(T{0}, b);
    return (b < 0) != (remainder < 0) ? remainder + b : remainder;
  }
};

struct AndNumbers {
  template <class T>
  T operator()(T a, T b) const {
    return a & b;
  }
};
struct OrNumbers {
  template <class T>
  T operator()(T a, T b) const {
    return a | b;
  }
};
struct XorNumbers {
  template <class T>
  T operator()(T a, T b) const {
    return a ^ b;
  }
};

// Python's rule for an index: counted from the end when negative.
struct WrapNumbers {
  int64_t operator()(int64_t index, int64_t extent) const {
    return index >= 0 ? index : AddNumbers{}(index, extent);
  }
};

template <class Rule>
struct Binary {
  template <Scalar S>
  struct On {
    static uint64_t apply(uint64_t a, uint64_t b, uint64_t) {
      return encode<S>(Rule{}(decode<S>(a), decode<S>(b)));
    }
  };
};

// These take several roundings, so the small floats take them in f32, as NumPy does.
template <class Rule>
struct Stepwise {
  template <Scalar S>
  struct On {
    static uint64_t apply(uint64_t a, uint64_t b, uint64_t) {
      constexpr bool kSmall = is_floating(S) && info(S).bits < 32;
      using T = std::conditional_t<kSmall, float, Compute<S>>;
      return encode<S>(Rule{}(static_cast<T>(decode<S>(a)), static_cast<T>(decode<S>(b))));
    }
  };
};

// ---- one operand

template <Scalar S>
constexpr uint64_t kSignBit = 1ull << (info(S).bits - 1);

template <Scalar S>
struct NegOn {
  static uint64_t apply(uint64_t a, uint64_t, uint64_t) {
    if constexpr (is_floating(S)) return a ^ kSignBit<S>;
    return encode<S>(SubtractNumbers{}(Compute<S>{0}, decode<S>(a)));
  }
};

template <Scalar S>
struct AbsOn {
  static uint64_t apply(uint64_t a, uint64_t, uint64_t) {
    if constexpr (is_floating(S)) return a & ~kSignBit<S>;
    if constexpr (is_signed_integer(S)) return decode<S>(a) < 0 ? NegOn<S>::apply(a, 0, 0) : a;
    return a;
  }
};

template <Scalar S>
struct NotOn {
  static uint64_t apply(uint64_t a, uint64_t, uint64_t) {
    if constexpr (S == Scalar::Bool) return a ^ 1;
    return encode<S>(~decode<S>(a));
  }
};

// ---- shifts: a negative count is as a huge one but for right shifts of negative numbers

template <Scalar S>
struct ShiftLeftOn {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t) {
    Compute<S> count = decode<S>(b);
    if (count < 0 || count >= Compute<S>{info(S).bits}) return 0;
    return encode<S>(static_cast<Compute<S>>(a << count));
  }
};

template <Scalar S>
struct ShiftRightOn {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t) {
    Compute<S> value = decode<S>(a), count = decode<S>(b);
    if (count < 0) return 0;
    if (count >= Compute<S>{info(S).bits}) return encode<S>(value < 0 ? ~Compute<S>{0} : 0);
    return encode<S>(value >> count);
  }
};

// ---- fused multiply-add

// a * b + c for small floats, such that rounding it to one of them rounds once. The product is
// exact in double. The sum may not be: then its last bit is made to remember that ("round to odd").
double fused_for_small(double a, double b, double c) {
  double product = a * b, sum = product + c;
  if (!std::isfinite(sum)) return sum;
  double other = sum - product;
  double lost = (product - (sum - other)) + (c - other);
  uint64_t bits = std::bit_cast<uint64_t>(sum);
  if (lost == 0 || (bits & 1)) return sum;
  bool away = (lost > 0) == (sum > 0);  // the exact sum lies farther from zero
  return std::bit_cast<double>(away ? bits + 1 : bits - 1);
}

template <Scalar S>
struct FmaOn {
  static uint64_t apply(uint64_t a, uint64_t b, uint64_t c) {
    if constexpr (info(S).bits < 32)
      return encode<S>(fused_for_small(decode<S>(a), decode<S>(b), decode<S>(c)));
    else
      return encode<S>(std::fma(decode<S>(a), decode<S>(b), decode<S>(c)));
  }
};

// ---- comparison

template <class Rule>
struct Comparing {
  template <Scalar S>
  struct On {
    static uint64_t apply(uint64_t a, uint64_t b, uint64_t) {
      return Rule{}(decode<S>(a), decode<S>(b));
    }
  };
};

}  // namespace

template <>
ScalarFunction meaning(const Add&, Scalar of, Scalar) {
  return pick<Binary<AddNumbers>::On>(of, kNumbers);
}
template <>
ScalarFunction meaning(const Sub&, Scalar of, Scalar) {
  return pick<Binary<SubtractNumbers>::On>(of, kNumbers);
}
template <>
ScalarFunction meaning(const Mul&, Scalar of, Scalar) {
  return pick<Binary<MultiplyNumbers>::On>(of, kNumbers);
}
template <>
ScalarFunction meaning(const Div&, Scalar of, Scalar) {
  return pick<Binary<DivideNumbers>::On>(of, kFloats);
}
template <>
ScalarFunction meaning(const FloorDiv&, Scalar of, Scalar) {
  return pick<Stepwise<FloorDivideNumbers>::On>(of, kNumbers);
}
template <>
ScalarFunction meaning(const Mod&, Scalar of, Scalar) {
  return pick<Stepwise<ModNumbers>::On>(of, kNumbers);
}
template <>
ScalarFunction meaning(const Neg&, Scalar of, Scalar) {
  return pick<NegOn>(of, kNumbers);
}
template <>
ScalarFunction meaning(const Abs&, Scalar of, Scalar) {
  return pick<AbsOn>(of, kNumbers);
}
template <>
ScalarFunction meaning(const BitAnd&, Scalar of, Scalar) {
  return pick<Binary<AndNumbers>::On>(of, kLogical);
}
template <>
ScalarFunction meaning(const BitOr&, Scalar of, Scalar) {
  return pick<Binary<OrNumbers>::On>(of, kLogical);
}
template <>
ScalarFunction meaning(const BitXor&, Scalar of, Scalar) {
  return pick<Binary<XorNumbers>::On>(of, kLogical);
}
template <>
ScalarFunction meaning(const BitNot&, Scalar of, Scalar) {
  return pick<NotOn>(of, kLogical);
}
template <>
ScalarFunction meaning(const ShiftLeft&, Scalar of, Scalar) {
  return pick<ShiftLeftOn>(of, kIntegers);
}
template <>
ScalarFunction meaning(const ShiftRight&, Scalar of, Scalar) {
  return pick<ShiftRightOn>(of, kIntegers);
}
template <>
ScalarFunction meaning(const Fma&, Scalar of, Scalar) {
  return pick<FmaOn>(of, kFloats);
}

template <>
ScalarFunction meaning(const Compare& op, Scalar of, Scalar) {
  switch (op.kind) {
    case Comparison::Lt:
      return pick<Comparing<std::less<>>::On>(of, kReal);
    case Comparison::Le:
      return pick<Comparing<std::less_equal<>>::On>(of, kReal);
    case Comparison::Eq:
      return pick<Comparing<std::equal_to<>>::On>(of, kReal);
    case Comparison::Ne:
      return pick<Comparing<std::not_equal_to<>>::On>(of, kReal);
    case Comparison::Gt:
      return pick<Comparing<std::greater<>>::On>(of, kReal);
    case Comparison::Ge:
      return pick<Comparing<std::greater_equal<>>::On>(of, kReal);
  }
  HETJIT_CHECK(false);
  return nullptr;
}

template <>
ScalarFunction meaning(const WrapIndex&, Scalar of, Scalar) {
  constexpr ScalarList<Scalar::Int8, Scalar::Int16, Scalar::Int32, Scalar::Int64> kSigned;
  return pick<Binary<WrapNumbers>::On>(of, kSigned);
}

}  // namespace hetjit::ir
