// Tuples, attributes and items.
#include "compiler/builtins/registry.h"
#include "compiler/ir/numbers.h"
#include "compiler/typing/core/evaluation.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/arrays.h"
#include "compiler/typing/kinds/externals.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/kinds/named_values.h"
#include "compiler/typing/kinds/number_attributes.h"
#include "compiler/typing/kinds/references.h"
#include "compiler/typing/kinds/structs.h"
#include "compiler/typing/kinds/targets.h"
#include "compiler/typing/kinds/texts.h"
#include "compiler/typing/kinds/vectors.h"
#include "compiler/typing/ops/iterables.h"

namespace hetjit::typing {

Value evaluate(Evaluation&, const ssa::Undefined&) { return static_value({Unassigned{}}); }

namespace {

// Refused beyond that: `t = (t,)` in a loop. All that looks at types goes as deep as they are.
constexpr size_t kMaxNesting = 256;

// How deep a value's parts are one inside another, 0 of a number.
size_t nesting(const TypeValue& value) {
  size_t deepest = 0;
  for (const TypeValue& part : parts_in(value)) deepest = std::max(deepest, 1 + nesting(part));
  return deepest;
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

Value evaluate(Evaluation& at, const ssa::AsList& op) {
  Value list = at.operand_of_any_kind(op.in[0]);
  if (TupleType* items = std::get_if<TupleType>(&list.type.is)) items->list = true;
  return list;
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

// `i, j = device.tid(3)`: as many axes as there are names.
void of_axes(Diagnostics::Builder& error, Evaluation& at, const Value& whole, size_t count) {
  const std::string text = made_by(at, whole), wanted = std::to_string(count);
  const size_t digit = text.size() - 2;
  const bool asked = text.size() > 3 && text.ends_with(')') && text[digit - 1] == '(' &&
                     (text.find("tid(") < text.size() || text.find("grid_size(") < text.size());
  if (!asked || count > 3) return;
  Span place = definition_span(at.instance(), whole.origin);
  place.end_column -= 1, place.end_line = place.line;
  place.column = place.end_column - 1;
  const std::string call = text.substr(0, digit) + wanted + ")";
  error.help(call + " gives " + wanted + ", of a launch of as many axes").edit(place, wanted);
}

}  // namespace

Value evaluate(Evaluation& at, const ssa::UnpackItem& op) {
  Value whole = as_tuple(at, op.in[0]);
  std::optional<std::vector<Value>> items = unpacked(at, whole);
  if (!items) return {};
  if (items->size() == op.count) return (*items)[op.index];
  if (!at.first_time(whole)) return {};  // each target asks
  Diagnostics::Builder error = at.error(
      Code::UnpackCount, {sized_name(whole), counted(op.count, "target", "targets")}, {&whole});
  of_axes(error, at, whole, op.count);
  return error.report();
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

Value no_attribute(Evaluation& at, const Value& whole, const std::string& name) {
  Diagnostics::Builder error = at.error(Code::NoAttribute, {name_of(whole.type), name}, {&whole});
  advise(error, at, name, name, {});
  return error.report();
}

Value text_attribute(Evaluation& at, const Value& text, const std::string& name) {
  if (!builtins::find("text." + name)) return no_attribute(at, text, name);
  Value method = static_value({MethodType{name, {text.type}}});
  method.leaves = text.leaves;
  return method;
}

template <class Kind>
concept WithoutAttributes =
    ir::OneOf<Kind, Erroneous, Unassigned, Disagreement, NoneType, TupleType, MethodType, RangeType,
              IteratorType, IterableType, FunctionType, BuiltinType, TargetType, ExceptionType,
              EllipsisType, SliceType, OpaqueType>;

/// `whole.name`, by what the whole is.
struct AttributeOf {
  Evaluation& at;
  const Value& whole;
  const std::string& name;

  Value operator()(const ModuleType& module) const { return module_attribute(at, module, name); }
  Value operator()(const ExternalType& external) const {
    return external_attribute(external, name);
  }
  Value operator()(const ArrayType&) const { return array_attribute(at, whole, name); }
  Value operator()(const VectorType&) const { return vector_attribute(at, whole, name); }
  Value operator()(const StructType&) const { return struct_attribute(at, whole, name); }
  Value operator()(const ReferenceType&) const { return reference_attribute(at, whole, name); }
  Value operator()(const AtomicType&) const { return atomic_attribute(at, whole, name); }
  Value operator()(const NumberType&) const { return number_attribute(at, whole, name); }
  Value operator()(const StringType&) const { return text_attribute(at, whole, name); }
  Value operator()(const TextType&) const { return text_attribute(at, whole, name); }
  Value operator()(const TypeObject& object) const {
    bool record = type(object.type.type).kind == TypeKind::Struct;
    return record ? struct_type_attribute(at, whole, name) : type_attribute(at, whole, name);
  }
  template <WithoutAttributes Kind>
  Value operator()(const Kind&) const {
    return no_attribute(at, whole, name);
  }
};

}  // namespace

Value evaluate(Evaluation& at, const ssa::GetAttribute& op) {
  Value named = at.carried(op.in[0]);
  if (std::optional<Value> read = attribute_by_name(at, op.in[0], op.attribute)) return *read;
  if (const BuiltinType* builtin = named.as<BuiltinType>(); builtin && builtin->builtin->attribute)
    return builtin->builtin->attribute(at, *builtin->builtin, op.attribute);
  Value whole = at.operand(op.in[0]);
  if (whole.erroneous()) return {};
  return std::visit(AttributeOf{at, whole, op.attribute}, whole.type.is);
}

namespace {

template <class Kind>
concept WithFixedAttributes =
    WithoutAttributes<Kind> || ir::OneOf<Kind, ModuleType, ExternalType, ArrayType, AtomicType,
                                         NumberType, StringType, TextType, TypeObject>;

/// Of a part of an object of C++'s, which is a copy of it here. `place`: ".name", "[i]".
std::string put_back(const std::string& place) {
  return "take it out into a variable, change that, and put it back: part = whole.part; part" +
         place + " = v; whole.part = part";
}

/// `whole.name = value`: a store, or a changed value for the local that the whole came from.
struct ChangeAttribute {
  Evaluation& at;
  const Value& whole;
  const ssa::SetAttribute& op;
  const Value& value;
  const bool local = op.local != UINT32_MAX;

  Value operator()(const ReferenceType&) const {
    return store_field(at, whole, op.attribute, value);
  }
  Value operator()(const VectorType&) const {
    return local ? vector_with(at, whole, op.attribute, value) : new_one();
  }
  Value operator()(const StructType&) const {
    return local ? struct_with(at, whole, op.attribute, value) : new_one();
  }
  template <WithFixedAttributes Kind>
  Value operator()(const Kind&) const {
    return refused().report();
  }
  Diagnostics::Builder refused() const {
    return at.error(Code::AttributeAssignment, {name_of(whole.type), op.attribute}, {&whole});
  }
  Value new_one() const {
    if (is_object(whole)) return refused().help(put_back("." + op.attribute)).report();
    Diagnostics::Builder error = refused().help(
        "values do not change; assign a new one: a[i] = a[i].replace(" + op.attribute + "=…)");
    replace_part(error, at, whole, value, op.attribute + "=");
    return error.report();
  }
};

}  // namespace

Value evaluate(Evaluation& at, const ssa::SetAttribute& op) {
  Value whole = at.operand(op.in[0]), value = at.operand(op.in[1]);
  if (whole.erroneous() || value.erroneous()) return {};
  return std::visit(ChangeAttribute{at, whole, op, value}, whole.type.is);
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
      return at.error(Code::TupleIndex, {"a run-time value", "a tuple"}, {&index}).report();
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
  return made_of_like(*whole.as<TupleType>(), chosen);
}

template <class Kind>
concept WithoutItems =
    ir::OneOf<Kind, Erroneous, Unassigned, Disagreement, NoneType, AtomicType, MethodType,
              RangeType, IteratorType, IterableType, FunctionType, BuiltinType, ModuleType,
              TypeObject, TargetType, ExceptionType, EllipsisType, SliceType, OpaqueType>;

/// `whole[index]`, by what the whole is. A name is an index as NumPy's records have it:
/// a[i]['mass'].
struct ItemOf {
  Evaluation& at;
  const Value& whole;
  const Value& index;
  const StringType* name = index.as<StringType>();

  Value operator()(const ExternalType& external) const {
    return external_item(at, external, index);
  }
  Value operator()(const ArrayType&) const { return array_item(at, whole, index); }
  Value operator()(const TupleType&) const {
    return index.as<SliceType>() ? tuple_slice(at, whole, index) : item_at(at, whole, index);
  }
  Value operator()(const VectorType&) const { return item_at(at, whole, index); }
  Value operator()(const StructType&) const {
    if (is_object(whole)) return object_item(at, whole, index);
    return name ? struct_attribute(at, whole, name->text) : item_at(at, whole, index);
  }
  Value operator()(const ReferenceType&) const {
    return name ? reference_attribute(at, whole, name->text) : reference_item(at, whole, index);
  }
  Value operator()(const StringType&) const { return text_item(at, whole, index); }
  Value operator()(const TextType&) const { return text_item(at, whole, index); }
  Value operator()(const NumberType&) const { return number_item(at, whole, index); }
  template <WithoutItems Kind>
  Value operator()(const Kind&) const {
    return at.error(Code::NotSubscriptable, {name_of(whole.type)}, {&whole}).report();
  }
};

}  // namespace

Value evaluate(Evaluation& at, const ssa::GetItem& op) {
  Value named = at.carried(op.in[0]), index = at.operand(op.in[1]);
  if (index.erroneous()) return {};
  if (const BuiltinType* builtin = named.as<BuiltinType>(); builtin && builtin->builtin->item)
    return builtin->builtin->item(at, *builtin->builtin, index);
  Value whole = as_tuple(at, op.in[0]);
  if (whole.erroneous()) return {};
  return std::visit(ItemOf{at, whole, index}, whole.type.is);
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

template <class Kind>
concept WithFixedItems = WithoutItems<Kind> || ir::OneOf<Kind, ExternalType, StringType, TextType>;

/// `whole[index] = value`: a store, or a changed value for the local that the whole came from.
struct ChangeItem {
  Evaluation& at;
  const ssa::SetItem& op;
  const Value &whole, &index, &value;
  const bool local = op.local != UINT32_MAX;

  Value operator()(const ArrayType&) const {
    return is_stored(at, op, value) ? whole : store_array_item(at, whole, index, value);
  }
  Value operator()(const VectorType&) const {
    return local ? vector_with(at, whole, index, value) : new_one("index, value");
  }
  Value operator()(const StructType&) const {
    return local ? struct_with(at, whole, index, value) : new_one("field=value");
  }
  Value operator()(const ReferenceType&) const {
    const StringType* name = index.as<StringType>();
    return name ? store_field(at, whole, name->text, value) : refused().report();
  }
  Value operator()(const NumberType& number) const {
    return local && number.mask ? mask_with(at, whole, index, value) : refused().report();
  }
  Value operator()(const TupleType&) const {
    return refused()
        .help(of_arrays() ? "it is a tuple of arrays: spread it at the launch, as in "
                            "f[grid, block](*arrays), or take one of them: t[0][i] = v"
                          : "a list or tuple does not change here: device.local_array(n, "
                            "device.float32) has elements that do; or build a new one")
        .report();
  }
  template <WithFixedItems Kind>
  Value operator()(const Kind&) const {
    return refused().report();
  }
  bool of_arrays() const {
    const TypeValues& items = whole.as<TupleType>()->items;
    return !items.empty() && items[0].holds<ArrayType>();
  }
  Diagnostics::Builder refused() const {
    return at.error(Code::ItemAssignment, {name_of(whole.type)}, {&whole});
  }
  Value new_one(const std::string& what) const {
    if (is_object(whole)) return refused().help(put_back("[i]")).report();
    Diagnostics::Builder error =
        refused().help("values do not change; assign a new one: a[i] = a[i].replace(" + what + ")");
    const Source& source = at.whole().source_of(at.instance());
    if (std::string place = text_at(source, at.place_of(index));
        !place.empty() && whole.as<VectorType>())
      replace_part(error, at, whole, value, place + ", ");
    return error.report();
  }
};

}  // namespace

Value evaluate(Evaluation& at, const ssa::SetItem& op) {
  Value whole = at.operand(op.in[0]), index = at.operand(op.in[1]), value = at.operand(op.in[2]);
  if (whole.erroneous() || index.erroneous() || value.erroneous()) return {};
  return std::visit(ChangeItem{at, op, whole, index, value}, whole.type.is);
}

}  // namespace hetjit::typing
