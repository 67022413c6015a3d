#include "compiler/typing/core/evaluation.h"

#include <algorithm>
#include <cctype>

#include "compiler/builtins/registry.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/python_floats.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"

namespace hetjit::typing {

Value part_of(const Value& whole, const TypeValues& parts, size_t index) {
  Value part;
  part.type = parts[index];
  if (whole.leaves.empty()) return part;
  size_t begin = 0;
  for (size_t i = 0; i < index; ++i) begin += leaf_count(parts[i]);
  auto first = whole.leaves.begin() + static_cast<ptrdiff_t>(begin);
  part.leaves.assign(first, first + static_cast<ptrdiff_t>(leaf_count(parts[index])));
  return part;
}

std::vector<Value> parts_of(const Value& whole, const TypeValues& parts) {
  std::vector<Value> result;
  size_t at = 0;
  for (const TypeValue& type : parts) {
    Value part = static_value(type);
    size_t count = leaf_count(type);
    for (size_t i = 0; i < count && at + i < whole.leaves.size(); ++i)
      part.leaves.push_back(whole.leaves[at + i]);
    at += count;
    result.push_back(std::move(part));
  }
  return result;
}

Leaf Emitter::constant(const Literal& literal, Scalar scalar) {
  if (!to_) return {};
  TypeId type = scalar_type(scalar);
  if (is_floating(scalar)) return to_->const_float(type, as_double(literal));
  return to_->const_int(type, bits_of(std::get<Integer>(literal)));
}

const ssa::Function& Evaluation::function() const { return *instance_.code; }

void Evaluation::enter(const ssa::Inst& inst) {
  inst_ = &inst;
  if (code_.on()) code_.builder().set_span(where());
}

void Evaluation::enter_function() {
  for (const ssa::Inst& inst : function().blocks[0].insts) {
    enter(inst);
    if (where().known()) return;
  }
}

Span Evaluation::where() const {
  if (!inst_ || !inst_->where.valid()) return {};
  return function().spans[inst_->where.index];
}

std::optional<Value> Evaluation::unpacked(ValueId id) {
  // A constant, an index, may stand between them.
  const bool near = inst_ - unpacked_.by == 1 || inst_ - unpacked_.by == 2;
  if (!unpacked_.by || !near || unpacked_.of != id) return std::nullopt;
  unpacked_.by = inst_;
  return unpacked_.items;
}

Value Evaluation::evaluated(const ssa::Inst& inst) {
  enter(inst);
  return with_float64_form(*this, inst, evaluated_once(inst));
}

Value Evaluation::evaluated_in_float64(const ssa::Inst& inst) {
  in_float64_ = true;
  Value value = evaluated_once(inst);
  in_float64_ = false;
  return value;
}

Value Evaluation::evaluated_once(const ssa::Inst& inst) {
  return std::visit(
      [this]<class AnyOp>(const AnyOp& op) -> Value {
        constexpr bool kEnds = ir::OneOf<AnyOp, ssa::Jump, ssa::Branch, ssa::Return, ssa::Raise>;
        if constexpr (kEnds)
          return {};
        else
          return evaluate(*this, op);
      },
      inst.op);
}

void Evaluation::run(const ssa::Inst& inst) {
  Value value = evaluated(inst);
  if (inst.result.valid()) define(inst.result, std::move(value));
}

void Evaluation::define(ValueId id, Value value) {
  value.origin = id;
  instance_.values[id.index] = std::move(value);
}

Value Evaluation::carried(ValueId id) {
  Value value = instance_.values[id.index];
  value.origin = id;
  return value;
}

Value Evaluation::captured(size_t index) {
  Value whole;
  whole.leaves = instance_.captured_leaves;
  return part_of(whole, instance_.closure.captured, index);
}

Value Evaluation::operand(ValueId id) {
  Value value = operand_of_any_kind(id);
  const BuiltinType* builtin = value.as<BuiltinType>();
  if (builtin && builtin->builtin->value) {
    value = builtin->builtin->value(*this, *builtin->builtin);
    value.origin = id;
    return value;
  }
  const ExternalType* external = value.as<ExternalType>();
  if (external && !external->name.empty() && !goes_on_with_names(id)) {
    value = external_value(*this, value);
    value.origin = id;
    return value;
  }
  const OpaqueType* opaque = value.as<OpaqueType>();
  if (!opaque) return in_float64_ ? in_float64(*this, value) : value;
  if (!first_time(value)) return {};
  Span span = operand_span(instance_, whole_.source_of(instance_), *inst_, id);
  return report_opaque(span.known() ? span : where(), *opaque);
}

/// `library.space.name`, `name[T]`, and what is called or passed.
bool Evaluation::goes_on_with_names(ValueId id) const {
  if (const auto* item = std::get_if<ssa::GetItem>(&inst_->op))
    return id == item->in[0] || instance_.values[item->in[0].index].as<ExternalType>();
  return std::holds_alternative<ssa::GetAttribute>(inst_->op) ||
         std::holds_alternative<ssa::Call>(inst_->op) ||
         std::holds_alternative<ssa::BuildTuple>(inst_->op);
}

Value Evaluation::operand_of_any_kind(ValueId id) {
  Value value = carried(id);
  const Unassigned* unassigned = value.as<Unassigned>();
  if (!unassigned && !value.as<Disagreement>()) return value;
  if (!first_time(value)) return {};
  Span span = operand_span(instance_, whole_.source_of(instance_), *inst_, id);
  if (!span.known()) span = where();
  if (unassigned) return report_unassigned(span, id, unassigned->sometimes);
  return report_disagreement(span, id);
}

bool Evaluation::first_time(const Value& value) {
  if (!reporting_ || !value.origin.valid()) return true;
  bool first = !instance_.told[value.origin.index];
  instance_.told[value.origin.index] = true;
  return first;
}

Value Evaluation::report_unassigned(Span span, ValueId id, bool sometimes) {
  std::string name = unassigned_name(instance_, id);
  if (!sometimes) return diags_.error(Code::UnboundName, span, {name}).report();
  Diagnostics::Builder error = diags_.error(Code::PossiblyUnbound, span, {name});
  label_paths(error, instance_, id);
  return error.help("assign '" + name + "' on every path, for example before the 'if' or the loop")
      .report();
}

Value Evaluation::report_opaque(Span span, const OpaqueType& opaque) {
  std::string subject = opaque.name.empty() ? opaque.description : "'" + opaque.name + "'";
  Diagnostics::Builder error = diags_.error(Code::OpaqueValue, span, {subject});
  bool builtin = opaque.description.find("builtin") != std::string::npos;
  if (!opaque.name.empty() && !builtin) error.label(span, "this is " + opaque.description);
  const std::string name = opaque.name.substr(opaque.name.rfind('.') + 1);
  advise(error, *this, opaque.name, name, {});
  if (std::string_view hint = kind_hint(opaque.description); !name_hint(name) && !hint.empty())
    error.help(std::string(hint));
  return error.report();
}

namespace {

bool is_tuple(std::string_view type) {
  return type.starts_with("tuple[") || type.starts_with("list[");
}
bool is_empty(std::string_view type) { return type == "tuple[()]" || type == "list[]"; }

// A list that a loop of unknown length fills: it began empty.
bool is_filled(std::string_view one, std::string_view other) {
  return is_tuple(one) && is_tuple(other) && (is_empty(one) || is_empty(other));
}

constexpr const char* kRoom =
    "device.local_array(n, device.float32) has room for n, and you count how many are used";

}  // namespace

Value Evaluation::report_disagreement(Span span, ValueId id) {
  if (instance_.flow->defined[id.index].second != Flow::kParameter) return {};
  auto [one, other] = types_on_paths(instance_, id);
  std::string name = local_name(instance_, id);
  if (name.empty() && is_filled(one, other))
    return diags_.error(Code::LengthUnknown, span, {"a list or tuple", "this loop"})
        .help(
            "use each value in a loop, best = max(best, v) or y[i] = v * 2, or sum(), any() or "
            "all() of a "
            "generator expression; " +
            std::string(kRoom))
        .report();
  if (name.empty()) {  // the value of `x if c else y`, of `x or y`
    Diagnostics::Builder error = diags_.error(Code::NoCommonType, span, {one, other});
    label_paths(error, instance_, id);
    if (is_tuple(one) != is_tuple(other))
      error.help("give both branches one type: a tuple of as many, or a number");
    return error.report();
  }
  Diagnostics::Builder error = diags_.error(Code::TypesDisagree, span, {name, one, other});
  label_paths(error, instance_, id);
  if (one == "None" || other == "None")
    error.help("a variable is None always or never; keep a flag of its own beside the value");
  else if (is_tuple(one) && is_tuple(other))
    error.help("a list or tuple keeps its length and types: " + std::string(kRoom));
  else
    error.help("give '" + name + "' one type on all paths, or use two names");
  return error.report();
}

Value Evaluation::number(Number type, Leaf leaf, bool nonnegative) {
  Value value = static_value(number_value(type, nonnegative));
  if (code_.on()) value.leaves.push_back(leaf);
  return value;
}

Value Evaluation::literal(Number type, const Literal& literal) {
  return static_value(literal_value(type, literal));
}

TypeValue Evaluation::at_run_time(const TypeValue& type) const {
  TypeValue plain = without_literals(type);
  return instance_.exact ? with_exact_forms(plain) : plain;
}

Span Evaluation::place_of(const Value& value) {
  if (!inst_ || !value.origin.valid()) return {};
  return operand_span(instance_, whole_.source_of(instance_), *inst_, value.origin);
}

Span Evaluation::place_of_operator() {
  return operator_span(instance_, whole_.source_of(instance_), *inst_);
}

std::string Evaluation::variable_text(const Value& value) {
  std::string text = text_at(whole_.source_of(instance_), place_of(value));
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  bool word = std::all_of(text.begin(), text.end(), is_word);
  return word && !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) ? text : "";
}

Diagnostics::Builder Evaluation::error_for(const Value& value, Code code,
                                           std::initializer_list<std::string_view> arguments) {
  const Span span = place_of(value);
  return diags_.error(code, span.known() ? span : where(), arguments);
}

Diagnostics::Builder Evaluation::error(Code code, std::initializer_list<std::string_view> arguments,
                                       std::initializer_list<const Value*> marks) {
  if (!inst_) return diags_.error(code, {}, arguments);  // an argument of a launch
  Span primary = where();
  if (marks.size() == 1) {
    Span span = place_of(**marks.begin());
    if (span.known()) primary = span;
  } else if (marks.size() > 1) {
    primary = place_of_operator();
  }
  Diagnostics::Builder error = diags_.error(code, primary, arguments);
  bool alone = marks.size() == 1;
  for (const Value* value : marks)
    if (!alone || !origin_text(instance_, value->origin, where()).empty()) mark(error, *value);
  return error;
}

void Evaluation::mark(Diagnostics::Builder& error, const Value& value) {
  const NumberType* number = value.as<NumberType>();
  bool obvious = number && number->literal && origin_text(instance_, value.origin, where()).empty();
  if (!value.origin.valid() || obvious) return;
  std::string text = name_of(value.type) + origin_text(instance_, value.origin, where());
  Span span = place_of(value);
  std::string name = local_name(instance_, value.origin);
  if (span.known())
    error.label(span, "this is " + text);
  else if (!name.empty())
    error.note("'" + name + "' is " + text);
}

}  // namespace hetjit::typing
