// Methods of arrays, and NumPy's functions of the same names: a.reshape(2, 3), np.reshape(a, (2,
// 3)).
#include "compiler/builtins/functions.h"
#include "compiler/typing/kinds/array_views.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/externals.h"

namespace hetjit::builtins {

using typing::ArrayType;
using typing::Literal;
using typing::static_value;
using typing::TupleType;
using typing::TypeObject;

namespace {

// NumPy's functions take numbers as well, as arrays of no axes.
bool is_number_first(const Values& values) { return values[0].as<typing::NumberType>(); }

bool is_array_first(Evaluation& at, const Builtin& self, const Values& values) {
  if (values[0].as<ArrayType>()) return true;
  return at
      .error(Code::ArgumentType, {quoted(self), "an array", name_of(values[0].type)}, {&values[0]})
      .report();
}

// f(a, 2, 3) or f(a, (2, 3))
Values integers_after_array(const Values& values) {
  if (values.size() == 2)
    if (const TupleType* tuple = values[1].as<TupleType>())
      return parts_of(values[1], tuple->items);
  return {values.begin() + 1, values.end()};
}

// A type by its text, as NumPy takes it.
void name_type(Diagnostics::Builder& error, Evaluation& at, const Value& dtype,
               const std::string& text) {
  constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"f2", "float16"}, {"f4", "float32"}, {"f8", "float64"}, {"i4", "int32"},  {"i8", "int64"},
      {"u4", "uint32"},  {"u8", "uint64"},  {"f", "float32"},  {"d", "float64"}, {"i", "int32"}};
  std::string ours;
  for (const auto& [brief, name] : kShort)
    if (text == brief) ours = name;
  for (const ScalarInfo& scalar : kScalars)
    if (scalar.python_name == text) ours = text;
  if (ours.empty()) {
    error.help("a text is no type here: write device.float32");
    return;
  }
  error.help("write device." + ours + ": a text is no type here")
      .edit(at.place_of(dtype), "device." + ours);
}

}  // namespace

std::optional<TypeId> element_named(Evaluation& at, const Builtin& self, const Value& dtype) {
  if (dtype.as<typing::ExternalType>()) return typing::external_type(at, dtype);
  const TypeObject* object = dtype.as<TypeObject>();
  TypeKind kind = object ? type(object->type.type).kind : TypeKind::None;
  if (kind != TypeKind::None && kind != TypeKind::Array && kind != TypeKind::Pointer)
    return object->type.type;
  Diagnostics::Builder error = at.error(
      Code::ArgumentType, {quoted(self), "the type of an element", name_of(dtype.type)}, {&dtype});
  if (const typing::StringType* text = dtype.as<typing::StringType>())
    name_type(error, at, dtype, text->text);
  error.report();
  return std::nullopt;
}

Value array_reshape(Evaluation& at, const Builtin& self, const Values& values) {
  if (is_number_first(values)) return reshaped(at, self, values);
  if (!is_array_first(at, self, values)) return {};
  return typing::reshaped(at, values[0], integers_after_array(values));
}

Value array_ravel(Evaluation& at, const Builtin& self, const Values& values) {
  if (is_number_first(values)) return raveled(at, self, values);
  if (!is_array_first(at, self, values)) return {};
  return typing::reshaped(at, values[0], {static_value(typing::int_value(-1))});
}

Value array_view(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<TypeId> element = element_named(at, self, values[1]);
  return element ? typing::viewed_as(at, values[0], *element) : Value{};
}

// Only what copies nothing: the same type, and copy=False said.
Value array_astype(Evaluation& at, const Builtin& self, const Values& values) {
  if (!is_array_first(at, self, values)) return {};
  std::optional<TypeId> element = element_named(at, self, values[1]);
  if (!element) return {};
  std::string wanted = to_python(*element);
  bool no_copy = values.size() > 2 && typing::known_truth(values[2].type) == false;
  if (*element == array_of(values[0]).element && no_copy) return values[0];
  Diagnostics::Builder error =
      at.error(Code::NeedsCopy, {"astype", name_of(values[0].type)}, {&values[0]});
  if (*element == array_of(values[0]).element)
    error.help("say that it need not: astype(" + wanted + ", copy=False)");
  else
    error.help("convert elements one by one: device." + wanted + "(a[i])");
  return error.report();
}

Value array_transpose(Evaluation& at, const Builtin& self, const Values& values) {
  if (is_number_first(values)) return transposed(at, self, values);
  if (!is_array_first(at, self, values)) return {};
  const uint8_t rank = array_of(values[0]).rank;
  Values order = integers_after_array(values);
  std::vector<uint8_t> axes;
  for (uint8_t axis = rank; order.empty() && axis-- > 0;) axes.push_back(axis);
  for (const Value& axis : order) {
    std::optional<typing::Integer> number = typing::integer_literal(axis.type);
    if (number && *number < 0) *number += rank;
    bool taken = number && std::find(axes.begin(), axes.end(), *number) != axes.end();
    if (!number || *number < 0 || *number >= rank || taken) break;
    axes.push_back(static_cast<uint8_t>(*number));
  }
  if (axes.size() == rank && (order.empty() || order.size() == rank))
    return typing::transposed(at, values[0], axes);
  return at
      .error(Code::ArgumentType, {quoted(self), "each axis once, as constants",
                                  "these " + std::to_string(order.size())})
      .report();
}

}  // namespace hetjit::builtins
