#include "compiler/typing/core/explain.h"

#include <algorithm>
#include <numeric>

#include "compiler/typing/core/source_text.h"

namespace hetjit::typing {
namespace {

bool is_parameter(const Instance& instance, ValueId value) {
  return instance.flow->defined[value.index].second == Flow::kParameter;
}

const ssa::Inst& defining(const Instance& instance, ValueId value) {
  auto [block, index] = instance.flow->defined[value.index];
  return instance.code->blocks[block].insts[index];
}

size_t parameter_index(const Instance& instance, ValueId value) {
  const auto& params = instance.code->blocks[instance.flow->defined[value.index].first].params;
  return static_cast<size_t>(std::find(params.begin(), params.end(), value) - params.begin());
}

Span span_of(const Instance& instance, SpanId id) {
  return id.valid() ? instance.code->spans[id.index] : Span{};
}

bool within(const Span& inner, const Span& outer) {
  auto start = [](const Span& s) { return std::pair(s.line, s.column); };
  auto end = [](const Span& s) { return std::pair(s.end_line, s.end_column); };
  return inner.known() && start(inner) >= start(outer) && end(inner) <= end(outer) &&
         inner != outer;
}

}  // namespace

Span definition_span(const Instance& instance, ValueId value) {
  if (is_parameter(instance, value)) return {};
  return span_of(instance, defining(instance, value).where);
}

std::string local_name(const Instance& instance, ValueId value) {
  if (!is_parameter(instance, value)) {
    const ssa::Undefined* undefined = std::get_if<ssa::Undefined>(&defining(instance, value).op);
    return undefined ? instance.code->local_names[undefined->local] : "";
  }
  uint32_t block = instance.flow->defined[value.index].first;
  size_t index = parameter_index(instance, value);
  if (block == 0 && index < instance.code->parameter_names.size())
    return instance.code->parameter_names[index];
  const std::vector<uint32_t>& locals = instance.code->blocks[block].param_locals;
  bool named = index < locals.size() && locals[index] < instance.code->local_names.size();
  return named ? instance.code->local_names[locals[index]] : "";
}

namespace {

// Walks block parameters whose values are unassigned until one has a name.
std::string find_unassigned(const Instance& instance, ValueId value, std::vector<ValueId>& seen) {
  std::string name = local_name(instance, value);
  bool known = std::find(seen.begin(), seen.end(), value) != seen.end();
  if (!name.empty() || known || !is_parameter(instance, value)) return name;
  seen.push_back(value);
  size_t index = parameter_index(instance, value);
  for (const FlowEdge& edge : instance.flow->incoming[instance.flow->defined[value.index].first]) {
    ValueId from = edge.edge->args[index];
    if (!instance.live_edges[edge.number] || !instance.type_of(from).holds<Unassigned>()) continue;
    if (name = find_unassigned(instance, from, seen); !name.empty()) break;
  }
  return name;
}

}  // namespace

std::string unassigned_name(const Instance& instance, ValueId value) {
  std::vector<ValueId> seen;
  return find_unassigned(instance, value, seen);
}

std::string name_of_global(const Instance& instance, ValueId value) {
  if (!value.valid() || is_parameter(instance, value)) return "";
  const auto* name = std::get_if<ssa::LoadName>(&defining(instance, value).op);
  return name ? instance.code->names[name->name].path : "";
}

std::string origin_text(const Instance& instance, ValueId value, const Span& where) {
  if (!value.valid()) return "";
  if (is_parameter(instance, value)) {
    if (instance.flow->defined[value.index].first == 0)
      return ", from the argument '" + local_name(instance, value) + "'";
    return "";
  }
  if (const std::string name = name_of_global(instance, value); !name.empty())
    return ", the value of '" + name + "'";
  const ssa::Inst& inst = defining(instance, value);
  Span made = span_of(instance, inst.where);
  bool elsewhere = made.known() && where.known() && made.line != where.line;
  return elsewhere ? ", from line " + std::to_string(made.line) : "";
}

Span operand_span(const Instance& instance, const Source& source, const ssa::Inst& inst,
                  ValueId value) {
  Span whole = span_of(instance, inst.where);
  if (!value.valid() || !whole.known()) return {};
  Span made = definition_span(instance, value);
  if (within(made, whole)) return made;
  std::span<const ValueId> operands = ssa::operands(inst.op);
  auto found = std::find(operands.begin(), operands.end(), value);
  if (found == operands.end()) return {};
  return find_operand(source, whole, inst.op, static_cast<size_t>(found - operands.begin()));
}

namespace {

constexpr size_t kDeepestCopy = 16;  // expressions that are compared further are taken to differ

bool same_value(const Instance& instance, ValueId a, ValueId b, size_t depth = 0) {
  if (a == b) return true;
  if (is_parameter(instance, a) || is_parameter(instance, b) || depth == kDeepestCopy) return false;
  const ssa::Inst &left = defining(instance, a), &right = defining(instance, b);
  std::span<const ValueId> x = ssa::operands(left.op), y = ssa::operands(right.op);
  if (left.where != right.where || left.op.index() != right.op.index() || x.size() != y.size())
    return false;
  if (const auto* constant = std::get_if<ssa::Const>(&left.op))
    return constant->value == std::get<ssa::Const>(right.op).value;
  for (size_t i = 0; i < x.size(); ++i)
    if (!same_value(instance, x[i], y[i], depth + 1)) return false;
  return true;
}

// `a < b < c` is two comparisons at one place, of which the second has an operand of the first.
bool are_links(const ssa::Inst& a, const ssa::Inst& b) {
  const auto *left = std::get_if<ssa::Compare>(&a.op), *right = std::get_if<ssa::Compare>(&b.op);
  return left && right && (left->in[0] == right->in[1] || left->in[1] == right->in[0]);
}

}  // namespace

bool varies_between_copies(const Instance& instance, const ssa::Inst& inst, ValueId operand) {
  // Rounds of a loop that is written out are programs of their own.
  if (!inst.where.valid() || !operand.valid() || !instance.reading.copies.empty()) return false;
  std::span<const ValueId> in = ssa::operands(inst.op);
  const size_t place = static_cast<size_t>(std::find(in.begin(), in.end(), operand) - in.begin());
  for (const ssa::Block& block : instance.code->blocks)
    for (const ssa::Inst& copy : block.insts) {
      bool same = copy.where == inst.where && copy.op.index() == inst.op.index();
      std::span<const ValueId> there = ssa::operands(copy.op);
      same &= place < in.size() && there.size() == in.size() && !are_links(inst, copy);
      if (same && !same_value(instance, there[place], operand)) return true;
    }
  return false;
}

Span operator_span(const Instance& instance, const Source& source, const ssa::Inst& inst) {
  Span whole = span_of(instance, inst.where);
  Span symbol = find_operator(source, whole, inst.op);
  return symbol.known() ? symbol : whole;
}

namespace {

// Walks from a block parameter to the values that reach it, through other parameters.
class PathLabels {
 public:
  // `error`: what gets the labels, or null when only the types are asked for.
  PathLabels(Diagnostics::Builder* error, const Instance& instance, ValueId parameter)
      : error_(error),
        instance_(instance),
        name_(unassigned_name(instance, parameter)),
        disagree_(instance.type_of(parameter).holds<Disagreement>()) {
    visit(parameter);
  }

  std::vector<std::string> types;  // of the values that were found

  void visit(ValueId parameter) {
    if (std::find(seen_.begin(), seen_.end(), parameter) != seen_.end()) return;
    seen_.push_back(parameter);
    uint32_t block = instance_.flow->defined[parameter.index].first;
    size_t index = parameter_index(instance_, parameter);
    for (const FlowEdge& edge : instance_.flow->incoming[block])
      if (instance_.live_edges[edge.number]) arrive(edge, edge.edge->args[index]);
  }

 private:
  static constexpr size_t kMaxLabels = 4;

  void arrive(const FlowEdge& edge, ValueId value) {
    const TypeValue& type = instance_.type_of(value);
    bool open = type.holds<Unassigned>() || type.holds<Disagreement>();
    if (is_parameter(instance_, value) && open) return visit(value);
    if (type.holds<Unassigned>()) return unassigned(edge);
    if (type.erroneous()) return;
    types.push_back(name_of(type));
    bool wanted = disagree_ || !is_parameter(instance_, value);
    if (error_ && wanted && labels_++ < kMaxLabels) label_value(*error_, instance_, value, name_);
  }

  // Whether a block is the head of a `for` loop.
  bool asks_for_next(uint32_t block) const {
    const ssa::Inst& last = instance_.code->blocks[block].insts.back();
    const ssa::Branch* branch = std::get_if<ssa::Branch>(&last.op);
    return branch && !is_parameter(instance_, branch->in[0]) &&
           std::holds_alternative<ssa::IterHas>(defining(instance_, branch->in[0]).op);
  }

  void unassigned(const FlowEdge& edge) {
    const ssa::Inst& last = instance_.code->blocks[edge.from].insts.back();
    std::string text = "'" + name_ + "' is not assigned ";
    if (asks_for_next(edge.from) || asks_for_next(edge.edge->to.index))
      text += "if the loop does not run";
    else if (!std::holds_alternative<ssa::Branch>(last.op))
      text += "on this path";
    else
      text += edge.index == 0 ? "when this is true" : "when this is false";
    add(span_of(instance_, last.where), std::move(text));
  }

  void add(const Span& where, std::string text) {
    if (!where.known() || labels_ == kMaxLabels) return;
    ++labels_;
    if (error_) error_->label(where, std::move(text));
  }

  Diagnostics::Builder* error_;
  const Instance& instance_;
  std::string name_;
  bool disagree_;
  std::vector<ValueId> seen_;
  size_t labels_ = 0;
};

// Edit distance, in which two neighbours that are exchanged are one change; three rows at a time.
size_t distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] != b[j]), row[j] + 1, last[j + 1] + 1});
      const bool exchanged = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (exchanged) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last.back();
}

}  // namespace

void label_value(Diagnostics::Builder& error, const Instance& instance, ValueId value,
                 const std::string& name) {
  std::string type = name_of(instance.type_of(value));
  Span made = definition_span(instance, value);
  std::string local = local_name(instance, value);
  if (made.known())
    error.label(made, name.empty() ? "this is " + type : "'" + name + "' is " + type + " here");
  else if (!local.empty() && instance.flow->defined[value.index].first == 0)
    error.note("the argument '" + local + "' is " + type);
}

void label_paths(Diagnostics::Builder& error, const Instance& instance, ValueId parameter) {
  if (is_parameter(instance, parameter)) PathLabels(&error, instance, parameter);
}

std::pair<std::string, std::string> types_on_paths(const Instance& instance, ValueId parameter) {
  std::vector<std::string> types = PathLabels(nullptr, instance, parameter).types;
  for (const std::string& type : types)
    if (type != types[0]) return {types[0], type};
  const Disagreement& met = *instance.type_of(parameter).as<Disagreement>();
  return {met.one, met.other};
}

namespace {

constexpr Hint kHints[] = {
#define NAME_HINT(name, text) {name, text, ""},
#define NAME_IS(name, ours, text) {name, text, ours},
#define KIND_HINT(...)
#include "compiler/typing/core/hints.def"
#undef NAME_HINT
#undef NAME_IS
#undef KIND_HINT
};

}  // namespace

const Hint* name_hint(std::string_view name) {
  auto found = std::find_if(std::begin(kHints), std::end(kHints),
                            [&](const Hint& hint) { return hint.name == name; });
  return found == std::end(kHints) ? nullptr : found;
}

std::string_view kind_hint(std::string_view description) {
#define NAME_HINT(...)
#define NAME_IS(...)
#define KIND_HINT(text, hint) \
  if (description.find(text) != std::string_view::npos) return hint;
#include "compiler/typing/core/hints.def"
#undef NAME_IS
#undef NAME_HINT
#undef KIND_HINT
  return {};
}

std::string nearest(std::string_view name, const std::vector<std::string_view>& candidates) {
  if (name.size() < 2) return "";  // any other letter would be near
  size_t best = std::max<size_t>(1, name.size() / 3) + 1;
  std::string found;
  for (std::string_view candidate : candidates) {
    if (size_t far = distance(name, candidate); far < best) {
      best = far;
      found = candidate;
    }
  }
  return found;
}

}  // namespace hetjit::typing
