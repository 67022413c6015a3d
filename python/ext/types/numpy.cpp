#include "python/ext/types/numpy.h"

#include <cstring>
#include <string>

#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"

namespace hetjit::python {
namespace {

Handle imported(const char* name) {
  Handle modules = loaded_modules();
  return modules ? find_item(modules, name) : Handle();
}

/// As Python's function: classes may say what is an instance of theirs.
bool isinstance(Borrowed object, const Handle& type) {
  if (!type) return false;
  int found = PyObject_IsInstance(object.get(), type.get());
  if (found < 0) forget();
  return found > 0;
}

bool integer_is(const Handle& object, long long want) {
  long long value = object ? PyLong_AsLongLong(object.get()) : -1;
  forget();
  return object && value == want;
}

// NumPy's own names that are not ours, platform spellings of the same formats; and those of
// ml_dtypes.
std::optional<Scalar> scalar_of_name(const std::string& name) {
  if (name == "bool_" || name == "bool") return Scalar::Bool;
  if (name == "longlong") return Scalar::Int64;
  if (name == "ulonglong") return Scalar::UInt64;
  for (const ScalarInfo& row : kScalars)
    if (row.python_name == name || (!name.empty() && row.ml_dtypes_name == name)) return row.scalar;
  return std::nullopt;
}

// Sizes are powers of two.
NumberFormat format_of(Scalar scalar) {
  return {scalar_type(scalar), static_cast<uint8_t>(__builtin_ctz(info(scalar).bytes()))};
}

}  // namespace

bool Numpy::look() {
  if (known()) return true;
  Handle module = imported("numpy");
  if (!module) return !PyErr_Occurred();
  // A program may be in the middle of importing it, in another thread or in an import hook.
  if (!find_attribute(module, "ndarray") || !find_attribute(module, "ufunc")) return true;
  return learn(std::move(module));
}

bool Numpy::require() {
  if (known()) return true;
  Handle module = Handle::own(PyImport_ImportModule("numpy"));
  return module && learn(std::move(module));
}

bool Numpy::learn(Handle module) {
  by_number_ = {};
  for (const ScalarInfo& row : kScalars)
    if (row.numpy_type >= 0) by_number_[row.numpy_type] = format_of(row.scalar);
  by_number_[9] = format_of(Scalar::Int64);  // long long, beside long
  by_number_[10] = format_of(Scalar::UInt64);
  generic_ = find_attribute(module, "generic");
  dtype_ = find_attribute(module, "dtype");
  ufunc_ = find_attribute(module, "ufunc");
  ndarray_ = find_attribute(module, "ndarray");
  if (probe_array(module)) readable_ = reinterpret_cast<PyTypeObject*>(ndarray_.get());
  forget();
  return known();
}

// A strided view of a known array: what its structure says must be what its attributes say.
bool Numpy::probe_array(Borrowed module) const {
  Handle zeros = Handle::own(PyObject_CallMethod(module.get(), "zeros", "(ii)s", 4, 6, "int16"));
  Handle whole = zeros ? Handle::own(PySlice_New(nullptr, nullptr, nullptr)) : Handle();
  Handle two = Handle::own(PyLong_FromLong(2));
  Handle step = two ? Handle::own(PySlice_New(nullptr, nullptr, two.get())) : Handle();
  if (!whole || !step) return false;
  Handle key = Handle::own(PyTuple_Pack(2, whole.get(), step.get()));
  Handle view = key ? Handle::own(PyObject_GetItem(zeros.get(), key.get())) : Handle();
  Handle interface = view ? find_attribute(view, "__array_interface__") : Handle();
  Handle place =
      interface ? Handle::own(PyMapping_GetItemString(interface.get(), "data")) : Handle();
  Handle address = place ? Handle::own(PySequence_GetItem(place.get(), 0)) : Handle();
  Handle dtype = view ? find_attribute(view, "dtype") : Handle();
  if (!address || !dtype || Py_TYPE(view.get()) != reinterpret_cast<PyTypeObject*>(ndarray_.get()))
    return false;
  const auto* head = reinterpret_cast<const ArrayHead*>(view.get());
  if (!integer_is(address, reinterpret_cast<intptr_t>(head->data)) || head->rank != 2) return false;
  if (head->extents[0] != 4 || head->extents[1] != 3) return false;
  if (head->strides[0] != 12 || head->strides[1] != 4 || head->descr != dtype.get()) return false;
  if ((head->flags & kNumpyCOrder) || !(head->flags & kNumpyWriteable)) return false;
  const auto* kind = reinterpret_cast<const DtypeHead*>(dtype.get());
  return kind->kind == 'i' && integer_is(find_attribute(dtype, "num"), kind->number) &&
         format_of_head(*kind).type == scalar_type(Scalar::Int16) && kind->byte_order == '=';
}

bool Numpy::is_array(Borrowed object) const { return isinstance(object, ndarray_); }
bool Numpy::is_scalar(Borrowed object) const { return isinstance(object, generic_); }
bool Numpy::is_dtype(Borrowed object) const { return isinstance(object, dtype_); }
bool Numpy::is_ufunc(Borrowed object) const { return isinstance(object, ufunc_); }

bool Numpy::is_masked(Borrowed object) const {
  Handle module = imported("numpy.ma");
  return module && isinstance(object, find_attribute(module, "MaskedArray"));
}

// dtypes that other packages registered have numbers of their own in every process.
NumberFormat Numpy::learned_format(const DtypeHead& dtype) const {
  if (dtype.number < 256) return {};
  std::optional<Scalar> found = scalar_of_type(reinterpret_cast<PyObject*>(dtype.scalar_type));
  return found ? format_of(*found) : NumberFormat();
}

std::optional<Scalar> Numpy::scalar_of_dtype(Borrowed dtype) const {
  Handle native = find_attribute(dtype, "isnative"), type = find_attribute(dtype, "type");
  if (!native || native.get() != Py_True || !type) return std::nullopt;
  return scalar_of_type(type);
}

std::optional<Scalar> Numpy::scalar_of_type(Borrowed type) {
  Handle module = find_attribute(type, "__module__"), name = find_attribute(type, "__name__");
  if (!module || !name) return std::nullopt;
  std::string from = text_of(module);
  if (from != "numpy" && from.rfind("ml_dtypes", 0) != 0) return std::nullopt;
  return scalar_of_name(text_of(name));
}

bool Numpy::bytes_of(Borrowed scalar, std::byte* to, size_t bytes) {
  Handle module = Handle::own(PyImport_ImportModule("numpy"));
  Handle array = module
                     ? Handle::own(PyObject_CallMethod(module.get(), "asarray", "O", scalar.get()))
                     : Handle();
  Handle data =
      array ? Handle::own(PyObject_CallMethod(array.get(), "tobytes", nullptr)) : Handle();
  char* from = nullptr;
  Py_ssize_t size = 0;
  if (!data || PyBytes_AsStringAndSize(data.get(), &from, &size) < 0) return false;
  if (static_cast<size_t>(size) != bytes)
    return fail(PyExc_TypeError, "a NumPy scalar of " + std::to_string(size) + " bytes");
  std::memcpy(to, from, bytes);
  return true;
}

}  // namespace hetjit::python
