#include "compiler/typing/kinds/wrapping_sums.h"

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

/// A product of two numbers that are known at run time alone.
bool is_product(const Instance& instance, ValueId id) {
  const ssa::Binary* made = arithmetic(maker_of(instance, id));
  return made && made->kind == BinaryKind::Multiply && is_python_int(instance, made->in[0]) &&
         is_python_int(instance, made->in[1]);
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
      if (made->kind == BinaryKind::Multiply || is_product(instance, other)) return &inst;
    }
    waiting.insert(waiting.end(), made->in.begin(), made->in.end());
    return nullptr;
  };
  growth.by = find_behind(
      instance, param, [&](ValueId next) { return is_python_int(instance, next); }, look);
  return growth;
}

class Stores {
 public:
  explicit Stores(Evaluation& at)
      : at_(at), instance_(at.instance()), told_(instance_.values.size()) {}

  void look_at(const ssa::Inst& inst) {
    const auto* store = std::get_if<ssa::SetItem>(&inst.op);
    const std::optional<Scalar> format =
        store ? format_of_elements(instance_, store->in[0]) : std::nullopt;
    const bool wide = format && info(*format).bits == 64 && !is_complex(*format);
    if (wide) stores(store->in[2], *format);
  }

 private:
  void stores(ValueId stored, Scalar format) {
    std::vector<bool> seen(instance_.values.size());
    std::vector<ValueId> waiting = {stored};
    while (!waiting.empty()) {
      const ValueId next = waiting.back();
      waiting.pop_back();
      if (seen[next.index] || !is_python_int(instance_, next)) continue;
      seen[next.index] = true;
      const ssa::Inst* inst = maker_of(instance_, next);
      if (const ssa::Binary* made = arithmetic(inst))
        waiting.insert(waiting.end(), made->in.begin(), made->in.end());
      if (inst) continue;
      if (instance_.flow->defined[next.index].first == 0) continue;  // an argument
      if (const Growth growth = growth_of(instance_, next); growth.by)
        warn(next, growth, format);
      add_brought(instance_, next, waiting);
    }
  }

  void warn(ValueId param, const Growth& growth, Scalar format) {
    if (told_[growth.by->result.index]) return;
    told_[growth.by->result.index] = true;
    const Source& source = at_.whole().source_of(instance_);
    ValueId widened = growth.what;
    const ssa::Inst* inst = growth.by;
    if (is_product(instance_, widened)) {
      inst = maker_of(instance_, widened);
      widened = arithmetic(inst)->in[0];
    }
    const Span place = operand_span(instance_, source, *inst, widened);
    const std::string name = local_name(instance_, param), text = text_at(source, place);
    at_.enter(*growth.by);
    Diagnostics::Builder warning =
        at_.error(Code::NarrowResult, {name.empty() ? "this" : "'" + name + "'", "int, of 32 bits",
                                       "becomes " + name_of(Number{format, false})});
    if (!text.empty()) {
      warning.help("compute it in 64 bits: device.int64(" + text + ")");
      warning.enclose(place, "device.int64(", ")");
    }
    warning.report();
  }

  Evaluation& at_;
  const Instance& instance_;
  std::vector<bool> told_;  // by value: of the operation that makes it
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
