#include "compiler/typing/kinds/vectors.h"

#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/checks.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

constexpr std::string_view kLaneNames = "xyzw";

VectorType vector_of(const Value& vector) { return *vector.as<VectorType>(); }

std::optional<size_t> lane_of(const Value& vector, std::string_view name) {
  size_t lane = name.size() == 1 ? kLaneNames.find(name[0]) : std::string_view::npos;
  return lane < vector_of(vector).lanes ? std::optional(lane) : std::nullopt;
}

std::string lanes_text(const Value& vector) {
  std::string text;
  for (size_t lane = 0; lane < vector_of(vector).lanes; ++lane)
    text += (lane ? ", ." : ".") + std::string(1, kLaneNames[lane]);
  return "its lanes are " + text;
}

// A number as a lane of `element`, where it is assigned.
Value as_lane(Evaluation& at, const Value& vector, const Value& value) {
  TypeValue wanted = number_value({vector_of(vector).element, false});
  if (is_assignable(value.type, wanted)) return assigned(at, value, wanted);
  std::string element = name_of(wanted);
  Diagnostics::Builder error = at.error(
      Code::FieldType, {"a lane", name_of(vector.type), element, name_of(value.type)}, {&value});
  if (value.as<NumberType>()) convert(error, at, value, "device." + element);
  return error.report();
}

Value with_lane(Evaluation& at, const Value& vector, size_t lane, const Value& value) {
  Value item = as_lane(at, vector, value);
  if (item.erroneous()) return {};
  Value result = vector;
  if (at.code().on()) result.leaves[lane] = item.leaf();
  return result;
}

}  // namespace

Value vector_of(VectorType type, const std::vector<Value>& lanes) {
  Value result = static_value({type});
  for (const Value& lane : lanes)
    result.leaves.insert(result.leaves.end(), lane.leaves.begin(), lane.leaves.end());
  return result;
}

Value make_vector(Evaluation& at, VectorType type, const Arguments& arguments) {
  std::string name = name_of(TypeValue{type});
  if (!arguments.keywords.empty())
    return at.error(Code::UnknownKeyword, {"'" + name + "'", arguments.keywords[0].first}).report();
  size_t count = arguments.positional.size();
  if (count != type.lanes)
    return at
        .error(Code::ArgumentCount, {"'" + name + "'", counted(type.lanes, "argument", "arguments"),
                                     std::to_string(count) + (count == 1 ? " is" : " are")})
        .report();
  Number element{type.element, false};
  std::vector<Value> lanes;
  for (const Value& argument : arguments.positional) {
    Value lane = cast(at, argument, element);
    if (lane.erroneous()) return {};
    lanes.push_back(at.number(element, at.convert(lane, element)));
  }
  return vector_of(type, lanes);
}

Value vector_attribute(Evaluation& at, const Value& vector, const std::string& name) {
  if (std::optional<size_t> lane = lane_of(vector, name))
    return part_of(vector, *items_of(vector.type), *lane);
  if (name == "size")
    return static_value(literal_value({Scalar::Int32, false}, Integer{vector_of(vector).lanes}));
  if (name == "dtype")
    return static_value({TypeObject{{scalar_type(vector_of(vector).element), false}}});
  if (name == "replace" || name == "astype") {
    Value method = static_value({MethodType{name, {vector.type}}});
    method.leaves = vector.leaves;
    return method;
  }
  return at.error(Code::NoAttribute, {name_of(vector.type), name}, {&vector})
      .help(lanes_text(vector))
      .report();
}

Value vector_with(Evaluation& at, const Value& vector, const std::string& name,
                  const Value& value) {
  if (std::optional<size_t> lane = lane_of(vector, name))
    return with_lane(at, vector, *lane, value);
  return at.error(Code::AttributeAssignment, {name_of(vector.type), name}, {&vector})
      .help(lanes_text(vector))
      .report();
}

Value vector_with(Evaluation& at, const Value& vector, const Value& index, const Value& value) {
  if (!check_item_index(at, index)) return {};
  if (integer_literal(index.type)) {
    std::optional<size_t> lane = constant_position(at, vector, index);
    return lane ? with_lane(at, vector, *lane, value) : Value{};
  }
  Value item = as_lane(at, vector, value);
  if (item.erroneous()) return {};
  check_position(at, vector, index, vector_of(vector).lanes);
  Value result = vector;
  std::vector<Leaf> here = matches(at, index, vector_of(vector).lanes, vector_of(vector).lanes);
  for (size_t lane = 0; lane < result.leaves.size(); ++lane)
    result.leaves[lane] = at.code().select(here[lane], item.leaf(), result.leaves[lane]);
  return result;
}

namespace {

Value replaced(Evaluation& at, const Value& vector, const Arguments& arguments) {
  Value result = vector;
  size_t count = arguments.positional.size();
  if (count != 0 && count != 2)
    return at
        .error(Code::ArgumentCount, {"'replace'", "an index and a value, or lanes by name",
                                     std::to_string(count) + (count == 1 ? " is" : " are")})
        .report();
  if (count == 2)
    result = vector_with(at, result, arguments.positional[0], arguments.positional[1]);
  for (const auto& [name, value] : arguments.keywords) {
    if (result.erroneous()) return {};
    if (!lane_of(vector, name))
      return at.error(Code::UnknownKeyword, {"'replace'", name}).help(lanes_text(vector)).report();
    result = vector_with(at, result, name, value);
  }
  result.origin = {};
  return result;
}

Value converted(Evaluation& at, const Value& vector, const Arguments& arguments) {
  bool one = arguments.positional.size() == 1 && arguments.keywords.empty();
  const TypeObject* to = one ? arguments.positional[0].as<TypeObject>() : nullptr;
  if (!to || !is_scalar(to->type.type))
    return at
        .error(Code::ArgumentType,
               {"'astype'", "a number's type",
                one ? name_of(arguments.positional[0].type) : std::string("this")})
        .report();
  Number element{type(to->type.type).scalar, false};
  return each_lane(vector, [&](const Value& lane) { return cast(at, lane, element); });
}

}  // namespace

Value call_vector_method(Evaluation& at, const MethodType& method, const Value& vector,
                         const Arguments& arguments) {
  return method.name == "replace" ? replaced(at, vector, arguments)
                                  : converted(at, vector, arguments);
}

Value binary_vectors(Evaluation& at, ssa::BinaryKind kind, const Value& a, const Value& b) {
  const VectorType *left = a.as<VectorType>(), *right = b.as<VectorType>();
  bool numbers = (left && b.as<NumberType>()) || (right && a.as<NumberType>());
  if (!numbers && !(left && right && left->lanes == right->lanes))
    return no_operator(at, kind, a, b);
  std::optional<std::vector<Value>> others = items_of(left ? b : a);
  size_t next = 0;
  return each_lane(left ? a : b, [&](Value lane) {
    Value other = others ? (*others)[next++] : left ? b : a;
    lane.origin = (left ? a : b).origin;
    other.origin = (left ? b : a).origin;
    Value result = left ? binary(at, kind, lane, other) : binary(at, kind, other, lane);
    const NumberType* number = result.as<NumberType>();
    if (!number || !number->literal) return result;
    return at.number(number->number, at.convert(result, number->number));
  });
}

}  // namespace hetjit::typing
