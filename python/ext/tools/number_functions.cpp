// What the package's Python asks of the tables of numbers and of atomic operations, so that it has
// none of its own.
#include "abi/small_floats.h"
#include "compiler/ir/atomic_rules.h"
#include "python/ext/handles/errors.h"
#include "python/ext/tools.h"

namespace hetjit::python {
namespace {

// A floating format by its name; nullopt with an exception set: it is none.
std::optional<Scalar> floating(const char* name) {
  std::optional<Scalar> found = find_scalar(name);
  if (found && is_floating(*found)) return found;
  fail(PyExc_ValueError, std::string("'") + name + "' is no floating format");
  return std::nullopt;
}

PyObject* float_from_bits(PyObject*, PyObject* arguments) {
  const char* name = nullptr;
  unsigned long long bits = 0;
  if (!PyArg_ParseTuple(arguments, "sK", &name, &bits)) return nullptr;
  std::optional<Scalar> format = floating(name);
  return format ? PyFloat_FromDouble(from_bits(*format, bits)) : nullptr;
}

PyObject* float_to_bits(PyObject*, PyObject* arguments) {
  const char* name = nullptr;
  double value = 0;
  if (!PyArg_ParseTuple(arguments, "sd", &name, &value)) return nullptr;
  std::optional<Scalar> format = floating(name);
  return format ? PyLong_FromUnsignedLongLong(to_bits(*format, value)) : nullptr;
}

// Those of the words whose bit is set, as a tuple.
PyObject* tuple_of(std::span<const std::string_view> words, unsigned chosen) {
  Handle list = Handle::own(PyList_New(0));
  for (size_t i = 0; list && i < words.size(); ++i) {
    if (!(chosen >> i & 1)) continue;
    Handle word = Handle::own(
        PyUnicode_FromStringAndSize(words[i].data(), static_cast<Py_ssize_t>(words[i].size())));
    if (!word || PyList_Append(list.get(), word.get()) < 0) return nullptr;
  }
  return list ? PyList_AsTuple(list.get()) : nullptr;
}

PyObject* atomic_orders(PyObject*, PyObject* arguments) {
  const char* operation = nullptr;
  if (!PyArg_ParseTuple(arguments, "s", &operation)) return nullptr;
  return tuple_of(ir::kMemoryOrders, ir::orders_of(operation));
}

PyObject* atomic_scopes(PyObject*, PyObject*) { return tuple_of(ir::kMemoryScopes, ~0u); }

PyObject* atomic_formats(PyObject*, PyObject* arguments) {
  const char *operation = nullptr, *name = nullptr;
  if (!PyArg_ParseTuple(arguments, "ss", &operation, &name)) return nullptr;
  std::optional<Scalar> number = find_scalar(name);
  if (!number) return fail(PyExc_ValueError, std::string("'") + name + "' is no number");
  auto which = ir::AtomicOperation::Exchange;  // and what compares before it exchanges
  for (size_t i = 0; i < std::size(ir::kAtomicOperations); ++i)
    if (ir::kAtomicOperations[i] == operation) which = static_cast<ir::AtomicOperation>(i);
  return PyUnicode_FromString(ir::formats_of(which, *number).data());
}

}  // namespace

PyMethodDef number_functions[] = {
    {"float_from_bits", float_from_bits, METH_VARARGS, "(format, bits): the number."},
    {"float_to_bits", float_to_bits, METH_VARARGS, "(format, number): bits of the nearest one."},
    {"atomic_orders", atomic_orders, METH_VARARGS, "(operation): the memory orders that suit it."},
    {"atomic_scopes", atomic_scopes, METH_NOARGS, "The scopes of atomic operations."},
    {"atomic_formats", atomic_formats, METH_VARARGS,
     "(operation, format): the numbers that it is for; empty where this is one."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace hetjit::python
