#include "compiler/typing/kinds/unsigned_differences.h"

#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/first_thread.h"
#include "compiler/typing/kinds/number_uses.h"
#include "compiler/typing/kinds/operators.h"

namespace hetjit::typing {
namespace {

using ssa::BinaryKind;
using ssa::CompareKind;

const NumberType* number_type(const Instance& instance, ValueId id) {
  return instance.type_of(id).as<NumberType>();
}

bool is_unsigned_variable(const Instance& instance, ValueId id) {
  const NumberType* number = number_type(instance, id);
  return number && !number->literal && !number->mask && is_unsigned(number->number.scalar);
}

/// Python's result may be negative because this operand may be.
bool may_be_negative(const Instance& instance, ValueId id) {
  const NumberType* number = number_type(instance, id);
  return number && is_signed_integer(number->number.scalar) && !is_nonnegative(*number);
}

/// The operation by which an unsigned number is less than 0 where it does not wrap round; null:
/// there is none, as far as can be seen.
const ssa::Inst* below_zero(const Instance& instance, ValueId id) {
  auto look = [&](const ssa::Inst& inst, std::vector<ValueId>& waiting) -> const ssa::Inst* {
    const auto* unary = std::get_if<ssa::Unary>(&inst.op);
    if (unary) return unary->kind == ssa::UnaryKind::Negative ? &inst : nullptr;
    const auto* binary = std::get_if<ssa::Binary>(&inst.op);
    if (!binary) return nullptr;
    const bool is_zero = binary->in[0] == binary->in[1];  // a - a, as generic code makes one
    if (binary->kind == BinaryKind::Subtract) return is_zero ? nullptr : &inst;
    if (binary->kind != BinaryKind::Add && binary->kind != BinaryKind::Multiply) return nullptr;
    for (ValueId operand : binary->in)
      if (may_be_negative(instance, operand)) return &inst;
    waiting.insert(waiting.end(), binary->in.begin(), binary->in.end());
    return nullptr;
  };
  return find_behind(
      instance, id, [&](ValueId next) { return is_unsigned_variable(instance, next); }, look);
}

std::string signed_type(const NumberType& number) {
  return info(number.number.scalar).bits == 64 ? "device.int64" : "int";
}

/// What an operand of `inst` is written as; empty where it is not written there.
std::string operand_text(Evaluation& at, const ssa::Inst& inst, ValueId operand) {
  const Source& source = at.whole().source_of(at.instance());
  return text_at(source, operand_span(at.instance(), source, inst, operand));
}

/// The same, converted to a signed format where it has none.
std::string with_sign(Evaluation& at, const ssa::Inst& inst, ValueId operand) {
  const Instance& instance = at.instance();
  std::string text = operand_text(at, inst, operand);
  if (text.empty()) text = local_name(instance, operand);
  const NumberType* number = number_type(instance, operand);
  if (text.empty() && number && number->literal) text = to_text(*number->literal);
  if (text.empty() || !is_unsigned_variable(instance, operand)) return text;
  return signed_type(*number) + "(" + text + ")";
}

// The same as a change of the source.
void add_sign(Evaluation& at, Diagnostics::Builder& warning, const ssa::Inst& inst,
              ValueId operand) {
  const Instance& instance = at.instance();
  const Source& source = at.whole().source_of(instance);
  warning.enclose(operand_span(instance, source, inst, operand),
                  signed_type(*number_type(instance, operand)) + "(", ")");
}

std::string signed_form(Evaluation& at, const ssa::Inst& inst) {
  std::string otherwise = "convert to a signed number first, where it is made: int(x)";
  const auto* binary = std::get_if<ssa::Binary>(&inst.op);
  if (binary && binary->in_place) return otherwise;
  std::string text;
  for (ValueId operand : ssa::operands(inst.op)) {
    std::string part = with_sign(at, inst, operand);
    if (part.empty()) return otherwise;
    text += (text.empty() ? "" : " " + std::string(symbol(binary->kind)) + " ") + part;
  }
  return "compute it with a sign: " + (binary ? text : "-" + text);
}

void explain_difference(Evaluation& at, Diagnostics::Builder& warning, const ssa::Inst& inst,
                        const std::string& also = "") {
  Span where = ssa::span_of(at.function(), inst.where);
  if (where.known()) warning.label(where, "this wraps round below 0");
  warning.help(signed_form(at, inst) + also);
  const auto* binary = std::get_if<ssa::Binary>(&inst.op);
  for (ValueId operand : ssa::operands(inst.op))
    if ((!binary || !binary->in_place) && is_unsigned_variable(at.instance(), operand))
      add_sign(at, warning, inst, operand);
  warning.report();
}

/// Whether `unsigned op 0` is always true or always false; nullopt: neither.
std::optional<bool> decided(CompareKind kind) {
  if (kind == CompareKind::Ge) return true;
  if (kind == CompareKind::Lt) return false;
  return std::nullopt;
}

constexpr CompareKind kTurned[] = {CompareKind::Gt, CompareKind::Ge, CompareKind::Eq,
                                   CompareKind::Ne, CompareKind::Lt, CompareKind::Le};

void review(Evaluation& at, const ssa::Compare& op) {
  const Instance& instance = at.instance();
  ValueId left = op.in[0], right = op.in[1];
  CompareKind kind = op.kind;
  if (!is_unsigned_variable(instance, left)) {
    std::swap(left, right);
    kind = kTurned[static_cast<size_t>(kind)];
  }
  std::optional<bool> always = decided(kind);
  if (!always || !is_unsigned_variable(instance, left)) return;
  if (integer_literal(instance.type_of(right)) != Integer{0}) return;
  const ssa::Inst* difference = below_zero(instance, left);
  if (!difference) return;
  std::string type = name_of(instance.type_of(left));
  Diagnostics::Builder warning =
      at.error(Code::DecidedComparison,
               {std::string(symbol(kind)) + " 0", *always ? "true" : "false", type});
  explain_difference(at, warning, *difference);
}

/// x of abs(x), max(x, 0) or min(0, x), where x is unsigned; none: the call is another.
ValueId decided_operand(const Instance& instance, const ssa::Call& op) {
  const std::string_view name = ordering(instance.type_of(op.in[0]));
  const size_t operands = name == "abs" ? 1 : name == "min" || name == "max" ? 2 : 0;
  if (!operands || op.in.size() != operands + 1 || !op.keywords.empty() || !op.spread.empty())
    return {};
  auto is_zero = [&](ValueId id) { return integer_literal(instance.type_of(id)) == Integer{0}; };
  const ValueId number = op.in[operands == 2 && is_zero(op.in[1]) ? 2 : 1];
  const bool decided = operands == 1 || is_zero(op.in[1]) || is_zero(op.in[2]);
  return decided && is_unsigned_variable(instance, number) ? number : ValueId{};
}

/// abs(x) and max(x, 0), which are x, and min(x, 0), which is 0.
void review(Evaluation& at, const ssa::Inst& inst, const ssa::Call& op) {
  const Instance& instance = at.instance();
  const ValueId number = decided_operand(instance, op);
  const ssa::Inst* difference = number.valid() ? below_zero(instance, number) : nullptr;
  if (!difference) return;
  const std::string_view name = ordering(instance.type_of(op.in[0]));
  const std::string text = operand_text(at, inst, number);
  Diagnostics::Builder warning =
      at.error(Code::DecidedComparison, {std::string(name) + (name == "abs" ? "(…)" : "(…, 0)"),
                                         name == "min"  ? "0"
                                         : text.empty() ? "its argument"
                                                        : text,
                                         name_of(instance.type_of(number))});
  explain_difference(at, warning, *difference);
}

/// Uses in which a number that has wrapped round shows: others, as sums, the shifts of hashes and
/// stores to an array of its format, may be meant modulo 2^n.
class Uses {
 public:
  explicit Uses(Evaluation& at) : at_(at), instance_(at.instance()) {}

  void look_at(const ssa::Inst& inst, uint32_t block) {
    inst_ = &inst;
    block_ = block;
    std::visit([this](const auto& op) { uses(op); }, inst.op);
  }

 private:
  template <class Op>
  void uses(const Op&) {}
  void uses(const ssa::GetItem& op) { index(op.in[0], op.in[1]); }
  void uses(const ssa::SetItem& op) {
    index(op.in[0], op.in[1]);
    const std::optional<Scalar> format = format_of_elements(instance_, op.in[0]);
    const bool wide = format && (hetjit::is_floating(*format) || info(*format).bits == 64);
    if (wide) shows(op.in[2]);
  }

  void uses(const ssa::Binary& op) {
    const bool floating = is_floating(number_of(inst_->result));
    const bool first = op.kind == BinaryKind::FloorDivide ||
                       (op.kind == BinaryKind::Remainder && !is_power_of_two(op.in[1]));
    if (first || floating) shows(op.in[0]);
    if (floating) shows(op.in[1]);
  }

  void uses(const ssa::Call& op) {
    const TypeValue& callee = instance_.type_of(op.in[0]);
    const bool named = callee.holds<BuiltinType>(), orders = !ordering(callee).empty();
    const NumberType* made = number_of(inst_->result);
    if (decided_operand(instance_, op).valid()) return;  // which is warned of, whatever the thread
    const bool computes = callee.holds<TypeObject>() || named;
    const bool widens =
        computes && made && (is_floating(made) || (!named && info(made->number.scalar).bits == 64));
    for (size_t i = 1; (orders || widens) && i < op.in.size(); ++i) shows(op.in[i]);
  }

  void index(ValueId whole, ValueId index) {
    of_index_ = true;
    for (ValueId number : numbers_of_index(instance_, whole, index)) shows(number);
    of_index_ = false;
  }

  const NumberType* number_of(ValueId id) const { return number_type(instance_, id); }
  static bool is_floating(const NumberType* number) {
    return number && hetjit::is_floating(number->number.scalar);
  }
  bool is_power_of_two(ValueId id) const {
    std::optional<Integer> number = integer_literal(instance_.type_of(id));
    return number && *number > 0 && (*number & (*number - 1)) == 0;
  }

  // Few functions have such differences: only those are followed.
  void shows(ValueId id) {
    if (!is_unsigned_variable(instance_, id)) return;
    const ssa::Inst* difference = below_zero(instance_, id);
    if (!difference) return;
    const std::string power = "2**" + std::to_string(info(number_of(id)->number.scalar).bits);
    if (ValueId of = negated(id, *difference); of.valid())
      return warn(id, power + " - " + written(*difference, of), minus(written(*difference, of)),
                  *difference);
    if (!first_) first_.emplace(instance_);
    if (!first_->comes_to(block_)) return;
    constexpr const char* kFirst = " in the first thread";
    if (std::optional<Integer> value = first_->value(id)) {
      const Integer wrapped = *value + greatest(number_of(id)->number.scalar) + 1;
      if (*value < 0)
        warn(id, to_text(Literal{wrapped}) + kFirst, to_text(Literal{*value}), *difference);
    } else if (ValueId less = taken_from_zero(id, *difference); less.valid()) {
      warn(id, power + " - " + written(*difference, less) + kFirst,
           minus(written(*difference, less)), *difference);
    }
  }

  /// What is negated to make the value, in every thread; none: it is made in another way.
  ValueId negated(ValueId id, const ssa::Inst& difference) const {
    const auto* unary = std::get_if<ssa::Unary>(&difference.op);
    return unary && maker_of(instance_, id) == &difference ? unary->in[0] : ValueId{};
  }

  /// What all threads subtract from an index to make the value: the first thread's is 0. None: it
  /// is made in another way.
  ValueId taken_from_zero(ValueId id, const ssa::Inst& difference) const {
    const auto* binary = std::get_if<ssa::Binary>(&difference.op);
    if (maker_of(instance_, id) != &difference || !binary || binary->in_place) return {};
    if (binary->kind != BinaryKind::Subtract) return {};
    if (first_->value(binary->in[0]) != Integer{0} || !first_->is_common(binary->in[1])) return {};
    return binary->in[1];
  }

  std::string written(const ssa::Inst& inst, ValueId operand) const {
    std::string text = operand_text(at_, inst, operand);
    if (text.empty()) text = local_name(instance_, operand);
    return text.empty() ? "x" : text;
  }

  static std::string minus(const std::string& text) {
    constexpr std::string_view kOfNames =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
    const bool is_name = text.find_first_not_of(kOfNames) == std::string::npos;
    return is_name ? "-" + text : "-(" + text + ")";
  }

  void warn(ValueId id, const std::string& wrapped, const std::string& meant,
            const ssa::Inst& difference) {
    const std::string text = operand_text(at_, *inst_, id);
    Value operand = at_.carried(id);
    Diagnostics::Builder warning = at_.error_for(
        operand, Code::WrapsRound,
        {text.empty() ? "this" : "'" + text + "'", wrapped, meant, name_of(operand.type)});
    explain_difference(at_, warning, difference, of_index_ ? kBelowZero : "");
  }

  // What is a signed number then is no error as an index.
  static constexpr const char* kBelowZero =
      "; an index below 0 counts from the end: leave that thread out by an 'if'";

  Evaluation& at_;
  const Instance& instance_;
  std::optional<FirstThread> first_;
  const ssa::Inst* inst_ = nullptr;
  uint32_t block_ = 0;
  bool of_index_ = false;
};

}  // namespace

void warn_of_unsigned_differences(Evaluation& at) {
  const Instance& instance = at.instance();
  Uses uses(at);
  for (uint32_t block : instance.flow->blocks_in_order) {
    if (!instance.live_blocks[block]) continue;
    for (const ssa::Inst& inst : instance.code->blocks[block].insts) {
      at.enter(inst);
      if (const auto* compare = std::get_if<ssa::Compare>(&inst.op)) review(at, *compare);
      if (const auto* call = std::get_if<ssa::Call>(&inst.op)) review(at, inst, *call);
      uses.look_at(inst, block);
    }
  }
}

}  // namespace hetjit::typing
