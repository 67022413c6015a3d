#include "python/ext/types/values.h"

#include <cstring>

#include "abi/layout.h"
#include "abi/small_floats.h"
#include "python/ext/handles/builder.h"
#include "python/ext/handles/errors.h"

namespace hetjit::python {
namespace {

template <class T>
T read(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// A value of a scalar type as Python's own number: exact in every case.
PyObject* scalar_object(Scalar scalar, const std::byte* from) {
  const ScalarInfo& row = info(scalar);
  if (row.category == Category::Bool) return PyBool_FromLong(read<uint8_t>(from));
  if (scalar == Scalar::Complex64)
    return PyComplex_FromDoubles(read<float>(from), read<float>(from + 4));
  if (scalar == Scalar::Complex128)
    return PyComplex_FromDoubles(read<double>(from), read<double>(from + 8));
  uint64_t bits = 0;
  std::memcpy(&bits, from, row.bytes());
  if (row.category == Category::Floating) return PyFloat_FromDouble(from_bits(scalar, bits));
  if (!row.is_signed) return PyLong_FromUnsignedLongLong(bits);
  const int unused = 64 - row.bits;
  return PyLong_FromLongLong(static_cast<int64_t>(bits << unused) >> unused);
}

}  // namespace

Handle value_object(TypeId aligned, const std::byte* from) {
  const TypeId id = without_align(aligned);
  const Type& shape = type(id);
  if (is_atomic(id)) return value_object(shape.fields.front().type, from);
  if (shape.kind == TypeKind::None) return Handle::own(new_none());
  if (shape.kind == TypeKind::Scalar) return Handle::own(scalar_object(shape.scalar, from));
  const bool record = shape.kind == TypeKind::Tuple || shape.kind == TypeKind::Struct;
  if (!record && shape.kind != TypeKind::Vector) {
    fail(PyExc_NotImplementedError, "a value of type " + to_python(id));
    return Handle();
  }
  const Layout place = layout(id);
  TupleBuilder made(place.offsets.size());
  for (size_t i = 0; made && i < place.offsets.size(); ++i) {
    TypeId part = record ? shape.fields[i].type : scalar_type(shape.scalar);
    made.set(i, value_object(part, from + place.offsets[i]));
  }
  return made.build();
}

}  // namespace hetjit::python
