// The step that an index has but at the ends: `max(i - 1, 0)`, `(i + 1) % n`, x[i - 1] of an i that
// may be 0. Nothing relies on it: the code asks at run time.
#include "compiler/host/facts/costs.h"
#include "compiler/host/facts/shape.h"

namespace hetjit::host {

struct LikelyStep {
  using Step = std::optional<int64_t>;
  const Shapes& shapes;
  uint32_t block;
  int depth = 0;

  Step of(ValueId id) const {
    Shape shape = shapes.of(id, block);
    if (shape.spread == Spread::Uniform || shape.spread == Spread::Affine) return shape.stride;
    if (shape.spread == Spread::Unknown || depth == kStepDepth) return std::nullopt;
    LikelyStep next{shapes, block, depth + 1};
    const ir::Op* op = shapes.definitions_.of(id);
    return op ? std::visit(next, *op) : next.of_param(id);
  }

  template <class Op>
  requires(!(Op::info.knowledge & ir::Stepped)) Step operator()(const Op&) const {
    return std::nullopt;
  }
  Step operator()(const ir::WrapIndex& op) const { return of(op.in[0]); }
  Step operator()(const ir::Select& op) const { return either(of(op.in[1]), of(op.in[2])); }
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

std::optional<int64_t> Shapes::likely_step(ValueId id, uint32_t at) const {
  return LikelyStep{*this, at}.of(id);
}

bool Shapes::likely_neighbours(ValueId address) const {
  const auto* element = definitions_.made_by<ir::ElementAddress>(address);
  const auto row = element ? row_of(*element, home(address)) : std::nullopt;
  return row && likely_step(row->index, home(address)).has_value();
}

}  // namespace hetjit::host
