// Whether elements that were described one way can be used as the type that an annotation asks for.
#pragma once

#include <cstdint>
#include <string>

#include "abi/type.h"

namespace hetjit::python {

/// What keeps memory with elements of type `found` from being read as elements of `wanted`; empty:
/// nothing does. They must be the same numbers at the same places, a struct's fields of the same
/// names. A subarray serves as a vector or tuple, a record with fields x y z w as a vector, one
/// with f0 f1 … as a tuple, a number as an Atomic of it. How they are aligned does not count.
std::string difference(TypeId found, TypeId wanted);

/// A field of `bytes` bytes without values, which nothing reads or writes.
TypeId gap_type(uint32_t bytes);

}  // namespace hetjit::python
