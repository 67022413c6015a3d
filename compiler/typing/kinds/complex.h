// Complex numbers: pairs of reals. What the operators mean is stated in operations on the parts, or
// in the typed graph's own products and quotients. (HET-NUM-5, AMB-7)
//
// A real operand stays real: x + z leaves z's imaginary part as it is, its sign of zero too, and
// x * z multiplies both parts; so does C, and CPython from 3.14 on.
#pragma once

#include "compiler/typing/core/evaluation.h"

namespace hetjit::typing {

/// The format of a complex number's parts; as weak as it.
Number part_of(Number complex);

/// The parts of any number. Of a real one: itself, and zero.
Value real_part(Evaluation& at, const Value& value);
Value imaginary_part(Evaluation& at, const Value& value);
/// Both in the format of the parts of `type`, a complex number.
Value make_complex(Evaluation& at, Number type, const Value& real, const Value& imag);
Value conjugate(Evaluation& at, const Value& value);
Value complex_magnitude(Evaluation& at, const Value& complex);

/// The leaf of any number as a complex one.
Leaf convert_complex(Evaluation& at, const Value& value, Number to);
Value cast_complex(Evaluation& at, const Value& value, Number to);
/// What `complex` and its kin make of these: Python's own is complex128 where a float64 takes part.
Number complex_format(Number to, const std::vector<Value>& of);
/// complex(real, imag): parts that are complex themselves take part with both of theirs.
Value complex_of(Evaluation& at, Number type, const Value& real, const Value& imag);

/// The operators, where the common type `type` is complex. Those that complex numbers lack are
/// reported.
Value binary_complex(Evaluation& at, ssa::BinaryKind kind, Number type, const Value& a,
                     const Value& b);
Value compare_complex(Evaluation& at, ssa::CompareKind kind, Number type, const Value& a,
                      const Value& b);
Value negative_complex(Evaluation& at, const Value& value);
Value complex_truth(Evaluation& at, const Value& value);

}  // namespace hetjit::typing
