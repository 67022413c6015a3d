#include "compiler/host/facts/shape.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/head.h"
#include "compiler/host/facts/periods.h"

namespace hetjit::host {

Shape affine(int64_t stride) {
  if (stride == 0) return kUniform;
  return std::abs(stride) <= kFarthestStride ? Shape{Spread::Affine, stride} : kVarying;
}

Shape join(Shape a, Shape b) {
  if (a.spread == Spread::Unknown) return b;
  if (b.spread == Spread::Unknown || a == b) return a;
  return kVarying;
}

bool is_near(int64_t step) { return step != 0 && std::abs(step) <= kMostApart; }

bool may_step_far(TypeId id) {
  return is_scalar(id) && is_integer(type(id).scalar) &&
         info(type(id).scalar).bits >= info(Scalar::Int32).bits;
}

namespace {

constexpr int kFactorBits = 16;  // more lanes than that there never are
constexpr int64_t kFactorLimit = int64_t{1} << kFactorBits;

bool is_counted(TypeId id) { return is_scalar(id) && is_integer(type(id).scalar); }

Shape combine(Shape a, Shape b, int64_t sign) {
  if (a.spread == Spread::Varying || b.spread == Spread::Varying) return kVarying;
  return affine(a.stride + sign * b.stride);
}

}  // namespace

/// How the result of an op spreads: what its facts say, or a rule of its own, which may also know
/// of steps.
struct ShapeRules {
  const Shapes& shapes;
  const ir::Function& function;
  uint32_t block;
  TypeId result;

  Shape at(ValueId id) const { return shapes.of(id, block); }

  template <class Op>
  Shape general(const Op& op) const {
    Shape all = kUniform;
    for (ValueId id : op.in) {
      Shape shape = at(id);
      if (shape.spread == Spread::Unknown) return shape;
      if (shape != kUniform) all = kVarying;
    }
    return all;
  }
  template <class Op>
  requires(Op::info.gives != ir::Gives::ByRule) Shape operator()(const Op& op) const {
    constexpr ir::Gives kGives = Op::info.gives;
    if constexpr (kGives == ir::Gives::Follows) return general(op);
    bool same = kGives == ir::Gives::PerBlock || (kGives == ir::Gives::PerWarp && of_warp());
    return same ? kUniform : kVarying;
  }

  Shape operator()(const ir::ThreadIndex& op) const {
    if (op.axis == 0) return shapes.lanes_.view == View::Linear ? kVarying : affine(1);
    return shapes.lanes_.view == View::Row ? kUniform : kVarying;
  }
  Shape operator()(const ir::Add& op) const { return sum(op, 1); }
  Shape operator()(const ir::Sub& op) const { return sum(op, -1); }
  template <class Op>
  Shape sum(const Op& op, int64_t sign) const {
    Shape plain = general(op);
    if (plain != kVarying || !is_counted(result)) return plain;
    return combine(at(op.in[0]), at(op.in[1]), sign);
  }
  Shape operator()(const ir::Neg& op) const {
    Shape plain = general(op);
    if (plain != kVarying || !is_counted(result)) return plain;
    return combine(kUniform, at(op.in[0]), -1);
  }
  Shape operator()(const ir::Mul& op) const {
    Shape plain = general(op);
    if (plain != kVarying || !is_counted(result)) return plain;
    for (int i = 0; i < 2; ++i)
      if (const ir::ConstInt* factor = constant(op.in[i]))
        return scaled(op.in[1 - i], factor->bits);
    return kVarying;
  }
  Shape operator()(const ir::ShiftLeft& op) const {
    Shape plain = general(op);
    const ir::ConstInt* count = constant(op.in[1]);
    if (plain != kVarying || !is_counted(result) || !count || count->bits > 16) return plain;
    return scaled(op.in[0], uint64_t{1} << count->bits);
  }
  // Lanes keep their distance when the wider type shows no lane's number beyond the narrower one's
  // end: neither an active lane's nor that of lane 0, which stands for them all.
  Shape operator()(const ir::Convert& op) const {
    Shape plain = general(op), from = at(op.in[0]);
    TypeId type = function.type_of(op.in[0]);
    if (plain != kVarying || from.spread != Spread::Affine || !is_counted(result)) return plain;
    if (info(hetjit::type(type).scalar).bits >= info(hetjit::type(result).scalar).bits) return from;
    passes::Interval interval = shapes.ranges_.interval(op.in[0], {block});
    passes::Wide reach = kWidestWarp * std::abs(from.stride);
    passes::Wide end = passes::Wide{1} << (info(hetjit::type(type).scalar).bits - 1);
    bool fits = from.stride > 0 ? interval.lo - reach >= -end && interval.hi < end
                                : interval.lo >= -end && interval.hi + reach < end;
    return fits ? from : kVarying;
  }
  // `t // 32`, `t >> 5` and `t & ~31` are the same for lanes between two multiples of 32, and
  // `t % 32` and `t & 31` step as t does.
  Shape operator()(const ir::FloorDiv& op) const {
    return between_multiples(op.in[0], number(op.in[1])) ? kUniform : general(op);
  }
  Shape operator()(const ir::ShiftRight& op) const {
    const int64_t count = number(op.in[1]);
    const bool near = count >= 0 && count <= kFactorBits;
    return near && between_multiples(op.in[0], int64_t{1} << count) ? kUniform : general(op);
  }
  Shape operator()(const ir::Mod& op) const {
    return between_multiples(op.in[0], number(op.in[1])) ? at(op.in[0]) : general(op);
  }
  Shape operator()(const ir::BitAnd& op) const {
    for (int i = 0; i < 2; ++i) {
      const int64_t mask = number(op.in[1 - i]);
      if (mask > kFactorLimit || mask < -kFactorLimit) continue;
      if (mask >= 0 && between_multiples(op.in[i], mask + 1)) return at(op.in[i]);
      if (mask < 0 && between_multiples(op.in[i], -mask)) return kUniform;
    }
    return general(op);
  }

  Shape operator()(const ir::Select& op) const {
    if (at(op.in[0]) != kUniform) return general(op);
    return join(at(op.in[1]), at(op.in[2]));
  }
  Shape operator()(const ir::Load& op) const {
    Shape plain = at(op.in[0]);
    return plain.spread == Spread::Affine ? kVarying : plain;
  }
  // Elements lie evenly apart where indices do, along axes of which it is known how far.
  Shape operator()(const ir::ElementAddress& op) const {
    Shape plain = general(op);
    if (plain != kVarying || at(op.in[0]) != kUniform) return plain;
    const Type& array = type(function.type_of(op.in[0]));
    int64_t elements = 0;
    for (uint8_t axis = 0; axis < array.rank; ++axis) {
      const Shape index = at(op.in[1u + axis]);
      if (index == kUniform) continue;
      const std::optional<int64_t> pitch = shapes.pitch(op.in[0], axis);
      if (index.spread == Spread::Varying || !pitch) return kVarying;
      elements += index.stride * *pitch;
    }
    if (elements == 0) return kVarying;  // lane 0's indices alone may make another sum
    return affine(elements * static_cast<int64_t>(layout(array.element).stride()));
  }

  Shape operator()(const ir::FieldAddress& op) const { return at(op.in[0]); }
  Shape operator()(const ir::MoveAddress& op) const {
    Shape plain = general(op);
    return plain == kVarying ? combine(at(op.in[0]), at(op.in[1]), 1) : plain;
  }

  // ---- threads together

  bool of_warp() const { return shapes.lanes_.view != View::Block; }
  Shape operator()(const ir::LaneIndex&) const { return of_warp() ? affine(1) : kVarying; }
  // Each thread's own.
  Shape operator()(const ir::LocalMemory& op) const {
    return of_warp() ? affine(local_stride(op)) : kVarying;
  }
  // The lanes read one place at one time; warps at different ones.
  Shape operator()(const ir::AtomicLoad& op) const {
    Shape plain = at(op.in[0]);
    return plain.spread == Spread::Affine || !of_warp() ? kVarying : plain;
  }
  // The same for all lanes that take part, whatever they have given.
  template <class Op>
  Shape agreed(const Op& op) const {
    Shape mask = at(op.in[0]);
    return of_warp() && mask == kUniform ? kUniform : kVarying;
  }
  Shape operator()(const ir::Vote& op) const { return agreed(op); }
  Shape operator()(const ir::Ballot& op) const { return agreed(op); }
  Shape operator()(const ir::Match& op) const {
    return op.kind == ir::MatchKind::All ? agreed(op) : kVarying;
  }
  // A row has all lanes, and every warp its first one; of others it is not known whether they are
  // there, and whoever asks one that is not keeps his own.
  Shape operator()(const ir::Shuffle& op) const {
    const ir::ConstInt* lane = constant(op.in[2]);
    bool there = shapes.lanes_.view == View::Row || (lane && lane->bits == 0);
    bool one = op.kind == ir::ShuffleKind::Index && at(op.in[2]) == kUniform && there;
    return of_warp() && (one || at(op.in[1]) == kUniform) ? kUniform : kVarying;
  }
  Shape operator()(const ir::Take& op) const {
    if (!of_warp() || op.spread == ir::KeptSpread::Varying) return kVarying;
    return affine(static_cast<int32_t>(op.stride));
  }

  const ir::ConstInt* constant(ValueId id) const {
    return shapes.definitions_.made_by<ir::ConstInt>(id);
  }
  /// A constant integer of the result's type; 0 of what is none.
  int64_t number(ValueId id) const {
    const ir::ConstInt* made = constant(id);
    return made && is_counted(result) ? widened(made->bits) : 0;
  }
  int64_t widened(uint64_t bits) const {
    unsigned unused = 64 - info(type(result).scalar).bits;
    return static_cast<int64_t>(bits << unused) >> unused;
  }
  // A power of two that divides lane 0's number leaves room for the lanes above it.
  bool between_multiples(ValueId id, int64_t of) const {
    Shape shape = at(id);
    if (of <= 0 || of > kFactorLimit || !std::has_single_bit(static_cast<uint64_t>(of)))
      return false;
    if (shape.spread != Spread::Affine || shape.stride < 0 || !is_counted(result)) return false;
    if (shapes.lanes_.view == View::Block) return false;
    return std::min(of, shapes.factor(id, kStepDepth)) > shape.stride * (shapes.lanes_.width - 1);
  }
  Shape scaled(ValueId id, uint64_t bits) const {
    Shape shape = at(id);
    if (shape.spread != Spread::Affine) return shape;
    int64_t value = widened(bits);
    if (std::abs(value) > kFarthestStride) return kVarying;
    return affine(shape.stride * value);
  }
};

/// A power of two, up to kFactorLimit, that divides lane 0's number, as far as its making shows.
struct Factor {
  const Shapes& shapes;
  int depth;

  template <class Op>
  requires(!(Op::info.knowledge & ir::Divided)) int64_t operator()(const Op&) const { return 1; }
  int64_t operator()(const ir::ConstInt& op) const {
    return int64_t{1} << std::min<int>(std::countr_zero(op.bits), kFactorBits);
  }
  int64_t operator()(const ir::LaneIndex&) const { return kFactorLimit; }
  int64_t operator()(const ir::ThreadIndex& op) const {
    const Lanes& lanes = shapes.lanes_;
    return op.axis == 0 && lanes.view == View::Row && !lanes.anywhere ? lanes.width : 1;
  }
  int64_t operator()(const ir::BlockDimension& op) const {
    return op.axis == 0 ? shapes.lanes_.extent_factor : 1;
  }
  int64_t operator()(const ir::Add& op) const { return std::min(of(op.in[0]), of(op.in[1])); }
  int64_t operator()(const ir::Sub& op) const { return std::min(of(op.in[0]), of(op.in[1])); }
  int64_t operator()(const ir::Mul& op) const {
    return std::min(of(op.in[0]) * of(op.in[1]), kFactorLimit);
  }
  int64_t operator()(const ir::Convert& op) const {
    return is_counted(shapes.function_.type_of(op.in[0])) ? of(op.in[0]) : 1;
  }

  int64_t of(ValueId id) const { return shapes.factor(id, depth - 1); }
};

std::optional<int64_t> Shapes::pitch(ValueId array, uint8_t axis) const {
  if (auto stride = ir::known_stride(function_, definitions_, array, axis))
    return std::abs(*stride) <= kFarthestStride ? stride : std::nullopt;
  const std::vector<ValueId>& params = function_.blocks[0].params;
  const auto parameter = static_cast<uint32_t>(std::ranges::find(params, array) - params.begin());
  return known_pitch(lanes_.extents, parameter, type(function_.type_of(array)), axis);
}

std::optional<uint8_t> Shapes::unit_axis(ValueId array) const {
  for (uint8_t axis = type(function_.type_of(array)).rank; axis-- > 0;)
    if (pitch(array, axis) == 1) return axis;
  return std::nullopt;
}

std::optional<Row> Shapes::row_of(const ir::ElementAddress& element, uint32_t at) const {
  std::optional<Row> found;
  for (size_t i = 0; i < element.in.size(); ++i) {
    if (of(element.in[i], at) == kUniform) continue;
    if (i == 0 || found) return std::nullopt;
    found = Row{static_cast<uint8_t>(i - 1), element.in[i]};
  }
  if (!found) return std::nullopt;
  const std::optional<int64_t> known = pitch(element.in[0], found->axis);
  found->known = known == 1;
  return found->known || (!known && may_have_rows(element.in[0])) ? found : std::nullopt;
}

// Of one axis with a stride of 1 a launch knows that it is in C order.
bool Shapes::may_have_rows(ValueId array) const {
  const Type& it = type(function_.type_of(array));
  const std::vector<ValueId>& params = function_.blocks[0].params;
  const bool of_launch = std::ranges::find(params, array) != params.end();
  return it.facts.order == Order::Strided && (it.rank > 1 || !of_launch);
}

int64_t Shapes::factor(ValueId id, int depth) const {
  const ir::Op* op = definitions_.of(id);
  if (lanes_.of_grid && ir::axis_of_place(definitions_, id) == 0)
    return lanes_.anywhere ? 1 : lanes_.width;
  return op && depth > 0 ? std::visit(Factor{*this, depth}, *op) : 1;
}

int64_t local_stride(const ir::LocalMemory& op) {
  return (int64_t{op.bytes} + op.align - 1) / op.align * op.align;
}

Shapes::Shapes(const ir::Function& function, const Structure& structure, Lanes lanes)
    : function_(function),
      structure_(structure),
      lanes_(lanes),
      ranges_(function),
      definitions_(function),
      incoming_(ir::incoming(function, structure.reverse_post_order())),
      shapes_(function.types.size()),
      diverges_(function.blocks.size()),
      meets_(function.blocks.size()),
      apart_(structure.loops().size()),
      place_(function.blocks.size()),
      head_(function.blocks.size()),
      asks_for_period_(function.types.size()),
      is_rest_(function.types.size()) {
  head_[0] = lanes.in_one_period;
  for (uint32_t i = 0; i < structure.in_loop_order().size(); ++i)
    place_[structure.in_loop_order()[i]] = i;
  for (ValueId argument : function.blocks[0].params) shapes_[argument.index] = kUniform;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t block : structure.reverse_post_order()) changed |= visit(block);
  }
}

bool Shapes::is_constant(ValueId id) const {
  return definitions_.made_by<ir::ConstInt>(id) || definitions_.made_by<ir::ConstFloat>(id);
}

Shape Shapes::of(ValueId id, uint32_t at) const {
  if (is_constant(id)) return shapes_[id.index];
  for (const Loop* loop = structure_.loop_of(home(id)); loop && !loop->holds(at);
       loop = loop->parent)
    if (leaves_apart(loop) && shapes_[id.index].spread != Spread::Unknown) return kVarying;
  return shapes_[id.index];
}

bool Shapes::leaves_apart(const Loop* loop) const {
  for (size_t i = 0; i < apart_.size(); ++i)
    if (structure_.loops()[i].get() == loop) return apart_[i];
  return false;
}

bool Shapes::leaves_in_steps(const Loop& loop) const {
  const std::vector<ir::Inst>& head = function_.blocks[loop.header].insts;
  if (!ends_at_head(function_, loop) || !leaves_apart(&loop) || !diverges(loop.header))
    return false;
  const auto* branch = std::get_if<ir::Branch>(&head.back().op);
  for (size_t i = 0; i + 1 < head.size(); ++i)  // what is asked may be asked again
    if (ir::info(head[i].op).effects != ir::Pure) return false;
  const auto* end = definitions_.made_by<ir::Compare>(branch->in[0]);
  return end && std::ranges::all_of(end->in, [&](ValueId id) {
           return !loop.holds(home(id)) || of(id, loop.header).spread <= Spread::Affine;
         });
}

bool Shapes::raise(ValueId id, Shape shape) {
  Shape joined = join(shapes_[id.index], shape);
  bool changed = joined != shapes_[id.index];
  shapes_[id.index] = joined;
  return changed;
}

/// Does the parameter get different values by edges on which lanes of different ways come?
bool Shapes::differ(uint32_t block, size_t param) const {
  return std::ranges::any_of(meets_[block], [&](const Meeting& meeting) {
    return std::ranges::any_of(meeting.by, [&](const ByEdge& one) {
      return std::ranges::any_of(meeting.by, [&](const ByEdge& other) {
        return one.way != other.way && one.edge->args[param] != other.edge->args[param];
      });
    });
  });
}

bool Shapes::visit_params(uint32_t block) {
  bool changed = false;
  const std::vector<ValueId>& params = function_.blocks[block].params;
  for (size_t i = 0; block != 0 && i < params.size(); ++i) {
    for (const ir::Incoming& in : incoming_[block])
      changed |= raise(params[i], of(in.edge->args[i], block));  // lanes may have left apart
    if (differ(block, i)) changed |= raise(params[i], kVarying);
  }
  return changed;
}

bool Shapes::visit(uint32_t block) {
  bool changed = visit_params(block), in_head = head_[block];
  for (const ir::Inst& inst : function_.blocks[block].insts) {
    in_head = in_head && !writes(inst.op);
    if (inst.result.valid()) {
      ShapeRules rules{*this, function_, block, function_.type_of(inst.result)};
      Shape shape = std::visit(rules, inst.op);
      if (lanes_.in_one_period) shape = in_one_period(inst, block, shape, in_head);
      changed |= raise(inst.result, shape);
    }
  }
  if (head_[block]) go_on(block);
  const ir::Branch* branch = std::get_if<ir::Branch>(&function_.blocks[block].insts.back().op);
  if (!branch || diverges_[block]) return changed;
  Spread spread = of(branch->in[0], block).spread;
  if (spread == Spread::Unknown || spread == Spread::Uniform) return changed;
  part(block);
  return true;
}

/// What more is known of lanes of one period. A rest is not negative and begins nowhere anew, so it
/// is the same number in another type, and no index that counts from the end.
Shape Shapes::in_one_period(const ir::Inst& inst, uint32_t block, Shape plain, bool in_head) {
  auto follow = [&](ValueId number) {
    if (!is_rest_[number.index]) return plain;
    is_rest_[inst.result.index] = true;
    return of(number, block);
  };
  const TypeId result = function_.type_of(inst.result);
  if (const auto* wrap = std::get_if<ir::WrapIndex>(&inst.op)) return follow(wrap->in[0]);
  if (const auto* convert = std::get_if<ir::Convert>(&inst.op)) {
    const TypeId before = function_.type_of(convert->in[0]);
    const bool keeps = is_counted(before) && is_counted(result) &&
                       info(type(result).scalar).bits >= info(type(before).scalar).bits;
    return keeps ? follow(convert->in[0]) : plain;
  }
  if (plain != kVarying || !in_head) return plain;
  const std::optional<Period> period = period_of(function_, *this, inst.op, block, lanes_.width);
  if (!period) return plain;
  asks_for_period_[inst.result.index] = true;
  is_rest_[inst.result.index] = period->rest;
  return period->rest ? of(period->number, block) : kUniform;
}

/// Blocks of the head have no way back, and those before them have been visited: no shape that
/// this depends on changes any more.
void Shapes::go_on(uint32_t block) {
  const std::optional<uint32_t> next = next_of_head(function_, structure_, *this, block);
  if (next && incoming_[*next].size() == 1) head_[*next] = true;
}

void Shapes::part(uint32_t block) {
  diverges_[block] = true;
  Parting parting = part_lanes(function_, structure_, block);
  for (const Meeting& meeting : parting.meetings) meets_[meeting.block].push_back(meeting);
  for (size_t i = 0; i < apart_.size(); ++i)
    apart_[i] = apart_[i] || std::ranges::count(parting.apart, structure_.loops()[i].get());
}

}  // namespace hetjit::host
