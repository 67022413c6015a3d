// The worklist: blocks are evaluated until no type changes. Only blocks that control can reach are;
// a branch whose condition is known reaches one side.
#include <algorithm>
#include <cctype>
#include <set>

#include "compiler/typing/core/evaluation.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/python_floats.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/narrow_results.h"
#include "compiler/typing/kinds/narrow_sums.h"
#include "compiler/typing/kinds/references.h"
#include "compiler/typing/kinds/texts.h"
#include "compiler/typing/kinds/unsigned_differences.h"
#include "compiler/typing/kinds/wrapping_sums.h"
#include "compiler/typing/ops/lazy_values.h"
#include "compiler/typing/run/captured_changes.h"
#include "compiler/typing/run/lost_assignments.h"
#include "compiler/typing/run/lost_names.h"
#include "compiler/typing/run/unrolling.h"

namespace hetjit::typing {
namespace {

// A parameter's type is the join of what its edges bring now. Types normally settle in two or three
// rounds; one that does not only grows from then on, which ends because the lattice is finite.
constexpr uint8_t kRoundsBeforeGrowing = 12;

class Inference {
 public:
  Inference(Specializer& whole, Instance& instance)
      : instance_(instance),
        flow_(*instance.flow),
        at_(whole, instance, scratch_, nullptr),
        rounds_(instance.values.size()) {}

  void run() {
    const ssa::Block& entry = instance_.code->blocks[0];
    for (size_t i = 0; i < entry.params.size(); ++i)
      instance_.values[entry.params[i].index].type = instance_.parameters[i];
    enqueue(0);
    while (!waiting_.empty()) {
      uint32_t block = flow_.blocks_in_order[*waiting_.begin()];
      waiting_.erase(waiting_.begin());
      evaluate_block(block);
    }
  }

 private:
  void enqueue(uint32_t block) {
    instance_.live_blocks[block] = true;
    waiting_.insert(flow_.order[block]);
  }

  void set_type(ValueId id, TypeValue type) {
    TypeValue& old = instance_.values[id.index].type;
    if (old == type) return;
    old = std::move(type);
    for (uint32_t user : flow_.users[id.index])
      if (instance_.live_blocks[user]) waiting_.insert(flow_.order[user]);
  }

  void evaluate_block(uint32_t block) {
    const std::vector<ssa::Inst>& insts = instance_.code->blocks[block].insts;
    for (size_t i = 0; i + 1 < insts.size(); ++i) {
      Value value = at_.evaluated(insts[i]);
      if (insts[i].result.valid()) set_type(insts[i].result, std::move(value.type));
    }
    at_.enter(insts.back());
    std::visit([&](const auto& op) { finish(block, op); }, insts.back().op);
    if (!scratch_.empty()) scratch_ = {};  // found again, and told, when the types are final
  }

  template <class T>
  void finish(uint32_t, const T&) {}  // Return, Raise: nothing follows
  void finish(uint32_t block, const ssa::Jump&) { take(flow_.outgoing[block][0]); }
  void finish(uint32_t block, const ssa::Branch& op) {
    Value condition = truth(at_, at_.operand(op.in[0]));
    std::optional<bool> known = known_truth(condition.type);
    if (known != false) take(flow_.outgoing[block][0]);
    if (known != true) take(flow_.outgoing[block][1]);
  }

  // An edge is reached: its block's parameters are joined anew.
  void take(const FlowEdge& edge) {
    uint32_t to = edge.edge->to.index;
    bool first = !instance_.live_blocks[to];
    instance_.live_edges[edge.number] = true;
    const std::vector<ValueId>& params = instance_.code->blocks[to].params;
    bool changed = false;
    for (size_t i = 0; i < params.size(); ++i) changed |= join_parameter(to, i, params[i]);
    if (first || changed) enqueue(to);
  }

  bool join_parameter(uint32_t block, size_t index, ValueId param) {
    TypeValues arriving;
    const TypeValue& old = instance_.type_of(param);
    uint8_t& rounds = rounds_[param.index];
    if (block == 0) arriving.push_back(instance_.parameters[index]);
    if (rounds >= kRoundsBeforeGrowing) arriving.push_back(old);
    for (const FlowEdge& edge : flow_.incoming[block])
      if (instance_.live_edges[edge.number])
        arriving.push_back(instance_.type_of(edge.edge->args[index]));
    TypeValue joined = join(std::move(arriving));
    if (instance_.exact) joined = with_exact_forms(joined);
    if (joined == old) return false;
    if (rounds < kRoundsBeforeGrowing) ++rounds;
    set_type(param, std::move(joined));
    return true;
  }

  Instance& instance_;
  const Flow& flow_;
  Diagnostics scratch_;
  Evaluation at_;
  std::vector<uint8_t> rounds_;  // by value
  std::set<uint32_t> waiting_;   // blocks, by their place in the order
};

// With the types final: everything is evaluated once more, and the user hears.
class Report {
 public:
  Report(Specializer& whole, Instance& instance, Diagnostics& diags)
      : instance_(instance), at_(whole, instance, diags, nullptr, true) {}

  void run() {
    for (uint32_t block : instance_.flow->blocks_in_order)
      if (instance_.live_blocks[block]) report_block(block);
    if (!report_captured_changes(at_)) report_lost_assignments(at_);
    report_spent_iterators(at_);
    warn_of_unsigned_differences(at_);
    warn_of_narrow_results(at_);
    warn_of_narrow_sums(at_);
    warn_of_wrapping_sums(at_);
    warn_of_lost_names(at_);
  }

 private:
  void report_block(uint32_t block) {
    const std::vector<ssa::Inst>& insts = instance_.code->blocks[block].insts;
    for (size_t i = 0; i + 1 < insts.size(); ++i) at_.run(insts[i]);
    at_.enter(insts.back());
    std::visit([this](const auto& op) { finish(op); }, insts.back().op);
    for (const FlowEdge& edge : instance_.flow->outgoing[block])
      if (instance_.live_edges[edge.number]) report_edge(edge);
  }

  template <class T>
  void finish(const T&) {}
  void finish(const ssa::Branch& op) { truth(at_, at_.operand(op.in[0])); }
  void finish(const ssa::Raise& op) { thrown(at_, op); }
  void finish(const ssa::Return& op) {
    Value value = at_.operand(op.in[0]);
    if (!may_copy(at_, value, "returned")) return;
    if (instance_.result.holds<Disagreement>())
      report_results(value);
    else
      at_.coerce(value, instance_.result);
  }

  // The first `return` says what the function returns; the first that differs is the error.
  void report_results(const Value& value) {
    if (value.erroneous() || results_reported_) return;
    results_.push_back(value.type);
    if (results_.size() == 1) {
      first_result_ = value;
      first_where_ = at_.where();
    } else if (join(results_).holds<Disagreement>()) {
      results_reported_ = true;
      if (first_where_ == at_.where())
        report_one_return(value);
      else
        report_two_returns(value);
    }
  }

  // CPython puts the None of a function that ends without a return where that is decided.
  static std::string returned(const std::string& type) {
    return type == "None" ? "this ends without a value: it returns None" : "this returns " + type;
  }

  void report_two_returns(const Value& value) {
    auto [first, second] = names_apart(first_result_.type, value.type);
    at_.error(Code::ReturnTypesDisagree, {instance_.code->name, first, second})
        .label(first_where_, returned(first))
        .label(at_.where(), returned(second))
        .report();
  }

  // CPython may compile one `return` twice, once for each path that leads to it: then it is the
  // returned variable or expression whose types disagree.
  void report_one_return(const Value& value) {
    auto [first, second] = names_apart(first_result_.type, value.type);
    std::string name = at_.variable_text(value);
    Diagnostics::Builder error =
        name.empty() ? at_.error_for(value, Code::NoCommonType, {first, second})
                     : at_.error_for(value, Code::TypesDisagree, {name, first, second});
    label_value(error, instance_, first_result_.origin, name);
    label_value(error, instance_, value.origin, name);
    error.help("convert one of them, so that both have one type").report();
  }

  // A literal that reaches a join must fit the type that the paths agree on.
  void report_edge(const FlowEdge& edge) {
    const std::vector<ValueId>& params = instance_.code->blocks[edge.edge->to.index].params;
    for (size_t i = 0; i < params.size(); ++i) {
      const Value value = at_.carried(edge.edge->args[i]);
      if (!report_too_large(value, params[i], i)) at_.coerce(value, instance_.type_of(params[i]));
    }
  }

  // `v = -1`, and `v = t` of an unsigned format on another path.
  bool report_too_large(const Value& value, ValueId param, size_t index) {
    const NumberType *number = value.as<NumberType>(),
                     *joined = instance_.type_of(param).as<NumberType>();
    if (!number || !number->literal || !joined || joined->literal || joined->number.weak ||
        fits(*number->literal, joined->number.scalar))
      return false;
    const Span made = definition_span(instance_, value.origin);
    const std::string text = to_text(*number->literal), format = name_of(joined->number);
    if (!made.known()) return false;
    if (!at_.first_time(value)) return true;
    Diagnostics::Builder error = at_.diags().error(Code::LiteralTooLarge, made, {text, format});
    for (const FlowEdge& edge :
         instance_.flow->incoming[instance_.flow->defined[param.index].first]) {
      const ValueId other = edge.edge->args[index];
      if (instance_.live_edges[edge.number] && other != value.origin)
        label_value(error, instance_, other, local_name(instance_, param));
    }
    const bool negative = text.starts_with('-') && !is_signed_integer(joined->number.scalar);
    error
        .help(negative ? "convert what it meets to a signed format: int(...)"
                       : "write it in a format that holds it, and convert what it meets")
        .report();
    return true;
  }

  Instance& instance_;
  Evaluation at_;
  TypeValues results_;
  Value first_result_;
  Span first_where_;
  bool results_reported_ = false;
};

}  // namespace

namespace {

// A Python float meets float64 where paths join, and where it is returned, too.
void meet_at_joins(Specializer& whole, Instance& instance) {
  Diagnostics nothing;
  Evaluation at(whole, instance, nothing, nullptr);
  for (uint32_t block : instance.flow->blocks_in_order) {
    if (!instance.live_blocks[block]) continue;
    const ssa::Inst& last = instance.code->blocks[block].insts.back();
    at.enter(last);
    if (const ssa::Return* returned = std::get_if<ssa::Return>(&last.op))
      at.coerce(at.carried(returned->in[0]), instance.result);
    for (const FlowEdge& edge : instance.flow->outgoing[block]) {
      const std::vector<ValueId>& params = instance.code->blocks[edge.edge->to.index].params;
      for (size_t i = 0; i < params.size() && instance.live_edges[edge.number]; ++i)
        at.coerce(at.carried(edge.edge->args[i]), instance.type_of(params[i]));
    }
  }
}

}  // namespace

void infer(Specializer& whole, Instance& instance) {
  Inference(whole, instance).run();
  while (unroll_a_loop(whole, instance)) Inference(whole, instance).run();
  bool returns = false;
  TypeValues results;
  for (uint32_t block = 0; block < instance.live_blocks.size(); ++block) {
    const ssa::Op& last = instance.code->blocks[block].insts.back().op;
    if (!instance.live_blocks[block] || !std::holds_alternative<ssa::Return>(last)) continue;
    returns = true;
    const TypeValue& value = instance.type_of(std::get<ssa::Return>(last).in[0]);
    bool unusable = value.holds<Unassigned>() || value.holds<Disagreement>();
    if (!unusable) results.push_back(value);
  }
  instance.result = join(std::move(results));
  if (instance.exact) instance.result = with_exact_forms(instance.result);
  if (!returns) instance.result = {NoneType{}};
  if (!instance.exact) meet_at_joins(whole, instance);
}

namespace {

/// By what name a function's module has hetjit.device: "hd"; "" is `device`, or nobody knows.
std::string_view name_of_device(const Snapshot& snapshot) {
  std::string_view other;
  for (const Name& name : snapshot.names) {
    const ModuleMeaning* module = std::get_if<ModuleMeaning>(&name.meaning);
    if (!module || module->module != "hetjit.device") continue;
    if (name.path == "device") return "";
    other = name.path;
  }
  return other;
}

// `device.` where it is no part of another name, `my_device.` or `hetjit.device.`.
std::string renamed(const std::string& text, std::string_view name) {
  constexpr std::string_view kUsual = "device.";
  std::string result;
  size_t from = 0;
  for (size_t at; (at = text.find(kUsual, from)) != std::string::npos; from = at + kUsual.size()) {
    const char before = at ? text[at - 1] : ' ';
    const bool whole =
        !std::isalnum(static_cast<unsigned char>(before)) && before != '_' && before != '.';
    result += text.substr(from, at - from) + (whole ? std::string(name) + "." : "device.");
  }
  return result + text.substr(from);
}

// What is advised is written in the names of the module that it is for.
Diagnostic in_its_names(const Specializer& whole, Diagnostic found) {
  if (!found.where.known()) return found;
  const std::string_view name = name_of_device(whole.snapshot(found.where.source));
  if (name.empty()) return found;
  for (std::string& help : found.helps) help = renamed(help, name);
  for (Edit& edit : found.edits)
    if (edit.where.source == found.where.source) edit.text = renamed(edit.text, name);
  return found;
}

// Copies of a loop have the same mistakes.
void add_once(const Specializer& whole, const Diagnostics& found, Diagnostics& to) {
  const std::vector<Diagnostic>& all = found.all();
  auto same = [](const Diagnostic& a, const Diagnostic& b) {
    return a.code == b.code && a.where == b.where && a.where.known();
  };
  for (size_t i = 0; i < all.size(); ++i) {
    bool known = std::any_of(all.begin(), all.begin() + static_cast<ptrdiff_t>(i),
                             [&](const Diagnostic& one) { return same(one, all[i]); });
    if (!known) to.add(in_its_names(whole, all[i]));
  }
}

}  // namespace

bool Specializer::report(Instance& instance, Diagnostics& diags) {
  if (!instance.reported) {
    Diagnostics found;
    instance.reported = instance.sound = true;  // when it meets itself
    Report(*this, instance, found).run();
    instance.sound = found.errors().empty();
    add_once(*this, found, diags);
  }
  return instance.sound;
}

}  // namespace hetjit::typing
