#include "compiler/typing/kinds/narrow_results.h"

#include <algorithm>

#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/number_uses.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

using ssa::BinaryKind;

struct Interval {
  Integer least, greatest;
};
Interval of_values(std::initializer_list<Integer> values) {
  return {std::min(values), std::max(values)};
}

constexpr int kDeepest = 8;        // operations that are looked through
constexpr Integer kFarthest = 32;  // places that a shift counts for: more leave no narrow number

/// An integer that is no constant, of a format with fewer bits than Python's int has.
const NumberType* narrow_number(const Instance& instance, ValueId id) {
  const NumberType* number = instance.type_of(id).as<NumberType>();
  const bool narrow = number && !number->literal && !number->mask &&
                      is_integer(number->number.scalar) && number->number.scalar != Scalar::Bool &&
                      info(number->number.scalar).bits < info(kInt.scalar).bits;
  return narrow ? number : nullptr;
}

std::optional<Interval> beyond(const Instance& instance, const ssa::Binary& op, int depth);

/// Where a number lies, as it is: one that may have wrapped round is anything that its format has.
std::optional<Interval> numbers_of(const Instance& instance, ValueId id, int depth) {
  if (std::optional<Integer> literal = integer_literal(instance.type_of(id)))
    return Interval{*literal, *literal};
  const NumberType* number = instance.type_of(id).as<NumberType>();
  if (!number || !is_integer(number->number.scalar)) return std::nullopt;
  const Interval whole{number->nonnegative ? 0 : least(number->number.scalar),
                       greatest(number->number.scalar)};
  const ssa::Inst* inst = maker_of(instance, id);
  const auto* binary = inst ? std::get_if<ssa::Binary>(&inst->op) : nullptr;
  const std::optional<Interval> made =
      binary && depth < kDeepest ? beyond(instance, *binary, depth + 1) : std::nullopt;
  const bool fits = made && made->least >= whole.least && made->greatest <= whole.greatest;
  return fits ? made : whole;
}

std::optional<Interval> shifted(Interval a, Interval count, BinaryKind kind) {
  if (count.least < 0) return std::nullopt;
  const auto less = static_cast<int>(std::min(count.least, kFarthest)),
             more = static_cast<int>(std::min(count.greatest, kFarthest));
  if (kind == BinaryKind::RightShift)
    return of_values({a.least >> less, a.least >> more, a.greatest >> less, a.greatest >> more});
  const Integer one = 1;
  return of_values({a.least * (one << less), a.least * (one << more), a.greatest * (one << less),
                    a.greatest * (one << more)});
}

/// Where Python's result lies, which has all the bits that it needs.
std::optional<Interval> beyond(const Instance& instance, const ssa::Binary& op, int depth) {
  const std::optional<Interval> x = numbers_of(instance, op.in[0], depth),
                                y = numbers_of(instance, op.in[1], depth);
  if (!x || !y) return std::nullopt;
  const Interval a = *x, b = *y;
  switch (op.kind) {
    case BinaryKind::Add:
      return Interval{a.least + b.least, a.greatest + b.greatest};
    case BinaryKind::Subtract:
      return Interval{a.least - b.greatest, a.greatest - b.least};
    case BinaryKind::Multiply:
      return of_values(
          {a.least * b.least, a.least * b.greatest, a.greatest * b.least, a.greatest * b.greatest});
    case BinaryKind::LeftShift:
    case BinaryKind::RightShift:
      return shifted(a, b, op.kind);
    case BinaryKind::And:
      if (a.least < 0 && b.least < 0) return std::nullopt;
      return Interval{0, a.least < 0   ? b.greatest
                         : b.least < 0 ? a.greatest
                                       : std::min(a.greatest, b.greatest)};
    case BinaryKind::FloorDivide:
      if (a.least < 0 || b.least < 1) return std::nullopt;
      return Interval{a.least / b.greatest, a.greatest / b.least};
    case BinaryKind::Remainder:
      return b.least < 1 ? std::nullopt : std::optional(Interval{0, b.greatest - 1});
    default:
      return std::nullopt;
  }
}

/// Shifts whose count no format of the number has bits for.
bool leaves_nothing(const Instance& instance, const ssa::Inst& inst) {
  const auto* op = std::get_if<ssa::Binary>(&inst.op);
  const NumberType* made = op && op->kind == BinaryKind::LeftShift
                               ? instance.type_of(inst.result).as<NumberType>()
                               : nullptr;
  const std::optional<Integer> count =
      op ? integer_literal(instance.type_of(op->in[1])) : std::nullopt;
  return made && !made->literal && count && is_integer(made->number.scalar) &&
         *count >= info(made->number.scalar).bits;
}

bool hands_bits_on(BinaryKind kind) {
  constexpr BinaryKind kAll[] = {BinaryKind::Add,       BinaryKind::Subtract, BinaryKind::Multiply,
                                 BinaryKind::LeftShift, BinaryKind::Or,       BinaryKind::Xor};
  return std::ranges::count(kAll, kind) != 0;
}

/// May Python's result be beyond the format of the narrow number that this is?
bool may_wrap(const Instance& instance, const ssa::Binary& op, ValueId id) {
  const Scalar format = narrow_number(instance, id)->number.scalar;
  const bool sums =
      hands_bits_on(op.kind) && op.kind != BinaryKind::Or && op.kind != BinaryKind::Xor;
  const std::optional<Interval> made = sums ? beyond(instance, op, 0) : std::nullopt;
  return made && (made->least < least(format) || made->greatest > greatest(format));
}

/// The operation by which a narrow number is another than Python's; null: there is none, as far as
/// can be seen.
const ssa::Inst* wraps(const Instance& instance, ValueId id) {
  auto look = [&](const ssa::Inst& inst, std::vector<ValueId>& waiting) -> const ssa::Inst* {
    if (leaves_nothing(instance, inst)) return nullptr;  // which is said of it
    if (const auto* unary = std::get_if<ssa::Unary>(&inst.op)) {
      const Scalar format = narrow_number(instance, inst.result)->number.scalar;
      return unary->kind == ssa::UnaryKind::Negative && is_unsigned(format) ? &inst : nullptr;
    }
    const auto* binary = std::get_if<ssa::Binary>(&inst.op);
    if (!binary || !hands_bits_on(binary->kind)) return nullptr;
    if (may_wrap(instance, *binary, inst.result)) return &inst;
    waiting.insert(waiting.end(), binary->in.begin(), binary->in.end());
    return nullptr;
  };
  return find_behind(
      instance, id, [&](ValueId next) { return narrow_number(instance, next) != nullptr; }, look);
}

/// Of such an operation, those in it that are the first to wrap round.
std::vector<const ssa::Inst*> first_to_wrap(const Instance& instance, const ssa::Inst& found) {
  std::vector<const ssa::Inst*> all;
  for (ValueId operand : ssa::operands(found.op)) {
    const ssa::Inst* inst =
        narrow_number(instance, operand) ? maker_of(instance, operand) : nullptr;
    const auto* binary = inst ? std::get_if<ssa::Binary>(&inst->op) : nullptr;
    if (!binary || !may_wrap(instance, *binary, operand)) continue;
    const std::vector<const ssa::Inst*> inner = first_to_wrap(instance, *inst);
    all.insert(all.end(), inner.begin(), inner.end());
  }
  return all.empty() ? std::vector{&found} : all;
}

/// Uses in which a number shows that has wrapped round.
class Uses {
 public:
  explicit Uses(Evaluation& at)
      : at_(at), instance_(at.instance()), told_(instance_.values.size()) {}

  void look_at(const ssa::Inst& inst) {
    inst_ = &inst;
    if (leaves_nothing(instance_, inst)) warn_of_shift(std::get<ssa::Binary>(inst.op));
    std::visit([this](const auto& op) { uses(op); }, inst.op);
  }

 private:
  template <class Op>
  void uses(const Op&) {}
  void uses(const ssa::GetItem& op) { index(op.in[0], op.in[1]); }
  void uses(const ssa::SetItem& op) {
    index(op.in[0], op.in[1]);
    if (auto format = format_of_elements(instance_, op.in[0])) becomes(op.in[2], *format);
  }

  void uses(const ssa::Binary& op) {
    const NumberType* made = instance_.type_of(inst_->result).as<NumberType>();
    if (!made) return;
    for (ValueId operand : op.in) becomes(operand, made->number.scalar);
    if (op.kind == BinaryKind::FloorDivide || op.kind == BinaryKind::Remainder)
      shows(op.in[0], "is divided");
    if (op.kind == BinaryKind::RightShift) shows(op.in[0], "is shifted right");
  }

  void uses(const ssa::Call& op) {
    const TypeValue& callee = instance_.type_of(op.in[0]);
    if (!callee.holds<BuiltinType>() && !callee.holds<TypeObject>()) return;
    const std::string order(ordering(callee));
    const NumberType* made = instance_.type_of(inst_->result).as<NumberType>();
    for (size_t i = 1; i < op.in.size(); ++i) {
      if (!order.empty()) shows(op.in[i], "goes to " + order + "()");
      if (made) becomes(op.in[i], made->number.scalar);
    }
  }

  void index(ValueId whole, ValueId index) {
    for (ValueId number : numbers_of_index(instance_, whole, index)) shows(number, "is an index");
  }

  void becomes(ValueId id, Scalar wider) {
    const NumberType* number = narrow_number(instance_, id);
    if (number && (is_floating(wider) || is_complex(wider) ||
                   info(wider).bits > info(number->number.scalar).bits))
      shows(id, "becomes " + name_of(Number{wider, false}));
  }

  // Few functions have such numbers: only those are followed.
  void shows(ValueId id, const std::string& how) {
    if (!narrow_number(instance_, id)) return;
    const ssa::Inst* found = wraps(instance_, id);
    if (!found || told_[found->result.index]) return;
    told_[found->result.index] = true;
    const Source& source = at_.whole().source_of(instance_);
    const Span where = ssa::span_of(at_.function(), found->where);
    const std::string text = text_at(source, where);
    at_.enter(*found);
    Diagnostics::Builder warning = at_.error(
        Code::NarrowResult,
        {text.empty() ? "it" : "'" + text + "'", name_of(instance_.type_of(found->result)), how});
    widen(warning, *found);
    warning.report();
    at_.enter(*inst_);
  }

  /// One operand of 32 bits makes the whole so.
  void widen(Diagnostics::Builder& warning, const ssa::Inst& found) {
    std::vector<Span> places;
    for (const ssa::Inst* one : first_to_wrap(instance_, found))
      if (const Span place = to_widen(*one); place.known()) places.push_back(place);
    if (places.empty()) return;
    note_weak(warning, *first_to_wrap(instance_, found).front());
    const std::string text = text_at(at_.whole().source_of(instance_), places[0]);
    warning.help("compute it in 32 bits: device.int32(" + text + ")" +
                 (places.size() > 1 ? " and so on" : ""));
    for (const Span& place : places) warning.enclose(place, "device.int32(", ")");
  }
  /// Who has written int(x) beside it meant to widen it.
  void note_weak(Diagnostics::Builder& warning, const ssa::Inst& inst) const {
    for (ValueId operand : ssa::operands(inst.op)) {
      const NumberType* number = instance_.type_of(operand).as<NumberType>();
      if (!number || !number->number.weak || number->literal) continue;
      const Source& source = at_.whole().source_of(instance_);
      const std::string text = text_at(source, operand_span(instance_, source, inst, operand));
      if (text.empty()) continue;
      warning.note("'" + text + "' is a Python number: it takes the format of the other one");
      return;
    }
  }
  Span to_widen(const ssa::Inst& inst) const {
    const auto* binary = std::get_if<ssa::Binary>(&inst.op);
    const Source& source = at_.whole().source_of(instance_);
    for (ValueId operand : ssa::operands(inst.op)) {
      const bool target = binary && binary->in_place && operand == binary->in[0];
      if (target || !narrow_number(instance_, operand)) continue;
      const Span where = operand_span(instance_, source, inst, operand);
      if (!text_at(source, where).empty()) return where;
    }
    return {};
  }

  void warn_of_shift(const ssa::Binary& op) {
    const NumberType& made = *instance_.type_of(inst_->result).as<NumberType>();
    const std::string bits = std::to_string(info(made.number.scalar).bits);
    Diagnostics::Builder warning = at_.error(
        Code::ShiftedOut, {to_text(Literal{*integer_literal(instance_.type_of(op.in[1]))}),
                           name_of(instance_.type_of(inst_->result)), bits});
    if (narrow_number(instance_, op.in[0])) widen(warning, *inst_);
    warning.report();
  }

  Evaluation& at_;
  const Instance& instance_;
  std::vector<bool> told_;  // by value: of the operation that makes it
  const ssa::Inst* inst_ = nullptr;
};

}  // namespace

void warn_of_narrow_results(Evaluation& at) {
  const Instance& instance = at.instance();
  Uses uses(at);
  for (uint32_t block : instance.flow->blocks_in_order) {
    if (!instance.live_blocks[block]) continue;
    for (const ssa::Inst& inst : instance.code->blocks[block].insts) {
      at.enter(inst);
      uses.look_at(inst);
    }
  }
}

}  // namespace hetjit::typing
