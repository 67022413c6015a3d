// Arrays of libraries whose buffers cost less than their `__dlpack__` (hetjit/lenders.py): JAX's,
// on the CPU.
#include <cstring>
#include <memory>

#include "python/ext/arguments/reader.h"

namespace hetjit::python {
namespace {

// The struct module's letters, by kind; NumPy's "Zf" and "Zd" are complex.
struct Letters {
  const char* letters;
  char kind;
};
constexpr Letters kLetters[] = {{"?", 'b'}, {"bhilqn", 'i'}, {"BHILQN", 'u'}, {"efd", 'f'}};

// Of one number in the machine's byte order; none: the format says something else.
std::optional<Scalar> scalar_of_format(const char* format, Py_ssize_t bytes) {
  if (!format) return std::nullopt;
  if (*format && std::strchr("@=<", *format)) ++format;
  const int bits = static_cast<int>(8 * bytes);
  if (format[0] == 'Z' && format[1] && std::strchr("fd", format[1]) && !format[2])
    return scalar_of_kind('c', bits);
  if (!format[0] || format[1]) return std::nullopt;
  for (const auto& [letters, kind] : kLetters)
    if (std::strchr(letters, format[0])) return scalar_of_kind(kind, bits);
  return std::nullopt;
}

}  // namespace

std::optional<bool> Reader::buffer(const Lender& lender, size_t index, Borrowed argument) {
  auto held = std::make_unique<Py_buffer>();
  if (PyObject_GetBuffer(argument.get(), held.get(), PyBUF_RECORDS_RO) < 0) {
    forget();
    return std::nullopt;
  }
  const Py_buffer& view = *held;
  to_.loaned.loans.push_back({.buffer = held.release()});
  const std::optional<Scalar> scalar = scalar_of_format(view.format, view.itemsize);
  if (!scalar || view.ndim > kMaxRank || view.suboffsets) return std::nullopt;
  int64_t shape[kMaxRank], strides[kMaxRank];
  for (int axis = 0; axis < view.ndim; ++axis) {
    if (view.strides[axis] % view.itemsize) return std::nullopt;
    shape[axis] = view.shape[axis];
    strides[axis] = view.strides[axis] / view.itemsize;
  }
  const DLTensor tensor{.data = view.buf,
                        .device = {kDLCPU, 0},
                        .ndim = view.ndim,
                        .dtype = {info(*scalar).dlpack_code, info(*scalar).dlpack_bits, 1},
                        .shape = shape,
                        .strides = strides};
  Result<DlpackView> read = view_of(tensor);
  if (read) read->writable = !view.readonly;
  return lend(lender, index, argument, std::move(read));
}

}  // namespace hetjit::python
