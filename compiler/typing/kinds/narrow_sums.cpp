#include "compiler/typing/kinds/narrow_sums.h"

#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/number_uses.h"

namespace hetjit::typing {
namespace {

/// A float, no constant, of a format with fewer bits than Python's float has in compiled code.
const NumberType* narrow_float(const TypeValue& type) {
  const NumberType* number = type.as<NumberType>();
  const bool narrow = number && !number->literal && is_floating(number->number.scalar) &&
                      info(number->number.scalar).bits < info(kFloat.scalar).bits;
  return narrow ? number : nullptr;
}
const NumberType* narrow_float(const Instance& instance, ValueId id) {
  return narrow_float(instance.type_of(id));
}

bool is_python_number(const TypeValue& type) {
  const NumberType* number = type.as<NumberType>();
  return number && number->literal && number->number.weak;
}

/// The operation by which a block's parameter is itself and something more: that of a loop. Null:
/// there is none.
const ssa::Inst* grows_by(const Instance& instance, ValueId param) {
  auto look = [&](const ssa::Inst& inst, std::vector<ValueId>&) -> const ssa::Inst* {
    const auto* binary = std::get_if<ssa::Binary>(&inst.op);
    const bool adds = binary && (binary->kind == ssa::BinaryKind::Add ||
                                 binary->kind == ssa::BinaryKind::Subtract);
    return adds && (binary->in[0] == param || binary->in[1] == param) ? &inst : nullptr;
  };
  return find_behind(
      instance, param, [&](ValueId next) { return narrow_float(instance, next) != nullptr; }, look);
}

/// Whether it begins as a number without a format, here or in a loop around this one.
bool begins_as_python_number(const Instance& instance, ValueId param) {
  std::vector<bool> seen(instance.values.size());
  std::vector<ValueId> waiting = {param};
  while (!waiting.empty()) {
    const ValueId next = waiting.back();
    waiting.pop_back();
    if (is_python_number(instance.type_of(next))) return true;
    if (seen[next.index] || maker_of(instance, next)) continue;
    seen[next.index] = true;
    add_brought(instance, next, waiting);
  }
  return false;
}

Diagnostics::Builder narrow_sum(Evaluation& at, const std::string& what, const TypeValue& type) {
  const int bits = info(narrow_float(type)->number.scalar).mantissa_bits + 1;
  return at.error(Code::NarrowSum, {what, name_of(type), std::to_string(1 << bits)});
}

void warn(Evaluation& at, ValueId param, const ssa::Inst& sum) {
  const Instance& instance = at.instance();
  const Source& source = at.whole().source_of(instance);
  const auto& op = std::get<ssa::Binary>(sum.op);
  const Span added = operand_span(instance, source, sum, op.in[op.in[0] == param ? 1 : 0]);
  const std::string name = local_name(instance, param), text = text_at(source, added);
  at.enter(sum);
  Diagnostics::Builder warning =
      narrow_sum(at, name.empty() ? "this" : "'" + name + "'", instance.type_of(param));
  if (!text.empty()) {
    warning.help("sum in float32: device.float32(" + text + ")");
    warning.enclose(added, "device.float32(", ")");
  }
  warning.report();
}

}  // namespace

void warn_of_narrow_sums(Evaluation& at) {
  const Instance& instance = at.instance();
  for (uint32_t block : instance.flow->blocks_in_order) {
    if (block == 0 || !instance.live_blocks[block]) continue;  // the first has the arguments
    for (ValueId param : instance.code->blocks[block].params) {
      if (!narrow_float(instance, param)) continue;
      const ssa::Inst* sum = grows_by(instance, param);
      if (sum && begins_as_python_number(instance, param)) warn(at, param, *sum);
    }
  }
}

void warn_of_narrow_sum(Evaluation& at, const Value& start, const Value& sum) {
  if (!at.reporting() || !is_python_number(start.type) || !narrow_float(sum.type)) return;
  narrow_sum(at, "'sum(…)'", sum.type)
      .help("sum in float32: device.float32(0) as the second argument, sum((…), device.float32(0))")
      .report();
}

}  // namespace hetjit::typing
