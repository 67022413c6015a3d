#include "compiler/passes/interval.h"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "compiler/ir/numbers.h"

namespace hetjit::passes {
namespace {

constexpr Wide kLimit = Wide{1} << 63;  // products of numbers up to here fit

bool is_small(Interval a) { return -kLimit <= a.lo && a.hi <= kLimit; }

Wide floor_quotient(Wide a, Wide b) {
  Wide quotient = a / b;
  return quotient * b != a && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

}  // namespace

Interval numbers_of(Scalar scalar) {
  if (scalar == Scalar::Bool) return {0, 1};
  unsigned bits = info(scalar).bits;
  if (!info(scalar).is_signed) return {0, (Wide{1} << bits) - 1};
  return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

Wide number_of(Scalar scalar, uint64_t bits) {
  bits = ir::extend_bits(scalar, bits);
  return is_signed_integer(scalar) ? Wide{static_cast<int64_t>(bits)} : Wide{bits};
}

Interval join(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

std::optional<Interval> add(Interval a, Interval b) { return Interval{a.lo + b.lo, a.hi + b.hi}; }

std::optional<Interval> subtract(Interval a, Interval b) {
  return Interval{a.lo - b.hi, a.hi - b.lo};
}

std::optional<Interval> multiply(Interval a, Interval b) {
  if (!is_small(a) || !is_small(b)) return std::nullopt;
  Wide corners[] = {a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi};
  return Interval{*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4)};
}

// By zero it gives zero.
std::optional<Interval> floor_divide(Interval a, Interval b) {
  if (b.lo < 0) {
    Wide most = std::max(a.hi, -a.lo);
    return Interval{-most, most};
  }
  if (b.hi == 0) return Interval{0, 0};
  Wide least = std::max<Wide>(b.lo, 1);
  Interval quotients = {floor_quotient(a.lo, a.lo < 0 ? least : b.hi),
                        floor_quotient(a.hi, a.hi < 0 ? b.hi : least)};
  return b.lo == 0 ? join(quotients, {0, 0}) : quotients;
}

// The sign of the divisor decides; by zero it gives zero.
std::optional<Interval> mod(Interval a, Interval b) {
  Interval rest = {std::min<Wide>(b.lo + 1, 0), std::max<Wide>(b.hi - 1, 0)};
  if (a.lo >= 0 && b.lo >= 0) rest.hi = std::min(rest.hi, a.hi);
  return rest;
}

std::optional<Interval> absolute(Interval a) {
  if (a.lo >= 0) return a;
  return Interval{a.hi < 0 ? -a.hi : 0, std::max(-a.lo, a.hi)};
}

std::optional<Interval> bit_and(Interval a, Interval b) {
  if (a.lo < 0) std::swap(a, b);
  if (a.lo < 0) return std::nullopt;
  return Interval{0, b.lo < 0 ? a.hi : std::min(a.hi, b.hi)};
}

std::optional<Interval> bit_or(Interval a, Interval b) {
  if (a.lo < 0 || b.lo < 0) return std::nullopt;
  int width = std::bit_width(static_cast<uint64_t>(a.hi) | static_cast<uint64_t>(b.hi));
  return Interval{0, (Wide{1} << width) - 1};
}

std::optional<Interval> shift_left(Interval a, Interval count) {
  if (count.lo != count.hi || count.lo < 0 || count.lo > 62 || !is_small(a)) return std::nullopt;
  return multiply(a, {Wide{1} << count.lo, Wide{1} << count.lo});
}

// Toward zero, or toward -1; a negative count gives zero.
std::optional<Interval> shift_right(Interval a, Interval count) {
  if (count.lo == count.hi && count.lo >= 0 && count.lo < 64)
    return Interval{a.lo >> static_cast<int>(count.lo), a.hi >> static_cast<int>(count.lo)};
  return Interval{std::min<Wide>(a.lo, 0), std::max<Wide>(a.hi, 0)};
}

std::optional<Interval> wrap_index(Interval index, Interval extent) {
  if (index.lo >= 0) return index;
  Interval from_end = {index.lo + extent.lo, std::min<Wide>(index.hi, -1) + extent.hi};
  return index.hi < 0 ? from_end : join(from_end, {0, index.hi});
}

}  // namespace hetjit::passes
