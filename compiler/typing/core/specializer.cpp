#include "compiler/typing/core/specializer.h"

#include <algorithm>

#include "abi/new_stack.h"
#include "compiler/typing/core/evaluation.h"
#include "compiler/typing/core/python_floats.h"
#include "compiler/typing/core/source_text.h"
#include "frontend/build/build.h"

namespace hetjit::typing {

const Source& Specializer::source_of(const Instance& instance) const {
  return snapshot(instance.closure.function).source;
}

Instance& Specializer::make(const FunctionType& function, TypeValues parameters) {
  auto instance = std::make_unique<Instance>();
  instance->closure = function;
  instance->key = parameters;
  instance->parameters = std::move(parameters);
  Reading reading;
  reading.yields = function.yields;
  HETJIT_CHECK(read_as(*instance, reading));
  instances_.push_back(std::move(instance));
  return *instances_.back();
}

const Specializer::Code& Specializer::code_for(uint32_t function, const Reading& reading) {
  for (const std::unique_ptr<Code>& known : codes_)
    if (known->function == function && known->reading == reading) return *known;
  auto made = std::make_unique<Code>();
  made->function = function;
  made->reading = reading;
  if (reading == Reading{}) {
    made->code = &*program_.functions[function].function;
  } else {
    Diagnostics too_large;
    made->read = build(snapshot(function), function, too_large, reading);
    if (made->read) made->code = &*made->read;
  }
  if (made->code) made->flow = std::make_shared<Flow>(*made->code);
  codes_.push_back(std::move(made));
  return *codes_.back();
}

bool Specializer::read_as(Instance& instance, const Reading& reading) {
  const Code& code = code_for(instance.closure.function, reading);
  if (!code.code) return false;
  instance.reading = reading;
  instance.code = code.code;
  instance.flow = code.flow;
  instance.values.assign(code.code->value_count, {});
  instance.told.assign(code.code->value_count, false);
  instance.live_blocks.assign(code.code->blocks.size(), false);
  instance.live_edges.assign(code.flow->edge_count, false);
  return true;
}

// ---- recursion: a function that meets itself goes on with the result known so far, at first none,
// and is inferred again until that result stays as it is.

namespace {

// A result that still changes then grows without end: f returns (f(n - 1),).
constexpr size_t kMaxRounds = 16;

// From now on its Python floats have a second form.
void make_exact(Instance& instance) {
  instance.exact = true;
  for (TypeValue& parameter : instance.parameters) parameter = with_exact_forms(parameter);
}

void forget(Instance& instance) {
  instance.values.assign(instance.values.size(), {});
  instance.live_blocks.assign(instance.live_blocks.size(), false);
  instance.live_edges.assign(instance.live_edges.size(), false);
}

}  // namespace

// Everything from that place of the stack on calls itself, by way of the others.
void Specializer::depend_on(size_t place) {
  for (size_t i = place; i < working_.size(); ++i) {
    working_[i]->recursive = true;
    working_[i]->open_at = std::min(working_[i]->open_at, place);
  }
}

// Whether the result is another than was assumed.
bool Specializer::infer_once(Instance& instance, size_t place) {
  TypeValue assumed = instance.result;
  const bool passed_meets = instance.passed_meets;
  forget(instance);
  infer(*this, instance);
  if (instance.recursive) {
    instance.result = without_literals(instance.result);
    if (instance.exact) instance.result = with_exact_forms(instance.result);
  }
  bool changed = instance.result != assumed || (instance.meets_float64 && !instance.exact) ||
                 instance.passed_meets != passed_meets;
  for (const std::unique_ptr<Instance>& other : instances_) {
    if (other->working || other->open_at == SIZE_MAX || other->open_at < place) continue;
    other->stale |= changed;
    if (!changed) other->open_at = instance.open_at < place ? instance.open_at : SIZE_MAX;
  }
  return changed;
}

void Specializer::settle(Instance& instance) {
  const size_t place = working_.size();
  working_.push_back(&instance);
  instance.working = true;
  instance.stale = false;
  bool returns = true;
  for (size_t round = 0;; ++round) {
    bool changed = infer_once(instance, place);
    if (instance.meets_float64 && !instance.exact) {
      make_exact(instance);
      continue;
    }
    if (!instance.recursive) break;
    if (!changed && (!instance.result.erroneous() || !returns)) break;
    if (!changed) {  // no path returns but by way of itself: then it returns nothing
      returns = false;
      instance.result = {NoneType{}};
    } else if (round == kMaxRounds) {
      endless_[instance.closure.function] = true;
      break;
    }
  }
  instance.working = false;
  working_.pop_back();
  if (instance.open_at >= place) instance.open_at = SIZE_MAX;
}

Instance& Specializer::entry(TypeValues parameters) {
  Instance& made = make(FunctionType{}, std::move(parameters));
  settle(made);
  return made;
}

// Whether it calls itself, by way of itself alone or of others, each time with other types.
bool Specializer::is_endless(uint32_t function) const {
  auto same = [&](const Instance* one) { return one->closure.function == function; };
  return size_t(std::count_if(working_.begin(), working_.end(), same)) >= kMaxWorking;
}

void Specializer::settle_callee(Instance& instance) {
  if (working_.size() % kCallsPerStack)
    settle(instance);
  else
    on_new_stack([&] { settle(instance); });
}

Instance* Specializer::instance(const FunctionType& function, TypeValues parameters, bool exact) {
  for (const std::unique_ptr<Instance>& known : instances_) {
    if (known->closure != function || known->key != parameters || known->asked_exact != exact)
      continue;
    if (known->working)
      depend_on(
          size_t(std::find(working_.begin(), working_.end(), known.get()) - working_.begin()));
    else if (known->stale)
      settle_callee(*known);
    else if (known->open_at < working_.size())
      depend_on(known->open_at);
    return endless_[function.function] ? nullptr : known.get();
  }
  if (is_endless(function.function)) endless_[function.function] = true;
  if (endless_[function.function]) return nullptr;
  Instance& made = make(function, std::move(parameters));
  made.asked_exact = exact;
  if (exact) make_exact(made);
  settle_callee(made);
  return endless_[function.function] ? nullptr : &made;
}

std::vector<Instance*> Specializer::instances_of(uint32_t function) const {
  std::vector<Instance*> found;
  for (const std::unique_ptr<Instance>& known : instances_)
    if (known->closure.function == function) found.push_back(known.get());
  return found;
}

bool Specializer::report_callee(Instance& callee, Evaluation& at) {
  if (callee.reported) return callee.sound;  // the message was given where it was called first
  Diagnostics found;
  if (++reporting_ % kCallsPerStack)
    report(callee, found);
  else
    on_new_stack([&] { report(callee, found); });
  --reporting_;
  std::string types;
  for (const TypeValue& parameter : callee.parameters)
    types += (types.empty() ? "" : ", ") + name_of(parameter);
  for (Diagnostic problem : found.all()) {
    // A comprehension is no call that its reader has written.
    const bool within = problem.where.source == at.where().source &&
                        problem.where.line == at.where().line &&
                        callee.code->name.starts_with('<') && callee.code->name != "<lambda>";
    if (!is_warning(problem.code) && !within)
      problem.labels.push_back({at.where(), "called here with (" + types + ")"});
    const Span& where = problem.where;
    if (where.known() && is_own(snapshot(where.source).source)) problem.edits.clear();
    at.diags().add(std::move(problem));
  }
  return callee.sound;
}

bool Specializer::first_report(uint32_t function) {
  bool first = !told_[function];
  told_[function] = true;
  return first;
}

uint32_t Specializer::add_site(Site site) {
  auto found = std::find(sites_.begin(), sites_.end(), site);
  if (found == sites_.end()) found = sites_.insert(found, std::move(site));
  return static_cast<uint32_t>(found - sites_.begin());
}

uint32_t Specializer::ir_function(Instance& instance) {
  if (instance.ir_function == UINT32_MAX) {
    instance.ir_function = static_cast<uint32_t>(translated_.size());
    translated_.push_back(&instance);
  }
  return instance.ir_function;
}

namespace {

// Functions compiled for several types share a Python name; dumps and symbols need distinct ones.
void number_names(ir::Module& module) {
  for (size_t i = 1; i < module.functions.size(); ++i) {
    size_t same = 0;
    for (size_t j = 0; j < i; ++j)
      same += module.functions[j].name.substr(0, module.functions[j].name.find('~')) ==
              module.functions[i].name;
    if (same) module.functions[i].name += "." + std::to_string(same);
  }
}

}  // namespace

void Specializer::add_external(const ir::External& code) {
  for (const ir::External& known : external_code_)
    if (known.symbol == code.symbol) return;
  external_code_.push_back(code);
}

ir::Module Specializer::translate(Instance& entry, const Signature& signature) {
  ir::Module module;
  translated_.push_back(nullptr);  // the entry is nobody's callee: one that calls itself is two
  module.functions.push_back(translate_instance(*this, entry, &signature));
  for (size_t i = 1; i < translated_.size(); ++i)  // grows while functions are translated
    module.functions.push_back(translate_instance(*this, *translated_[i], nullptr));
  number_names(module);
  module.sites = std::move(sites_);
  module.externals = std::move(external_code_);
  return module;
}

}  // namespace hetjit::typing
