#include "compiler/ir/build.h"

#include "abi/layout.h"

#include "compiler/ir/numbers.h"

namespace hetjit::ir {

BlockId Builder::new_block() {
  function_.blocks.emplace_back();
  return {static_cast<uint32_t>(function_.blocks.size() - 1)};
}

ValueId Builder::add_param(BlockId block, TypeId type) {
  ValueId id{static_cast<uint32_t>(function_.types.size())};
  function_.types.push_back(type);
  function_.blocks[block.index].params.push_back(id);
  return id;
}

void Builder::set_span(const Span& span) {
  if (!span.known()) {
    span_ = {};
    return;
  }
  // Neighbouring instructions usually share a place; a longer search would not pay.
  if (function_.spans.empty() || function_.spans.back() != span) function_.spans.push_back(span);
  span_ = {static_cast<uint32_t>(function_.spans.size() - 1)};
}

ValueId Builder::emit(Op op, TypeId type) {
  ValueId id{static_cast<uint32_t>(function_.types.size())};
  function_.types.push_back(type);
  function_.blocks[block_.index].insts.push_back({std::move(op), id, span_});
  return id;
}

void Builder::emit(Op op) {
  function_.blocks[block_.index].insts.push_back({std::move(op), {}, span_});
}

ValueId Builder::const_int(TypeId type, uint64_t bits) {
  ConstInt op;
  op.bits = wrap_bits(hetjit::type(type).scalar, bits);
  return emit(op, type);
}

ValueId Builder::const_float(TypeId type, double value) {
  ConstFloat op;
  op.value = round_to(hetjit::type(type).scalar, value);
  return emit(op, type);
}


ValueId Builder::none() { return emit(ConstNone{}, none_type()); }

ValueId Builder::compare(Comparison kind, ValueId a, ValueId b) {
  Compare op;
  op.in = {a, b};
  op.kind = kind;
  return emit(op, scalar_type(Scalar::Bool));
}

ValueId Builder::select(ValueId condition, ValueId yes, ValueId no) {
  Select op;
  op.in = {condition, yes, no};
  return emit(op, type_of(yes));
}

ValueId Builder::convert(ValueId value, TypeId to) {
  if (type_of(value) == to) return value;
  Convert op;
  op.in = {value};
  return emit(op, to);
}

ValueId Builder::math(MathFunction function, std::vector<ValueId> arguments) {
  Math op;
  TypeId type = type_of(arguments[0]);
  op.in = std::move(arguments);
  op.function = function;
  return emit(std::move(op), type);
}

ValueId Builder::extent(ValueId array, uint8_t axis) {
  Extent op;
  op.in = {array};
  op.axis = axis;
  return emit(op, scalar_type(Scalar::Int64));
}

ValueId Builder::element(ValueId array, std::vector<ValueId> indices) {
  ElementAddress op;
  TypeId result = pointer_type(type(type_of(array)).element);
  op.in.reserve(indices.size() + 1);
  op.in.push_back(array);
  op.in.insert(op.in.end(), indices.begin(), indices.end());
  return emit(std::move(op), result);
}

ValueId Builder::array(TypeId type, std::vector<ValueId> data_extents_strides) {
  MakeArray op;
  op.in = std::move(data_extents_strides);
  return emit(std::move(op), type);
}

ValueId Builder::array_data(ValueId array) {
  ArrayData op;
  op.in = {array};
  return emit(op, pointer_type(type(type_of(array)).element));
}

ValueId Builder::move_address(ValueId address, ValueId bytes, TypeId pointer) {
  MoveAddress op;
  op.in = {address, bytes};
  return emit(op, pointer);
}

ValueId Builder::load(ValueId address) {
  Load op;
  op.in = {address};
  return emit(op, without_align(type(type_of(address)).element));
}

void Builder::store(ValueId address, ValueId value) {
  Store op;
  op.in = {address, value};
  emit(op);
}

ValueId Builder::field(ValueId address, uint32_t index) {
  FieldAddress op;
  op.in = {address};
  op.index = index;
  return emit(op, pointer_type(part_type(type(type_of(address)).element, index)));
}

ValueId Builder::tuple(std::vector<ValueId> parts) {
  std::vector<TypeId> types;
  for (ValueId part : parts) types.push_back(type_of(part));
  MakeTuple op;
  op.in = std::move(parts);
  return emit(std::move(op), tuple_type(types));
}

ValueId Builder::record(TypeId type, std::vector<ValueId> parts) {
  MakeTuple op;
  op.in = std::move(parts);
  return emit(std::move(op), type);
}

ValueId Builder::extract(ValueId from, uint32_t index) {
  Extract op;
  op.in = {from};
  op.index = index;
  return emit(op, item_type(type_of(from), index));
}

void Builder::jump(BlockId to, std::vector<ValueId> args) {
  Jump op;
  op.to = {to, std::move(args)};
  emit(std::move(op));
}

void Builder::branch(ValueId condition, Edge yes, Edge no) {
  Branch op;
  op.in = {condition};
  op.yes = std::move(yes);
  op.no = std::move(no);
  emit(std::move(op));
}

void Builder::ret(ValueId value) {
  Return op;
  op.in = {value};
  emit(op);
}

}  // namespace hetjit::ir
