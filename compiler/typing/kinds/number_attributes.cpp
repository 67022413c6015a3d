#include "compiler/typing/kinds/number_attributes.h"

#include "compiler/builtins/registry.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/complex.h"
#include "compiler/typing/kinds/items.h"

namespace hetjit::typing {
namespace {

int64_t bytes_of(const Value& value) { return info(number_of(value).number.scalar).bytes(); }

Value zero(Evaluation&, const Value&) { return static_value(int_value(0)); }
Value one(Evaluation&, const Value&) { return static_value(int_value(1)); }
Value nothing(Evaluation&, const Value&) { return static_value({TupleType{}}); }
Value itself(Evaluation&, const Value& number) { return number; }
Value bytes(Evaluation&, const Value& number) { return static_value(int_value(bytes_of(number))); }
// As an array's of fewer than two axes.
Value no_matrix(Evaluation& at, const Value& number) {
  return at.error(Code::NoAttribute, {name_of(number.type), "mT"}, {&number})
      .help("it swaps the last two of two or more axes")
      .report();
}
Value format(Evaluation&, const Value& number) {
  return static_value({TypeObject{{scalar_type(number_of(number).number.scalar), false}}});
}
// Python's bool has the parts of the int that it is.
Value arithmetic(Evaluation& at, const Value& number) {
  return number_of(number).number == kBool ? cast(at, number, kInt) : number;
}
Value real(Evaluation& at, const Value& number) { return real_part(at, arithmetic(at, number)); }
Value imag(Evaluation& at, const Value& number) {
  return imaginary_part(at, arithmetic(at, number));
}

struct Attribute {
  std::string_view name;
  Value (*get)(Evaluation&, const Value&);
};
constexpr Attribute kAttributes[] = {{"shape", nothing},  {"strides", nothing}, {"ndim", zero},
                                     {"ndims", zero},     {"size", one},        {"dtype", format},
                                     {"itemsize", bytes}, {"T", itself},        {"nbytes", bytes},
                                     {"real", real},      {"imag", imag},       {"mT", no_matrix}};

Value no_attribute(Evaluation& at, const Value& whole, const std::string& name,
                   const std::vector<std::string_view>& names) {
  Diagnostics::Builder error = at.error(Code::NoAttribute, {name_of(whole.type), name}, {&whole});
  const bool function = whole.as<NumberType>() && builtins::find("math." + name);
  if (!function) {
    advise(error, at, name, name, names);
  } else {
    error.help("write math." + name + "(x)");
    call_function(error, at, whole, "math." + name);
  }
  return error.report();
}

}  // namespace

Value number_attribute(Evaluation& at, const Value& number, const std::string& name) {
  for (const Attribute& row : kAttributes)
    if (row.name == name) return row.get(at, number);
  if (builtins::find("number." + name)) {
    Value bound = static_value({MethodType{name, {number.type}}});
    bound.leaves = number.leaves;
    return bound;
  }
  std::vector<std::string_view> names = builtins::names_of("number");
  for (const Attribute& row : kAttributes) names.push_back(row.name);
  return no_attribute(at, number, name, names);
}

namespace {

// The bit of a lane, in the mask's format; reported when there is no such lane.
std::optional<Leaf> bit_of_lane(Evaluation& at, const Value& mask, const Value& lane) {
  if (!check_item_index(at, lane)) return std::nullopt;
  const Scalar format = mask.as<NumberType>()->number.scalar;
  std::optional<Integer> known = integer_literal(lane.type);
  if (known && (*known < 0 || *known >= Integer{info(format).bits}))
    return at.error(Code::TupleIndexRange, {to_text(Literal{*known}), name_of(mask.type)}, {&lane})
        .report();
  Leaf one = at.code().constant(1, format);
  return at.code().binary<ir::ShiftLeft>(one, at.convert(lane, {format, false}));
}

}  // namespace

Value as_mask(Value number) {
  std::get<NumberType>(number.type.is).mask = true;
  return number;
}

Value mask_with(Evaluation& at, const Value& mask, const Value& lane, const Value& bit) {
  std::optional<Leaf> place = bit_of_lane(at, mask, lane);
  Value set = truth(at, bit);
  if (!place || set.erroneous()) return {};
  const Scalar format = mask.as<NumberType>()->number.scalar;
  Leaf old = at.convert(mask, {format, false});
  Leaf with = at.code().binary<ir::BitOr>(old, *place);
  Leaf without = at.code().binary<ir::BitAnd>(old, at.code().unary<ir::BitNot>(*place));
  Leaf changed = at.code().select(condition(at, set), with, without);
  return as_mask(at.number({format, false}, changed));
}

Value number_item(Evaluation& at, const Value& number, const Value& index) {
  const TupleType* tuple = index.as<TupleType>();
  if (index.as<EllipsisType>() || (tuple && tuple->items.empty())) return number;
  if (number.as<NumberType>()->mask) {
    std::optional<Leaf> bit = bit_of_lane(at, number, index);
    if (!bit) return {};
    const Scalar format = number.as<NumberType>()->number.scalar;
    Leaf here = at.code().binary<ir::BitAnd>(at.convert(number, {format, false}), *bit);
    Leaf zero = at.code().constant(0, format);
    return at.number(kBool, at.code().compare(ssa::CompareKind::Ne, here, zero));
  }
  return at.error(Code::NotSubscriptable, {name_of(number.type)}, {&number})
      .help("it is one element already: the array has fewer axes than there are indices")
      .report();
}

Value type_attribute(Evaluation& at, const Value& object, const std::string& name) {
  const TypeId id = object.as<TypeObject>()->type.type;
  if (!is_scalar(id)) return no_attribute(at, object, name, {});
  const ScalarInfo& row = info(type(id).scalar);
  constexpr std::string_view kKinds[] = {"bool", "integer", "floating", "complex"};
  if (name == "name") return static_value({StringType{std::string(row.python_name)}});
  if (name == "itemsize") return static_value(int_value(row.bytes()));
  if (name == "signed") return static_value(bool_value(row.is_signed));
  if (name == "kind")
    return static_value({StringType{std::string(kKinds[static_cast<size_t>(row.category)])}});
  return no_attribute(at, object, name, {"name", "itemsize", "signed", "kind"});
}

}  // namespace hetjit::typing
