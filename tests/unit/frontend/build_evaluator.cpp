#include "build_evaluator.h"

#include "frontend/snapshot/snapshot_text.h"

namespace hetjit::ssa::evaluation {
namespace {

constexpr uint64_t kMostSteps = 1000000, kMostDepth = 200;

}  // namespace

/// One instruction in its frame: an overload per op.
struct Step {
  Evaluator& at;
  const Function& function;
  const Closure& closure;
  std::vector<Value>& values;

  const Value& operator[](ValueId id) const { return values[id.index]; }
  Value known(std::optional<Value> value, const char* what) const {
    return value ? *value : at.fail(std::string("cannot ") + what);
  }
  Values all(std::span<const ValueId> ids) const {
    Values result;
    for (ValueId id : ids) result.push_back(values[id.index]);
    return result;
  }

  Value operator()(const Const& op) const { return value_of(op.value); }
  Value operator()(const LoadName& op) const {
    const Name& name = function.names[op.name];
    if (name.path == closure.self) return {closure};
    if (closure.captures && closure.captures->contains(name.path))
      return closure.captures->at(name.path);
    if (auto* builtin = std::get_if<BuiltinMeaning>(&name.meaning)) return {Builtin{builtin->name}};
    if (auto* constant = std::get_if<Constant>(&name.meaning)) return value_of(*constant);
    if (auto* module = std::get_if<ModuleMeaning>(&name.meaning)) return {Builtin{module->module}};
    if (auto* known = std::get_if<FunctionMeaning>(&name.meaning)) return global(known->function);
    // A function of the same program, by its name: the tests' globals.
    for (uint32_t i = 0; i < at.module_.functions.size(); ++i)
      if (at.module_.program->functions[i].name == name.path) return global(i);
    return at.fail("unbound '" + name.path + "'");
  }
  Value operator()(const Undefined&) const { return {Unbound{}}; }
  Value operator()(const MakeFunction& op) const {
    Closure made{op.function, op.self, std::make_shared<Values>(),
                 std::make_shared<std::map<std::string, Value>>()};
    Values given = all(op.in);
    made.defaults->assign(given.begin(), given.begin() + op.default_count);
    for (size_t i = 0; i < op.captures.size(); ++i)
      made.captures->emplace(op.captures[i], given[op.default_count + i]);
    return {made};
  }
  Value operator()(const Unary& op) const {
    return known(unary(op.kind, (*this)[op.in[0]]), "unary");
  }
  Value operator()(const Binary& op) const {
    return known(binary(op.kind, (*this)[op.in[0]], (*this)[op.in[1]]), "binary");
  }
  Value operator()(const Compare& op) const {
    return known(compare(op.kind, (*this)[op.in[0]], (*this)[op.in[1]]), "compare");
  }
  Value operator()(const Is& op) const {
    const Value &a = (*this)[op.in[0]], &b = (*this)[op.in[1]];
    bool same = a.is.index() == b.is.index() && equal(a, b);
    return {same != op.negated};
  }
  Value operator()(const Contains& op) const {
    auto* sequence = std::get_if<Sequence>(&(*this)[op.in[1]].is);
    if (!sequence) return at.fail("cannot contain");
    bool found = false;
    for (const Value& item : *sequence->items) found |= equal(item, (*this)[op.in[0]]);
    return {found != op.negated};
  }
  Value operator()(const ToBool& op) const { return {truth((*this)[op.in[0]])}; }
  Value operator()(const GetAttribute& op) const {
    const Value& whole = (*this)[op.in[0]];
    if (auto* module = std::get_if<Builtin>(&whole.is))
      return {Builtin{module->name + "." + op.attribute}};
    return known(get_item(whole, lane(op.attribute)), "getattr");
  }
  Value operator()(const SetAttribute& op) const {
    return known(set_item((*this)[op.in[0]], lane(op.attribute), (*this)[op.in[1]]), "setattr");
  }
  Value operator()(const GetItem& op) const {
    return known(get_item((*this)[op.in[0]], (*this)[op.in[1]]), "getitem");
  }
  Value operator()(const SetItem& op) const {
    return known(set_item((*this)[op.in[0]], (*this)[op.in[1]], (*this)[op.in[2]]), "setitem");
  }
  Value operator()(const BuildSlice& op) const {
    return {Slice{std::make_shared<Values>(all(op.in))}};
  }
  Value operator()(const StoreCell&) const { return {}; }
  Value operator()(const Ignore&) const { return {}; }
  Value operator()(const BuildTuple& op) const { return make(Sequence::Kind::Tuple, all(op.in)); }
  Value operator()(const AsList& op) const { return (*this)[op.in[0]]; }
  Value operator()(const UnpackItem& op) const {
    auto* sequence = std::get_if<Sequence>(&(*this)[op.in[0]].is);
    if (!sequence || sequence->items->size() != op.count) return at.fail("cannot unpack");
    return (*sequence->items)[op.index];
  }
  Value operator()(const UnpackStar& op) const {
    auto* sequence = std::get_if<Sequence>(&(*this)[op.in[0]].is);
    if (!sequence || sequence->items->size() < op.before + op.after)
      return at.fail("cannot unpack");
    const Values& items = *sequence->items;
    return make(Sequence::Kind::Tuple, Values(items.begin() + op.before, items.end() - op.after));
  }
  Value operator()(const Call& op) const {
    Values positional;
    std::map<std::string, Value> keywords;
    size_t first_keyword = op.in.size() - op.keywords.size();
    for (size_t i = 1; i < op.in.size(); ++i) {
      const Value& value = (*this)[op.in[i]];
      if (i >= first_keyword) {
        keywords.emplace(op.keywords[i - first_keyword], value);
      } else if (std::find(op.spread.begin(), op.spread.end(), i) != op.spread.end()) {
        const auto& items = *std::get<Sequence>(value.is).items;
        positional.insert(positional.end(), items.begin(), items.end());
      } else {
        positional.push_back(value);
      }
    }
    return at.call_value((*this)[op.in[0]], std::move(positional), std::move(keywords));
  }
  // An iterator is its sequence, a position a count.
  Value operator()(const Iter& op) const { return (*this)[op.in[0]]; }
  Value operator()(const IterStart&) const { return {int64_t{0}}; }
  Value operator()(const IterHas& op) const {
    auto* sequence = std::get_if<Sequence>(&(*this)[op.in[0]].is);
    if (!sequence) return at.fail("cannot iterate");
    return {std::get<int64_t>((*this)[op.in[1]].is) <
            static_cast<int64_t>(sequence->items->size())};
  }
  Value operator()(const IterItem& op) const {
    const auto& items = *std::get<Sequence>((*this)[op.in[0]].is).items;
    return items[static_cast<size_t>(std::get<int64_t>((*this)[op.in[1]].is))];
  }
  Value operator()(const IterNext& op) const {
    return {std::get<int64_t>((*this)[op.in[1]].is) + 1};
  }
  template <class Terminator>
  Value operator()(const Terminator&) const {
    return {};
  }

  /// A function of the module, with its defaults: those of the last parameters.
  Value global(uint32_t index) const {
    Closure made{index, "", std::make_shared<Values>(), {}};
    for (const auto& meaning : at.module_.program->functions[index].defaults)
      if (meaning) made.defaults->push_back(value_of(std::get<Constant>(*meaning)));
    return {made};
  }
  static Value lane(const std::string& attribute) {
    return {static_cast<int64_t>(std::string("xyzw").find(attribute))};
  }
};

Value Evaluator::fail(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
  return {};
}

Outcome Evaluator::call(uint32_t function, Values arguments) {
  problem_.clear();
  steps_ = depth_ = 0;
  Value value = call_value({Closure{function, "", {}, {}}}, std::move(arguments), {});
  return {value, problem_};
}

Value Evaluator::call_value(const Value& callee, Values positional,
                            std::map<std::string, Value> keywords) {
  if (auto* builtin = std::get_if<Builtin>(&callee.is)) {
    auto result = call_builtin(builtin->name, positional);
    return result ? *result : fail("cannot call " + builtin->name);
  }
  auto* closure = std::get_if<Closure>(&callee.is);
  if (!closure) return fail("cannot call");
  const auto& function = module_.functions[closure->function].function;
  if (!function) return fail("not compiled");
  const auto& names = function->parameter_names;
  size_t defaults = closure->defaults ? closure->defaults->size() : 0;
  for (size_t i = positional.size(); i < names.size(); ++i) {
    if (auto found = keywords.find(names[i]); found != keywords.end())
      positional.push_back(found->second);
    else if (i + defaults >= names.size())
      positional.push_back((*closure->defaults)[i + defaults - names.size()]);
  }
  if (positional.size() != names.size()) return fail("argument count");
  return run(*function, std::move(positional), *closure);
}

Value Evaluator::run(const Function& function, Values arguments, const Closure& closure) {
  if (++depth_ > kMostDepth) return fail("too deep");
  std::vector<Value> values(function.value_count);
  Step step{*this, function, closure, values};
  const Block* block = &function.blocks[0];
  for (;;) {
    for (size_t i = 0; i < arguments.size(); ++i) values[block->params[i].index] = arguments[i];
    const Edge* next = nullptr;
    for (const Inst& inst : block->insts) {
      if (++steps_ > kMostSteps) return fail("too long");
      for (ValueId used : operands(inst.op))
        if (auto* made = std::get_if<Unbound>(&values[used.index].is))
          return (void)made, fail("unbound");
      if (inst.result.valid()) values[inst.result.index] = std::visit(step, inst.op);
      if (!problem_.empty()) return {};
      if (auto* jump = std::get_if<Jump>(&inst.op)) next = &jump->to;
      if (auto* branch = std::get_if<Branch>(&inst.op))
        next = truth(values[branch->in[0].index]) ? &branch->yes : &branch->no;
      if (auto* result = std::get_if<Return>(&inst.op)) {
        --depth_;
        return values[result->in[0].index];
      }
      if (auto* raise = std::get_if<Raise>(&inst.op))
        return fail("raises " + (raise->in.empty() ? "" : to_text(values[raise->in[0].index])));
    }
    arguments = step.all(next->args);
    block = &function.blocks[next->to.index];
  }
}

}  // namespace hetjit::ssa::evaluation
