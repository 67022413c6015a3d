#include "compiler/host/facts/periods.h"

#include <bit>

#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/costs.h"

namespace hetjit::host {
namespace {

struct Division {
  const ir::Function& function;
  const Shapes& shapes;
  uint32_t block;
  unsigned width;
  using Found = std::optional<Period>;

  template <class Op>
  Found operator()(const Op&) const {
    return std::nullopt;
  }
  Found operator()(const ir::FloorDiv& op) const { return made(op, Period::By::Number, false); }
  Found operator()(const ir::Mod& op) const { return made(op, Period::By::Number, true); }
  Found operator()(const ir::ShiftRight& op) const { return made(op, Period::By::Shift, false); }
  // What a mask that is no `d - 1` leaves is something else.
  Found operator()(const ir::BitAnd& op) const {
    const bool is_rest = constant(op.in[1]) || is_one_less(op.in[1]);
    return is_rest ? made(op, Period::By::Mask, true) : std::nullopt;
  }

  template <class Op>
  Found made(const Op& op, Period::By how, bool rest) const {
    if (!may_step_far(function.type_of(op.in[0])) || shapes.of(op.in[1], block) != kUniform)
      return std::nullopt;
    const std::optional<ValueId> number = stepping(op.in[0]);
    if (!number || shapes.of(*number, block).stride <= 0 || !is_far(op.in[1], how))
      return std::nullopt;
    return Period{*number, op.in[1], how, rest};
  }
  // One that was made wider is asked where it is narrow: it may begin anew there.
  std::optional<ValueId> stepping(ValueId id) const {
    const auto* convert = shapes.definitions().made_by<ir::Convert>(id);
    if (convert && may_step_far(function.type_of(convert->in[0])) &&
        bits(convert->in[0]) < bits(id))
      id = convert->in[0];
    return shapes.of(id, block).spread == Spread::Affine ? std::optional(id) : std::nullopt;
  }
  unsigned bits(ValueId id) const { return info(type(function.type_of(id)).scalar).bits; }
  const ir::ConstInt* constant(ValueId id) const {
    return shapes.definitions().made_by<ir::ConstInt>(id);
  }
  bool is_one_less(ValueId id) const {
    const auto* less = shapes.definitions().made_by<ir::Sub>(id);
    const ir::ConstInt* one = less ? constant(less->in[1]) : nullptr;
    return one && one->bits == 1;
  }
  /// May many warps lie between two multiples of it? Not where it is short, and not where it is no
  /// positive number of a type with a sign, which the code asks for.
  bool is_far(ValueId by, Period::By how) const {
    const ir::ConstInt* made = constant(by);
    if (!made) return true;
    const uint64_t most = (uint64_t{1} << (bits(by) - 1)) - 1;
    const uint64_t number = constant_period(made->bits, how);
    return number >= uint64_t{kFewestInPeriod} * width && number <= most;
  }
  /// 0: there is none.
  static uint64_t constant_period(uint64_t by, Period::By how) {
    if (how == Period::By::Shift) return by < 64 ? uint64_t{1} << by : 0;
    if (how == Period::By::Mask) return std::has_single_bit(by + 1) ? by + 1 : 0;
    return by;
  }
};

}  // namespace

std::optional<Period> period_of(const ir::Function& function, const Shapes& shapes,
                                const ir::Op& op, uint32_t block, unsigned width) {
  return std::visit(Division{function, shapes, block, width}, op);
}

bool divides(const ir::Function& function) {
  return any_op(function, [](const ir::Op& op) {
    return std::holds_alternative<ir::FloorDiv>(op) || std::holds_alternative<ir::Mod>(op) ||
           std::holds_alternative<ir::ShiftRight>(op) || std::holds_alternative<ir::BitAnd>(op);
  });
}

bool gains_neighbours(const ir::Function& function, const Shapes& before, const Shapes& shapes) {
  for (const ir::Block& block : function.blocks)
    for (const ir::Inst& inst : block.insts) {
      if (!ir::info(inst.op).access) continue;
      const ValueId address = ir::operands(inst.op)[0];
      if (before.of(address).spread == Spread::Varying &&
          shapes.of(address).spread != Spread::Varying)
        return true;
    }
  return false;
}

}  // namespace hetjit::host
