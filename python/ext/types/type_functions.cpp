// Making types, for hetjit/device: structs, vectors, alignments, arrays.
#include <algorithm>
#include <bit>

#include "abi/layout.h"
#include "compiler/typing/known/promote.h"
#include "python/ext/handles/errors.h"
#include "python/ext/handles/objects.h"
#include "python/ext/state.h"
#include "python/ext/tools.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

constexpr unsigned long kMostAlign = 4096;
constexpr Py_ssize_t kMostFields = 512;

// A power of two, as the user gave it for an alignment. 0 with an exception set: none.
uint32_t alignment(Borrowed number) {
  Handle index = Handle::own(PyNumber_Index(number.get()));
  if (!index) return 0;
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (!overflow && value > 0 && value <= static_cast<long long>(kMostAlign) &&
      std::has_single_bit(static_cast<unsigned long long>(value)))
    return static_cast<uint32_t>(value);
  fail(PyExc_ValueError, "an alignment is a power of two from 1 to " + std::to_string(kMostAlign) +
                             ", not " + text_of(number));
  return 0;
}

// One `(name, hint)`; the hint is a Type already.
bool read_field(const State& state, Borrowed pair, hetjit::Field& to) {
  PyObject *name = nullptr, *hint = nullptr;
  if (!PyArg_ParseTuple(pair.get(), "UO!", &name, state.type_type.get(), &hint)) return false;
  Parameter found = parameter_of_type(hint);
  to.name = text_of(name);
  to.type = found.type;
  to.weak = found.weak;
  return true;
}

PyObject* make_struct(PyObject* module, PyObject* arguments) {
  PyObject *name = nullptr, *fields = nullptr, *align = nullptr;
  State* state = state_of_module(module);
  if (!state || !PyArg_ParseTuple(arguments, "UO!O", &name, &PyTuple_Type, &fields, &align))
    return nullptr;
  uint32_t least = align == Py_None ? 0 : alignment(align);
  if (align != Py_None && !least) return nullptr;
  if (PyTuple_Size(fields) > kMostFields)
    return fail(PyExc_TypeError, "a struct has at most " + std::to_string(kMostFields) + " fields");
  std::vector<hetjit::Field> made(static_cast<size_t>(PyTuple_Size(fields)));
  std::vector<TypeId> types;
  for (size_t i = 0; i < made.size(); ++i) {
    const Borrowed pair = held_item(fields, i);
    if (!PyTuple_Check(pair.get()) || !read_field(*state, pair, made[i])) {
      if (!PyErr_Occurred()) fail(PyExc_TypeError, "a field is a name and a type");
      return nullptr;
    }
    types.push_back(made[i].type);
  }
  if (!is_of_bounded_size(types))
    return fail(PyExc_TypeError, "the struct '" + text_of(name) + "' is made of too many parts");
  return type_object(*state, {struct_type(text_of(name), made, least), false}, fields).release();
}

PyObject* make_vector(PyObject* module, PyObject* arguments) {
  PyObject *hint = nullptr, *count = nullptr;
  State* state = state_of_module(module);
  if (!state || !state->numpy.look() || !PyArg_ParseTuple(arguments, "OO", &hint, &count))
    return nullptr;
  std::optional<Parameter> element = parameter_of_hint(*state, hint);
  if (!element || !is_scalar(element->type) ||
      !(is_integer(type(element->type).scalar) || is_floating(type(element->type).scalar)))
    return fail(PyExc_TypeError,
                "a vector's elements are integers or floating-point numbers, not " +
                    (element ? to_python(element->type) : text_of(hint)));
  Handle index = Handle::own(PyNumber_Index(count));
  if (!index) return nullptr;
  int overflow = 0;
  long long lanes = PyLong_AsLongLongAndOverflow(index.get(), &overflow);
  if (overflow || lanes < 1 || lanes > 4)
    return fail(PyExc_ValueError, "a vector has 1 to 4 elements, not " + text_of(count));
  TypeId made = vector_type(type(element->type).scalar, static_cast<uint8_t>(lanes));
  return type_object(*state, {made, false}, nullptr).release();
}

PyObject* make_aligned(PyObject* module, PyObject* arguments) {
  PyObject *hint = nullptr, *number = nullptr;
  State* state = state_of_module(module);
  if (!state || !PyArg_ParseTuple(arguments, "O!O", state->type_type.get(), &hint, &number))
    return nullptr;
  uint32_t least = alignment(number);
  if (!least) return nullptr;
  Parameter found = parameter_of_type(hint);
  uint32_t natural = layout(found.type).align;
  found.type = aligned_type(found.type, std::max(least, natural));
  return type_object(*state, found, hint).release();
}

PyObject* make_atomic(PyObject* module, PyObject* arguments) {
  PyObject *hint = nullptr, *align = nullptr;
  State* state = state_of_module(module);
  if (!state || !PyArg_ParseTuple(arguments, "O!O", state->type_type.get(), &hint, &align))
    return nullptr;
  Parameter number = parameter_of_type(hint);
  if (!is_scalar(number.type)) return fail(PyExc_TypeError, "a number's type is needed");
  TypeId made = atomic_type(type(number.type).scalar, number.weak);
  if (align != Py_None) {
    uint32_t least = alignment(align);
    if (!least) return nullptr;
    made = aligned_type(made, std::max(least, layout(made).align));
  }
  return type_object(*state, {made, false}, hint).release();
}

PyObject* make_array(PyObject* module, PyObject* arguments) {
  PyObject* hint = nullptr;
  int rank = 0, contiguous = 0;
  State* state = state_of_module(module);
  if (!state ||
      !PyArg_ParseTuple(arguments, "O!ip", state->type_type.get(), &hint, &rank, &contiguous))
    return nullptr;
  if (rank < 0 || rank > kMaxRank)
    return fail(PyExc_ValueError, "an array has at most 8 axes, not " + std::to_string(rank));
  if (!is_of_bounded_size({parameter_of_type(hint).type}))
    return fail(PyExc_TypeError, "the elements are made of too many parts");
  ArrayFacts facts{.order = contiguous ? Order::Contiguous : Order::Strided};
  TypeId made = array_type(parameter_of_type(hint).type, static_cast<uint8_t>(rank), facts);
  return type_object(*state, {made, false}, hint).release();
}

// From now on values of the type are instances of the class too, and it may be asked for methods.
PyObject* remember_class(PyObject* module, PyObject* arguments) {
  PyObject *hint = nullptr, *cls = nullptr;
  State* state = state_of_module(module);
  if (!state ||
      !PyArg_ParseTuple(arguments, "O!O!", state->type_type.get(), &hint, &PyType_Type, &cls))
    return nullptr;
  return state->classes.add(parameter_of_type(hint).type, cls) ? new_none() : nullptr;
}

// The classes of a type: that which the Type keeps, then the oldest first.
PyObject* classes_of(PyObject* module, PyObject* hint) {
  State* state = state_of_module(module);
  if (!state) return nullptr;
  if (!is_instance(hint, state->type_type)) return fail(PyExc_TypeError, "a Type is needed");
  std::vector<Handle> all = state->classes.of(parameter_of_type(hint).type);
  const Handle kept = class_of_type(*state, hint);
  std::stable_partition(all.begin(), all.end(), [&](const Handle& cls) { return is(cls, kept); });
  Handle found = Handle::own(PyList_New(0));
  for (const Handle& cls : all)
    if (!found || PyList_Append(found.get(), cls.get()) < 0) return nullptr;
  return found.release();
}

// The common format of two numbers, as in device code; None when they do not mix.
PyObject* promoted(PyObject* module, PyObject* arguments) {
  PyObject *one = nullptr, *other = nullptr;
  State* state = state_of_module(module);
  PyObject* type_type = state ? state->type_type.get() : nullptr;
  if (!state || !PyArg_ParseTuple(arguments, "O!O!", type_type, &one, type_type, &other))
    return nullptr;
  Parameter a = parameter_of_type(one), b = parameter_of_type(other);
  if (!is_scalar(a.type) || !is_scalar(b.type)) return fail(PyExc_TypeError, "numbers are needed");
  std::optional<typing::Number> found =
      typing::promote(typing::Number{type(a.type).scalar, a.weak}, {type(b.type).scalar, b.weak});
  if (!found) return new_none();
  return type_object(*state, {scalar_type(found->scalar), found->weak}, nullptr).release();
}

PyObject* element_of_dtype(PyObject* module, PyObject* dtype) {
  State* state = state_of_module(module);
  if (!state || !state->numpy.require()) return nullptr;
  if (!state->numpy.is_dtype(dtype)) return fail(PyExc_TypeError, "a NumPy dtype is needed");
  const Element* found = state->elements.find(*state, dtype);
  if (!found) return PyErr_Occurred() ? nullptr : new_none();
  return type_object(*state, {found->type, false}, nullptr).release();
}

}  // namespace

PyMethodDef type_functions[] = {
    {"struct_type", ended<make_struct>, METH_VARARGS,
     "(name, ((field, Type), …), align or None): a Type."},
    {"vector_type", ended<make_vector>, METH_VARARGS, "(hint, count): a Type."},
    {"aligned_type", make_aligned, METH_VARARGS, "(Type, bytes): a Type aligned at least so."},
    {"atomic_type", make_atomic, METH_VARARGS, "(Type of a number, align or None): a Type."},
    {"array_type", make_array, METH_VARARGS, "(Type, rank, contiguous): a Type."},
    {"remember_class", remember_class, METH_VARARGS,
     "(Type, class): whose values are of the type."},
    {"classes_of", classes_of, METH_O,
     "The classes of a struct's Type: its own, then the oldest first."},
    {"promote", promoted, METH_VARARGS, "(Type, Type): the format in which two numbers meet."},
    {"element_of_dtype", ended<element_of_dtype>, METH_O,
     "The Type that a NumPy dtype is, or None."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
