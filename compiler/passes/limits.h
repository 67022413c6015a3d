// How much passes take in and how far they look: numbers chosen by measuring, each with what it
// counts. Compile time decides (benchmarks/compile_time.py; scaling.py for programs that grow);
// what is lost by less shows in tests/golden/ir and tests/golden/passes, where each pass has its
// farthest case.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hetjit::passes {

/// Instructions of an entry that all calls were taken into: a second or so of compiling for the
/// host.
inline constexpr size_t kMaxInlined = 4000;

// ---- prove_checks

/// Sums, conversions and conditions that are looked through; conditions on the way to a check.
inline constexpr int kProofDepth = 16, kProofFacts = 256;

// ---- value_ranges

/// Conditions that are looked at per question; `and` and `or` in one; sums that are compared.
inline constexpr int kRangeFacts = 32, kConditionDepth = 4, kSameDepth = 3;
/// Loops round each other through which a number is followed that is below another one.
inline constexpr size_t kBelowLoops = 4;
/// Choices in choices of which all must be.
inline constexpr int kBelowChoices = 4;
/// How often a loop's value may grow, one turn at a time; then an end goes out in leaps.
inline constexpr uint8_t kMaxGrowth = 3;

// ---- simplify

/// Operations that a conversion is moved through.
inline constexpr int kConversionDepth = 32;
/// Sums in sums that are taken apart: what of `(i + k + n) % n` is a period.
inline constexpr int kPeriodDepth = 6;

// ---- join_conditions

/// Instructions of a question that is answered also where it is not asked.
inline constexpr size_t kQuestion = 3;

// ---- lowering (lower_arith.cpp; codegen_wide.py: warp_scan)

/// Numbers that the counter of a loop has that is written out, and a few more.
inline constexpr int kShortLoop = 16;

// ---- split_at_zero

/// Indices of a loop that change their signs in different turns.
inline constexpr size_t kSignsOfLoop = 4;

// ---- share_addresses

/// Elements: no instruction adds so much for nothing.
inline constexpr int64_t kFarAway = 1 << 20;

}  // namespace hetjit::passes
