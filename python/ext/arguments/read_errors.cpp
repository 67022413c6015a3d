// What a launch says of an argument that it cannot take: the argument's name, the value found, what
// to do.
#include <cstring>
#include <tuple>

#include "abi/param_buffer.h"
#include "abi/type_names.h"
#include "python/ext/arguments/reader.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/state.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

std::string python_name(Scalar scalar) { return std::string(info(scalar).python_name); }

// A value as the user would write it, cut to a line.
std::string repr(Borrowed object) {
  Handle text = Handle::own(PyObject_Repr(object.get()));
  forget();
  std::string found = text ? text_of(text) : "?";
  return found.size() <= 40 ? found : found.substr(0, 37) + "...";
}

// The format that holds an int; null when none does.
const char* wide_integer(Borrowed value) {
  int overflow = 0;
  PyLong_AsLongLongAndOverflow(value.get(), &overflow);
  if (overflow == 0) return "int64";
  if (overflow > 0) PyLong_AsUnsignedLongLong(value.get());
  const bool fits = overflow > 0 && !PyErr_Occurred();
  forget();
  return fits ? "uint64" : nullptr;
}

// What to pass in place of an object that is no number and no array.
std::string in_its_place(Borrowed object, const std::string& name) {
  if (PyUnicode_Check(object.get()) || PyBytes_Check(object.get()))
    return ", and texts as constants: " + name +
           ": device.ConstExpr; a function that is chosen by its name is passed itself";
  if (PyDict_Check(object.get())) return ": pass what it holds one by one, each by its name";
  if (PyAnySet_Check(object.get()))
    return ": pass numpy.array(sorted(" + name + ")), or a tuple of as many numbers each time";
  if (PyRange_Check(object.get())) return ": pass its start, stop and step, and loop over range(…)";
  if (Handle converts = find_attribute(object, "to_numpy")) return ": pass " + name + ".to_numpy()";
  for (const char* gives : {"__array_interface__", "__array__"})
    if (Handle array = find_attribute(object, gives)) return ": pass numpy.asarray(" + name + ")";
  if (PyModule_Check(object.get())) return "";
  return ": pass the numbers and arrays that it holds one by one, or make its class a "
         "@device.struct";
}

std::string axes_text(unsigned count) {
  return std::to_string(count) + (count == 1 ? " axis" : " axes");
}

bool is_builtin_sequence(Borrowed object) {
  return PyList_Check(object.get()) || PyTuple_Check(object.get());
}

// The type of a list's structs or vectors, to judge by its first item.
std::optional<TypeId> records_of(const State& state, Borrowed object) {
  if (!PyList_Check(object.get()) || PyList_Size(object.get()) == 0) return std::nullopt;
  const Handle first = list_item(object, 0);
  return type_of_class(state, reinterpret_cast<PyObject*>(Py_TYPE(first.get())));
}

}  // namespace

std::string Reader::name(size_t index) const {
  std::string parts;
  for (const Part* part = part_; part; part = part->outer)
    parts.insert(0, part->field.empty() ? "[" + std::to_string(part->item) + "]"
                                        : "." + std::string(part->field));
  if (parameters_.function.empty()) return parameters_.texts[index] + parts;
  return parameters_.function + "(): argument '" + parameters_.texts[index] + "'" + parts;
}

// The library's own exception is set, or none.
Raised Reader::not_lent(size_t index, Borrowed argument) {
  const Handle error = take_exception();  // first: what follows would clear it
  refuse(name(index) + ", " + describe(argument) + ",", argument, error);
  return {};
}

Raised Reader::unusable(size_t index, Borrowed argument) {
  std::string text = name(index) + " is " + describe(argument);
  const std::string& own = parameters_.texts[index];
  if (const std::optional<TypeId> record = records_of(state_, argument))
    return fail(PyExc_TypeError, text + " of " + to_python(*record) +
                                     "; kernels take arrays: " + own + " = device.array(" + own +
                                     "), whose elements they then change");
  if (is_builtin_sequence(argument))
    return fail(PyExc_TypeError,
                text + "; kernels take arrays: " + own + " = numpy.array(" + own +
                    ", dtype=...) before the launch, which has what the kernel stores");
  if (state_.numpy.is_array(argument))  // only masked arrays come here
    return fail(PyExc_TypeError,
                text + "; a kernel does not see its mask: pass its .data or .filled()");
  if (state_.numpy.is_scalar(argument))
    return fail(PyExc_TypeError, text + "; that number format has no counterpart in a kernel");
  if (PyObject_CheckBuffer(argument.get()))
    return fail(PyExc_TypeError, text +
                                     ", a plain buffer; an array in the same memory is "
                                     "device.asarray(" +
                                     parameters_.texts[index] + ")");
  return fail(PyExc_TypeError,
              text +
                  "; a kernel takes numbers and arrays (any object with __dlpack__ or "
                  "__cuda_array_interface__)" +
                  in_its_place(argument, parameters_.texts[index]));
}

Raised Reader::bad_dtype(size_t index, Borrowed argument) {
  Handle dtype = find_attribute(argument, "dtype");
  Handle native = dtype ? find_attribute(dtype, "isnative") : Handle();
  std::string text = name(index) + " has dtype " + (dtype ? text_of(dtype) : "?");
  if (native && native.get() == Py_False)
    return fail(PyExc_BufferError,
                text +
                    ", whose bytes are in another machine's order; "
                    "pass a copy in native order: a.astype(a.dtype.newbyteorder('='))");
  Handle names = dtype ? find_attribute(dtype, "names") : Handle();
  if (names && names.get() != Py_None) {
    Handle layouts = Handle::own(PyImport_ImportModule("hetjit.device.layouts"));
    Handle why =
        layouts
            ? Handle::own(PyObject_CallMethod(layouts.get(), "why_unreadable", "O", dtype.get()))
            : Handle();
    if (!why) return {};
    return fail(PyExc_BufferError, text + ", which no kernel can read: " + text_of(why));
  }
  const std::string kind = dtype ? text_attribute(dtype, "kind") : "",
                    array = parameters_.texts[index];
  text +=
      ", which no kernel can read; elements must be bool, int8 to int64, uint8 to uint64, a "
      "float of 8 to 64 bits or a complex of 64 or 128 bits: ";
  if (kind == "U" || kind == "S")
    text += "texts are numbered on the host, numpy.unique(" + array + ", return_inverse=True)[1]";
  else if (kind == "O")
    text += array + ".astype(numpy.float32) makes numbers of objects that are some";
  else
    text += "pass " + array +
            (kind == "M" || kind == "m" ? ".view(numpy.int64)" : ".astype(numpy.float32)");
  return fail(PyExc_BufferError, text);
}

Raised Reader::bad_layout(size_t index, Borrowed argument) {
  const auto* head = reinterpret_cast<const ArrayHead*>(argument.get());
  if (head->rank > kMaxRank)
    return fail(PyExc_BufferError, name(index) + " has " + std::to_string(head->rank) +
                                       " dimensions; a kernel takes at most " +
                                       std::to_string(kMaxRank));
  Handle strides = find_attribute(argument, "strides"), dtype = find_attribute(argument, "dtype");
  return fail(PyExc_BufferError, name(index) + " is not laid out as whole elements: strides " +
                                     (strides ? text_of(strides) : "?") +
                                     " must be multiples of the size, and where elements have an "
                                     "alignment of their own the address of that, of " +
                                     (dtype ? text_of(dtype) : "?") +
                                     "; pass a copy: " + parameters_.texts[index] + ".copy()");
}

Raised Reader::does_not_fit(size_t index, Borrowed argument, Scalar scalar) {
  bool annotated = parameters_.annotations[index].type.valid();
  std::string text =
      name(index) + " is " + repr(argument) + ", which does not fit " + python_name(scalar);
  if (annotated || part_)
    return fail(PyExc_OverflowError, text + (part_ ? "" : ", the type it is annotated with"));
  const bool integer = scalar == Scalar::Int32, real = scalar == Scalar::Float32;
  const char* wide = integer ? wide_integer(argument) : real ? "float64" : "complex128";
  const bool positive = integer && wide && repr(argument).front() != '-';
  const char* seeds = positive && !std::strcmp(wide, "int64")
                          ? "; what is never negative, a seed, may be a uint64, up to 2**64 - 1"
                          : "";
  if (!wide)
    return fail(PyExc_OverflowError, text +
                                         ": no integer of a kernel has more than 64 bits; pass "
                                         "its parts, or a float");
  return fail(PyExc_OverflowError, text + ", the format of a Python " +
                                       (integer ? "int"
                                        : real  ? "float"
                                                : "complex") +
                                       " in a kernel; annotate the parameter (" +
                                       parameters_.texts[index] + ": device." + wide +
                                       ") or pass numpy." + wide + "(...)" + seeds);
}

Raised Reader::wrong_kind(size_t index, Borrowed argument, TypeId type, const std::string& why) {
  std::string wanted = (is_scalar(type) ? "device." : "") + to_python(type);
  std::string given = describe(argument), reason = why;
  const bool may_have_axes = reason.empty() && is_scalar(type) &&
                             !(state_.numpy.look() && state_.numpy.is_scalar(argument));
  if (Handle axes = may_have_axes ? find_attribute(argument, "ndim") : Handle())
    reason = "it is an array of " + text_of(axes) + (text_of(axes) == "1" ? " axis" : " axes") +
             ", whose type is " + wanted + "[:]";
  PyObject* cls = reinterpret_cast<PyObject*>(Py_TYPE(argument.get()));
  if (std::optional<TypeId> found = type_of_class(state_, cls);
      found && hetjit::type(type).kind == TypeKind::Struct) {
    std::tie(given, wanted) = to_python_apart(*found, type);
    given.insert(0, "of type ");
  }
  const bool of_array = parameters_.names.empty();  // read_lists()
  const char* what = part_      ? "; its type is "
                     : of_array ? "; the array's elements are "
                                : "; the parameter is annotated with ";
  return fail(PyExc_TypeError,
              name(index) + " is " + given + what + wanted + (reason.empty() ? "" : ": " + reason));
}

// The array that was read last has other axes or elements than the annotation. An (n, 3) array of
// NumPy's becomes one of vectors by a view.
Raised Reader::wrong_array(size_t index, Borrowed argument, TypeId found, TypeId type,
                           const std::string& elements_differ) {
  const Type &is = hetjit::type(found), &wanted = hetjit::type(type);
  const Type& element = hetjit::type(wanted.element);
  std::string why = elements_differ;
  if (is.rank != wanted.rank)
    why = "it has " + axes_text(is.rank) + " of " + to_python(without_align(is.element)) +
          ", not " + axes_text(wanted.rank) + " of " + to_python(wanted.element);
  int64_t last = 0;  // its extent: descriptors are an address, extents, strides
  if (is.rank)
    std::memcpy(&last, to_.block.data() + to_.size - descriptor_bytes(is.rank) + 8u * is.rank,
                sizeof last);
  const bool parts =
      element.kind == TypeKind::Vector && without_align(is.element) == scalar_type(element.scalar);
  if (parts && state_.numpy.is_array(argument) &&
      (is.rank == wanted.rank || (is.rank == wanted.rank + 1 && last == element.lanes)))
    why += "; as vectors it is " + parameters_.texts[index] + ".view(device.numpy_dtype(device." +
           to_python(wanted.element) + "))" + (is.rank == wanted.rank ? "" : "[..., 0]");
  else if (is_scalar(is.element) && is_scalar(wanted.element) && is.rank) {
    const std::string& array = parameters_.texts[index];
    const bool other_axes = is.rank != wanted.rank;
    const Scalar from = hetjit::type(without_align(is.element)).scalar,
                 to = hetjit::type(without_align(wanted.element)).scalar;
    const bool numpys = state_.numpy.is_array(argument) && to != Scalar::Bool &&
                        to != Scalar::BFloat16 && !is_tiny_float(to);
    why += "; ";
    if (other_axes)
      why += "pass " + array + ".reshape(…) with " + axes_text(wanted.rank) + ", or ";
    else if (numpys && (!is_complex(from) || is_complex(to)))
      why += "pass " + array + ".astype(numpy." + to_python(wanted.element) + "), or ";
    why += "annotate " + array + ": device." + to_python(array_type(is.element, is.rank));
  }
  return wrong_kind(index, argument, type, why);
}

Raised Reader::wrong_count(size_t index, size_t found, TypeId type) {
  return fail(PyExc_TypeError, name(index) + " has " + std::to_string(found) + " items, but a " +
                                   to_python(type) + " is needed");
}

Raised Reader::bad_record(size_t index, Borrowed argument) {
  Handle dtype = find_attribute(argument, "dtype");
  return fail(PyExc_TypeError, name(index) + " is a NumPy scalar of dtype " +
                                   (dtype ? text_of(dtype) : "?") + ", which no kernel can read");
}

Raised Reader::too_large() {
  return fail(PyExc_ValueError, parameters_.function + "(): the arguments need more than the " +
                                    std::to_string(kMostBlockBytes) +
                                    " bytes that a launch can pass");
}

bool Reader::mixed(size_t index, DLDevice device) {
  const auto first = static_cast<size_t>(to_.array);
  return fail(PyExc_ValueError, parameters_.function + "(): argument '" + parameters_.texts[first] +
                                    "' is on " + place_text(to_.device) + " but '" +
                                    parameters_.texts[index] + "' is on " + place_text(device) +
                                    "; a kernel runs where all its arrays are: "
                                    "device.array(x, where) copies one there, and "
                                    "device.to_numpy(x) to the host");
}

}  // namespace hetjit::python
