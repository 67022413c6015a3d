// Arithmetic on ranges of integers. Private to compiler/passes.
#pragma once

#include <optional>

#include "abi/scalar.h"

namespace hetjit::passes {

/// Holds every i64 and u64, their sums, and the products of i64s.
using Wide = __int128;

/// All integers from lo to hi.
struct Interval {
  Wide lo = 0, hi = 0;
  bool holds(Interval other) const { return lo <= other.lo && other.hi <= hi; }
  friend bool operator==(Interval, Interval) = default;
};

/// The numbers of an integer type or bool.
Interval numbers_of(Scalar scalar);
/// The number that bits of such a type stand for.
Wide number_of(Scalar scalar, uint64_t bits);

/// The smallest interval that has both.
Interval join(Interval a, Interval b);

// The results of an op in exact arithmetic; nullopt: nothing useful is known. What an op of some
// type gives is this where it fits the type, else any number of the type.
std::optional<Interval> add(Interval a, Interval b);
std::optional<Interval> subtract(Interval a, Interval b);
std::optional<Interval> multiply(Interval a, Interval b);
std::optional<Interval> floor_divide(Interval a, Interval b);
std::optional<Interval> mod(Interval a, Interval b);
std::optional<Interval> absolute(Interval a);
std::optional<Interval> bit_and(Interval a, Interval b);
std::optional<Interval> bit_or(Interval a, Interval b);
std::optional<Interval> shift_left(Interval a, Interval count);
std::optional<Interval> shift_right(Interval a, Interval count);
std::optional<Interval> wrap_index(Interval index, Interval extent);

}  // namespace hetjit::passes
