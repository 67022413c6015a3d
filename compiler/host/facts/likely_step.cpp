// The step that an index has but at the ends: `max(i - 1, 0)`, `(i + 1) % n`, x[i - 1] of an i that
// may be 0. Nothing relies on it: the code asks at run time.
#include <algorithm>

#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/shape.h"

namespace hetjit::host {

struct LikelyStep {
  using Step = std::optional<int64_t>;
  const Shapes& shapes;
  uint32_t block;
  bool at_ends = false;  // is it known at the first lane and the last whether it is so?
  int depth = 0;

  Step of(ValueId id) const {
    Shape shape = shapes.of(id, block);
    if (shape.spread == Spread::Uniform || shape.spread == Spread::Affine) return shape.stride;
    if (shape.spread == Spread::Unknown || depth == kStepDepth) return std::nullopt;
    LikelyStep next{shapes, block, at_ends, depth + 1};
    const ir::Op* op = shapes.definitions_.of(id);
    if (op) return std::visit(next, *op);
    return at_ends ? std::nullopt : next.of_param(id);
  }

  template <class Op>
  requires(!(Op::info.knowledge & ir::Stepped)) Step operator()(const Op&) const {
    return std::nullopt;
  }
  Step operator()(const ir::WrapIndex& op) const { return of(op.in[0]); }
  Step operator()(const ir::Select& op) const {
    // What all lanes choose alike is no end: whole launches may.
    const bool alike = shapes.of(op.in[0], block).spread == Spread::Uniform;
    if (at_ends && (alike || !asks_for_place(op.in[0]))) return std::nullopt;
    return either(of(op.in[1]), of(op.in[2]));
  }
  Step operator()(const ir::Convert& op) const {
    TypeId from = shapes.function_.type_of(op.in[0]);
    return is_scalar(from) && is_integer(type(from).scalar) ? of(op.in[0]) : std::nullopt;
  }
  Step operator()(const ir::Add& op) const { return sum(op.in[0], op.in[1], 1); }
  Step operator()(const ir::Sub& op) const { return sum(op.in[0], op.in[1], -1); }
  // Of a short period most warps would see an end.
  Step operator()(const ir::Mod& op) const {
    auto* number = shapes.definitions_.made_by<ir::ConstInt>(op.in[1]);
    bool is_short = number && number->bits < static_cast<uint64_t>(kWidestWarp);
    return !is_short && shapes.of(op.in[1], block) == kUniform ? of(op.in[0]) : std::nullopt;
  }

  Step sum(ValueId a, ValueId b, int64_t sign) const {
    Step left = of(a), right = of(b);
    return left && right ? Step(*left + sign * *right) : std::nullopt;
  }
  // By comparisons of numbers that step.
  bool asks_for_place(ValueId condition) const {
    if (shapes.of(condition, block).spread == Spread::Uniform) return true;
    const ir::Op* op = shapes.definitions_.of(condition);
    if (!op || depth == kStepDepth) return false;
    const LikelyStep next{shapes, block, at_ends, depth + 1};
    if (auto* compare = std::get_if<ir::Compare>(op))
      return is_integer(type(shapes.function_.type_of(compare->in[0])).scalar) &&
             next.of(compare->in[0]) && next.of(compare->in[1]);
    if (auto* inverted = std::get_if<ir::BitNot>(op)) return next.asks_for_place(inverted->in[0]);
    const auto* both = std::get_if<ir::BitAnd>(op);
    const auto* either = std::get_if<ir::BitOr>(op);
    if (!both && !either) return false;
    return std::ranges::all_of(both ? both->in : either->in,
                               [&](ValueId part) { return next.asks_for_place(part); });
  }
  // What is the same for all lanes is the end.
  static Step either(Step a, Step b) {
    if (!a || !b || a == b || *b == 0) return a && b ? a : std::nullopt;
    return *a == 0 ? b : std::nullopt;
  }
  // Where ways meet; one that comes round a loop says nothing.
  Step of_param(ValueId id) const {
    uint32_t home = shapes.home(id);
    const std::vector<ValueId>& params = shapes.function_.blocks[home].params;
    Step all;
    bool first = true;
    for (const ir::Incoming& in : shapes.incoming_[home]) {
      if (shapes.place_[in.from] >= shapes.place_[home]) return std::nullopt;
      for (size_t i = 0; i < params.size(); ++i)
        if (params[i] == id) all = first ? of(in.edge->args[i]) : either(all, of(in.edge->args[i]));
      first = false;
      if (!all) return std::nullopt;
    }
    return all;
  }
};

bool Shapes::is_row_between_ends(ValueId address) const {
  const auto* element = definitions_.made_by<ir::ElementAddress>(address);
  const uint32_t block = home(address);
  const auto row = element ? row_of(*element, block) : std::nullopt;
  if (!row || !row->known || of(address).spread != Spread::Varying) return false;
  const std::optional<int64_t> step = LikelyStep{*this, block, true}.of(row->index);
  return step && is_near(*step);
}

std::optional<int64_t> Shapes::likely_step(ValueId id, uint32_t at) const {
  return LikelyStep{*this, at}.of(id);
}

std::optional<int64_t> Shapes::likely_apart(ValueId address) const {
  const auto* element = definitions_.made_by<ir::ElementAddress>(address);
  const auto row = element ? row_of(*element, home(address)) : std::nullopt;
  return row && row->known ? likely_step(row->index, home(address)) : std::nullopt;
}

bool Shapes::counts_from_end(ValueId address) const {
  const auto* element = definitions_.made_by<ir::ElementAddress>(address);
  const auto row = element ? row_of(*element, home(address)) : std::nullopt;
  const auto* wrap = row ? definitions_.made_by<ir::WrapIndex>(row->index) : nullptr;
  return wrap && of(wrap->in[0], home(address)).spread == Spread::Affine;
}

bool Shapes::likely_neighbours(ValueId address) const {
  const auto* element = definitions_.made_by<ir::ElementAddress>(address);
  const auto row = element ? row_of(*element, home(address)) : std::nullopt;
  return row && likely_step(row->index, home(address)).has_value();
}

}  // namespace hetjit::host
