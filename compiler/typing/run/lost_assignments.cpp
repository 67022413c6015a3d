#include "compiler/typing/run/lost_assignments.h"

#include <algorithm>
#include <set>

#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/structs.h"

namespace hetjit::typing {
namespace {

using ssa::Inst;

bool is_record(const TypeValue& type) {
  return type.holds<StructType>() || type.holds<VectorType>();
}

bool is_part(const TypeValue& type) { return type.holds<NumberType>() || is_record(type); }

uint32_t written_local(const ssa::Op& op) {
  if (const auto* item = std::get_if<ssa::SetItem>(&op)) return item->local;
  const auto* attribute = std::get_if<ssa::SetAttribute>(&op);
  return attribute ? attribute->local : UINT32_MAX;
}

bool is_change(const Instance& instance, const Inst& inst) {
  return changed_local(instance, inst).has_value();
}

/// What is read of a function's values, the whole or fields by name, by an operation that has an
/// effect or by anything that it needs. Of an operation without one (arithmetic on numbers, a part
/// of a record), the operands are read when its result is, or when nobody has a use for that: such
/// a program computes what it does not need, and its author did look at the value.
class Reads {
 public:
  explicit Reads(const Instance& instance)
      : instance_(instance),
        whole_(instance.values.size(), false),
        fields_(instance.values.size()),
        used_(instance.values.size(), false),
        makers_(instance.values.size(), nullptr),
        arguments_(instance.values.size()) {
    for_all([this](const Inst& inst, bool) {
      for (ValueId operand : ssa::operands(inst.op)) used_[operand.index] = true;
      for (const ssa::Edge* edge : ssa::edges(inst.op)) pass(*edge);
    });
    for_all([this](const Inst& inst, bool live) {
      bool waits =
          live && (is_change(instance_, inst) || (is_quiet(inst) && used_[inst.result.index]));
      if (waits) makers_[inst.result.index] = &inst;
      if (!waits) read_operands(inst);
    });
    spread();
  }

  /// Whether what a change changed is.
  bool operator()(const Inst& change) const {
    const auto* attribute = std::get_if<ssa::SetAttribute>(&change.op);
    const Fields& fields = fields_[change.result.index];
    return whole_[change.result.index] ||
           (attribute ? fields.count(attribute->attribute) > 0 : !fields.empty());
  }

 private:
  using Fields = std::set<std::string>;
  struct Read {
    ValueId value;
    std::string field;  // empty: the whole
  };

  template <class Visit>
  void for_all(Visit visit) {
    for (uint32_t block = 0; block < instance_.code->blocks.size(); ++block)
      for (const Inst& inst : instance_.code->blocks[block].insts)
        visit(inst, instance_.live_blocks[block]);
  }

  void pass(const ssa::Edge& edge) {
    const std::vector<ValueId>& params = instance_.code->blocks[edge.to.index].params;
    for (size_t i = 0; i < params.size(); ++i) {
      used_[edge.args[i].index] = true;
      arguments_[params[i].index].push_back(edge.args[i]);
    }
  }

  bool is_quiet(const Inst& inst) const {
    std::span<const ValueId> in = ssa::operands(inst.op);
    if (std::holds_alternative<ssa::Binary>(inst.op) || std::holds_alternative<ssa::Unary>(inst.op))
      return std::all_of(in.begin(), in.end(), [&](ValueId operand) {
        return instance_.type_of(operand).holds<NumberType>();
      });
    if (const auto* attribute = std::get_if<ssa::GetAttribute>(&inst.op))
      return is_field(instance_.type_of(in[0]), attribute->attribute);
    return std::holds_alternative<ssa::GetItem>(inst.op) && is_record(instance_.type_of(in[0])) &&
           is_part(instance_.type_of(inst.result));
  }

  // And no property, which may do anything.
  static bool is_field(const TypeValue& whole, const std::string& name) {
    if (const StructType* record = whole.as<StructType>())
      return field_of(record->type, name).has_value();
    return whole.holds<VectorType>() && name.size() == 1;
  }

  void read_operands(const Inst& inst) {
    for (ValueId operand : ssa::operands(inst.op)) read(operand);
  }

  void read(ValueId value, const std::string& field = {}) {
    if (whole_[value.index]) return;
    if (field.empty())
      whole_[value.index] = true;
    else if (!fields_[value.index].insert(field).second)
      return;
    waiting_.push_back({value, field});
  }

  void spread() {
    while (!waiting_.empty()) {
      const Read next = std::move(waiting_.back());
      waiting_.pop_back();
      if (const Inst* maker = makers_[next.value.index]) read_for(*maker, next.field);
      for (ValueId argument : arguments_[next.value.index]) read(argument, next.field);
    }
  }

  // What an operation reads when that field of its result is, or all of it.
  void read_for(const Inst& inst, const std::string& field) {
    std::span<const ValueId> in = ssa::operands(inst.op);
    if (const auto* taken = std::get_if<ssa::GetAttribute>(&inst.op))
      return read(in[0], taken->attribute);
    const auto* changed = std::get_if<ssa::SetAttribute>(&inst.op);
    if (!changed || field.empty()) return read_operands(inst);
    if (changed->attribute != field) return read(in[0], field);
    for (ValueId value : in.subspan(1)) read(value);
  }

  const Instance& instance_;
  std::vector<bool> whole_;     // by value
  std::vector<Fields> fields_;  // those that are read, when not all are
  std::vector<bool> used_;
  std::vector<const Inst*> makers_;              // of those whose operands wait for them
  std::vector<std::vector<ValueId>> arguments_;  // of block parameters
  std::vector<Read> waiting_;
};

bool goes_through_array(const TypeValue& iterable) {
  const IterableType* made = iterable.as<IterableType>();
  return iterable.holds<ArrayType>() ||
         (made && std::any_of(made->parts.begin(), made->parts.end(), goes_through_array));
}

/// Where a value was before anything changed it: null for a parameter of the function. nullopt:
/// it was made here.
class Origin {
 public:
  explicit Origin(const Instance& instance)
      : instance_(instance), seen_(instance.values.size(), false) {}

  std::optional<const Inst*> of(ValueId value) {
    waiting_ = {value};
    while (!waiting_.empty()) {
      ValueId next = waiting_.back();
      waiting_.pop_back();
      if (seen_[next.index]) continue;
      seen_[next.index] = true;
      if (std::optional<const Inst*> found = look_at(next)) return found;
    }
    return std::nullopt;
  }

 private:
  std::optional<const Inst*> look_at(ValueId value) {
    auto [block, place] = instance_.flow->defined[value.index];
    if (place == Flow::kParameter) {
      if (block == 0) return nullptr;
      look_at_arguments(block, value);
      return std::nullopt;
    }
    const Inst& inst = instance_.code->blocks[block].insts[place];
    bool changed = written_local(inst.op) != UINT32_MAX;
    bool part = std::holds_alternative<ssa::GetItem>(inst.op) ||
                std::holds_alternative<ssa::GetAttribute>(inst.op) ||
                std::holds_alternative<ssa::UnpackItem>(inst.op);
    if (std::holds_alternative<ssa::IterItem>(inst.op)) return of_iterated(inst);
    if (!part && !changed) return std::nullopt;
    ValueId whole = ssa::operands(inst.op)[0];
    if (part && instance_.type_of(whole).holds<ArrayType>()) return &inst;
    waiting_.push_back(whole);
    return std::nullopt;
  }

  std::optional<const Inst*> of_iterated(const Inst& inst) const {
    const auto* iterator = instance_.type_of(ssa::operands(inst.op)[0]).as<IteratorType>();
    bool of_array = iterator && goes_through_array(iterator->parts[0]);
    return of_array ? std::optional<const Inst*>(&inst) : std::nullopt;
  }

  void look_at_arguments(uint32_t block, ValueId value) {
    const std::vector<ValueId>& params = instance_.code->blocks[block].params;
    for (const FlowEdge& edge : instance_.flow->incoming[block])
      for (size_t i = 0; i < params.size(); ++i)
        if (params[i] == value) waiting_.push_back(edge.edge->args[i]);
  }

  const Instance& instance_;
  std::vector<bool> seen_;
  std::vector<ValueId> waiting_;
};

// "replace(x=…)", as the changed part is named.
std::string replacement(Evaluation& at, const Inst& inst) {
  if (const auto* attribute = std::get_if<ssa::SetAttribute>(&inst.op))
    return "replace(" + attribute->attribute + "=…)";
  const auto& item = std::get<ssa::SetItem>(inst.op);
  const StringType* name = at.instance().type_of(item.in[1]).as<StringType>();
  return name ? "replace(" + name->text + "=…)" : "replace(index, …)";
}

void explain_argument(Evaluation& at, Diagnostics::Builder& error, const std::string& how) {
  error.note("an argument is a value: the caller's stays as it is");
  if (at.instance().closure.function == 0)
    error.help("pass an array and write its element: a[i] = a[i]." + how);
  else
    error.help("return the new value, and assign it where this is called");
}

void explain_element(Evaluation& at, Diagnostics::Builder& error, const std::string& how,
                     const Inst& origin) {
  Span where = ssa::span_of(at.function(), origin.where);
  std::string element = text_at(at.whole().source_of(at.instance()), where);
  if (std::holds_alternative<ssa::IterItem>(origin.op) || element.empty()) element = "a[i]";
  error.label(where, "the element stays as it is")
      .help("write the element: " + element + " = " + element + "." + how);
}

void report(Evaluation& at, const Inst& inst, const Inst* origin) {
  at.enter(inst);
  Diagnostics::Builder error =
      at.error(Code::LostAssignment, {at.function().local_names[written_local(inst.op)]});
  const std::string how = replacement(at, inst);
  if (origin)
    explain_element(at, error, how, *origin);
  else
    explain_argument(at, error, how);
  error.report();
}

}  // namespace

std::optional<uint32_t> changed_local(const Instance& instance, const Inst& inst) {
  const uint32_t local = written_local(inst.op);
  if (local == UINT32_MAX) return std::nullopt;
  const TypeValue& whole = instance.type_of(ssa::operands(inst.op)[0]);
  const NumberType* number = whole.as<NumberType>();
  const bool changed = is_record(whole) || (number && number->mask);
  return changed ? std::optional(local) : std::nullopt;
}

void report_lost_assignments(Evaluation& at) {
  const Instance& instance = at.instance();
  std::vector<const Inst*> changes;
  for (uint32_t block : instance.flow->blocks_in_order)
    for (const Inst& inst : instance.code->blocks[block].insts)
      if (instance.live_blocks[block] && is_change(instance, inst)) changes.push_back(&inst);
  if (changes.empty()) return;
  const Reads is_read(instance);
  std::vector<SpanId> kept;  // copies of one assignment, in loops and where paths end
  for (const Inst* inst : changes)
    if (is_read(*inst) || instance.type_of(inst->result).erroneous()) kept.push_back(inst->where);
  for (const Inst* inst : changes) {
    if (std::find(kept.begin(), kept.end(), inst->where) != kept.end()) continue;
    if (auto origin = Origin(instance).of(ssa::operands(inst->op)[0])) report(at, *inst, *origin);
  }
}

}  // namespace hetjit::typing
