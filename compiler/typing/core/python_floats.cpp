#include "compiler/typing/core/python_floats.h"

#include <algorithm>

#include "compiler/builtins/registry.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/specializer.h"

namespace hetjit::typing {
namespace {

bool is_floating_or_complex(Scalar scalar) { return info(scalar).category > Category::Integer; }
bool is_narrow(Scalar scalar) { return scalar == Scalar::Float32 || scalar == Scalar::Complex64; }

/// Calls `change` with each number in a type: of tuples, of what goes through them, of functions.
template <class Change>
void each_number(TypeValue& type, Change change) {
  auto all = [&](TypeValues& parts) {
    for (TypeValue& part : parts) each_number(part, change);
  };
  if (NumberType* number = std::get_if<NumberType>(&type.is)) change(*number);
  if (TupleType* tuple = std::get_if<TupleType>(&type.is)) all(tuple->items);
  if (IteratorType* iterator = std::get_if<IteratorType>(&type.is)) all(iterator->parts);
  if (IterableType* iterable = std::get_if<IterableType>(&type.is)) all(iterable->parts);
  if (FunctionType* function = std::get_if<FunctionType>(&type.is)) {
    all(function->defaults);
    all(function->captured);
  }
}

bool is_python_float(const NumberType& number) {
  return typing::is_python_float(TypeValue{number});
}

Rounding rounding_of(const TypeValue& type) {
  Rounding found;
  TypeValue seen = type;
  each_number(seen, [&](const NumberType& number) { found = found | number.rounding; });
  return found;
}

Rounding rounding_of(const std::vector<Value>& values) {
  Rounding found;
  for (const Value& value : values) found = found | rounding_of(value.type);
  return found;
}

}  // namespace

TypeValue with_exact_forms(const TypeValue& type) {
  TypeValue result = type;
  each_number(result, [](NumberType& number) { number.exact |= is_python_float(number); });
  return result;
}

TypeValue as_passed(const TypeValue& type) {
  TypeValue result = type;
  if (NumberType* number = std::get_if<NumberType>(&result.is)) {
    number->exact = false;
    number->rounding = {.passed = is_python_float(*number)};
  } else if (TupleType* tuple = std::get_if<TupleType>(&result.is)) {
    for (TypeValue& item : tuple->items) item = as_passed(item);
  }
  return result;
}

bool has_python_float(const TypeValue& type, bool inexact) {
  bool found = false;
  TypeValue seen = type;
  each_number(seen, [&](const NumberType& number) {
    found |= is_python_float(number) && !(inexact && number.exact);
  });
  return found;
}

// ---- the second form

Value in_float64(Evaluation& at, const Value& value) {
  if (const TupleType* tuple = value.as<TupleType>()) {
    std::vector<Value> items;
    for (const Value& item : parts_of(value, tuple->items)) items.push_back(in_float64(at, item));
    Value whole = made_of_like(*tuple, items);
    whole.origin = value.origin;
    return whole;
  }
  const NumberType* number = value.as<NumberType>();
  if (!number || !number->number.weak || !is_floating_or_complex(number->number.scalar))
    return value;
  const Number wide{in_float64(number->number.scalar), false};
  Value result = number->literal ? at.literal(wide, *number->literal) : at.number(wide, {});
  result.origin = value.origin;
  if (number->literal || !at.code().on()) return result;
  result.leaves = {number->exact ? value.leaves[1]
                                 : at.code().in_float64(value.leaf(), number->number.scalar)};
  return result;
}

namespace {

/// Whether a call computes numbers of its arguments, and does nothing else.
bool only_computes(Evaluation& at, const TypeValue& callee) {
  if (const BuiltinType* builtin = callee.as<BuiltinType>()) return builtin->builtin->arithmetic;
  const FunctionType* function = callee.as<FunctionType>();
  if (!function) return false;
  const std::string& path = at.whole().snapshot(function->function).source.path;
  return path.find("/hetjit/library/") != std::string::npos;
}

/// The numbers that an operation computes its result of, when that is all it does: it may be done
/// twice. Tuples of numbers count.
std::span<const ValueId> operands_of(Evaluation& at, const ssa::Inst& inst) {
  std::span<const ValueId> ids = ssa::operands(inst.op);
  const Instance& instance = at.instance();
  bool computes = std::holds_alternative<ssa::Binary>(inst.op) ||
                  std::holds_alternative<ssa::Unary>(inst.op) ||
                  std::holds_alternative<ssa::GetAttribute>(inst.op);
  if (std::holds_alternative<ssa::Call>(inst.op)) {
    computes = only_computes(at, instance.type_of(ids[0]));
    ids = ids.subspan(1);
  }
  auto countable = [&](ValueId id) {
    return instance.type_of(id).holds<NumberType>() || instance.type_of(id).holds<TupleType>();
  };
  if (!computes || !std::all_of(ids.begin(), ids.end(), countable)) return {};
  return ids;
}

/// The numbers that are made Python floats without arithmetic: float(x), complex(x, y), and what
/// the greatest or least of some is chosen among.
std::span<const ValueId> converted_in(Evaluation& at, const ssa::Inst& inst) {
  if (!std::holds_alternative<ssa::Call>(inst.op)) return {};
  const std::span<const ValueId> ids = ssa::operands(inst.op);
  const TypeValue& callee = at.instance().type_of(ids[0]);
  const TypeObject* type = callee.as<TypeObject>();
  const BuiltinType* builtin = callee.as<BuiltinType>();
  const bool chooses = builtin && (builtin->builtin->name == "builtins.min" ||
                                   builtin->builtin->name == "builtins.max");
  return chooses || (type && type->type.weak) ? ids.subspan(1) : std::span<const ValueId>{};
}

/// Of a float32 result: what the operands bring along, and what is rounded here. A float that is
/// float32 by its own format makes the result so. `computed`: of the operands, not one of them.
Rounding rounding_here(const Instance& instance, const NumberType& result,
                       std::span<const ValueId> operands, bool computed) {
  Rounding here;
  bool floats = false, own_format = false, fixed_integer = false, rounds = false, wide = false;
  auto look = [&](const NumberType& number) {
    const bool floating = is_floating_or_complex(number.number.scalar);
    floats |= floating;
    own_format |= floating && !number.number.weak && !number.rounding;
    fixed_integer |= !floating && !number.number.weak;
    const bool inexact = number.literal && floating &&
                         *convert_literal(*number.literal, {number.number.scalar}) !=
                             *convert_literal(*number.literal, number.number);
    rounds |= is_python_float(number) || inexact;
    wide |= outgrows_float32(number);
    here = here | number.rounding;
  };
  for (ValueId operand : operands) {
    if (const NumberType* number = instance.type_of(operand).as<NumberType>()) {
      look(*number);
      continue;
    }
    TypeValue type = instance.type_of(operand);
    each_number(type, look);
  }
  if (own_format) return {};
  here.integers |= computed && !floats;
  here.mixed |=
      computed ? !result.number.weak && fixed_integer && (rounds || (wide && floats)) : wide;
  return here;
}

}  // namespace

Value of_two_forms(Evaluation& at, Value narrow, const Value& wide) {
  std::get<NumberType>(narrow.type.is).exact = true;
  if (at.code().on()) narrow.leaves.push_back(at.convert(wide, number_of(wide).number));
  return narrow;
}

namespace {

bool may_have_form(const NumberType& number) {
  return !number.literal && is_narrow(number.number.scalar);
}

template <class Is>
bool any_number(const TypeValue& type, Is is) {
  bool found = false;
  TypeValue seen = type;
  each_number(seen, [&](const NumberType& number) { found |= is(number); });
  return found;
}

/// Whether all these numbers are Python's. What a function of the library makes of them in a format
/// of its own is a Python float, too.
bool all_weak(const Instance& instance, std::span<const ValueId> operands) {
  return std::none_of(operands.begin(), operands.end(), [&](ValueId operand) {
    return any_number(instance.type_of(operand),
                      [](const NumberType& number) { return !number.number.weak; });
  });
}

/// The second forms out of a value that was computed in float64; of what is computed of integers
/// alone there are none.
Value with_forms(Evaluation& at, Value narrow, const Value& wide) {
  const TupleType *items = narrow.as<TupleType>(), *wide_items = wide.as<TupleType>();
  if (items && wide_items && items->items.size() == wide_items->items.size()) {
    std::vector<Value> parts = parts_of(narrow, items->items);
    const std::vector<Value> wide_parts = parts_of(wide, wide_items->items);
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i] = with_forms(at, std::move(parts[i]), wide_parts[i]);
    return made_of_like(*items, parts);
  }
  const NumberType *number = narrow.as<NumberType>(), *found = wide.as<NumberType>();
  if (!number || !found || !may_have_form(*number) || number->exact || !number->number.weak)
    return narrow;
  const Number wanted{in_float64(number->number.scalar), false};
  if (!found->literal && found->number != wanted) return narrow;
  return of_two_forms(at, std::move(narrow), at.number(wanted, at.convert(wide, wanted)));
}

}  // namespace

Value with_float64_form(Evaluation& at, const ssa::Inst& inst, Value value) {
  const bool called = std::holds_alternative<ssa::Call>(inst.op);
  if (!value.as<NumberType>() && !(called && value.as<TupleType>())) return value;
  if (!any_number(value.type, may_have_form)) return value;
  const std::span<const ValueId> operands = operands_of(at, inst);
  if (operands.empty()) {
    const std::span<const ValueId> converted = converted_in(at, inst);
    if (NumberType* number = std::get_if<NumberType>(&value.type.is); number && !converted.empty())
      number->rounding = number->rounding | rounding_here(at.instance(), *number, converted, false);
    return value;
  }
  const bool weak = called && all_weak(at.instance(), operands);
  bool wanting = false;
  each_number(value.type, [&](NumberType& number) {
    if (!may_have_form(number)) return;
    number.number.weak |= weak;
    number.rounding = number.rounding | rounding_here(at.instance(), number, operands, true);
    wanting |= !number.exact && number.number.weak;
  });
  if (!at.instance().exact || !wanting) return value;
  return with_forms(at, std::move(value), at.evaluated_in_float64(inst));
}

// ---- where float64 is met

namespace {

Span place_of(Evaluation& at, const Value& value) {
  if (value.origin.valid()) {
    const Source& source = at.whole().source_of(at.instance());
    Span span = operand_span(at.instance(), source, at.inst(), value.origin);
    if (!span.known()) span = definition_span(at.instance(), value.origin);
    if (span.known()) return span;
  }
  if (at.where().known() || at.function().spans.empty()) return at.where();
  return at.function().spans.front();
}

/// How a parameter of this type is annotated so that its Python floats are float64; "": of other
/// parts than numbers nobody writes it.
std::string annotation_in_float64(const TypeValue& type) {
  if (const auto* tuple = std::get_if<TupleType>(&type.is)) {
    std::string items;
    for (const TypeValue& item : tuple->items) {
      const std::string one = annotation_in_float64(item);
      if (one.empty()) return "";
      items += (items.empty() ? "" : ", ") + one;
    }
    return "tuple[" + items + "]";
  }
  const auto* number = std::get_if<NumberType>(&type.is);
  if (!number) return "";
  if (!number->number.weak) return "device." + name_of(number->number);
  if (is_complex(number->number.scalar)) return "device.complex128";
  return is_python_float(type) ? "device.float64" : name_of(type);
}

void warn(Evaluation& at, const Value& value, const Rounding& rounding, Number to) {
  std::string what = "a float computed of integers alone";
  std::string help = "convert one of them first: device.float64(n) / 3";
  std::string name, annotation = "device.float64";
  const bool in_entry = at.instance().closure.function == 0;
  if (rounding.argument) {
    name = at.whole().snapshot(0).locals[rounding.argument - 1u];
    const TypeValue* parameter =
        in_entry ? &at.instance().parameters[rounding.argument - 1u] : nullptr;
    const bool in_tuple = parameter && parameter->holds<TupleType>();
    if (parameter) annotation = annotation_in_float64(*parameter);
    what = in_tuple ? "a Python float in the tuple '" + name + "' of the launch"
                    : "the Python float '" + name + "' of the launch";
    help =
        annotation.empty() ? "" : "annotate the parameter, '" + name + ": " + annotation + "', or ";
    help += in_tuple ? "pass numpy.float64s" : "pass a numpy.float64";
  } else if (!rounding.integers) {
    what = "a Python float made of an integer of a fixed format";
    help = "convert the integer first: device.float64(n) * 0.1";
  }
  Diagnostics::Builder warning =
      at.diags().error(Code::RoundedFloat, place_of(at, value), {what, name_of(to)}).help(help);
  if (!name.empty() && in_entry && !annotation.empty()) annotate(warning, at, name, annotation);
  warning.report();
}

/// False: nothing was rounded.
void note(Evaluation& at, const Value& value, Rounding rounding, Number to) {
  at.instance().passed_meets |= rounding.passed;
  rounding.passed = false;
  if (rounding && at.reporting()) warn(at, value, rounding, to);
}

}  // namespace

void meets_float64(Evaluation& at, const Value& value, Number to) {
  const NumberType& number = number_of(value);
  at.instance().meets_float64 |= typing::is_python_float(value.type) && !number.exact;
  note(at, value, number.rounding, to);
}

void passes_to_float64(Evaluation& at, const Instance& callee, const std::vector<Value>& values) {
  const TypeValue closure{callee.closure};
  at.instance().meets_float64 |= callee.exact && has_python_float(closure, /*inexact=*/true);
  if (!callee.passed_meets) return;
  for (const Value& value : values)
    note(at, value, rounding_of(value.type), {Scalar::Float64, false});
  at.instance().passed_meets |= rounding_of(closure).passed;
}

TypeValue result_of_call(const TypeValue& result, const std::vector<Value>& values) {
  TypeValue type = result;
  each_number(type, [&](NumberType& number) {
    if (!number.rounding.passed) return;
    number.rounding.passed = false;
    number.rounding = number.rounding | rounding_of(values);
  });
  return type;
}

}  // namespace hetjit::typing
