// Where a thread is: tid, grid_size, thread_idx and its kin (HETX-TP); and when: clock.
#include "compiler/builtins/functions.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/vectors.h"

namespace hetjit::builtins {

using typing::Emitter;
using typing::Leaf;
using typing::static_value;
using typing::TupleType;

namespace {

using PlaceOp = Leaf (Emitter::*)(uint8_t);

constexpr PlaceOp kPlaces[] = {&Emitter::place<ir::ThreadIndex>, &Emitter::place<ir::BlockIndex>,
                               &Emitter::place<ir::BlockDimension>,
                               &Emitter::place<ir::GridDimension>};

Leaf place(Evaluation& at, Place which, uint8_t axis) {
  return (at.code().*kPlaces[static_cast<size_t>(which)])(axis);
}

// Computed in uint32, given to Python as a builtin int: a grid has fewer than 2**31 threads along
// an axis.
Value builtin_int(Evaluation& at, Leaf leaf) {
  return at.number(typing::kInt, at.code().convert(leaf, Scalar::Int32), true);
}

Value position(Evaluation& at, uint8_t axis) {
  Leaf block = place(at, Place::BlockIndex, axis), size = place(at, Place::BlockDimension, axis);
  Leaf before = at.code().binary<ir::Mul>(block, size);
  return builtin_int(at, at.code().binary<ir::Add>(before, place(at, Place::ThreadIndex, axis)));
}

Value extent(Evaluation& at, uint8_t axis) {
  Leaf blocks = place(at, Place::GridDimension, axis),
       size = place(at, Place::BlockDimension, axis);
  return builtin_int(at, at.code().binary<ir::Mul>(blocks, size));
}

Value per_axis(Evaluation& at, const Builtin& self, const Value& count,
               Value (*of)(Evaluation&, uint8_t)) {
  std::optional<typing::Integer> axes = typing::integer_literal(count.type);
  if (!axes)
    return typing::not_constant(at, count, "the number of axes", quoted(self),
                                "write 1, 2 or 3, or a global");
  if (*axes < 1 || *axes > 3)
    return at
        .error(Code::AxisCount, {quoted(self), typing::to_text(typing::Literal{*axes})}, {&count})
        .report();
  if (*axes == 1) return of(at, 0);
  std::vector<Value> values;
  for (uint8_t axis = 0; axis < *axes; ++axis) values.push_back(of(at, axis));
  return typing::made_of<TupleType>(values);
}

Value place_value(Evaluation& at, const Builtin& self, uint8_t axis) {
  Leaf leaf = place(at, static_cast<Place>(self.detail), axis);
  return at.number({Scalar::UInt32, false}, leaf);
}

}  // namespace

Value thread_position(Evaluation& at, const Builtin& self, const Values& values) {
  return per_axis(at, self, values[0], position);
}

Value grid_extent(Evaluation& at, const Builtin& self, const Values& values) {
  return per_axis(at, self, values[0], extent);
}

Value clock_counter(Evaluation& at, const Builtin&, const Values&) {
  return at.number({Scalar::Int64, false}, at.code().clock());
}

Value place_vector(Evaluation& at, const Builtin& self) {
  std::vector<Value> lanes;
  for (uint8_t axis = 0; axis < 3; ++axis) lanes.push_back(place_value(at, self, axis));
  return typing::vector_of({Scalar::UInt32, 3}, lanes);
}

// One axis asks for that axis alone.
Value place_attribute(Evaluation& at, const Builtin& self, std::string_view name) {
  constexpr std::string_view kAxes = "xyz";
  if (name.size() == 1 && kAxes.find(name[0]) != std::string_view::npos)
    return place_value(at, self, static_cast<uint8_t>(kAxes.find(name[0])));
  return typing::vector_attribute(at, place_vector(at, self), std::string(name));
}

Value place_item(Evaluation& at, const Builtin& self, const Value& index) {
  std::optional<typing::Integer> axis = typing::integer_literal(index.type);
  if (!axis || *axis < -3 || *axis > 2) return typing::item_at(at, place_vector(at, self), index);
  return place_value(at, self, static_cast<uint8_t>(*axis < 0 ? *axis + 3 : *axis));
}

}  // namespace hetjit::builtins
