// What we know of NumPy, found out when a user's program has imported it: we import it only for
// programs that pass or keep its objects. Its C structures are read in place, after a probe has
// shown that they are what we think; if they are not, its arrays go the way of any other library's.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "abi/scalar.h"
#include "abi/type.h"
#include "python/ext/handles/handle.h"

namespace hetjit::python {

/// The head of a NumPy array, as ndarraytypes.h publishes it.
struct ArrayHead {
  PyObject_HEAD char* data;
  int rank;
  Py_ssize_t* extents;
  Py_ssize_t* strides;  // in bytes
  PyObject* base;
  PyObject* descr;
  int flags;
};
inline constexpr int kNumpyCOrder = 0x1, kNumpyWriteable = 0x400;

/// The head of a NumPy dtype: what 1.x and 2.x have in common.
struct DtypeHead {
  PyObject_HEAD PyTypeObject* scalar_type;
  char kind, letter, byte_order, flags;
  int number;
};

/// A scalar of NumPy or ml_dtypes: the value follows the head.
struct ScalarHead {
  PyObject_HEAD std::byte value[16];
};

/// Elements of an array in one of our formats: read at every launch, so with all that it asks.
struct NumberFormat {
  TypeId type;        // invalid: the format is none of ours
  uint8_t shift = 0;  // 1 << shift bytes
};

class Numpy {
 public:
  /// Looks whether NumPy has been imported, and learns it. Cheap when it has not. False: an
  /// exception is set.
  bool look();
  /// Imports it. False: an exception is set.
  bool require();
  bool known() const { return static_cast<bool>(ndarray_); }

  /// Arrays of exactly this type may be read as ArrayHead; null while NumPy is unknown or strange.
  PyTypeObject* readable_array() const { return readable_; }
  bool is_array(Borrowed object) const;   // subclasses too
  bool is_masked(Borrowed object) const;  // numpy.ma.MaskedArray
  bool is_scalar(Borrowed object) const;  // numpy.generic, ml_dtypes too
  bool is_dtype(Borrowed object) const;
  bool is_ufunc(Borrowed object) const;

  /// Of an array whose head was read: without a type when we have none for it (other byte order,
  /// datetime, …).
  NumberFormat format_of_head(const DtypeHead& dtype) const {
    if (dtype.byte_order == '>') return {};
    if (static_cast<unsigned>(dtype.number) < by_number_.size()) return by_number_[dtype.number];
    return learned_format(dtype);
  }
  /// The same of a dtype object, and of a scalar type (numpy.float32, ml_dtypes.bfloat16).
  std::optional<Scalar> scalar_of_dtype(Borrowed dtype) const;
  static std::optional<Scalar> scalar_of_type(Borrowed type);
  /// The bytes of a NumPy scalar, little endian. False: an exception is set.
  static bool bytes_of(Borrowed scalar, std::byte* to, size_t bytes);

 private:
  bool learn(Handle module);
  bool probe_array(Borrowed module) const;
  NumberFormat learned_format(const DtypeHead& dtype) const;

  Kept ndarray_, generic_, dtype_, ufunc_, masked_;
  PyTypeObject* readable_ = nullptr;
  std::array<NumberFormat, 32> by_number_;  // of a built-in dtype's type number
};

}  // namespace hetjit::python
