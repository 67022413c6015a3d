// Scalar types as C++ types: how bits become something to compute with, and back. Private to
// compiler/ir.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "abi/small_floats.h"
#include "compiler/ir/interpret_arith.h"

namespace hetjit::ir {

/// What a scalar is computed in: integers in 64 bits, f32 and f64 in themselves, the small floats
/// in double, where one operation followed by rounding is that operation rounded once.
template <Scalar S>
constexpr auto compute_type() {
  if constexpr (is_signed_integer(S))
    return int64_t{};
  else if constexpr (!is_floating(S))
    return uint64_t{};
  else if constexpr (S == Scalar::Float32)
    return float{};
  else
    return double{};
}
template <Scalar S>
using Compute = decltype(compute_type<S>());

template <Scalar S>
Compute<S> decode(uint64_t bits) {
  if constexpr (S == Scalar::Float32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if constexpr (is_floating(S)) return from_bits(S, bits);
  if constexpr (!is_floating(S)) {
    constexpr unsigned kUnused = 64u - info(S).bits;
    return static_cast<Compute<S>>(bits << kUnused) >> kUnused;
  }
}

template <Scalar S>
uint64_t encode(Compute<S> value) {
  if constexpr (is_floating(S)) {
    if (std::isnan(value)) value = std::numeric_limits<Compute<S>>::quiet_NaN();
    return to_bits(S, value);
  }
  if constexpr (S == Scalar::Bool) return value != 0;
  if constexpr (is_integer(S)) {
    constexpr unsigned kUnused = 64u - info(S).bits;
    return static_cast<uint64_t>(value) << kUnused >> kUnused;
  }
}

template <Scalar... S>
struct ScalarList {};

template <Scalar... A, Scalar... B>
constexpr ScalarList<A..., B...> operator+(ScalarList<A...>, ScalarList<B...>) {
  return {};
}

template <bool kIn, Scalar S>
using Listed = std::conditional_t<kIn, ScalarList<S>, ScalarList<>>;
/// The scalars of a kind, in the table's order.
template <bool (*kKind)(Scalar), size_t... I>
constexpr auto all_that_are(std::index_sequence<I...>) {
  return (ScalarList<>{} + ... + Listed<kKind(kScalars[I].scalar), kScalars[I].scalar>{});
}
template <bool (*kKind)(Scalar)>
constexpr auto all_that_are() {
  return all_that_are<kKind>(std::make_index_sequence<kScalars.size()>{});
}
constexpr bool has_arithmetic(Scalar s) { return is_floating(s) && !is_tiny_float(s); }

inline constexpr ScalarList<Scalar::Bool> kBool;
inline constexpr auto kIntegers = all_that_are<is_integer>();
inline constexpr auto kFloats = all_that_are<has_arithmetic>();
inline constexpr auto kTinyFloats = all_that_are<is_tiny_float>();
inline constexpr auto kNumbers = kIntegers + kFloats;
inline constexpr auto kLogical = kBool + kIntegers;
inline constexpr auto kReal = kBool + kIntegers + kFloats + kTinyFloats;

/// Meaning<S>::apply for the one S that `scalar` is.
template <template <Scalar> class Meaning, Scalar... S>
ScalarFunction pick(Scalar scalar, ScalarList<S...>) {
  ScalarFunction found = nullptr;
  ((found = scalar == S ? &Meaning<S>::apply : found), ...);
  HETJIT_CHECK(found != nullptr);
  return found;
}

}  // namespace hetjit::ir
