#include "compiler/host/facts/periods.h"

#include <algorithm>
#include <bit>

#include "compiler/host/facts/any_op.h"
#include "compiler/host/facts/costs.h"

namespace hetjit::host {
namespace {

/// What an operation leaves of its first operand, taken apart by its second.
struct Form {
  Period::By how;
  bool rest;
};

std::optional<Form> form_of(const ir::Op& op) {
  if (std::holds_alternative<ir::FloorDiv>(op)) return Form{Period::By::Number, false};
  if (std::holds_alternative<ir::Mod>(op)) return Form{Period::By::Number, true};
  if (std::holds_alternative<ir::ShiftRight>(op)) return Form{Period::By::Shift, false};
  if (std::holds_alternative<ir::BitAnd>(op)) return Form{Period::By::Mask, true};
  return std::nullopt;
}

struct Division {
  const ir::Function& function;
  const Shapes& shapes;
  uint32_t block;
  unsigned width;

  std::optional<Period> made(ValueId divided, ValueId by, Form form) const {
    if (!may_step_far(function.type_of(divided)) || shapes.of(by, block) != kUniform)
      return std::nullopt;
    // What a mask that is no `d - 1` leaves is something else.
    if (form.how == Period::By::Mask && !constant(by) && !is_one_less(by)) return std::nullopt;
    const std::optional<ValueId> number = stepping(divided);
    if (!number || shapes.of(*number, block).stride <= 0 || !is_far(by, form.how))
      return std::nullopt;
    return Period{*number, by, form.how, form.rest};
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

bool gains_neighbours(const ir::Block& block, const Shapes& before, const Shapes& shapes) {
  return std::ranges::any_of(block.insts, [&](const ir::Inst& inst) {
    if (!ir::info(inst.op).access) return false;
    const ValueId address = ir::operands(inst.op)[0];
    if (before.of(address).spread != Spread::Varying) return false;
    return shapes.of(address).spread != Spread::Varying ||
           (shapes.is_row_between_ends(address) && !before.likely_neighbours(address));
  });
}

}  // namespace

std::optional<Period> period_of(const ir::Function& function, const Shapes& shapes,
                                const ir::Op& op, uint32_t block, unsigned width) {
  const std::optional<Form> form = form_of(op);
  if (!form) return std::nullopt;
  const std::span<const ValueId> in = ir::operands(op);
  return Division{function, shapes, block, width}.made(in[0], in[1], *form);
}

bool divides(const ir::Function& function) { return any_op(function, form_of); }

bool gains_neighbours(const ir::Function& function, const Shapes& before, const Shapes& shapes) {
  return std::ranges::any_of(function.blocks, [&](const ir::Block& block) {
    return gains_neighbours(block, before, shapes);
  });
}

bool goes_in_parts(const ir::Function& function, const Structure& structure, const Shapes& before,
                   const Shapes& shapes) {
  if (structure.loops().empty()) return true;
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    if (structure.loop_of(block) && gains_neighbours(function.blocks[block], before, shapes))
      return true;
  return false;
}

}  // namespace hetjit::host
