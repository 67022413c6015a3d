// Names, constants, tuples and attributes.
#include "compiler/builtins/registry.h"
#include "compiler/ir/numbers.h"
#include "compiler/typing/arrays.h"
#include "compiler/typing/evaluation.h"
#include "compiler/typing/explain.h"
#include "compiler/typing/items.h"
#include "compiler/typing/iterables.h"
#include "compiler/typing/memory.h"
#include "compiler/typing/number_attributes.h"
#include "compiler/typing/references.h"
#include "compiler/typing/source_text.h"
#include "compiler/typing/specializer.h"
#include "compiler/typing/structs.h"
#include "compiler/typing/targets.h"
#include "compiler/typing/texts.h"
#include "compiler/typing/vectors.h"

namespace hetjit::typing {

namespace {

struct ConstantMeaning {
  Evaluation& at;

  Value operator()(const NoneConstant&) const { return none_value(); }
  Value operator()(bool value) const { return static_value(bool_value(value)); }
  Value operator()(const IntConstant& value) const {
    Integer magnitude = value.magnitude;
    return at.literal(kInt, Literal{value.negative ? -magnitude : magnitude});
  }
  Value operator()(const HugeConstant& value) const {
    return at.error(Code::HugeInteger, {value.digits}).report();
  }
  Value operator()(double value) const { return at.literal(kFloat, Literal{value}); }
  Value operator()(const ComplexConstant& value) const {
    return at.literal(kComplex, Literal{ComplexLiteral{value.real, value.imag}});
  }
  Value operator()(const FixedConstant& value) const {
    Number number{value.scalar, false};
    if (is_complex(value.scalar)) return complex_of(number, value.bits);
    if (is_floating(value.scalar))
      return at.literal(number, Literal{ir::bits_to_float(value.scalar, value.bits[0])});
    uint64_t bits = ir::extend_bits(value.scalar, value.bits[0]);
    if (is_signed_integer(value.scalar))
      return at.literal(number, Literal{Integer{static_cast<int64_t>(bits)}});
    return at.literal(number, Literal{Integer{bits}});
  }
  // The parts of a complex64 are the halves of the first word.
  Value complex_of(Number number, const uint64_t (&bits)[2]) const {
    bool wide = number.scalar == Scalar::Complex128;
    uint64_t imag = wide ? bits[1] : bits[0] >> 32, mask = wide ? ~0ull : 0xFFFFFFFF;
    Scalar part = hetjit::part_of(number.scalar);
    return at.literal(number, Literal{ComplexLiteral{ir::bits_to_float(part, bits[0] & mask),
                                                     ir::bits_to_float(part, imag)}});
  }
  Value operator()(const std::string& text) const { return static_value({StringType{text}}); }
  Value operator()(const EllipsisConstant&) const { return static_value({EllipsisType{}}); }
  Value operator()(const TupleConstant& tuple) const {
    std::vector<Value> items;
    for (const Constant& item : tuple.items) items.push_back(constant_value(at, item));
    return made_of<TupleType>(items);
  }
  Value operator()(const SliceConstant& slice) const {
    std::vector<Value> parts;
    for (const Constant& part : slice.parts) parts.push_back(constant_value(at, part));
    return made_of<SliceType>(parts);
  }
  Value operator()(const RecordConstant& record) const {
    std::vector<Value> items;
    for (const Constant& item : record.items) items.push_back(constant_value(at, item));
    TypeValue type = parameter_value({record.type, false});
    Value whole = made_of<TupleType>(items);
    if (whole.erroneous()) return whole;
    std::optional<TypeValues> wanted = items_of(type);
    bool matches = wanted && wanted->size() == items.size();
    for (size_t i = 0; matches && i < items.size(); ++i)
      matches = is_assignable(items[i].type, (*wanted)[i]);
    if (!matches) return unusable("a value of type " + to_python(record.type));
    Value result = static_value(type);
    for (size_t i = 0; i < items.size(); ++i) {
      Value item = assigned(at, items[i], (*wanted)[i]);
      if (item.erroneous()) return {};
      result.leaves.insert(result.leaves.end(), item.leaves.begin(), item.leaves.end());
    }
    return result;
  }
  Value operator()(const CodeConstant&) const { return unusable("a code object"); }
  Value operator()(const OtherConstant& value) const {
    return unusable("a constant of type " + value.python_type);
  }
  Value unusable(const std::string& description) const {
    return at.error(Code::UnusableConstant, {description}).report();
  }
};

// `path` is how the function names what it asked for.
Value not_in_module(Evaluation& at, const std::string& module, const std::string& name,
                    const std::string& path) {
  Diagnostics::Builder error = at.error(Code::NotInModule, {module, name});
  std::string prefix = path.substr(0, path.size() - std::min(path.size(), name.size()));
  std::vector<std::string_view> known = builtins::names_of(module);
  if (module == "numpy" || module == "hetjit.device")
    for (const ScalarInfo& scalar : kScalars) known.push_back(scalar.python_name);
  if (std::string_view hint = name_hint(name); !hint.empty())
    error.help(std::string(hint));
  else if (std::string near = nearest(name, known); !near.empty())
    error.help("did you mean '" + prefix + near + "'?");
  return error.report();
}

struct NameMeaning {
  Evaluation& at;
  const std::string& path;

  Value operator()(const Constant& constant) const { return constant_value(at, constant); }
  Value operator()(const ModuleMeaning& module) const {
    return static_value({ModuleType{path, module.module}});
  }
  Value operator()(const FunctionMeaning& function) const {
    FunctionType type;
    type.function = function.function;
    return static_value({std::move(type)});
  }
  Value operator()(const BuiltinMeaning& meaning) const {
    if (std::optional<Value> value = target_meaning(at, meaning.name)) return *value;
    if (const builtins::Builtin* builtin = builtins::find(meaning.name))
      return static_value({BuiltinType{builtin}});
    size_t dot = meaning.name.rfind('.');
    std::string module = meaning.name.substr(0, dot), name = meaning.name.substr(dot + 1);
    if (path.starts_with('<')) return not_written(name);
    if (module != "builtins") return not_in_module(at, module, name, path);
    return static_value({OpaqueType{"a builtin of Python's", path}});
  }
  // What the reader asks for by itself, as `match` and f-strings need it.
  Value not_written(const std::string& name) const {
    (void)name;
    return at.error(Code::UnsupportedInstruction, {"matching the parts of a sequence"}).report();
  }
  Value operator()(const TypeMeaning& meaning) const {
    return static_value({TypeObject{meaning.type}});
  }
  Value operator()(const OpaqueMeaning& meaning) const {
    return static_value({OpaqueType{meaning.description, path}});
  }
  Value operator()(const UnboundMeaning&) const {
    Diagnostics::Builder error = at.error(Code::UnboundName, {path});
    std::vector<std::string_view> names;
    for (const std::string& local : at.function().local_names) names.push_back(local);
    for (const Name& name : at.function().names)
      if (name.path != path) names.push_back(name.path);
    for (std::string_view name : builtins::names_of("builtins")) names.push_back(name);
    if (std::string near = nearest(path, names); !near.empty())
      error.help("did you mean '" + near + "'?");
    return error.report();
  }
};

const Meaning* find_meaning(const ssa::Function& function, const std::string& path) {
  for (const Name& name : function.names)
    if (name.path == path) return &name.meaning;
  return nullptr;
}

// The function that is being compiled, as it calls itself by name: with its captured variables as
// they are. Defaults that were computed where it was made are not at hand here.
Value itself(const Instance& instance) {
  FunctionType closure = instance.closure;
  for (const TypeValue& value : instance.closure.defaults)
    if (leaf_count(value) != 0) closure.defaults.clear();
  Value function = static_value({std::move(closure)});
  function.leaves = instance.captured_leaves;
  return function;
}

// A captured variable of the enclosing function, when the name is one.
std::optional<Value> captured(Evaluation& at, const std::string& name) {
  const FunctionType& closure = at.instance().closure;
  for (size_t i = 0; i < closure.captures.size(); ++i)
    if (closure.captures[i] == name) return at.captured(i);
  if (!closure.self.empty() && closure.self == name) return itself(at.instance());
  return std::nullopt;
}

}  // namespace

Value constant_value(Evaluation& at, const Constant& constant) {
  return std::visit(ConstantMeaning{at}, constant.value);
}

Value meaning_value(Evaluation& at, const Meaning& meaning, const std::string& path) {
  return std::visit(NameMeaning{at, path}, meaning);
}

Value evaluate(Evaluation& at, const ssa::Const& op) { return constant_value(at, op.value); }

Value evaluate(Evaluation& at, const ssa::LoadName& op) {
  const Name& name = at.function().names[op.name];
  if (std::optional<Value> value = captured(at, name.path)) return *value;
  return meaning_value(at, name.meaning, name.path);
}

Value evaluate(Evaluation&, const ssa::Undefined&) { return static_value({Unassigned{}}); }

namespace {

// Refused beyond that: `t = (t,)` in a loop. All that looks at types goes as deep as they are.
constexpr size_t kMaxNesting = 256;

// How deep a value's parts are one inside another, 0 of a number.
size_t nesting(const TypeValue& value) {
  auto deepest = [](const TypeValues& parts) {
    size_t found = 0;
    for (const TypeValue& part : parts) found = std::max(found, nesting(part));
    return found;
  };
  if (std::optional<TypeValues> items = items_of(value)) return 1 + deepest(*items);
  if (const MethodType* method = value.as<MethodType>()) return 1 + deepest(method->self);
  if (const IterableType* iterable = value.as<IterableType>()) return 1 + deepest(iterable->parts);
  if (const FunctionType* function = value.as<FunctionType>())
    return 1 + std::max(deepest(function->captured), deepest(function->defaults));
  return 0;
}

}  // namespace

bool few_parts(Evaluation& at, const std::vector<Value>& values) {
  size_t parts = 0;
  bool deep = false;
  for (const Value& value : values) {
    parts += part_count(value.type);
    deep = deep || nesting(value.type) >= kMaxNesting;
  }
  if (parts <= kMaxParts && !deep) return true;
  std::string what = "a value of more than " + std::to_string(kMaxParts) + " parts";
  if (deep) {
    const std::string text = text_at(at.whole().source_of(at.instance()), at.where());
    what = (text.empty() ? "nesting" : "nesting '" + text + "'") + " more than " +
           std::to_string(kMaxNesting) + " deep";
  }
  at.error(Code::UnsupportedInstruction, {what}).help("use an array").report();
  return false;
}

Value evaluate(Evaluation& at, const ssa::MakeFunction& op) {
  FunctionType type;
  type.function = op.function;
  type.captures = op.captures;
  type.self = op.self;
  Value result;
  size_t first_capture = op.in.size() - op.captures.size();
  std::vector<Value> parts;
  for (ValueId id : op.in) {
    parts.push_back(at.operand_of_any_kind(id));
    if (parts.back().erroneous()) return {};
  }
  if (!few_parts(at, parts)) return {};
  for (size_t i = 0; i < parts.size(); ++i) {
    (i < first_capture ? type.defaults : type.captured).push_back(parts[i].type);
    result.leaves.insert(result.leaves.end(), parts[i].leaves.begin(), parts[i].leaves.end());
  }
  result.type = {std::move(type)};
  return result;
}

// ---- tuples

Value evaluate(Evaluation& at, const ssa::BuildTuple& op) {
  std::vector<Value> items;
  for (ValueId id : op.in) {
    items.push_back(at.operand_of_any_kind(id));
    if (!may_copy(at, items.back(), "made an item of a tuple")) return {};
  }
  return few_parts(at, items) ? made_of<TupleType>(items) : Value{};
}

Value evaluate(Evaluation& at, const ssa::BuildSlice& op) {
  std::vector<Value> parts;
  for (ValueId id : op.in) parts.push_back(at.operand(id));
  return made_of<SliceType>(parts);
}

namespace {

// The items of what is unpacked; reported, once, when it has none.
std::optional<std::vector<Value>> unpacked(Evaluation& at, const Value& value) {
  if (value.erroneous()) return std::nullopt;
  if (std::optional<std::vector<Value>> items = items_of(value)) return items;
  if (!at.first_time(value)) return std::nullopt;
  Diagnostics::Builder error = at.error(Code::NotUnpackable, {name_of(value.type)}, {&value});
  if (value.as<ArrayType>()) error.help("index the array: its length is known at run time only");
  return error.report();
}

// What is taken apart as a tuple is: range(3), zip(a, b) of tuples, a generator expression. All
// targets of one unpacking share it: its elements are computed once.
Value as_tuple(Evaluation& at, ValueId id) {
  Value value = at.operand(id);
  if (!value.as<RangeType>() && !value.as<IterableType>()) return value;
  if (std::optional<Value> known = at.unpacked(id)) return *known;
  std::optional<std::vector<Value>> items = elements(at, value, "unpacking");
  if (!items) return {};
  value = made_of<TupleType>(*items);
  value.origin = id;
  at.set_unpacked(id, value);
  return value;
}

}  // namespace

Value evaluate(Evaluation& at, const ssa::UnpackItem& op) {
  Value whole = as_tuple(at, op.in[0]);
  std::optional<std::vector<Value>> items = unpacked(at, whole);
  if (!items) return {};
  if (items->size() == op.count) return (*items)[op.index];
  if (!at.first_time(whole)) return {};  // each target asks
  return at
      .error(Code::UnpackCount, {sized_name(whole), counted(op.count, "target", "targets")},
             {&whole})
      .report();
}

Value evaluate(Evaluation& at, const ssa::UnpackStar& op) {
  Value whole = as_tuple(at, op.in[0]);
  std::optional<std::vector<Value>> items = unpacked(at, whole);
  if (!items) return {};
  size_t fixed = size_t{op.before} + op.after;
  if (items->size() < fixed)
    return at
        .error(Code::UnpackCount,
               {sized_name(whole), "at least " + counted(fixed, "target", "targets")}, {&whole})
        .report();
  return made_of<TupleType>({items->begin() + op.before, items->end() - op.after});
}

// ---- attributes

namespace {

Value module_attribute(Evaluation& at, const ModuleType& module, const std::string& name) {
  std::string path = module.path + "." + name;
  const Meaning* meaning = find_meaning(at.function(), path);
  if (meaning && !std::holds_alternative<UnboundMeaning>(*meaning))
    return meaning_value(at, *meaning, path);
  if (const builtins::Builtin* builtin = builtins::find(module.module + "." + name))
    return static_value({BuiltinType{builtin}});
  return not_in_module(at, module.module, name, path);
}

Value no_attribute(Evaluation& at, const Value& whole, const std::string& name) {
  return at.error(Code::NoAttribute, {name_of(whole.type), name}, {&whole}).report();
}

Value text_attribute(Evaluation& at, const Value& text, const std::string& name) {
  if (!builtins::find("text." + name)) return no_attribute(at, text, name);
  Value method = static_value({MethodType{name, {text.type}}});
  method.leaves = text.leaves;
  return method;
}

}  // namespace

Value evaluate(Evaluation& at, const ssa::GetAttribute& op) {
  Value named = at.carried(op.in[0]);
  if (const BuiltinType* builtin = named.as<BuiltinType>(); builtin && builtin->builtin->attribute)
    return builtin->builtin->attribute(at, *builtin->builtin, op.attribute);
  Value whole = at.operand(op.in[0]);
  if (whole.erroneous()) return {};
  if (const ModuleType* module = whole.as<ModuleType>())
    return module_attribute(at, *module, op.attribute);
  if (whole.as<ArrayType>()) return array_attribute(at, whole, op.attribute);
  if (whole.as<VectorType>()) return vector_attribute(at, whole, op.attribute);
  if (whole.as<StructType>()) return struct_attribute(at, whole, op.attribute);
  if (whole.as<ReferenceType>()) return reference_attribute(at, whole, op.attribute);
  if (whole.as<AtomicType>()) return atomic_attribute(at, whole, op.attribute);
  if (const TypeObject* object = whole.as<TypeObject>();
      object && type(object->type.type).kind == TypeKind::Struct)
    return struct_type_attribute(at, whole, op.attribute);
  if (whole.as<NumberType>()) return number_attribute(at, whole, op.attribute);
  if (whole.as<TypeObject>()) return type_attribute(at, whole, op.attribute);
  if (is_text(whole)) return text_attribute(at, whole, op.attribute);
  return no_attribute(at, whole, op.attribute);
}

Value evaluate(Evaluation& at, const ssa::SetAttribute& op) {
  Value whole = at.operand(op.in[0]), value = at.operand(op.in[1]);
  if (whole.erroneous() || value.erroneous()) return {};
  bool local = op.local != UINT32_MAX;  // which gets the changed value
  if (local && whole.as<VectorType>()) return vector_with(at, whole, op.attribute, value);
  if (local && whole.as<StructType>()) return struct_with(at, whole, op.attribute, value);
  if (whole.as<ReferenceType>()) return store_field(at, whole, op.attribute, value);
  Diagnostics::Builder error =
      at.error(Code::AttributeAssignment, {name_of(whole.type), op.attribute}, {&whole});
  if (whole.as<VectorType>() || whole.as<StructType>())
    error.help("values do not change; assign a new one: a[i] = a[i].replace(" + op.attribute +
               "=…)");
  return error.report();
}

// ---- items

namespace {

// t[start:stop:step] with constants, by Python's rules.
Value tuple_slice(Evaluation& at, const Value& whole, const Value& index) {
  const TypeValues& items = whole.as<TupleType>()->items;
  const TypeValues& parts = index.as<SliceType>()->parts;
  Integer size = static_cast<Integer>(items.size());
  std::optional<Integer> given[3];
  for (size_t i = 0; i < 3; ++i) {
    given[i] = integer_literal(parts[i]);
    if (!given[i] && !parts[i].holds<NoneType>())
      return at.error(Code::TupleIndex, {"a run-time value"}, {&index}).report();
  }
  Integer step = given[2].value_or(1);
  if (step == 0) return at.error(Code::RangeStepZero, {}, {&index}).report();
  auto clamp = [&](Integer value) {
    Integer low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
    if (value < 0) value += size;
    return value < low ? low : value > high ? high : value;
  };
  Integer start = given[0] ? clamp(*given[0]) : step > 0 ? 0 : size - 1;
  Integer stop = given[1] ? clamp(*given[1]) : step > 0 ? size : -1;
  std::vector<Value> all = parts_of(whole, items), chosen;
  for (Integer i = start; step > 0 ? i < stop : i > stop; i += step)
    chosen.push_back(all[static_cast<size_t>(i)]);
  return made_of<TupleType>(chosen);
}

}  // namespace

Value evaluate(Evaluation& at, const ssa::GetItem& op) {
  Value named = at.carried(op.in[0]), index = at.operand(op.in[1]);
  if (index.erroneous()) return {};
  if (const BuiltinType* builtin = named.as<BuiltinType>(); builtin && builtin->builtin->item)
    return builtin->builtin->item(at, *builtin->builtin, index);
  Value whole = as_tuple(at, op.in[0]);
  if (whole.erroneous()) return {};
  if (whole.as<ArrayType>()) return array_item(at, whole, index);
  if (whole.as<TupleType>() && index.as<SliceType>()) return tuple_slice(at, whole, index);
  const StringType* name = index.as<StringType>();  // as NumPy's records have it: a[i]['mass']
  if (whole.as<StructType>() && name) return struct_attribute(at, whole, name->text);
  if (whole.as<ReferenceType>() && name) return reference_attribute(at, whole, name->text);
  if (items_of(whole.type)) return item_at(at, whole, index);
  if (is_text(whole)) return text_item(at, whole, index);
  if (whole.as<NumberType>()) return number_item(at, whole, index);
  if (whole.as<ReferenceType>()) return reference_item(at, whole, index);
  return at.error(Code::NotSubscriptable, {name_of(whole.type)}, {&whole}).report();
}

namespace {

template <class AnyOp>
const AnyOp* made_by(Evaluation& at, ValueId id) {
  auto [block, place] = at.instance().flow->defined[id.index];
  if (place == Flow::kParameter) return nullptr;
  return std::get_if<AnyOp>(&at.function().blocks[block].insts[place].op);
}

// One index, or one slice that some Pythons build twice.
bool same_index(Evaluation& at, ValueId a, ValueId b) {
  auto *left = made_by<ssa::BuildSlice>(at, a), *right = made_by<ssa::BuildSlice>(at, b);
  return a == b || (left && right && left->in == right->in);
}

// `a[1:5] += x` works on the view and then assigns it to where it came from.
bool is_stored(Evaluation& at, const ssa::SetItem& op, const Value& value) {
  auto* binary = value.as<ArrayType>() ? made_by<ssa::Binary>(at, op.in[2]) : nullptr;
  auto* item = binary && binary->in_place ? made_by<ssa::GetItem>(at, binary->in[0]) : nullptr;
  return item && item->in[0] == op.in[0] && same_index(at, item->in[1], op.in[1]);
}

}  // namespace

Value evaluate(Evaluation& at, const ssa::SetItem& op) {
  Value whole = at.operand(op.in[0]), index = at.operand(op.in[1]), value = at.operand(op.in[2]);
  if (whole.erroneous() || index.erroneous() || value.erroneous()) return {};
  if (whole.as<ArrayType>())
    return is_stored(at, op, value) ? whole : store_array_item(at, whole, index, value);
  bool local = op.local != UINT32_MAX;  // which gets the changed value
  if (local && whole.as<VectorType>()) return vector_with(at, whole, index, value);
  if (local && whole.as<StructType>()) return struct_with(at, whole, index, value);
  const StringType* name = index.as<StringType>();
  if (whole.as<ReferenceType>() && name) return store_field(at, whole, name->text, value);
  if (const NumberType* number = whole.as<NumberType>(); local && number && number->mask)
    return mask_with(at, whole, index, value);
  Diagnostics::Builder error = at.error(Code::ItemAssignment, {name_of(whole.type)}, {&whole});
  if (whole.as<VectorType>())
    error.help("values do not change; assign a new one: a[i] = a[i].replace(index, value)");
  if (whole.as<StructType>())
    error.help("values do not change; assign a new one: a[i] = a[i].replace(field=value)");
  if (whole.as<TupleType>()) error.help("tuples do not change; build a new one");
  return error.report();
}

}  // namespace hetjit::typing
