#include "compiler/typing/kinds/references.h"

#include "abi/layout.h"
#include "compiler/builtins/registry.h"
#include "compiler/ir/ir.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/kinds/checks.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/kinds/structs.h"

namespace hetjit::typing {
namespace {

// The address as one of a value of type `type`: what is known of its alignment is forgotten.
Leaf pointing_to(Evaluation& at, Leaf address, TypeId type) {
  if (!at.code().on()) return {};
  ir::Builder& build = at.code().builder();
  if (build.type_of(address) == pointer_type(type)) return address;
  return build.move_address(address, at.code().constant(0, Scalar::Int64), pointer_type(type));
}

Value with_leaf(Evaluation& at, TypeValue type, Leaf leaf) {
  Value value = static_value(std::move(type));
  if (at.code().on()) value.leaves = {leaf};
  return value;
}

const Type& reference_of(const Value& reference) {
  return type(reference.as<ReferenceType>()->type);
}

Leaf field_address(Evaluation& at, const Value& reference, size_t index) {
  if (!at.code().on()) return {};
  return at.code().builder().field(reference.leaf(), static_cast<uint32_t>(index));
}

Value field_at(Evaluation& at, const Value& reference, size_t index) {
  const Field& field = reference_of(reference).fields[index];
  Leaf address = field_address(at, reference, index);
  // A reference to what is in there is not a read of it.
  if (!holds_atomic(field.type)) check_memory(at, AccessKind::Read, reference, address, field.type);
  Value value = load_from(at, address, field.type);
  if (NumberType* number = std::get_if<NumberType>(&value.type.is))
    number->number.weak = field.weak;
  return value;
}

std::optional<std::string> reference_in(const TypeValue& value) {
  if (const ReferenceType* reference = value.as<ReferenceType>()) return to_python(reference->type);
  if (const TupleType* tuple = value.as<TupleType>())
    for (const TypeValue& item : tuple->items)
      if (std::optional<std::string> found = reference_in(item)) return found;
  return std::nullopt;
}

}  // namespace

Value atomic_at(Evaluation& at, Leaf address, Number number) {
  return with_leaf(at, {AtomicType{number}}, pointing_to(at, address, scalar_type(number.scalar)));
}

Value refer_to(Evaluation& at, Leaf address, TypeId id) {
  const TypeId plain = without_align(id);
  Leaf whole = pointing_to(at, address, plain);
  if (!is_atomic(plain)) return with_leaf(at, {ReferenceType{plain}}, whole);
  const Field& value = type(plain).fields[0];
  Leaf number = at.code().on() ? at.code().builder().field(whole, 0) : Leaf{};
  return atomic_at(at, number, {type(value.type).scalar, value.weak});
}

Value reference_attribute(Evaluation& at, const Value& reference, const std::string& name) {
  const TypeId id = reference.as<ReferenceType>()->type;
  std::optional<size_t> field = field_of(id, name);
  return field ? field_at(at, reference, *field) : member_attribute(at, reference, id, name);
}

Value reference_item(Evaluation& at, const Value& reference, const Value& index) {
  Value whole = static_value({TupleType{TypeValues(reference_of(reference).fields.size())}});
  whole.origin = reference.origin;
  std::optional<size_t> position = constant_position(at, whole, index);
  return position ? field_at(at, reference, *position) : Value{};
}

Value store_field(Evaluation& at, const Value& reference, const std::string& name,
                  const Value& value) {
  const TypeId id = reference.as<ReferenceType>()->type;
  std::optional<size_t> field = field_of(id, name);
  if (!field)
    return at.error(Code::AttributeAssignment, {name_of(reference.type), name}, {&reference})
        .report();
  const Field& stored = type(id).fields[*field];
  Leaf address = field_address(at, reference, *field);
  check_memory(at, AccessKind::Write, reference, address, stored.type);
  if (!store_to(at, address, stored.type, value)) return {};
  return reference;
}

Value atomic_attribute(Evaluation& at, const Value& atomic, const std::string& name) {
  const Number number = atomic.as<AtomicType>()->number;
  if (name == "dtype") return static_value({TypeObject{{scalar_type(number.scalar), number.weak}}});
  if (builtins::find("atomic." + name))
    return {TypeValue{MethodType{name, {atomic.type}}}, atomic.leaves, {}};
  Diagnostics::Builder error = at.error(Code::NoAttribute, {name_of(atomic.type), name}, {&atomic});
  std::string near = nearest(name, builtins::names_of("atomic"));
  if (!near.empty()) error.help("did you mean '" + near + "'?");
  return error.report();
}

Failed refuse_copy(Evaluation& at, const Value& value, const std::string& does) {
  std::string name = reference_in(value.type).value_or(name_of(value.type));
  return at.error(Code::MemoryOnly, {name, does}, {&value})
      .note("it holds an Atomic: only methods get the one that is meant, as 'self'")
      .help("pass the array and the index")
      .report();
}

bool may_copy(Evaluation& at, const Value& value, const std::string& does) {
  return !reference_in(value.type) || refuse_copy(at, value, does);
}

}  // namespace hetjit::typing
