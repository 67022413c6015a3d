// Calls: of Python functions (each specialised for its argument types), builtins and types.
#include <algorithm>

#include "compiler/builtins/registry.h"
#include "compiler/typing/core/evaluation.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/python_floats.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/complex.h"
#include "compiler/typing/kinds/endless_recursion.h"
#include "compiler/typing/kinds/externals.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/kinds/operators.h"
#include "compiler/typing/kinds/references.h"
#include "compiler/typing/kinds/structs.h"
#include "compiler/typing/kinds/texts.h"
#include "compiler/typing/kinds/vectors.h"
#include "compiler/typing/ops/calls.h"
#include "compiler/typing/ops/iterables.h"
#include "compiler/typing/ops/match_arguments.h"

namespace hetjit::typing {

// A parameter annotated with a vector, struct or tuple type: what is assignable becomes it.
Value annotated_whole(Evaluation& at, const Snapshot& callee, size_t index, const Value& value) {
  TypeValue wanted = parameter_value(*callee.annotations[index]);
  if (is_assignable(value.type, wanted)) return assigned(at, value, wanted);
  auto [takes, given] = names_apart(wanted, value.type);
  return at
      .error(
          Code::ArgumentType,
          {"the parameter '" + callee.locals[index] + "' of '" + callee.name + "'", takes, given},
          {&value})
      .report();
}

// A parameter annotated with a fixed format (`n: device.int64`) has that format; a builtin or
// narrower number becomes it.
Value annotated(Evaluation& at, const Snapshot& callee, size_t index, const Value& value) {
  if (index >= callee.annotations.size() || !callee.annotations[index]) return value;
  const Parameter& wanted = *callee.annotations[index];
  const NumberType* number = value.as<NumberType>();
  if (items_of(parameter_value(wanted))) return annotated_whole(at, callee, index, value);
  if (wanted.weak || !is_scalar(wanted.type) || !number) return value;
  Number to{type(wanted.type).scalar, false};
  if (number->number == to) return value;
  std::optional<Number> meets = promote(number->number, to);
  if (meets == to) return at.fits(value, to) ? cast(at, value, to) : Value{};
  Diagnostics::Builder error =
      at.error(Code::ArgumentType,
               {"the parameter '" + callee.locals[index] + "' of '" + callee.name + "'",
                name_of(to), name_of(value.type)},
               {&value});
  convert(error, at, value, "device." + name_of(to));
  return error.report();
}

namespace {

Value broken(Evaluation& at, const FunctionType& function) {
  const ssa::Built& built = at.whole().program().functions[function.function];
  const std::string& name = at.whole().snapshot(function.function).name;
  if (at.reporting() && !at.whole().first_report(function.function)) return {};
  if (built.problems.empty()) return {};
  const Diagnostic& problem = built.problems.all()[0];
  if (name.starts_with('<'))  // a comprehension or lambda: it stands in the caller's own text
    return Diagnostics::Builder(at.diags(), problem).report();
  Diagnostics::Builder error = at.error(Code::BrokenCallee, {name, problem.message});
  error.label(problem.where, "here");
  for (const std::string& help : problem.helps) error.help(help);
  return error.report();
}

bool wants_constant(const Snapshot& callee, size_t index) {
  const std::vector<uint32_t>& wanted = callee.constant_parameters;
  return std::find(wanted.begin(), wanted.end(), index) != wanted.end();
}

// What callers pass specialises a function by type; a literal is passed as a run-time value, so
// that calls with different numbers share code. Defaults stay constants.
std::optional<std::vector<Value>> passed(Evaluation& at, const Value& callee,
                                         const Arguments& arguments, TypeValues& types) {
  std::optional<std::vector<Value>> values = match_arguments(at, callee, arguments);
  if (!values) return std::nullopt;
  const Snapshot& snapshot = at.whole().snapshot(callee.as<FunctionType>()->function);
  const uint32_t function = callee.as<FunctionType>()->function;
  for (size_t i = 0; i < values->size(); ++i) {
    Value& value = (*values)[i];
    const ReferenceType* self = i == 0 ? value.as<ReferenceType>() : nullptr;
    bool is_self = self && is_method_of(at, self->type, function);
    if (!is_self && !may_copy(at, value, "passed to '" + snapshot.name + "'")) return std::nullopt;
    value = annotated(at, snapshot, i, value);
    if (value.erroneous()) return std::nullopt;
    types.push_back(value.type);
    if (wants_constant(snapshot, i)) {
      if (is_constant(value.type)) continue;
      return not_constant(at, value, "'" + snapshot.locals[i] + "'", "'" + snapshot.name + "'",
                          "pass a literal, a global, or a variable that is only ever one of these");
    }
    bool hidden = snapshot.locals[i] == ".0";  // what a comprehension goes through, whole
    if (!value.origin.valid() || hidden) continue;
    types[i] = without_literals(value.type);
    if (at.code().on()) continue;
    size_t before = at.diags().all().size();
    at.coerce(value, types[i]);
    if (at.diags().all().size() != before) return std::nullopt;
  }
  return values;
}

// The result's leaves, out of the one value that a typed function returns.
std::vector<Leaf> unpacked(Emitter& code, Leaf returned, const TypeValue& type) {
  size_t count = leaf_count(type);
  if (!code.on() || count == 0) return {};
  if (count == 1) return {returned};
  std::vector<Leaf> leaves;
  for (uint32_t i = 0; i < count; ++i) leaves.push_back(code.builder().extract(returned, i));
  return leaves;
}

// How many recursive calls deep a callee is: one more than the function that calls it.
Leaf depth_of_call(Evaluation& at) {
  Leaf depth = at.instance().depth;
  Leaf one = at.code().constant(depth.valid() ? 1 : 0, Scalar::UInt32);
  return depth.valid() ? at.code().binary<ir::Add>(depth, one) : one;
}

Value emit_call(Evaluation& at, Instance& callee, const Value& function,
                const std::vector<Value>& values) {
  Value result = static_value(result_of_call(callee.result, values));
  ir::Call call;
  for (size_t i = 0; i < values.size(); ++i) {
    std::vector<Leaf> leaves = at.coerce(values[i], callee.parameters[i]);
    call.in.insert(call.in.end(), leaves.begin(), leaves.end());
  }
  if (!at.code().on()) return result;
  call.function = at.whole().ir_function(callee);
  const FunctionType& type = *function.as<FunctionType>();
  size_t captured = 0;
  for (const TypeValue& part : type.captured) captured += leaf_count(part);
  call.in.insert(call.in.end(), function.leaves.end() - static_cast<ptrdiff_t>(captured),
                 function.leaves.end());
  if (callee.recursive) call.in.push_back(depth_of_call(at));
  Leaf returned = at.code().builder().emit(std::move(call), result_type(callee.result));
  result.leaves = unpacked(at.code(), returned, callee.result);
  return result;
}

Value call_function(Evaluation& at, const Value& callee, const Arguments& arguments) {
  const FunctionType& function = *callee.as<FunctionType>();
  const Snapshot& snapshot = at.whole().snapshot(function.function);
  bool readable = at.whole().program().functions[function.function].function.has_value();
  if (!readable && !snapshot.has_varkeywords) return broken(at, function);
  TypeValues types;
  std::optional<std::vector<Value>> values = passed(at, callee, arguments, types);
  if (!values) return {};
  if (!few_parts(at, *values)) return {};
  if (!snapshot.is_generator) return call_with(at, callee, *values, types);
  for (size_t i = 0; i < types.size(); ++i) {  // runs when something asks for its values
    Value& value = (*values)[i];
    if (types[i] != value.type) types[i] = at.at_run_time(types[i]);
    value = {types[i], at.coerce(value, types[i]), value.origin};
  }
  values->insert(values->begin(), callee);
  return make_iterable(IterableType::Kind::Generator, *values);
}

}  // namespace

Value call_with(Evaluation& at, const Value& callee, const std::vector<Value>& values,
                const TypeValues& types) {
  const FunctionType& function = *callee.as<FunctionType>();
  const Snapshot& snapshot = at.whole().snapshot(function.function);
  TypeValues key;
  for (const TypeValue& type : types) key.push_back(as_passed(type));
  Instance* instance = at.whole().instance(function, key);
  if (instance && at.instance().exact && has_python_float(instance->result, /*inexact=*/true))
    instance = at.whole().instance(function, std::move(key), /*exact=*/true);
  if (!instance) {
    return at.error(Code::RecursionUnsupported, {snapshot.name})
        .help("let all calls pass and return values of the same types, or write a loop")
        .report();
  }
  if (at.reporting() && instance == &at.instance() && never_returns(*instance))
    return at.error(Code::EndlessRecursion, {snapshot.name}).report();
  if (at.reporting() && !at.whole().report_callee(*instance, at)) return {};
  passes_to_float64(at, *instance, values);
  return emit_call(at, *instance, callee, values);
}

namespace {

// complex(real, imag)
Value complex_from(Evaluation& at, Number to, const std::vector<Value>& parts) {
  for (const Value& part : parts) {
    if (part.erroneous()) return {};
    if (!part.as<NumberType>())
      return at
          .error(Code::ArgumentType, {"'" + name_of(to) + "'", "numbers", name_of(part.type)},
                 {&part})
          .report();
  }
  return complex_of(at, to, parts[0], parts[1]);
}

// int(text, base)
Value int_of_text(Evaluation& at, const std::vector<Value>& arguments) {
  const Value& text = arguments[0];
  std::optional<Integer> base = integer_literal(arguments[1].type);
  if (!text.as<StringType>())
    return at
        .error(Code::ArgumentType, {"'int' with a base", "a constant text", name_of(text.type)},
               {&text})
        .report();
  if (!base)
    return not_constant(at, arguments[1], "the base", "'int'", "write a literal, or a global");
  if (*base != 0 && (*base < 2 || *base > 36))
    return at
        .error(Code::ArgumentType, {"the base of 'int'", "0 or 2 to 36", to_text(Literal{*base})},
               {&arguments[1]})
        .report();
  return cast_text(at, text, kInt, static_cast<unsigned>(*base));
}

Value call_type(Evaluation& at, const TypeObject& object, const Arguments& arguments) {
  const Type& made = type(object.type.type);
  if (holds_atomic(object.type.type))
    return at.error(Code::MemoryOnly, {to_python(object.type.type), "made here"})
        .help("let it be an element of an array: device.shared_array, or an argument")
        .report();
  if (made.kind == TypeKind::Struct) return make_struct(at, object.type.type, arguments);
  if (made.kind == TypeKind::Vector) return make_vector(at, {made.scalar, made.lanes}, arguments);
  std::string name = name_of(parameter_value(object.type));
  if (!arguments.keywords.empty())
    return at.error(Code::UnknownKeyword, {"'" + name + "'", arguments.keywords[0].first}).report();
  if (!is_scalar(object.type.type))
    return at.error(Code::NotCallable, {"the type " + name}).report();
  Number to{type(object.type.type).scalar, object.type.weak};
  to = complex_format(to, arguments.positional);
  size_t count = arguments.positional.size();
  if (count == 2 && is_complex(to.scalar)) return complex_from(at, to, arguments.positional);
  if (count == 2 && to == kInt) return int_of_text(at, arguments.positional);
  if (count > 1)
    return at
        .error(Code::ArgumentCount,
               {"'" + name + "'", "at most 1 argument", std::to_string(count) + " are"})
        .report();
  if (count == 0) return cast(at, static_value(int_value(0)), to);
  const Value& value = arguments.positional[0];
  if (to == kBool) return truth(at, value);
  // int and float keep a builtin number of more bits: int(len(a)) loses nothing.
  const NumberType* number = value.as<NumberType>();
  if (to.weak && number && number->number.weak &&
      info(number->number.scalar).category == info(to.scalar).category)
    return value;
  return cast(at, value, to);
}

/// The call of a method, by what it is a method of.
struct CallMethod {
  Evaluation& at;
  const MethodType& method;
  const Value& self;
  const Arguments& arguments;

  Value operator()(const ArrayType&) const {
    const bool ours = builtins::find("array." + method.name);
    return ours ? builtin("array.") : call_object_method(at, method, self, arguments);
  }
  Value operator()(const AtomicType&) const { return builtin("atomic."); }
  Value operator()(const NumberType&) const { return builtin("number."); }
  Value operator()(const StringType&) const { return builtin("text."); }
  Value operator()(const TextType&) const { return builtin("text."); }
  Value operator()(const VectorType&) const {
    return call_vector_method(at, method, self, arguments);
  }
  template <ir::OneOf<StructType, ReferenceType, TypeObject> Kind>
  Value operator()(const Kind&) const {
    return call_struct_method(at, method, self, arguments);
  }
  template <ir::OneOf<Erroneous, Unassigned, Disagreement, NoneType, TupleType, MethodType,
                      RangeType, IteratorType, IterableType, FunctionType, BuiltinType, ModuleType,
                      TargetType, ExceptionType, EllipsisType, SliceType, ExternalType, OpaqueType>
                Kind>
  Value operator()(const Kind&) const {
    HETJIT_CHECK(false && "it has no attributes, so no methods");
    return {};
  }
  // One that takes what it is a method of first.
  Value builtin(const char* of) const {
    Arguments all = arguments;
    all.positional.insert(all.positional.begin(), self);
    return builtins::call(at, *builtins::find(of + method.name), all);
  }
};

Value call_method(Evaluation& at, const Value& callee, const MethodType& method,
                  const Arguments& arguments) {
  Value self = part_of(callee, method.self, 0);
  self.origin = callee.origin;
  return std::visit(CallMethod{at, method, self, arguments}, self.type.is);
}

// The operands of a call: `f(a, *t, k=b)` gives a, then the items of t, then k.
std::optional<Arguments> arguments_of(Evaluation& at, const ssa::Call& op) {
  Arguments arguments;
  size_t first_keyword = op.in.size() - op.keywords.size();
  for (size_t i = 1; i < op.in.size(); ++i) {
    Value value = at.operand(op.in[i]);
    if (value.erroneous()) return std::nullopt;
    if (i >= first_keyword) {
      arguments.keywords.emplace_back(op.keywords[i - first_keyword], std::move(value));
      continue;
    }
    bool spread = std::find(op.spread.begin(), op.spread.end(), i) != op.spread.end();
    if (!spread) {
      arguments.positional.push_back(std::move(value));
      continue;
    }
    if (!items_of(value.type) && !value.as<IterableType>() && !value.as<RangeType>())
      return at.error(Code::SpreadOfUnknown, {name_of(value.type)}, {&value}).report();
    std::optional<std::vector<Value>> parts = elements(at, value, "'*'");
    if (!parts) return std::nullopt;
    for (Value& part : *parts) {
      part.origin = value.origin;
      arguments.positional.push_back(std::move(part));
    }
  }
  return arguments;
}

}  // namespace

namespace {

bool is_function(const BuiltinType& named) {
  return named.builtin->call || named.builtin->call_as_written;
}
// What does something when it is called.
bool is_function(const Value& value) {
  const BuiltinType* named = value.as<BuiltinType>();
  return value.as<FunctionType>() || value.as<MethodType>() || (named && is_function(*named));
}

/// Names of C++'s replaced by what they stand for.
Arguments with_values(Evaluation& at, Arguments arguments) {
  for (Value& value : arguments.positional)
    if (value.as<ExternalType>()) value = external_value(at, value);
  return arguments;
}

/// A call, by what is called.
struct CallOf {
  Evaluation& at;
  const Value& callee;
  const Arguments& arguments;

  Value operator()(const FunctionType&) const { return call_function(at, callee, arguments); }
  Value operator()(const MethodType& method) const {
    return call_method(at, callee, method, arguments);
  }
  Value operator()(const TypeObject& object) const {
    return call_type(at, object, with_values(at, arguments));
  }
  Value operator()(const ExternalType&) const { return call_external(at, callee, arguments); }
  Value operator()(const BuiltinType& named) const {
    return is_function(named) ? builtins::call(at, *named.builtin, arguments) : refused();
  }
  Value operator()(const StructType&) const {
    std::vector<Value> operands = {callee};
    operands.insert(operands.end(), arguments.positional.begin(), arguments.positional.end());
    if (is_object(callee)) return call_object(at, callee, arguments);
    if (!arguments.keywords.empty()) return refused();
    std::optional<Value> result = call_special(at, "__call__", operands);
    return result ? *result : refused();
  }
  // An array in the round brackets of other languages.
  Value operator()(const ArrayType&) const {
    Diagnostics::Builder error = at.error(Code::NotCallable, {name_of(callee.type)}, {&callee});
    Span open = end_of(at.place_of(callee)), close = end_of(at.where());
    const bool known = open.known() && !arguments.positional.empty();
    open.end_column += 1, close.column -= 1;
    if (known) error.edit(open, "[").edit(close, "]");
    return error.report();
  }
  template <ir::OneOf<Erroneous, Unassigned, Disagreement, NoneType, NumberType, TupleType,
                      VectorType, ReferenceType, AtomicType, RangeType, IteratorType, IterableType,
                      ModuleType, TargetType, StringType, TextType, ExceptionType, EllipsisType,
                      SliceType, OpaqueType>
                Kind>
  Value operator()(const Kind&) const {
    return refused();
  }
  Value refused() const {
    Diagnostics::Builder error = at.error(Code::NotCallable, {name_of(callee.type)}, {&callee});
    if (callee.as<VectorType>()) error.help("it is a vector: take a lane, as device.thread_idx.x");
    if (is_attribute(at, callee, "size"))
      error.help("x.size is the number of elements, x.shape[0] that of the first axis");
    const bool shape = is_attribute(at, callee, "shape");
    if (shape) error.help("it is a tuple: shape[0] is the length of the first axis");
    if (!callee.as<OpaqueType>())
      leave_out_call(error, at, callee.as<VectorType>() ? ".x" : shape ? "[0]" : "");
    return error.report();
  }
};

}  // namespace

Value call(Evaluation& at, const Value& callee, const Arguments& arguments) {
  return std::visit(CallOf{at, callee, arguments}, callee.type.is);
}

Value evaluate(Evaluation&, const ssa::StoreCell&) { return none_value(); }

Value evaluate(Evaluation& at, const ssa::Ignore& op) {
  Value value = at.operand_of_any_kind(op.in[0]);
  if (!is_function(value)) return none_value();
  std::string written = text_at(at.whole().source_of(at.instance()), at.where());
  if (written.empty()) return at.error(Code::NotCalled, {name_of(value.type)}).report();
  return at.error(Code::NotCalled, {"'" + written + "'"})
      .help("write " + written + "()")
      .edit(end_of(at.where()), "()")
      .report();
}

Value evaluate(Evaluation& at, const ssa::Call& op) {
  Value callee = at.operand(op.in[0]);
  std::optional<Arguments> arguments = arguments_of(at, op);
  if (!arguments || callee.erroneous()) return {};
  return call(at, callee, *arguments);
}

}  // namespace hetjit::typing
