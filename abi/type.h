// Types, as all parts agree on them. A TypeId is an index into one process-wide, append-only,
// thread-safe table; equal types have equal ids, so comparing ids compares types.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abi/scalar.h"
#include "abi/status.h"

namespace hetjit {

struct TypeId {
  uint32_t index = UINT32_MAX;
  constexpr bool valid() const { return index != UINT32_MAX; }
  friend constexpr bool operator==(TypeId, TypeId) = default;
  friend constexpr auto operator<=>(TypeId, TypeId) = default;
};

enum class TypeKind : uint8_t { None, Scalar, Vector, Pointer, Array, Tuple, Struct, Aligned };

/// How an array's elements lie in memory, as far as the specialisation knows.
enum class Order : uint8_t {
  Strided,     // strides are read from the descriptor
  Contiguous,  // C order, no gaps: strides follow from the shape
};

/// What is known of an array beside element type and rank. Part of the type, so that device
/// functions specialise on it too. Extents and strides are always 64-bit in the descriptor.
struct ArrayFacts {
  Order order = Order::Strided;
  uint8_t index_bits = 64;  // 32: every extent and every offset in elements fits int32
  bool writable = true;     // false: storing to it is a compile error
  friend constexpr bool operator==(const ArrayFacts&, const ArrayFacts&) = default;
};

struct Field {
  std::string name;  // empty in tuples
  TypeId type;
  uint32_t align = 0;  // bytes, 0: natural. Least alignment, as C++ `alignas(n)` on a member
  bool weak = false;   // a builtin number (`mass: float`), signature.h; in tuples: beside others
  friend bool operator==(const Field&, const Field&) = default;
};

/// One entry of the table. Which members mean something follows from `kind`.
struct Type {
  TypeKind kind = TypeKind::None;
  Scalar scalar = Scalar::Bool;  // Scalar; Vector: the element
  uint8_t lanes = 0;             // Vector: 1..4
  TypeId element;                // Pointer, Array, Aligned
  uint8_t rank = 0;              // Array: 0..8
  ArrayFacts facts;              // Array
  std::string name;              // Struct
  std::vector<Field> fields;     // Tuple, Struct
  uint32_t align = 0;            // Struct: least alignment in bytes, 0: natural. Aligned: its own
  bool packed = false;           // Struct: fields without an `align` of their own have alignment 1
  friend bool operator==(const Type&, const Type&) = default;
};

constexpr uint8_t kMaxRank = 8;

/// The entry behind an id. The reference stays valid for the life of the process.
const Type& type(TypeId id);

TypeId none_type();
TypeId scalar_type(Scalar scalar);
TypeId vector_type(Scalar element, uint8_t lanes);
TypeId pointer_type(TypeId element);
TypeId array_type(TypeId element, uint8_t rank, ArrayFacts facts = {});
/// An element of an aligned type becomes a field of its plain type with that least alignment; the
/// same in structs.
TypeId tuple_type(std::span<const TypeId> elements);
/// The same of fields without names.
TypeId tuple_of_items(std::span<const Field> items);
/// Nominal. `name` may be dotted and say which class of that name (`module.Body#9f`); users see the
/// last part (`Body`, `Body#2`). NumPy's packed dtypes are `packed`: fields have `align`, or 1.
TypeId struct_type(std::string_view name, std::span<const Field> fields, uint32_t align = 0,
                   bool packed = false);
/// Values of `element` in memory at a multiple of `align` bytes: more than natural is what the user
/// asked for (`device.align`), less is a field of a packed struct. Only ever an array's element or
/// what a pointer points to: values themselves have the plain type. (HET-ALN-1)
TypeId aligned_type(TypeId element, uint32_t align);
/// The type itself, or the plain one behind an aligned type.
TypeId without_align(TypeId id);

/// What `device.Atomic(T)` is: a struct with the number as its one field, of at least 4 bytes.
/// `weak`: T is a builtin number. Only ever in memory, as is everything that has one inside.
/// (HETX-AT-1, AMB-17, AMB-32)
TypeId atomic_type(Scalar scalar, bool weak);
/// Whether it is one, aligned or not.
bool is_atomic(TypeId id);
/// Whether it is one or has one inside.
bool holds_atomic(TypeId id);

inline bool is_scalar(TypeId id) { return type(id).kind == TypeKind::Scalar; }
inline bool is_array(TypeId id) { return type(id).kind == TypeKind::Array; }
inline bool is_tuple(TypeId id) { return type(id).kind == TypeKind::Tuple; }
inline bool is_scalar(TypeId id, Scalar s) { return is_scalar(id) && type(id).scalar == s; }

/// Text form, round-tripping: `f32`, `f32x4`, `ptr[i8]`, `array[f32, 2]`,
/// `array[f32, 2, contiguous, index32, readonly]`, `(i64, f32x4)`, `(weak f32, i8)`, `none`,
/// `struct Body align 16 {pos: f32x3, mass: weak f32 align 8}`, `struct Row packed {a: i8,
/// b: f64}`, `align(f32, 16)`. A tuple of one is `(i64,)`.
std::string to_text(TypeId id);

/// How the user would write it: `float32`, `float32[:, :]`, `tuple[int32, float32]`. For messages.
std::string to_python(TypeId id);

/// Parses what to_text prints, and the Python spellings `float32`, `int`, `None`, `float32[:]`,
/// `float32[:, ::1]` (contiguous), `float32[()]` (rank 0), `tuple[int32, float32]`. Errors:
/// ErrorCode::Invalid with the place.
Result<TypeId> parse_type(std::string_view text);

}  // namespace hetjit

template <>
struct std::hash<hetjit::TypeId> {
  size_t operator()(hetjit::TypeId id) const noexcept { return id.index * 0x9E3779B97F4A7C15ull; }
};
