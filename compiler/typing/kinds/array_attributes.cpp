// What a.name is.
#include <algorithm>
#include <numeric>

#include "abi/layout.h"
#include "compiler/builtins/registry.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/array_views.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/externals.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

Value stride(Evaluation& at, const Value& array, uint8_t axis) {
  return at.number(kLong, at.code().stride(array.leaf(), axis));
}

Value per_axis(Evaluation& at, const Value& array,
               Value (*of)(Evaluation&, const Value&, uint8_t)) {
  std::vector<Value> values;
  for (uint8_t axis = 0; axis < array_of(array).rank; ++axis) values.push_back(of(at, array, axis));
  return made_of<TupleType>(values);
}

std::vector<uint8_t> axes_of(const Value& array) {
  std::vector<uint8_t> axes(array_of(array).rank);
  std::iota(axes.begin(), axes.end(), uint8_t{0});
  return axes;
}

Value shape(Evaluation& at, const Value& array) { return per_axis(at, array, array_extent); }
Value strides(Evaluation& at, const Value& array) { return per_axis(at, array, stride); }
Value rank(Evaluation&, const Value& array) {
  return static_value(int_value(array_of(array).rank));
}
Value element_type(Evaluation&, const Value& array) {
  return static_value({TypeObject{{array_of(array).element, false}}});
}
Value item_size(Evaluation&, const Value& array) {
  return static_value(int_value(layout(array_of(array).element).size));
}
Value byte_size(Evaluation& at, const Value& array) {
  Value size = array_size(at, array), item = item_size(at, array);
  return binary(at, ssa::BinaryKind::Multiply, size, item);
}
Value all_axes_reversed(Evaluation& at, const Value& array) {
  std::vector<uint8_t> axes = axes_of(array);
  std::reverse(axes.begin(), axes.end());
  return transposed(at, array, axes);
}
Value matrix_transposed(Evaluation& at, const Value& array) {
  std::vector<uint8_t> axes = axes_of(array);
  if (axes.size() < 2)
    return at.error(Code::NoAttribute, {name_of(array.type), "mT"}, {&array})
        .help("it swaps the last two of two or more axes")
        .report();
  std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return transposed(at, array, axes);
}

struct Attribute {
  std::string_view name;
  Value (*get)(Evaluation&, const Value&);
};
constexpr Attribute kAttributes[] = {{"shape", shape},         {"strides", strides},
                                     {"ndim", rank},           {"ndims", rank},
                                     {"size", array_size},     {"dtype", element_type},
                                     {"itemsize", item_size},  {"nbytes", byte_size},
                                     {"T", all_axes_reversed}, {"mT", matrix_transposed}};

// What else arrays have on the host, and what to write instead.
struct Refused {
  std::string_view name, help;
};
constexpr Refused kRefused[] = {
    {"flags", "an array's memory layout is not visible to a compiled function"},
    {"fill", "assign to all elements: a[...] = value"},
    {"sum", "add up in a loop: for v in x: total += v"},
    {"mean", "add up in a loop, and divide by the number: total / len(x)"},
    {"min", "compare in a loop: for v in x: least = min(least, v)"},
    {"max", "compare in a loop: for v in x: greatest = max(greatest, v)"},
    {"copy", "copy into an array that there is: b[...] = a"},
    {"flatten", "it would copy; a contiguous array is seen flat with a.reshape(-1)"},
    {"item", "index the array: a[i]"},
};

}  // namespace

Value array_extent(Evaluation& at, const Value& array, uint8_t axis) {
  return at.number(kLong, at.code().extent(array.leaf(), axis), true);
}

Value array_size(Evaluation& at, const Value& array) {
  if (array_of(array).rank == 0) return static_value(int_value(1));
  Value total = array_extent(at, array, 0);
  for (uint8_t axis = 1; axis < array_of(array).rank; ++axis)
    total = binary(at, ssa::BinaryKind::Multiply, total, array_extent(at, array, axis));
  if (NumberType* number = std::get_if<NumberType>(&total.type.is)) number->nonnegative = true;
  return total;
}

Value array_attribute(Evaluation& at, const Value& array, const std::string& name) {
  for (const Attribute& row : kAttributes)
    if (row.name == name) return row.get(at, array);
  if (builtins::find("array." + name))
    return {TypeValue{MethodType{name, {array.type}}}, array.leaves, {}};
  if (holds_objects(array)) return object_attribute(at, array, name);
  for (const Refused& row : kRefused)
    if (row.name == name)
      return at.error(Code::ArrayAttribute, {name}, {&array}).help(std::string(row.help)).report();
  Diagnostics::Builder error = at.error(Code::NoAttribute, {name_of(array.type), name}, {&array});
  const Type& record = type(without_align(type(array.as<ArrayType>()->type).element));
  for (const Field& field : record.fields)
    if (field.name == name) {
      Span dot = end_of(at.place_of(array)), end = end_of(at.where());
      dot.end_line = end.end_line, dot.end_column = end.end_column;
      error.help("a field of all elements is an array: a['" + name + "'][i]; of one, a[i]." + name);
      if (at.place_of(array).known()) error.edit(dot, "['" + name + "']");
      return error.report();
    }
  std::vector<std::string_view> names = builtins::names_of("array");
  for (const Attribute& row : kAttributes) names.push_back(row.name);
  advise(error, at, name, name, names);
  return error.report();
}

}  // namespace hetjit::typing
