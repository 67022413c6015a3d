// What the user's hints mean.
#include <algorithm>

#include "python/ext/handles/objects.h"
#include "python/ext/state.h"
#include "python/ext/types/dtype_object.h"
#include "python/ext/types/type_object.h"

namespace hetjit::python {
namespace {

struct Extent {
  size_t parts = 1;
  int depth = 1;
};

// Types that exist are bounded themselves, so this ends soon.
Extent extent_of(TypeId id) {
  const Type& it = type(id);
  Extent all;
  for (const hetjit::Field& field : it.fields) {
    Extent one = extent_of(field.type);
    all.parts += one.parts;
    all.depth = std::max(all.depth, one.depth + 1);
  }
  if (!it.element.valid()) return all;
  Extent one = extent_of(it.element);
  return {one.parts + 1, one.depth + 1};
}

bool has_numbers(TypeId id) {
  const Type& it = type(without_align(id));
  return it.kind == TypeKind::Scalar ||
         (it.kind == TypeKind::Tuple &&
          std::any_of(it.fields.begin(), it.fields.end(),
                      [](const hetjit::Field& field) { return has_numbers(field.type); }));
}

std::optional<Parameter> builtin_number(Borrowed hint) {
  auto* object = reinterpret_cast<PyTypeObject*>(hint.get());
  if (object == &PyBool_Type) return Parameter{scalar_type(Scalar::Bool), true};
  if (object == &PyLong_Type) return Parameter{scalar_type(Scalar::Int32), true};
  if (object == &PyFloat_Type) return Parameter{scalar_type(Scalar::Float32), true};
  if (object == &PyComplex_Type) return Parameter{scalar_type(Scalar::Complex64), true};
  return std::nullopt;
}

// `tuple[int, float]`: its origin is tuple, its arguments are hints.
std::optional<Parameter> tuple_hint(const State& state, Borrowed hint) {
  Handle origin = find_attribute(hint, "__origin__"), items = find_attribute(hint, "__args__");
  if (!origin || origin.get() != reinterpret_cast<PyObject*>(&PyTuple_Type) || !items ||
      !PyTuple_Check(items.get()))
    return std::nullopt;
  std::vector<Parameter> found;
  std::vector<TypeId> types;
  for (Py_ssize_t i = 0; i < PyTuple_Size(items.get()); ++i) {
    std::optional<Parameter> item = parameter_of_hint(state, held_item(items, i));  // borrowed
    if (!item) return std::nullopt;
    found.push_back(*item);
    types.push_back(item->type);
  }
  if (!is_of_bounded_size(types)) return std::nullopt;
  return parameter_of_items(found);
}

}  // namespace

bool is_of_bounded_size(const std::vector<TypeId>& parts) {
  size_t count = 1;
  for (TypeId part : parts) {
    Extent one = extent_of(part);
    count += one.parts;
    if (one.depth >= kMostDepth || count > kMostParts) return false;
  }
  return true;
}

Parameter parameter_of_items(const std::vector<Parameter>& items) {
  const bool builtin = std::ranges::any_of(items, &Parameter::weak);
  const bool fixed = std::ranges::any_of(
      items, [](const Parameter& item) { return !item.weak && has_numbers(item.type); });
  std::vector<hetjit::Field> fields;
  for (const Parameter& item : items)
    fields.push_back({.type = item.type, .weak = item.weak && fixed});
  return {tuple_of_items(fields), builtin && !fixed};
}

std::optional<TypeId> type_of_class(const State& state, Borrowed type) {
  Handle found = find_attribute(type, "__hetjit_type__");
  if (!found || !is_instance(found, state.type_type)) return std::nullopt;
  return parameter_of_type(found).type;
}

std::optional<Parameter> parameter_of_hint(const State& state, Borrowed hint) {
  if (hint.get() == Py_None || hint.get() == reinterpret_cast<PyObject*>(Py_TYPE(Py_None)))
    return Parameter{none_type(), false};
  if (is_instance(hint, state.dtype_type)) return parameter_of_dtype(hint);
  if (is_instance(hint, state.type_type)) return parameter_of_type(hint);
  std::optional<Scalar> scalar;
  if (PyType_Check(hint.get())) {
    if (std::optional<Parameter> builtin = builtin_number(hint)) return builtin;
    if (std::optional<TypeId> ours = type_of_class(state, hint)) return Parameter{*ours, false};
    scalar = Numpy::scalar_of_type(hint);
  } else if (state.numpy.is_dtype(hint)) {
    scalar = state.numpy.scalar_of_dtype(hint);
  }
  if (scalar) return Parameter{scalar_type(*scalar), false};
  return PyType_Check(hint.get()) ? std::nullopt : tuple_hint(state, hint);
}

}  // namespace hetjit::python
