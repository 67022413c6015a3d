// The arrays in a kernel's arguments, numbered, so that a compiler's facts can name them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "abi/type.h"

namespace hetjit {

/// How many arrays a value of the type has in it: itself, or those of its items and fields. Arrays
/// in the memory that an array is of do not count. A signature's arrays are numbered from 0 on,
/// parameter by parameter, items and fields in their order. A pointer counts as an array.
inline uint32_t arrays_in(TypeId id) {
  const Type& it = type(id);
  if (it.kind == TypeKind::Array || it.kind == TypeKind::Pointer) return 1;
  if (it.kind == TypeKind::Aligned) return arrays_in(it.element);
  uint32_t count = 0;
  for (const Field& field : it.fields) count += arrays_in(field.type);
  return count;
}

/// How many come before part `part` of a tuple or struct.
inline uint32_t arrays_before(TypeId whole, uint32_t part) {
  const Type& it = type(without_align(whole));
  uint32_t count = 0;
  for (uint32_t i = 0; i < part && i < it.fields.size(); ++i) count += arrays_in(it.fields[i].type);
  return count;
}

/// A set of array numbers. The 64th and all behind it are one.
struct ArraySet {
  uint64_t bits = 0;
  static constexpr ArraySet of(uint32_t number) { return {uint64_t{1} << std::min(number, 63u)}; }
  constexpr bool has(uint32_t number) const { return (bits & of(number).bits) != 0; }
  constexpr bool empty() const { return bits == 0; }
  /// Adds those of another set; whether there were new ones.
  constexpr bool add(ArraySet other) {
    const uint64_t before = bits;
    bits |= other.bits;
    return bits != before;
  }
};

}  // namespace hetjit
