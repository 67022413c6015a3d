// What the rewriting rules share. Private to compiler/passes.
#pragma once

#include "compiler/ir/edit.h"
#include "compiler/passes/value_ranges.h"

namespace hetjit::passes {

/// A rule looks at one op, with `result` the value it makes, and answers with a value that is equal
/// to it and cheaper; nullopt: it has found nothing. It may also change the op in place.
struct Simplifier {
  ir::Editor& at;
  const ValueRanges& ranges;
  const std::vector<uint32_t>& uses;  // as they were before the pass; of new values: none
  int depth = 0;                      // of values rewritten for the sake of one

  /// Simplifies the op before adding it, so that rules may build on each other.
  ValueId emit(ir::Op op, TypeId type);
  ValueId emit_int(TypeId type, uint64_t bits) { return at.number(bits, type); }
  template <class UnaryOp>
  ValueId emit_unary(ValueId a, TypeId type) {
    UnaryOp op;
    op.in = {a};
    return emit(op, type);
  }
  template <class BinaryOp>
  ValueId emit_binary(ValueId a, ValueId b, TypeId type) {
    BinaryOp op;
    op.in = {a, b};
    return emit(op, type);
  }

  Scalar scalar(ValueId id) const { return type(at.type_of(id)).scalar; }
  bool is_constant(ValueId id) const;
  /// Is it this integer (as bits of its type), or this float with this sign of zero?
  bool is_int(ValueId id, uint64_t bits) const;
  bool is_all_ones(ValueId id) const;
  bool is_float(ValueId id, double value) const;
  /// Is the integer, where it stands, always a number of this type?
  bool is_within(ValueId id, Scalar limits) const { return numbers_of(limits).holds(interval(id)); }
  Interval interval(ValueId id) const {
    ValueId original = at.original(id);
    return original.valid() ? ranges.interval(original, at.block()) : numbers_of(scalar(id));
  }
  bool is_nonnegative(ValueId id) const { return is_within(id, Scalar::UInt64); }
};

using Same = std::optional<ValueId>;

Same simplify(Simplifier& with, ir::Convert& op, TypeId result);

// Rules that need to know how large numbers can be (simplify_ranges.cpp).
Same divide_unsigned(Simplifier& with, const ir::FloorDiv& op, TypeId result);
Same divide_unsigned(Simplifier& with, const ir::Mod& op, TypeId result);
Same shift_narrow(Simplifier& with, const ir::ShiftRight& op, TypeId result);
Same compare_known(Simplifier& with, const ir::Compare& op, TypeId result);
Same compare_narrow(Simplifier& with, const ir::Compare& op, TypeId result);
Same choose_narrow(Simplifier& with, const ir::Select& op, TypeId result);
Same choose_nonzero(Simplifier& with, const ir::Select& op, TypeId result);

/// The remainder of a number that is at most one period away (simplify_periods.cpp).
Same choose_period(Simplifier& with, const ir::Mod& op, TypeId result);

/// What is computed or compared in 64 bits and fits 32 (simplify_narrow.cpp).
Same narrow_value(Simplifier& with, const ir::Inst& inst);

/// The 32-bit type that has both numbers, if there is one.
std::optional<Scalar> common_narrow(const Simplifier& with, ValueId a, ValueId b);

}  // namespace hetjit::passes
