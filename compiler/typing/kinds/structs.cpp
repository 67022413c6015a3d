#include "compiler/typing/kinds/structs.h"

#include <algorithm>

#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/externals.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/memory.h"

namespace hetjit::typing {

std::optional<size_t> field_of(TypeId id, std::string_view name) {
  const std::vector<Field>& fields = type(id).fields;
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].name == name) return i;
  return std::nullopt;
}

namespace {

const std::vector<Field>& fields_of(TypeId id) { return type(id).fields; }

std::string fields_text(TypeId id) {
  std::string text;
  for (const Field& field : fields_of(id)) text += (text.empty() ? "" : ", ") + field.name;
  return text.empty() ? "it has no fields" : "its fields are " + text;
}

const Member* member_of(Evaluation& at, TypeId id, std::string_view name) {
  const StructRecord* record = at.whole().program().program->find_struct(id);
  if (!record) return nullptr;
  for (const Member& member : record->members)
    if (member.name == name) return &member;
  return nullptr;
}

bool has_list(const TypeValue& type) {
  const TupleType* tuple = type.as<TupleType>();
  return tuple && (tuple->list || std::ranges::any_of(tuple->items, has_list));
}

// A value as field `index`, where it is assigned. Python's constructor takes no lists either.
Value as_field(Evaluation& at, TypeId id, size_t index, const Value& value) {
  const Field& field = fields_of(id)[index];
  TypeValue wanted = parameter_value({field.type, field.weak});
  if (value.erroneous()) return {};
  const bool list = has_list(value.type);
  if (!list && is_assignable(value.type, wanted)) return assigned(at, value, wanted);
  auto [takes, given] = names_apart(wanted, value.type);
  Diagnostics::Builder error = at.error(
      Code::FieldType, {"the field '" + field.name + "'", to_python(id), takes, given}, {&value});
  if (list && wanted.holds<TupleType>()) error.help("write a tuple: (a, b) in the place of [a, b]");
  if (value.as<NumberType>() && wanted.as<NumberType>())
    convert(error, at, value, (field.weak ? "" : "device.") + name_of(wanted));
  return error.report();
}

Value struct_of(TypeId id, const std::vector<Value>& fields) {
  Value result = made_of<TupleType>(fields);
  if (result.erroneous()) return result;
  result.type = parameter_value({id, false});
  return result;
}

// The arguments of a construction, each in its field's place.
class Construction {
 public:
  Construction(Evaluation& at, TypeId id)
      : at_(at), id_(id), name_("'" + to_python(id) + "'"), bound_(fields_of(id).size()) {}

  Value run(const Arguments& arguments) {
    if (!positional(arguments) || !keywords(arguments) || !defaults()) return {};
    std::vector<Value> fields;
    for (size_t i = 0; i < bound_.size(); ++i) {
      fields.push_back(as_field(at_, id_, i, *bound_[i]));
      if (fields.back().erroneous()) return {};
    }
    return struct_of(id_, fields);
  }

 private:
  bool positional(const Arguments& arguments) {
    size_t count = arguments.positional.size();
    if (count > bound_.size())
      return at_
          .error(Code::ArgumentCount,
                 {name_, "at most " + counted(bound_.size(), "argument", "arguments"),
                  std::to_string(count) + (count == 1 ? " is" : " are")})
          .note(fields_text(id_))
          .report();
    for (size_t i = 0; i < count; ++i) bound_[i] = arguments.positional[i];
    return true;
  }

  bool keywords(const Arguments& arguments) {
    for (const auto& [name, value] : arguments.keywords) {
      std::optional<size_t> field = field_of(id_, name);
      if (!field) return unknown(name);
      if (bound_[*field]) return at_.error(Code::RepeatedArgument, {name_, name}).report();
      bound_[*field] = value;
    }
    return true;
  }

  bool defaults() {
    const StructRecord* record = at_.whole().program().program->find_struct(id_);
    for (size_t i = 0; i < bound_.size(); ++i) {
      if (bound_[i]) continue;
      const std::string& name = fields_of(id_)[i].name;
      if (!record || i >= record->defaults.size() || !record->defaults[i])
        return at_.error(Code::MissingArgument, {name_, name}).note(fields_text(id_)).report();
      bound_[i] = meaning_value(at_, *record->defaults[i], name);
    }
    return true;
  }

  Failed unknown(const std::string& name) {
    std::vector<std::string_view> names;
    for (const Field& field : fields_of(id_)) names.push_back(field.name);
    Diagnostics::Builder error = at_.error(Code::UnknownKeyword, {name_, name});
    if (!propose(error, at_, name, names)) error.help(fields_text(id_));
    return error.report();
  }

  Evaluation& at_;
  TypeId id_;
  std::string name_;
  std::vector<std::optional<Value>> bound_;
};

}  // namespace

Value make_struct(Evaluation& at, TypeId id, const Arguments& arguments) {
  bool one = arguments.positional.size() == 1 && arguments.keywords.empty();
  if (one && fields_of(id).size() != 1 && arguments.positional[0].as<TupleType>()) {
    TypeValue whole = parameter_value({id, false});
    if (is_assignable(arguments.positional[0].type, whole))
      return assigned(at, arguments.positional[0], whole);
  }
  return Construction(at, id).run(arguments);
}

namespace {

Value no_attribute(Evaluation& at, const Value& whole, TypeId id, const std::string& name) {
  std::vector<std::string_view> names;
  for (const Field& field : fields_of(id)) names.push_back(field.name);
  if (const StructRecord* record = at.whole().program().program->find_struct(id))
    for (const Member& member : record->members) names.push_back(member.name);
  Diagnostics::Builder error = at.error(Code::NoAttribute, {name_of(whole.type), name}, {&whole});
  if (!propose(error, at, name, names)) error.help(fields_text(id));
  return error.report();
}

Value function_of(const Member& member) {
  FunctionType type;
  type.function = std::get<FunctionMeaning>(member.meaning).function;
  return static_value({std::move(type)});
}

Value method_of(const Value& self, const std::string& name) {
  Value method = static_value({MethodType{name, {self.type}}});
  method.leaves = self.leaves;
  return method;
}

bool is_function(const Member& member) {
  return std::holds_alternative<FunctionMeaning>(member.meaning);
}

}  // namespace

Value struct_attribute(Evaluation& at, const Value& record, const std::string& name) {
  const StructType& type = *record.as<StructType>();
  if (is_object(record)) return object_attribute(at, record, name);
  if (std::optional<size_t> field = field_of(type.type, name))
    return part_of(record, type.items, *field);
  if (name == "replace" && !member_of(at, type.type, name)) return method_of(record, name);
  return member_attribute(at, record, type.type, name);
}

Value member_attribute(Evaluation& at, const Value& record, TypeId type, const std::string& name) {
  const Member* member = member_of(at, type, name);
  if (!member) return no_attribute(at, record, type, name);
  if (member->kind == MemberKind::Value || !is_function(*member))
    return meaning_value(at, member->meaning, to_python(type) + "." + name);
  if (member->kind != MemberKind::Property) return method_of(record, name);
  return call(at, function_of(*member), {{record}, {}});
}

bool is_method_of(Evaluation& at, TypeId id, uint32_t function) {
  const StructRecord* record = at.whole().program().program->find_struct(id);
  if (!record) return false;
  return std::any_of(record->members.begin(), record->members.end(), [&](const Member& member) {
    return (member.kind == MemberKind::Method || member.kind == MemberKind::Property) &&
           is_function(member) && std::get<FunctionMeaning>(member.meaning).function == function;
  });
}

Value struct_type_attribute(Evaluation& at, const Value& type, const std::string& name) {
  TypeId id = type.as<TypeObject>()->type.type;
  const Member* member = member_of(at, id, name);
  if (!member) return no_attribute(at, type, id, name);
  if (member->kind == MemberKind::ClassMethod && is_function(*member)) return method_of(type, name);
  return meaning_value(at, member->meaning, to_python(id) + "." + name);
}

namespace {

Value with_field(Evaluation& at, const Value& record, size_t index, const Value& value) {
  const StructType& type = *record.as<StructType>();
  std::vector<Value> fields = parts_of(record, type.items);
  fields[index] = as_field(at, type.type, index, value);
  return fields[index].erroneous() ? Value{} : struct_of(type.type, fields);
}

}  // namespace

Value struct_with(Evaluation& at, const Value& record, const std::string& name,
                  const Value& value) {
  TypeId id = record.as<StructType>()->type;
  if (is_object(record)) return object_with(at, record, name, value);
  if (std::optional<size_t> field = field_of(id, name))
    return with_field(at, record, *field, value);
  return at.error(Code::AttributeAssignment, {name_of(record.type), name}, {&record})
      .help(fields_text(id))
      .report();
}

Value struct_with(Evaluation& at, const Value& record, const Value& index, const Value& value) {
  if (is_object(record)) return object_with(at, record, index, value);
  if (!check_item_index(at, index)) return {};
  std::optional<size_t> position = constant_position(at, record, index);
  return position ? with_field(at, record, *position, value) : Value{};
}

namespace {

Value replaced(Evaluation& at, const Value& record, const Arguments& arguments) {
  TypeId id = record.as<StructType>()->type;
  if (!arguments.positional.empty())
    return at
        .error(Code::ArgumentCount, {"'replace'", "fields by name",
                                     counted(arguments.positional.size(), "argument by position is",
                                             "arguments by position are")})
        .report();
  Value result = record;
  for (const auto& [name, value] : arguments.keywords) {
    if (!field_of(id, name))
      return at.error(Code::UnknownKeyword, {"'replace'", name}).help(fields_text(id)).report();
    result = struct_with(at, result, name, value);
    if (result.erroneous()) return {};
  }
  result.origin = {};
  return result;
}

// Of a method's receiver: a value, a reference to one, or the class itself.
TypeId type_of_receiver(const Value& self) {
  if (const StructType* record = self.as<StructType>()) return record->type;
  if (const ReferenceType* reference = self.as<ReferenceType>()) return reference->type;
  return self.as<TypeObject>()->type.type;
}

}  // namespace

Value call_struct_method(Evaluation& at, const MethodType& method, const Value& self,
                         const Arguments& arguments) {
  if (is_object(self)) return call_object_method(at, method, self, arguments);
  const TypeId id = type_of_receiver(self);
  const Member* member = member_of(at, id, method.name);
  if (!member) return replaced(at, self, arguments);
  Arguments all = arguments;
  Value first = self;
  if (member->kind == MemberKind::ClassMethod) first = static_value({TypeObject{{id, false}}});
  all.positional.insert(all.positional.begin(), std::move(first));
  return call(at, function_of(*member), all);
}

// ---- special methods

namespace {

constexpr std::string_view kBinaryMethods[] = {"add", "and",     "floordiv", "lshift", "matmul",
                                               "mul", "mod",     "or",       "pow",    "rshift",
                                               "sub", "truediv", "xor"};
constexpr std::string_view kCompareMethods[] = {"lt", "le", "eq", "ne", "gt", "ge"};
constexpr std::string_view kUnaryMethods[] = {"neg", "pos", "invert"};

std::string special(std::string_view name, const char* prefix = "") {
  return std::string("__") + prefix + std::string(name) + "__";
}

}  // namespace

std::optional<Value> call_special(Evaluation& at, std::string_view name,
                                  std::vector<Value> operands) {
  const StructType* record = operands[0].as<StructType>();
  const Member* member = record ? member_of(at, record->type, name) : nullptr;
  if (!member || member->kind != MemberKind::Method || !is_function(*member)) return std::nullopt;
  return call(at, function_of(*member), {std::move(operands), {}});
}

std::optional<Value> struct_operator(Evaluation& at, ssa::BinaryKind kind, const Value& a,
                                     const Value& b) {
  if (std::optional<Value> result = object_operator(at, symbol(kind), {a, b})) return result;
  std::string_view name = kBinaryMethods[static_cast<size_t>(kind)];
  if (std::optional<Value> result = call_special(at, special(name), {a, b})) return result;
  return call_special(at, special(name, "r"), {b, a});
}

std::optional<Value> struct_operator(Evaluation& at, ssa::CompareKind kind, const Value& a,
                                     const Value& b) {
  if (std::optional<Value> result = object_operator(at, symbol(kind), {a, b})) return result;
  std::string_view name = kCompareMethods[static_cast<size_t>(kind)];
  if (std::optional<Value> result = call_special(at, special(name), {a, b})) return result;
  if (kind != ssa::CompareKind::Ne) return std::nullopt;
  std::optional<Value> equal = call_special(at, "__eq__", {a, b});
  return equal ? std::optional(unary(at, ssa::UnaryKind::Not, *equal)) : std::nullopt;
}

std::optional<Value> struct_operator(Evaluation& at, ssa::UnaryKind kind, const Value& a) {
  if (kind == ssa::UnaryKind::Not) return std::nullopt;
  if (std::optional<Value> result = object_operator(at, symbol(kind), {a})) return result;
  return call_special(at, special(kUnaryMethods[static_cast<size_t>(kind)]), {a});
}

}  // namespace hetjit::typing
