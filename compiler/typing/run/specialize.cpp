#include "compiler/typing/run/specialize.h"

#include "compiler/typing/core/evaluation.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/lanes_left.h"
#include "compiler/typing/known/target_facts.h"
#include "compiler/typing/ops/calls.h"
#include "compiler/typing/run/closing_barrier.h"
#include "compiler/typing/run/returned_memory.h"
#include "compiler/typing/run/watched_returns.h"

namespace hetjit::typing {
namespace {

// The place of the first `return` that control reaches and whose value is not None.
Span return_of_value(const Instance& entry) {
  for (uint32_t block = 0; block < entry.live_blocks.size(); ++block) {
    const ssa::Inst& last = entry.code->blocks[block].insts.back();
    const ssa::Return* op = std::get_if<ssa::Return>(&last.op);
    if (!op || !entry.live_blocks[block] || !last.where.valid()) continue;
    if (!entry.type_of(op->in[0]).holds<NoneType>()) return entry.code->spans[last.where.index];
  }
  return {};
}

// What may leave a compiled function: numbers, None, and tuples, vectors and structs of them.
bool can_return(const TypeValue& value) {
  if (value.holds<NumberType>() || value.holds<NoneType>()) return true;
  std::optional<TypeValues> items = items_of(value);
  if (!items) return false;
  for (const TypeValue& item : *items)
    if (!can_return(item)) return false;
  return true;
}

bool check_result(const Instance& entry, bool kernel, Diagnostics& diags) {
  std::string type = name_of(entry.result);
  if (kernel && !entry.result.holds<NoneType>())
    return diags.error(Code::KernelReturnsValue, return_of_value(entry), {entry.code->name, type})
        .help("store the result in an array, or make this a device.func")
        .report();
  if (can_return(entry.result)) return true;
  return diags.error(Code::CannotReturn, return_of_value(entry), {entry.code->name, type}).report();
}

bool check_count(const ssa::Function& code, const Signature& signature, Diagnostics& diags) {
  size_t takes = code.blocks[0].params.size(), given = signature.parameters.size();
  if (takes == given) return true;
  return diags
      .error(
          Code::ArgumentCount, {},
          {"'" + code.name + "'", std::to_string(takes) + (takes == 1 ? " argument" : " arguments"),
           std::to_string(given) + (given == 1 ? " is" : " are")})
      .report();
}

// Python floats of the launch are float32: which argument a number comes from.
void note_argument(TypeValue& value, size_t index) {
  if (TupleType* tuple = std::get_if<TupleType>(&value.is))
    for (TypeValue& item : tuple->items) note_argument(item, index);
  if (is_python_float(value) && index < UINT8_MAX)
    std::get<NumberType>(value.is).rounding.argument = static_cast<uint8_t>(index + 1);
}

// Types of the arguments; what a launch bound as a constant is one (and passes nothing that is
// read).
std::optional<TypeValues> parameters_of(Specializer& whole, const Signature& signature,
                                        Diagnostics& diags) {
  TypeValues parameters;
  for (const Parameter& parameter : signature.parameters) {
    if (holds_atomic(parameter.type))
      return diags
          .error(Code::MemoryOnly, {},
                 {to_python(parameter.type),
                  "passed to '" + whole.program().functions[0].function->name + "'"})
          .note("it holds an Atomic")
          .help("pass an array of it: numpy.zeros(1, device.numpy_dtype(T))")
          .report();
    TypeValue value = parameter_value(parameter);
    note_argument(value, parameters.size());
    parameters.push_back(std::move(value));
  }
  Instance nowhere;
  nowhere.code = &*whole.program().functions[0].function;
  Evaluation at(whole, nowhere, diags, nullptr, true);
  for (const BoundParameter& bound : whole.snapshot(0).bound) {
    if (bound.parameter >= parameters.size()) continue;
    const std::string& name = whole.snapshot(0).locals[bound.parameter];
    Value value =
        annotated(at, whole.snapshot(0), bound.parameter, meaning_value(at, bound.value, name));
    if (!value.erroneous() && !is_constant(value.type))
      return diags
          .error(Code::ConstantNeeded, find_parameter(whole.snapshot(0).source, name, true),
                 {"'" + name + "'", "'" + nowhere.code->name + "'"})
          .note("it is " + name_of(value.type))
          .help(
              "pass a number, a text or a tuple of them; an array is an argument without "
              "device.ConstExpr")
          .report();
    if (value.erroneous()) return std::nullopt;
    parameters[bound.parameter] = std::move(value.type);
  }
  return parameters;
}

}  // namespace

std::optional<ir::Module> specialize(const ssa::Module& program, const Signature& signature,
                                     bool kernel, Diagnostics& diags, const TargetName& target,
                                     Checks checks, ExternalFunctions& externals) {
  const ssa::Built& built = program.functions[0];
  if (!built.function) {
    diags.add_all(built.problems);
    return std::nullopt;
  }
  if (!check_count(*built.function, signature, diags)) return std::nullopt;
  if (!kernel) checks = checks.without(Check::Warp);  // it is not known who has returned
  Specializer whole(program, target, checks, externals);
  std::optional<TypeValues> parameters = parameters_of(whole, signature, diags);
  if (!parameters) return std::nullopt;
  Instance& entry = whole.entry(std::move(*parameters));
  entry.result = without_literals(entry.result);
  if (!whole.report(entry, diags) || !check_result(entry, kernel, diags)) return std::nullopt;
  std::optional<ir::Module> module = whole.translate(entry, signature);
  if (module && !keeps_own_memory(*module, diags)) return std::nullopt;
  if (module && checks.has(Check::Warp))
    watch_returns(*module, program.program->sources(), lanes_left_variable(whole),
                  warp_size(target));
  if (module && kernel && checks.has(Check::Race) && target_facts(target.kind).is_watched)
    close_with_barrier(*module, program.program->sources());
  return module;
}

}  // namespace hetjit::typing
