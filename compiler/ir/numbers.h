// Scalar values as bits: how a number of any scalar type is held in 64 bits, and how it gets there.
// The interpreter, constant folding and the text form share these, so they cannot disagree.
//
// The form: the value's bytes as they lie in memory, zero-extended to 64 bits. An i8 of -1 is 0xFF,
// a bool is 0 or 1, an f32 is its 32-bit pattern.
#pragma once

#include <cstdint>

#include "abi/scalar.h"
#include "abi/status.h"

namespace hetjit::ir {

/// The low bits that a value of this type keeps; bool becomes 0 or 1.
uint64_t wrap_bits(Scalar scalar, uint64_t bits);

/// The integer that the bits of a signed or unsigned integer or bool stand for, as 64 bits: sign-
/// or zero-extended.
uint64_t extend_bits(Scalar scalar, uint64_t bits);

/// The floating number nearest to `value` that the format can hold, ties to even; NaN becomes the
/// quiet NaN.
double round_to(Scalar floating, double value);

/// Bits of a floating number of the given format (rounded to it), and back (exact).
uint64_t float_to_bits(Scalar floating, double value);
double bits_to_float(Scalar floating, uint64_t bits);

}  // namespace hetjit::ir
