#include "compiler/typing/kinds/bounded_numbers.h"

#include <algorithm>

#include "compiler/builtins/registry.h"
#include "compiler/typing/kinds/number_uses.h"

namespace hetjit::typing {
namespace {

using ssa::BinaryKind;

constexpr int kDeepest = 8;  // operations of one expression that are looked through
constexpr Integer kGreatest = INT32_MAX;
constexpr Integer kTooMuch = Integer{1} << 40;  // no sum or product of two such leaves Integer

template <class Op>
const Op* made_by(const Instance& instance, ValueId id) {
  const ssa::Inst* inst = maker_of(instance, id);
  return inst ? std::get_if<Op>(&inst->op) : nullptr;
}

std::string_view function_of(const Instance& instance, const ssa::Call& call) {
  const BuiltinType* builtin = instance.type_of(call.in[0]).as<BuiltinType>();
  return builtin ? std::string_view(builtin->builtin->name) : "";
}

/// A positive constant that an int of 32 bits holds.
bool is_bound(const Instance& instance, ValueId id) {
  const NumberType* number = instance.type_of(id).as<NumberType>();
  if (!number || !number->literal || is_complex(number->number.scalar)) return false;
  const double value = as_double(*number->literal);
  return value > 0 && value <= 2147483648.0;
}

/// The same number, or an element that is read again.
bool is_same(const Instance& instance, ValueId a, ValueId b) {
  if (a == b) return true;
  const std::optional<Integer> one = integer_literal(instance.type_of(a)),
                               other = integer_literal(instance.type_of(b));
  if (one || other) return one == other;
  const auto *read = made_by<ssa::GetItem>(instance, a),
             *again = made_by<ssa::GetItem>(instance, b);
  return read && again && is_same(instance, read->in[0], again->in[0]) &&
         is_same(instance, read->in[1], again->in[1]);
}

bool is_size_of(const Instance& instance, ValueId id, ValueId number) {
  constexpr std::string_view kSizes[] = {"builtins.abs", "math.fabs", "numpy.abs", "numpy.fabs",
                                         "numpy.absolute"};
  const auto* call = made_by<ssa::Call>(instance, id);
  return call && call->in.size() == 2 && is_same(instance, call->in[1], number) &&
         std::ranges::count(kSizes, function_of(instance, *call));
}

bool orders(ssa::CompareKind kind) {
  return kind != ssa::CompareKind::Eq && kind != ssa::CompareKind::Ne;
}

/// Whether the function has a comparison by size of an operand that `is`, with one that `bounds`.
template <class Is, class Bounds>
bool is_compared(const Instance& instance, Is is, Bounds bounds) {
  for (const ssa::Block& block : instance.code->blocks)
    for (const ssa::Inst& inst : block.insts)
      if (const auto* compare = std::get_if<ssa::Compare>(&inst.op);
          compare && orders(compare->kind))
        for (size_t side : {0, 1})
          if (is(compare->in[side]) && bounds(compare->in[1 - side])) return true;
  return false;
}

bool is_least_of_bound(const Instance& instance, ValueId number) {
  constexpr std::string_view kLeast[] = {"builtins.min", "numpy.minimum", "numpy.fmin",
                                         "numpy.clip", "hetjit.device.min"};
  const auto* call = made_by<ssa::Call>(instance, number);
  return call && std::ranges::count(kLeast, function_of(instance, *call)) &&
         std::any_of(call->in.begin() + 1, call->in.end(),
                     [&](ValueId operand) { return is_bound(instance, operand); });
}

struct Turns {
  Integer count = 0, greatest = 0;  // greatest: the size of what it counts
};

/// Of an iterator of range() of literals.
std::optional<Turns> turns_of(const Instance& instance, ValueId iterator) {
  const auto* iter = made_by<ssa::Iter>(instance, iterator);
  const auto* call = iter ? made_by<ssa::Call>(instance, iter->in[0]) : nullptr;
  if (!call || function_of(instance, *call) != "builtins.range") return std::nullopt;
  Integer parts[3] = {0, 0, 1};
  const size_t given = call->in.size() - 1;
  for (size_t i = 0; i < given; ++i) {
    const std::optional<Integer> part = integer_literal(instance.type_of(call->in[i + 1]));
    if (!part || *part > kGreatest || *part < -kGreatest) return std::nullopt;
    parts[given == 1 ? 1 : i] = *part;
  }
  const auto [start, stop, step] = parts;
  if (step == 0) return std::nullopt;
  const Integer distance = step > 0 ? stop - start : start - stop, size = step > 0 ? step : -step;
  const Integer count = distance > 0 ? (distance + size - 1) / size : 0;
  return Turns{count, std::max({start, -start, stop, -stop})};
}

/// The greatest size that an expression can have of what loops of known length count.
std::optional<Integer> greatest_of(const Instance& instance, ValueId id, int depth = 0) {
  if (std::optional<Integer> literal = integer_literal(instance.type_of(id)))
    return *literal < 0 ? -*literal : *literal;
  if (depth == kDeepest) return std::nullopt;
  if (const auto* item = made_by<ssa::IterItem>(instance, id)) {
    const std::optional<Turns> turns = turns_of(instance, item->in[0]);
    return turns ? std::optional(turns->greatest) : std::nullopt;
  }
  const auto* binary = made_by<ssa::Binary>(instance, id);
  if (!binary) return std::nullopt;
  const std::optional<Integer> a = greatest_of(instance, binary->in[0], depth + 1),
                               b = greatest_of(instance, binary->in[1], depth + 1);
  if (!a || !b || *a > kTooMuch || *b > kTooMuch) return std::nullopt;
  if (binary->kind == BinaryKind::Multiply) return *a * *b;
  if (binary->kind == BinaryKind::Power && *b == 2) return *a * *a;
  const bool sum = binary->kind == BinaryKind::Add || binary->kind == BinaryKind::Subtract;
  return sum ? std::optional(*a + *b) : std::nullopt;
}

/// What it is before the loop: a literal. nullopt: another loop carries it, or it is known late.
std::optional<Integer> begins_at(const Instance& instance, ValueId param) {
  std::vector<ValueId> brought;
  add_brought(instance, param, brought);
  std::optional<Integer> begins;
  for (ValueId one : brought) {
    if (std::optional<Integer> literal = integer_literal(instance.type_of(one)))
      begins = std::max(begins.value_or(0), *literal < 0 ? -*literal : *literal);
    else if (!maker_of(instance, one))
      return std::nullopt;
  }
  return begins;
}

std::optional<Turns> turns_around(const Instance& instance, ValueId param) {
  const uint32_t block = instance.flow->defined[param.index].first;
  for (const ssa::Inst& inst : instance.code->blocks[block].insts)
    if (const auto* has = std::get_if<ssa::IterHas>(&inst.op))
      return turns_of(instance, has->in[0]);
  return std::nullopt;
}

/// `deep`: blocks that have handed the number on.
bool is_held(const Instance& instance, ValueId number, int deep) {
  if (is_bound(instance, number) || is_least_of_bound(instance, number)) return true;
  const bool compared = is_compared(
      instance,
      [&](ValueId one) {
        return is_same(instance, one, number) || is_size_of(instance, one, number);
      },
      [&](ValueId bound) { return is_bound(instance, bound); });
  if (compared || maker_of(instance, number) || deep == kDeepest) return compared;
  std::vector<ValueId> brought;
  if (instance.flow->defined[number.index].first) add_brought(instance, number, brought);
  return !brought.empty() && std::ranges::all_of(brought, [&](ValueId one) {
    return is_held(instance, one, deep + 1);
  });
}

}  // namespace

bool is_held_below(const Instance& instance, ValueId number) {
  return is_held(instance, number, 0);
}

bool is_ordered(const Instance& instance, ValueId number) {
  return is_compared(
      instance, [&](ValueId one) { return one == number; },
      [&](ValueId bound) {
        const NumberType* type = instance.type_of(bound).as<NumberType>();
        return type && is_integer(type->number.scalar) && info(type->number.scalar).bits <= 32;
      });
}

bool stays_small(const Instance& instance, ValueId param, BinaryKind kind, ValueId other) {
  const std::optional<Turns> turns = turns_around(instance, param);
  const std::optional<Integer> begins = begins_at(instance, param),
                               step = greatest_of(instance, other);
  if (!turns || !begins || !step || *begins > kGreatest || *step > kGreatest) return false;
  if (kind != BinaryKind::Multiply) return *begins + turns->count * *step <= kGreatest;
  Integer size = *begins;
  for (Integer i = 0; i < turns->count && size && *step > 1; ++i)
    if ((size *= *step) > kGreatest) return false;
  return true;
}

}  // namespace hetjit::typing
