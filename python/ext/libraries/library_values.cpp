#include "python/ext/libraries/library_values.h"

#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"

namespace hetjit::python {

namespace {

// Of 2**63 and more.
bool read_large(Borrowed object, const Item& item, library::Slot& to) {
  if (item.kind != Kind::Unsigned && item.kind != Kind::Pointer) return false;
  if (item.bytes != sizeof to.word) return false;
  to.word = PyLong_AsUnsignedLongLong(object.get());
  if (!PyErr_Occurred()) return true;
  PyErr_Clear();
  return false;
}

}  // namespace

bool read_integer(Borrowed object, const Item& item, library::Slot& to) {
  if (Py_TYPE(object.get()) != &PyLong_Type) return false;
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(object.get(), &overflow);
  if (overflow) return overflow > 0 && read_large(object, item, to);
  to.word = static_cast<uint64_t>(value);
  const int bits = 8 * item.bytes;
  if (item.kind == Kind::Unsigned)
    return value >= 0 && (bits == 64 || static_cast<uint64_t>(value) >> bits == 0);
  return bits == 64 || (value >> (bits - 1)) == 0 || (value >> (bits - 1)) == -1;
}

bool read_float(Borrowed object, const Item& item, library::Slot& to) {
  if (Py_TYPE(object.get()) != &PyFloat_Type) return false;
  const double value = PyFloat_AsDouble(object.get());
  if (item.bytes == sizeof value) {
    std::memcpy(&to, &value, sizeof value);
    return true;
  }
  const auto single = static_cast<float>(value);
  std::memcpy(&to, &single, sizeof single);
  return std::isfinite(single) || !std::isfinite(value);
}

PyObject* result_of(const Item& item, uint64_t word, PyObject* const* arguments) {
  switch (item.kind) {
    case Kind::Unsigned:
      return PyLong_FromUnsignedLongLong(word);
    case Kind::Bool:
      return PyBool_FromLong(static_cast<long>(word));
    case Kind::Signed: {
      const int unused = 64 - 8 * item.bytes;
      return PyLong_FromLongLong(static_cast<int64_t>(word << unused) >> unused);
    }
    case Kind::Float: {
      float single;
      double value;
      std::memcpy(&single, &word, sizeof single);
      std::memcpy(&value, &word, sizeof value);
      return PyFloat_FromDouble(item.bytes == sizeof value ? value : single);
    }
    case Kind::Argument:
      return Handle::share(arguments[item.bytes]).release();
    default:
      return new_none();
  }
}

bool read_item(Borrowed given, Item& to) {
  int kind = 0, written = 0;
  const char* element = "";
  const Borrowed first = held_item(given, 0);
  if (!first) return false;
  kind = static_cast<int>(PyUnicode_ReadChar(first.get(), 0));
  to.kind = static_cast<Kind>(kind);
  if (to.kind != Kind::Array) return PyArg_ParseTuple(given.get(), "Ui", &first, &to.bytes);
  if (!PyArg_ParseTuple(given.get(), "Usip", &first, &element, &to.rank, &written)) return false;
  const std::optional<Scalar> scalar = find_scalar(element);
  if (!scalar) return fail(PyExc_ValueError, std::string("no number format ") + element);
  to.element = scalar_type(*scalar);
  to.written = written;
  return true;
}

}  // namespace hetjit::python
