#include "compiler/typing/kinds/externals.h"

#include <algorithm>

#include "abi/cxx_names.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/known/external_functions.h"

namespace hetjit::typing {

Value external_attribute(const ExternalType& whole, const std::string& name) {
  const std::string path = whole.name.empty() ? name : whole.name + "::" + name;
  return static_value({ExternalType{whole.library, path, whole.types}});
}

namespace {

/// An argument of a template, as C++ writes it; nullopt: it can be none.
std::optional<std::string> template_argument(const Value& value) {
  const NumberType* number = value.as<NumberType>();
  if (const TypeObject* object = value.as<TypeObject>()) return cxx_name(object->type.type);
  const std::optional<Integer> integer = integer_literal(value.type);
  if (!integer) return std::nullopt;
  if (number->number.scalar == Scalar::Bool) return *integer ? "true" : "false";
  return to_text(Literal{*integer});
}

}  // namespace

Value external_item(Evaluation& at, const ExternalType& whole, const Value& index) {
  const std::vector<Value> arguments = items_of(index).value_or(std::vector<Value>{index});
  std::string list;
  ExternalType chosen = whole;
  for (const Value& argument : arguments) {
    if (argument.erroneous()) return {};
    const std::optional<std::string> text = template_argument(argument);
    if (!text)
      return at
          .error(Code::ArgumentType,
                 {"the template '" + whole.name + "'", "types and constant integers",
                  name_of(argument.type)},
                 {&argument})
          .report();
    list += (list.empty() ? "" : ", ") + *text;
    if (const TypeObject* object = argument.as<TypeObject>())
      chosen.types.push_back(object->type.type);
  }
  chosen.name += "<" + list + ">";
  return static_value({std::move(chosen)});
}

namespace {

/// Whether C++ can be given it.
bool has_cxx_form(const TypeValue& type) {
  if (type.holds<NumberType>() || type.holds<ArrayType>() || type.holds<NoneType>()) return true;
  const std::optional<TypeValues> items = items_of(type);
  return items && std::all_of(items->begin(), items->end(), has_cxx_form);
}

Value refused(Evaluation& at, const std::string& name, const ExternalAnswer& answer) {
  Diagnostics::Builder error = at.error(Code::CxxCall, {name, answer.problem});
  for (const std::string& note : answer.notes) error.note(note);
  for (const std::string& help : answer.helps) error.help(help);
  return error.report();
}

/// The call's result, as Python code goes on with it.
Value emitted(Evaluation& at, const ExternalFunction& function, std::vector<Leaf> in) {
  Value result = static_value(parameter_value({function.result, false}));
  if (!at.code().on()) return result;
  at.whole().add_external(function.code);
  ir::Builder& build = at.code().builder();
  Leaf whole;
  if (function.pure) {
    ir::ExternalValue op;
    op.in = std::move(in);
    op.symbol = function.code.symbol;
    whole = build.emit(std::move(op), function.result);
  } else {
    ir::ExternalCall op;
    op.in = std::move(in);
    op.symbol = function.code.symbol;
    whole = build.emit(std::move(op), function.result);
  }
  take_apart(at.code(), whole, result.type, result.leaves);
  return result;
}

}  // namespace

Value call_external(Evaluation& at, const Value& callee, const Arguments& arguments) {
  const ExternalType& external = *callee.as<ExternalType>();
  const std::string name = "'" + external.name + "'";
  if (external.name.empty())
    return at.error(Code::NotCallable, {name_of(callee.type)}, {&callee}).report();
  if (!arguments.keywords.empty())
    return at.error(Code::UnknownKeyword, {name, arguments.keywords[0].first}).report();
  ExternalCall call{.library = at.whole().library(external.library),
                    .callee = external.name,
                    .named = external.types,
                    .arguments = {},
                    .target = at.whole().target()};
  std::vector<Leaf> in;
  for (const Value& argument : arguments.positional) {
    if (argument.erroneous()) return {};
    if (!has_cxx_form(argument.type))
      return at
          .error(
              Code::ArgumentType,
              {name, "numbers, vectors, tuples, structs, arrays and None", name_of(argument.type)},
              {&argument})
          .report();
    const TypeValue type = at.at_run_time(argument.type);
    const Value passed{type, at.coerce(argument, type), argument.origin};
    call.arguments.push_back(whole_type(type));
    in.push_back(put_together(at.code(), passed, call.arguments.back()));
  }
  const ExternalAnswer answer = at.whole().externals().find(call);
  return answer.function ? emitted(at, *answer.function, std::move(in))
                         : refused(at, external.name, answer);
}

}  // namespace hetjit::typing
