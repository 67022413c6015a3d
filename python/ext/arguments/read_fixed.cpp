// Numbers whose format is fixed, by an annotation or by a struct's field: converted on the host,
// and they must fit.
#include <cmath>

#include "abi/small_floats.h"
#include "python/ext/arguments/reader.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/state.h"

namespace hetjit::python {
namespace {

bool fits(long long value, const ScalarInfo& row) {
  if (row.bits == 64) return row.is_signed || value >= 0;
  long long least = row.is_signed ? -(1ll << (row.bits - 1)) : 0;
  long long most = (1ll << (row.bits - (row.is_signed ? 1 : 0))) - 1;
  return value >= least && value <= most;
}

template <class T>
bool write(std::byte* to, T value) {
  write_scalar(to, value);
  return true;
}

}  // namespace

bool Reader::number(size_t index, Borrowed argument, Scalar scalar, std::byte* to) {
  const ArgumentType* known = state_.argument_types.find(Py_TYPE(argument.get()));
  if (known && known->way == Way::NumpyScalar && known->scalar == scalar) {
    std::memcpy(to, reinterpret_cast<const ScalarHead*>(argument.get())->value,
                info(scalar).bytes());
    return true;
  }
  switch (info(scalar).category) {
    case Category::Bool: {
      if (argument.get() != Py_True && argument.get() != Py_False &&
          category_of_numpys(argument) != Category::Bool)
        return wrong_kind(index, argument, scalar_type(scalar));
      return write(to, static_cast<uint8_t>(PyObject_IsTrue(argument.get()) == 1));
    }
    case Category::Integer:
      return integer(index, argument, scalar, to);
    case Category::Floating:
      return floating(index, argument, scalar, to);
    case Category::Complex:
      return complex(index, argument, scalar, to);
  }
  return false;
}

std::optional<Category> Reader::category_of_numpys(Borrowed argument) {
  if (!state_.numpy.look() || !state_.numpy.is_scalar(argument)) return std::nullopt;
  const std::optional<Scalar> scalar =
      Numpy::scalar_of_type(reinterpret_cast<PyObject*>(Py_TYPE(argument.get())));
  return scalar ? std::optional(info(*scalar).category) : std::nullopt;
}

bool Reader::complex(size_t index, Borrowed argument, Scalar scalar, std::byte* to) {
  if (!PyComplex_Check(argument.get()) &&
      (!PyNumber_Check(argument.get()) || !state_.numpy.look() || state_.numpy.is_array(argument)))
    return wrong_kind(index, argument, scalar_type(scalar));
  // NumPy's complex64 is no subclass of Python's, and what CPython asks of such is its real part.
  const Handle whole = Handle::own(PyObject_CallFunctionObjArgs(
      reinterpret_cast<PyObject*>(&PyComplex_Type), argument.get(), nullptr));
  if (!whole) {
    if (!PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    const Cause cause;
    return wrong_kind(index, argument, scalar_type(scalar));
  }
  const double parts[2] = {PyComplex_RealAsDouble(whole.get()),
                           PyComplex_ImagAsDouble(whole.get())};
  const float narrow[2] = {static_cast<float>(parts[0]), static_cast<float>(parts[1])};
  for (int i = 0; i < 2 && scalar == Scalar::Complex64; ++i)
    if (std::isinf(narrow[i]) && !std::isinf(parts[i]))
      return does_not_fit(index, argument, scalar);
  const bool is_narrow = scalar == Scalar::Complex64;
  std::memcpy(to, is_narrow ? static_cast<const void*>(narrow) : parts, info(scalar).bytes());
  return true;
}

bool Reader::integer(size_t index, Borrowed argument, Scalar scalar, std::byte* to) {
  Handle number = Handle::own(PyNumber_Index(argument.get()));
  if (!number && PyErr_ExceptionMatches(PyExc_TypeError)) {
    const Cause cause;
    if (state_.numpy.is_scalar(argument) && find_attribute(argument, "dtype") &&
        Numpy::scalar_of_type(reinterpret_cast<PyObject*>(Py_TYPE(argument.get()))) == Scalar::Bool)
      number = Handle::own(PyLong_FromLong(PyObject_IsTrue(argument.get())));
    else
      return wrong_kind(index, argument, scalar_type(scalar));
  }
  if (!number) return false;
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(number.get(), &overflow);
  if (overflow > 0 && scalar == Scalar::UInt64) {
    unsigned long long wide = PyLong_AsUnsignedLongLong(number.get());
    if (!PyErr_Occurred()) return write(to, wide);
    forget();
  }
  if (overflow || !fits(value, info(scalar))) return does_not_fit(index, argument, scalar);
  std::memcpy(to, &value, info(scalar).bytes());  // little endian: the low bytes come first
  return true;
}

bool Reader::floating(size_t index, Borrowed argument, Scalar scalar, std::byte* to) {
  if (PyComplex_Check(argument.get()) || !PyNumber_Check(argument.get()) || !state_.numpy.look() ||
      state_.numpy.is_array(argument) || category_of_numpys(argument) == Category::Complex)
    return wrong_kind(index, argument, scalar_type(scalar));
  double value = PyFloat_AsDouble(argument.get());
  if (value == -1.0 && PyErr_Occurred()) {
    const bool large = PyErr_ExceptionMatches(PyExc_OverflowError);
    if (!large && !PyErr_ExceptionMatches(PyExc_TypeError)) return false;
    const Cause cause;
    return large ? does_not_fit(index, argument, scalar)
                 : wrong_kind(index, argument, scalar_type(scalar));
  }
  if (std::isfinite(value) && std::fabs(value) >= end_of(scalar))
    return does_not_fit(index, argument, scalar);
  // What is infinite stays so (in the formats of 8 bits: becomes the largest number).
  const uint64_t bits = to_bits(scalar, value);
  std::memcpy(to, &bits, info(scalar).bytes());
  return true;
}

}  // namespace hetjit::python
