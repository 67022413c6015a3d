#include "compiler/typing/kinds/wrapping_sums.h"

#include <algorithm>

#include "compiler/builtins/registry.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/number_uses.h"

namespace hetjit::typing {
namespace {

using ssa::BinaryKind;

/// A Python int that is no constant.
bool is_python_int(const Instance& instance, ValueId id) {
  const NumberType* number = instance.type_of(id).as<NumberType>();
  return number && !number->literal && number->number == kInt;
}

/// Null: the value is made by something else than a sum, a difference or a product.
const ssa::Binary* arithmetic(const ssa::Inst* inst) {
  const auto* binary = inst ? std::get_if<ssa::Binary>(&inst->op) : nullptr;
  const bool grows =
      binary && (binary->kind == BinaryKind::Add || binary->kind == BinaryKind::Subtract ||
                 binary->kind == BinaryKind::Multiply);
  return grows ? binary : nullptr;
}

constexpr int kDeepest = 8;  // operations of one expression that are looked through

/// Whether there is a product of numbers that are known at run time alone in it, or a power of one.
bool has_product(const Instance& instance, ValueId id, int depth = 0) {
  const ssa::Inst* inst = maker_of(instance, id);
  const auto* binary = inst ? std::get_if<ssa::Binary>(&inst->op) : nullptr;
  if (!binary || !is_python_int(instance, id) || depth == kDeepest) return false;
  const bool first = is_python_int(instance, binary->in[0]),
             second = is_python_int(instance, binary->in[1]);
  if (binary->kind == BinaryKind::Power) return first;
  if (!arithmetic(inst)) return false;
  return (binary->kind == BinaryKind::Multiply && first && second) ||
         has_product(instance, binary->in[0], depth + 1) ||
         has_product(instance, binary->in[1], depth + 1);
}

/// Whether a number that is multiplied by this one becomes greater: not by a sign or a flag.
bool enlarges(const Instance& instance, ValueId factor) {
  if (std::optional<Integer> literal = integer_literal(instance.type_of(factor)))
    return *literal < -1 || *literal > 1;
  if (!is_python_int(instance, factor)) return false;
  const ssa::Inst* inst = maker_of(instance, factor);
  const auto* call = inst ? std::get_if<ssa::Call>(&inst->op) : nullptr;
  const NumberType* converted =
      call && call->in.size() == 2 ? instance.type_of(call->in[1]).as<NumberType>() : nullptr;
  return !converted || converted->number.scalar != Scalar::Bool;
}

struct Growth {
  const ssa::Inst* by = nullptr;  // null: it does not grow so
  ValueId what;                   // the operand that is not the number itself
};

/// How a block's parameter becomes itself times something, or itself and a product.
Growth growth_of(const Instance& instance, ValueId param) {
  Growth growth;
  auto look = [&](const ssa::Inst& inst, std::vector<ValueId>& waiting) -> const ssa::Inst* {
    const ssa::Binary* made = arithmetic(&inst);
    if (!made) return nullptr;
    for (size_t side : {0, 1}) {
      const ValueId other = made->in[1 - side];
      if (made->in[side] != param || other == param) continue;
      growth.what = other;
      if (made->kind == BinaryKind::Multiply ? enlarges(instance, other)
                                             : has_product(instance, other))
        return &inst;
    }
    waiting.insert(waiting.end(), made->in.begin(), made->in.end());
    return nullptr;
  };
  growth.by = find_behind(
      instance, param, [&](ValueId next) { return is_python_int(instance, next); }, look);
  return growth;
}

/// What makes a Python int, which has 32 bits, of a float64, and what has 64.
struct Conversion {
  std::string_view function;  // "": the type itself, int(x)
  std::string_view argument;  // of the type of 64 bits
  bool renamed;               // by another name of the function alone
};
constexpr Conversion kConversions[] = {
    {"", "x", true},
    {"math.trunc", "x", true},
    {"math.floor", "numpy.floor(x)", false},
    {"math.ceil", "numpy.ceil(x)", false},
    {"builtins.round", "numpy.rint(x)", false},
};

/// int(a)
bool makes_int(const Instance& instance, const ssa::Inst& inst) {
  const auto* call = std::get_if<ssa::Call>(&inst.op);
  return call && instance.type_of(call->in[0]).holds<TypeObject>();
}

bool is_remainder(const ssa::Inst* inst) {
  const auto* binary = inst ? std::get_if<ssa::Binary>(&inst->op) : nullptr;
  return binary && binary->kind == BinaryKind::Remainder;
}

/// The ints of which another one is that is as large: -a, a // b, a + b, int(a).
std::span<const ValueId> ints_of(const Instance& instance, const ssa::Inst* inst) {
  if (!inst) return {};
  const std::span<const ValueId> in = ssa::operands(inst->op);
  const auto* binary = std::get_if<ssa::Binary>(&inst->op);
  if (arithmetic(inst) || std::holds_alternative<ssa::Unary>(inst->op)) return in;
  if (binary && binary->kind == BinaryKind::FloorDivide) return in.first(1);
  return makes_int(instance, *inst) ? in.subspan(1) : in.first(0);
}

const Conversion* conversion_of(const Instance& instance, const ssa::Inst& inst) {
  const auto* call = std::get_if<ssa::Call>(&inst.op);
  if (!call || call->in.size() != 2 || !is_python_int(instance, inst.result)) return nullptr;
  const NumberType* from = instance.type_of(call->in[1]).as<NumberType>();
  if (!from || from->number.scalar != Scalar::Float64 || from->literal) return nullptr;
  if (is_remainder(maker_of(instance, call->in[1]))) return nullptr;
  const TypeValue& callee = instance.type_of(call->in[0]);
  const BuiltinType* builtin = callee.as<BuiltinType>();
  if (!builtin && !callee.holds<TypeObject>()) return nullptr;
  const std::string_view name = builtin ? std::string_view(builtin->builtin->name) : "";
  const auto* row = std::ranges::find(kConversions, name, &Conversion::function);
  return row == std::end(kConversions) ? nullptr : row;
}

class Stores {
 public:
  explicit Stores(Evaluation& at)
      : at_(at),
        instance_(at.instance()),
        seen_(instance_.values.size()),
        narrow_(instance_.values.size()),
        told_(instance_.values.size()) {}

  void look_at(const ssa::Inst& inst) {
    if (const auto* call = std::get_if<ssa::Call>(&inst.op)) converts(*call);
    const auto* store = std::get_if<ssa::SetItem>(&inst.op);
    if (!store) return;
    const Scalar format = format_of_elements(instance_, store->in[0]).value_or(Scalar::Bool);
    if (info(format).bits != 64 || is_complex(format)) return;
    std::vector<ValueId> stored = {store->in[2]};
    if (const ssa::Binary* made = arithmetic(maker_of(instance_, store->in[2])))
      stored.insert(stored.end(), made->in.begin(), made->in.end());  // `x[i] += total`
    stores(std::move(stored), format);
  }

 private:
  /// device.int64(int(x))
  void converts(const ssa::Call& call) {
    const auto* to = instance_.type_of(call.in[0]).as<TypeObject>();
    if (!to || call.in.size() != 2 || !is_scalar(to->type.type)) return;
    const Scalar format = type(to->type.type).scalar;
    const ssa::Inst* made = maker_of(instance_, call.in[1]);
    const Conversion* row = made ? conversion_of(instance_, *made) : nullptr;
    if (row && is_integer(format) && info(format).bits == 64) warn(*made, *row, format, true);
  }

  void stores(std::vector<ValueId> waiting, Scalar format) {
    while (!waiting.empty()) {
      const ValueId next = waiting.back();
      waiting.pop_back();
      if (seen_[next.index] || !is_python_int(instance_, next)) continue;
      seen_[next.index] = true;
      const ssa::Inst* inst = maker_of(instance_, next);
      const std::span<const ValueId> ints = ints_of(instance_, inst);
      waiting.insert(waiting.end(), ints.rbegin(), ints.rend());
      const bool narrow = narrow_[next.index] || (inst && makes_int(instance_, *inst));
      for (ValueId one : ints) narrow_[one.index] = narrow;
      const Conversion* row = inst ? conversion_of(instance_, *inst) : nullptr;
      if (row && is_integer(format)) warn(*inst, *row, format, !narrow_[next.index]);
      if (inst) continue;
      if (instance_.flow->defined[next.index].first == 0) continue;  // an argument
      if (const Growth growth = growth_of(instance_, next); growth.by) warn(next, growth, format);
      add_brought(instance_, next, waiting);
    }
  }

  void warn(ValueId param, const Growth& growth, Scalar format) {
    if (told_[growth.by->result.index]) return;
    told_[growth.by->result.index] = true;
    const std::string name = local_name(instance_, param);
    std::vector<Span> places;
    widen(*growth.by, growth.what, places, 0);
    at_.enter(*growth.by);
    Diagnostics::Builder warning =
        at_.error(Code::NarrowResult, {name.empty() ? "this" : "'" + name + "'", "int, of 32 bits",
                                       "becomes " + name_of(Number{format, false})});
    auto text = [&](const Span& place) { return text_at(at_.whole().source_of(instance_), place); };
    if (!places.empty() && std::all_of(places.begin(), places.end(),
                                       [&](const Span& place) { return !text(place).empty(); })) {
      warning.help("compute it in 64 bits: device.int64(" + text(places[0]) + ")" +
                   (places.size() > 1 ? " and so on" : ""));
      for (const Span& place : places) warning.enclose(place, "device.int64(", ")");
    }
    warning.report();
  }

  /// `widens`: whether all that is computed of it then has 64 bits.
  void warn(const ssa::Inst& inst, const Conversion& row, Scalar format, bool widens) {
    if (told_[inst.result.index]) return;
    told_[inst.result.index] = true;
    at_.enter(inst);
    const std::string text = text_at(at_.whole().source_of(instance_), at_.where());
    Diagnostics::Builder warning =
        at_.error(Code::NarrowConversion,
                  {text.empty() ? "this" : "'" + text + "'", name_of(Number{format, false})});
    const std::string argument = "(" + std::string(row.argument) + ")";
    const bool is_signed = format == Scalar::Int64;
    warning.help("device.int64" + argument + " has 64 bits" +
                 (is_signed ? "" : ", device.uint64" + argument + " of what is never negative"));
    const ValueId callee = std::get<ssa::Call>(inst.op).in[0];
    const Span place = operand_span(instance_, at_.whole().source_of(instance_), inst, callee);
    if (row.renamed && widens && is_signed && place.known()) warning.edit(place, "device.int64");
    warning.report();
  }

  /// What of an operand has to have 64 bits, so that all its products have: of each product the
  /// first number, and what is a product itself.
  void widen(const ssa::Inst& user, ValueId id, std::vector<Span>& places, int depth) {
    const ssa::Inst* inst = maker_of(instance_, id);
    if (depth == kDeepest || !has_product(instance_, id))
      return places.push_back(operand_span(instance_, at_.whole().source_of(instance_), user, id));
    const auto& made = std::get<ssa::Binary>(inst->op);
    const bool product = made.kind == BinaryKind::Multiply || made.kind == BinaryKind::Power;
    const ValueId first = made.in[is_python_int(instance_, made.in[0]) ? 0 : 1];
    if (product) widen(*inst, first, places, depth + 1);
    for (ValueId operand : made.in)
      if ((!product || operand != first) && has_product(instance_, operand))
        widen(*inst, operand, places, depth + 1);
  }

  Evaluation& at_;
  const Instance& instance_;
  std::vector<bool> seen_;    // by value
  std::vector<bool> narrow_;  // by value: an int of 32 bits is made of it again, int(int(x))
  std::vector<bool> told_;    // by value: of the operation that makes it
};

}  // namespace

void warn_of_wrapping_sums(Evaluation& at) {
  const Instance& instance = at.instance();
  Stores stores(at);
  for (uint32_t block : instance.flow->blocks_in_order)
    for (const ssa::Inst& inst : instance.code->blocks[block].insts)
      if (instance.live_blocks[block]) stores.look_at(inst);
}

}  // namespace hetjit::typing
