// Python objects as constants, and the small conversions that capture is made of.
#include <cstring>

#include "python/ext/capture/capturer.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

Constant integer(Borrowed object) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(object.get(), &overflow);
  if (!overflow) {
    auto bits = static_cast<uint64_t>(value);
    return {IntConstant{value < 0, value < 0 ? 0 - bits : bits}};
  }
  Handle magnitude = overflow < 0 ? Handle::own(PyNumber_Negative(object.get())) : object.dup();
  uint64_t bits = magnitude ? PyLong_AsUnsignedLongLong(magnitude.get()) : 0;
  if (!PyErr_Occurred()) return {IntConstant{overflow < 0, bits}};
  forget();
  Handle digits = Handle::own(PyObject_Str(object.get()));  // refused for thousands of digits
  forget();
  if (!digits) return {OtherConstant{"int"}};
  return {HugeConstant{text_of(digits)}};
}

// A device.WarpMask is an int whose bits are lanes.
Constant with_mask(Constant constant, Borrowed object) {
  IntConstant* number = std::get_if<IntConstant>(&constant.value);
  if (number && !PyLong_CheckExact(object.get()))
    number->mask = text_attribute(object, "__hetjit_builtin__") == "hetjit.device.WarpMask";
  return constant;
}

// What a constant may consist of. Tuples that share parts can be far larger than they seem.
constexpr int kMostNested = 64;
constexpr size_t kMostItems = 1 << 16;

// Counts what is in a constant, as often as it is there. False: there is too much.
bool is_bounded(Borrowed object, int depth, size_t& items) {
  const bool slice = Py_TYPE(object.get()) == &PySlice_Type;
  if (!slice && !PyTuple_Check(object.get())) return true;
  const Py_ssize_t count = slice ? 3 : PyTuple_Size(object.get());
  items += static_cast<size_t>(count);
  if (depth == kMostNested || items > kMostItems) return false;
  constexpr const char* kParts[] = {"start", "stop", "step"};
  for (Py_ssize_t i = 0; i < count; ++i) {
    const Handle item = slice ? find_attribute(object, kParts[i]) : tuple_item(object, i);
    if (item && !is_bounded(item, depth + 1, items)) return false;
  }
  return true;
}

}  // namespace

std::string wrong_with_constant(Borrowed object) {
  size_t items = 0;
  if (is_bounded(object, 0, items)) return "";
  const std::string what = Py_TYPE(object.get()) == &PySlice_Type ? "a slice" : "a tuple";
  return what + (items > kMostItems ? " of more than " + std::to_string(kMostItems) + " items"
                                    : " nested more than " + std::to_string(kMostNested) + " deep");
}

// A number, builtin or of NumPy. nullopt: it is none.
std::optional<Constant> Capturer::number(Borrowed object) {
  if (state_.numpy.is_scalar(object)) {  // first: numpy.float64 is a float as well
    std::optional<Scalar> scalar =
        Numpy::scalar_of_type(reinterpret_cast<PyObject*>(Py_TYPE(object.get())));
    FixedConstant made;
    if (!scalar) return std::nullopt;
    made.scalar = *scalar;
    std::byte bytes[16] = {};
    if (!Numpy::bytes_of(object, bytes, info(*scalar).bytes())) {
      forget();
      return std::nullopt;
    }
    std::memcpy(made.bits, bytes, sizeof made.bits);
    return Constant{made};
  }
  if (object.get() == Py_True || object.get() == Py_False) return Constant{object.get() == Py_True};
  if (is_flag(object)) return std::nullopt;
  if (PyLong_Check(object.get())) return with_mask(integer(object), object);
  if (PyFloat_Check(object.get())) return Constant{PyFloat_AsDouble(object.get())};
  if (PyComplex_Check(object.get()))
    return Constant{ComplexConstant{PyComplex_RealAsDouble(object.get()),
                                    PyComplex_ImagAsDouble(object.get())}};
  return std::nullopt;
}

// A vector or struct; the struct's methods come with it.
Constant Capturer::record_constant(TypeId type, Borrowed object) {
  RecordConstant made{type, {}};
  for (Py_ssize_t i = 0; i < PyTuple_Size(object.get()); ++i)
    made.items.push_back(bounded_constant(held_item(object, i), nullptr));
  if (!add_structs(type)) forget();
  return {std::move(made)};
}

Constant Capturer::constant(Borrowed object, const Pending* owner) {
  if (std::string wrong = wrong_with_constant(object); !wrong.empty())
    return {OtherConstant{wrong.substr(wrong.find(' ') + 1)}};
  return bounded_constant(object, owner);
}

Constant Capturer::bounded_constant(Borrowed object, const Pending* owner) {
  if (object.get() == Py_None) return {NoneConstant{}};
  if (object.get() == Py_Ellipsis) return {EllipsisConstant{}};
  if (std::optional<Constant> found = number(object)) return *found;
  if (PyUnicode_Check(object.get())) return {text_of(object)};
  if (PyTuple_Check(object.get())) {
    if (std::optional<TypeId> record =
            type_of_class(state_, reinterpret_cast<PyObject*>(Py_TYPE(object.get()))))
      return record_constant(*record, object);
    TupleConstant made;
    for (Py_ssize_t i = 0; i < PyTuple_Size(object.get()); ++i)
      made.items.push_back(bounded_constant(held_item(object, i), owner));
    return {std::move(made)};
  }
  if (Py_TYPE(object.get()) == &PySlice_Type) {
    SliceConstant made;
    for (const char* part : {"start", "stop", "step"})
      made.parts.push_back(bounded_constant(find_attribute(object, part), owner));
    return {std::move(made)};
  }
  if (owner && is_instance(object, state_.code_type))
    return {CodeConstant{index_of_code(object, *owner)}};
  if (!owner)
    if (std::optional<Constant> named = function_or_type(object)) return *named;
  return {OtherConstant{
      text_attribute(reinterpret_cast<PyObject*>(Py_TYPE(object.get())), "__name__")}};
}

// What an item of a tuple is when it is no number, text or tuple.
std::optional<Constant> Capturer::function_or_type(Borrowed object) {
  Meaning found = meaning(object);
  if (const auto* function = std::get_if<FunctionMeaning>(&found)) return Constant{*function};
  if (const auto* builtin = std::get_if<BuiltinMeaning>(&found)) return Constant{*builtin};
  if (const auto* type = std::get_if<TypeMeaning>(&found)) return Constant{*type};
  return std::nullopt;
}

}  // namespace hetjit::python
