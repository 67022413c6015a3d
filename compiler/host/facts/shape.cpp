#include "compiler/host/facts/shape.h"

#include <cstdlib>
#include <set>

#include "abi/layout.h"

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

namespace {

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
    if (op.axis == 0) return shapes.view_ == View::Linear ? kVarying : affine(1);
    return shapes.view_ == View::Row ? kUniform : kVarying;
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
  Shape operator()(const ir::Select& op) const {
    if (at(op.in[0]) != kUniform) return general(op);
    return join(at(op.in[1]), at(op.in[2]));
  }
  Shape operator()(const ir::Load& op) const {
    Shape plain = at(op.in[0]);
    return plain.spread == Spread::Affine ? kVarying : plain;
  }
  // Neighbouring elements of a contiguous array are neighbours in memory.
  Shape operator()(const ir::ElementAddress& op) const {
    Shape plain = general(op);
    const Type& array = type(function.type_of(op.in[0]));
    if (plain != kVarying || array.facts.order != Order::Contiguous) return plain;
    for (size_t i = 0; i + 1 < op.in.size(); ++i)
      if (at(op.in[i]) != kUniform) return kVarying;
    Shape last = at(op.in.back());
    if (last.spread != Spread::Affine) return kVarying;
    return affine(last.stride * static_cast<int64_t>(layout(array.element).stride()));
  }

  Shape operator()(const ir::FieldAddress& op) const { return at(op.in[0]); }
  Shape operator()(const ir::MoveAddress& op) const {
    Shape plain = general(op);
    return plain == kVarying ? combine(at(op.in[0]), at(op.in[1]), 1) : plain;
  }

  // ---- threads together

  bool of_warp() const { return shapes.view_ != View::Block; }
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
    bool there = shapes.view_ == View::Row || (lane && lane->bits == 0);
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
  Shape scaled(ValueId id, uint64_t bits) const {
    Shape shape = at(id);
    if (shape.spread != Spread::Affine) return shape;
    unsigned unused = 64 - info(type(result).scalar).bits;
    int64_t value = static_cast<int64_t>(bits << unused) >> unused;
    if (std::abs(value) > kFarthestStride) return kVarying;
    return affine(shape.stride * value);
  }
};

int64_t local_stride(const ir::LocalMemory& op) {
  return (int64_t{op.bytes} + op.align - 1) / op.align * op.align;
}

Shapes::Shapes(const ir::Function& function, const Structure& structure, View view)
    : function_(function),
      structure_(structure),
      view_(view),
      ranges_(function),
      definitions_(function),
      incoming_(ir::incoming(function, structure.reverse_post_order())),
      shapes_(function.types.size()),
      diverges_(function.blocks.size()),
      meets_(function.blocks.size()),
      apart_(structure.loops().size()),
      place_(function.blocks.size()) {
  for (uint32_t i = 0; i < structure.reverse_post_order().size(); ++i)
    place_[structure.reverse_post_order()[i]] = i;
  for (ValueId argument : function.blocks[0].params) shapes_[argument.index] = kUniform;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t block : structure.reverse_post_order()) changed |= visit(block);
  }
}

Shape Shapes::of(ValueId id, uint32_t at) const {
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

bool Shapes::raise(ValueId id, Shape shape) {
  Shape joined = join(shapes_[id.index], shape);
  bool changed = joined != shapes_[id.index];
  shapes_[id.index] = joined;
  return changed;
}

bool Shapes::visit_params(uint32_t block) {
  bool changed = false;
  const std::vector<ValueId>& params = function_.blocks[block].params;
  for (size_t i = 0; block != 0 && i < params.size(); ++i) {
    bool all_same = true;
    for (const ir::Incoming& in : incoming_[block]) {
      changed |= raise(params[i], of(in.edge->args[i], block));  // lanes may have left apart
      all_same &= in.edge->args[i] == incoming_[block][0].edge->args[i];
    }
    if (meets_[block] && !all_same) changed |= raise(params[i], kVarying);
  }
  return changed;
}

bool Shapes::visit(uint32_t block) {
  bool changed = visit_params(block);
  for (const ir::Inst& inst : function_.blocks[block].insts)
    if (inst.result.valid()) {
      ShapeRules rules{*this, function_, block, function_.type_of(inst.result)};
      changed |= raise(inst.result, std::visit(rules, inst.op));
    }
  const ir::Branch* branch = std::get_if<ir::Branch>(&function_.blocks[block].insts.back().op);
  if (!branch || diverges_[block]) return changed;
  Spread spread = of(branch->in[0], block).spread;
  if (spread == Spread::Unknown || spread == Spread::Uniform) return changed;
  diverges_[block] = true;
  part(block);
  return true;
}

// Each way out of the block colours what it reaches; a block that two colours reach is where lanes
// meet, and gives its own colour to what follows. A loop that lanes go on in while others have left
// it is one whose header has another colour than one of its exits.
void Shapes::part(uint32_t block) {
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> colour(function_.blocks.size(), kNone);
  std::set<uint32_t> work;  // places in the order: a block waits for all that lead to it
  const std::vector<uint32_t>& order = structure_.reverse_post_order();
  auto paint = [&](uint32_t to, uint32_t with) {
    if (colour[to] == with || colour[to] == to) return;
    if (colour[to] != kNone) {
      meets_[to] = true;
      with = to;
    }
    colour[to] = with;
    if (to != block) work.insert(place_[to]);
  };
  auto edges_of = [&](uint32_t from) { return ir::edges(function_.blocks[from].insts.back().op); };
  // Colours of the two ways: the numbers of two edges, beyond those of blocks.
  uint32_t ways = static_cast<uint32_t>(function_.blocks.size());
  auto start = edges_of(block);
  for (size_t i = 0; i < start.size(); ++i) paint(start[i]->to.index, ways + uint32_t(i));
  while (!work.empty()) {
    uint32_t from = order[*work.begin()];
    work.erase(work.begin());
    for (const ir::Edge* edge : edges_of(from)) paint(edge->to.index, colour[from]);
  }
  for (size_t i = 0; i < structure_.loops().size(); ++i)
    if (structure_.loops()[i]->holds(block))
      apart_[i] = apart_[i] || leaves_by(*structure_.loops()[i], block, colour);
}

// Does an edge out of the loop have another colour than its header?
bool Shapes::leaves_by(const Loop& loop, uint32_t block,
                       const std::vector<uint32_t>& colour) const {
  for (uint32_t from : structure_.reverse_post_order()) {
    if (!loop.holds(from)) continue;
    auto edges = ir::edges(function_.blocks[from].insts.back().op);
    for (size_t way = 0; way < edges.size(); ++way) {
      if (loop.holds(edges[way]->to.index)) continue;
      uint32_t own = static_cast<uint32_t>(colour.size() + way);
      uint32_t with = from == block ? own : colour[from];
      if (with != UINT32_MAX && with != colour[loop.header]) return true;
    }
  }
  return false;
}

}  // namespace hetjit::host
