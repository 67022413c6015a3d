#include "compiler/typing/specializer.h"

#include "compiler/typing/evaluation.h"
#include "frontend/build/build.h"

namespace hetjit::typing {

const Source& Specializer::source_of(const Instance& instance) const {
  return snapshot(instance.closure.function).source;
}

Instance& Specializer::make(const FunctionType& function, TypeValues parameters) {
  auto instance = std::make_unique<Instance>();
  instance->closure = function;
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

Instance* Specializer::instance(const FunctionType& function, TypeValues parameters) {
  for (const std::unique_ptr<Instance>& known : instances_)
    if (known->closure == function && known->parameters == parameters)
      return known->working ? nullptr : known.get();
  if (depth_ == kMaxCallDepth) endless_[function.function] = true;
  if (endless_[function.function]) return nullptr;
  Instance& made = make(function, std::move(parameters));
  made.working = true;
  ++depth_;
  infer(*this, made);
  --depth_;
  made.working = false;
  return &made;
}

bool Specializer::report_callee(Instance& callee, Evaluation& at) {
  if (callee.reported) return callee.sound;  // the message was given where it was called first
  Diagnostics found;
  report(callee, found);
  std::string types;
  for (const TypeValue& parameter : callee.parameters)
    types += (types.empty() ? "" : ", ") + name_of(parameter);
  for (Diagnostic problem : found.all()) {
    problem.labels.push_back({at.where(), "called here with (" + types + ")"});
    at.diags().add(std::move(problem));
  }
  return callee.sound;
}

bool Specializer::first_report(uint32_t function) {
  bool first = !told_[function];
  told_[function] = true;
  return first;
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

ir::Module Specializer::translate(Instance& entry, const Signature& signature) {
  ir::Module module;
  ir_function(entry);
  for (size_t i = 0; i < translated_.size(); ++i)  // grows while functions are translated
    module.functions.push_back(
        translate_instance(*this, *translated_[i], i == 0 ? &signature : nullptr));
  number_names(module);
  return module;
}

}  // namespace hetjit::typing
