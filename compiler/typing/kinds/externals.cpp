#include "compiler/typing/kinds/externals.h"

#include <algorithm>

#include "abi/cxx_names.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/items.h"
#include "compiler/typing/kinds/memory.h"
#include "compiler/typing/known/external_functions.h"
#include "compiler/typing/known/external_objects.h"

namespace hetjit::typing {

Value external_attribute(const ExternalType& whole, const std::string& name) {
  const std::string path = whole.name.empty() ? name : whole.name + "::" + name;
  return static_value({ExternalType{whole.library, path, whole.types}});
}

namespace {

/// An argument of a template, as C++ writes it; nullopt: it can be none.
std::optional<std::string> template_argument(const Value& value) {
  const NumberType* number = value.as<NumberType>();
  if (const ExternalType* external = value.as<ExternalType>()) return external->name;
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
    if (const ExternalType* external = argument.as<ExternalType>())
      chosen.types.insert(chosen.types.end(), external->types.begin(), external->types.end());
  }
  chosen.name += "<" + list + ">";
  return static_value({std::move(chosen)});
}

namespace {

/// Whether C++ can be given it.
bool has_cxx_form(const TypeValue& type) {
  if (type.holds<NumberType>() || type.holds<ArrayType>() || type.holds<NoneType>()) return true;
  if (const StructType* record = type.as<StructType>(); record && is_object(record->type))
    return true;
  const std::optional<TypeValues> items = items_of(type);
  return items && std::all_of(items->begin(), items->end(), has_cxx_form);
}

Value refused(Evaluation& at, const std::string& name, const ExternalAnswer& answer) {
  Diagnostics::Builder error = at.error(Code::CxxCall, {name, answer.problem});
  for (const std::string& note : answer.notes) error.note(note);
  for (const std::string& help : answer.helps) error.help(help);
  return error.report();
}

/// The result, as Python code goes on with it.
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

/// The type of a struct, or of an array's elements.
TypeId object_of(const Value& value) {
  if (const StructType* record = value.as<StructType>()) return record->type;
  const ArrayType* array = value.as<ArrayType>();
  return array ? type(array->type).element : TypeId{};
}

/// What C++ is asked for, while it is written. `name` is what messages call it.
class Question {
 public:
  Question(Evaluation& at, uint32_t library, std::string name)
      : at_(at), library_(library), name_(std::move(name)) {}

  /// How the expression writes an operand; nullopt: reported.
  std::optional<std::string> operand(const Value& value) {
    if (value.erroneous()) return std::nullopt;
    if (const ExternalType* external = value.as<ExternalType>()) return name(*external, value);
    if (!has_cxx_form(value.type) || is_others(value)) return refuse(value);
    const TypeValue type = at_.at_run_time(value.type);
    const Value passed{type, at_.coerce(value, type), value.origin};
    types_.push_back(whole_type(type));
    in_.push_back(put_together(at_.code(), passed, types_.back()));
    return name_of_argument(types_.size() - 1);
  }
  /// Several, with commas.
  std::optional<std::string> list(const std::vector<Value>& values) {
    std::string text;
    for (const Value& value : values) {
      const std::optional<std::string> one = operand(value);
      if (!one) return std::nullopt;
      text += (text.empty() ? "" : ", ") + *one;
    }
    return text;
  }
  /// Types of ours that the expression names.
  void add_named(const std::vector<TypeId>& types) {
    named_.insert(named_.end(), types.begin(), types.end());
  }

  ExternalAnswer answer(const std::string& expression) const {
    return at_.whole().externals().find({.library = at_.whole().library(library_),
                                         .expression = expression,
                                         .named = named_,
                                         .arguments = types_,
                                         .target = at_.whole().target()});
  }
  Value value(const std::string& expression) const {
    const ExternalAnswer found = answer(expression);
    return found.function ? emitted(at_, *found.function, in_) : refused(at_, name_, found);
  }

 private:
  std::optional<std::string> name(const ExternalType& external, const Value& value) {
    if (external.library != library_ || external.name.empty()) return refuse(value);
    add_named(external.types);
    return external.name;
  }
  /// An object of another library's, whose type may have the same name.
  bool is_others(const Value& value) const {
    const TypeId id = object_of(value);
    return id.valid() && is_object(id) &&
           library_of_object(*at_.whole().program().program, id) != library_;
  }
  std::optional<std::string> refuse(const Value& value) {
    at_.error(Code::ArgumentType,
              {"'" + name_ + "'", "numbers, vectors, tuples, structs, arrays and None",
               name_of(value.type)},
              {&value})
        .report();
    return std::nullopt;
  }

  Evaluation& at_;
  uint32_t library_;
  std::string name_;
  std::vector<TypeId> types_, named_;
  std::vector<Leaf> in_;
};

bool takes_keywords(Evaluation& at, const std::string& name, const Arguments& arguments) {
  if (arguments.keywords.empty()) return true;
  at.error(Code::UnknownKeyword, {"'" + name + "'", arguments.keywords[0].first}).report();
  return false;
}

/// `callee(arguments…)`, what is called being written in the question already.
Value called(Evaluation& at, Question& question, const std::string& name, const std::string& callee,
             const Arguments& arguments) {
  if (!takes_keywords(at, name, arguments)) return {};
  const std::optional<std::string> list = question.list(arguments.positional);
  return list ? question.value(callee + "(" + *list + ")") : Value{};
}

}  // namespace

Value call_external(Evaluation& at, const Value& callee, const Arguments& arguments) {
  const ExternalType& external = *callee.as<ExternalType>();
  if (external.name.empty())
    return at.error(Code::NotCallable, {name_of(callee.type)}, {&callee}).report();
  Question question(at, external.library, external.name);
  question.add_named(external.types);
  return called(at, question, external.name, external.name, arguments);
}

Value external_value(Evaluation& at, const Value& named) {
  const ExternalType& external = *named.as<ExternalType>();
  Question question(at, external.library, external.name);
  question.add_named(external.types);
  return question.value("hetjit::shim::part(" + external.name + ")");
}

std::optional<TypeId> external_type(Evaluation& at, const Value& named) {
  const ExternalType& external = *named.as<ExternalType>();
  Question question(at, external.library, external.name);
  question.add_named(external.types);
  const ExternalAnswer answer = question.answer(expression_of_type(external.name));
  if (answer.function) return answer.function->result;
  refused(at, external.name, answer);
  return std::nullopt;
}

// ---- objects

namespace {

/// A question whose first operand is an object, and how it is written.
struct OfObject {
  OfObject(Evaluation& at, const Value& object, std::string name)
      : question(at, *library_of_object(*at.whole().program().program, object_of(object)),
                 std::move(name)),
        self(*question.operand(object)) {
    if (object.as<ArrayType>()) self = "hetjit::shim::element(" + self + ")";
  }
  Question question;
  std::string self;
};

std::string shown(const Value& object, const std::string& name) {
  return spelling_of_object(object_of(object)) + "::" + name;
}

/// Whether the result of the instruction at hand is called.
bool is_called(Evaluation& at) {
  const ValueId result = at.inst().result;
  for (const ssa::Block& block : at.function().blocks)
    for (const ssa::Inst& inst : block.insts)
      if (const auto* call = std::get_if<ssa::Call>(&inst.op); call && call->in[0] == result)
        return true;
  return false;
}

/// The elements of an array of C++'s, which has no value itself (shim.hpp).
bool are_elements(const Value& value) {
  return is_object(value) &&
         spelling_of_object(object_of(value)).starts_with("hetjit::shim::elements<");
}

/// A copy of the first operand of which a part has another value.
Value changed(OfObject& of, const std::string& part, const Value& value) {
  const std::optional<std::string> given = of.question.operand(value);
  if (!given) return {};
  const std::string place = "hetjit_it" + part;
  const std::string change = are_elements(value)
                                 ? "hetjit::shim::put_back(" + place + ", " + *given + ")"
                                 : place + " = " + *given;
  return of.question.value("hetjit::shim::changed(" + of.self + ", [&](auto& hetjit_it) { " +
                           change + "; })");
}

/// "[i]"; "(i, j)" of several. nullopt: reported.
std::optional<std::string> brackets(Question& question, const Value& index) {
  const std::optional<std::vector<Value>> items = items_of(index);
  const std::optional<std::string> list = items ? question.list(*items) : question.operand(index);
  if (!list) return std::nullopt;
  return items ? "(" + *list + ")" : "[" + *list + "]";
}

}  // namespace

bool is_object(const Value& value) {
  const StructType* record = value.as<StructType>();
  return record && is_object(record->type);
}

bool holds_objects(const Value& array) {
  return array.as<ArrayType>() && is_object(object_of(array));
}

Value object_attribute(Evaluation& at, const Value& object, const std::string& name) {
  if (is_called(at)) return {TypeValue{MethodType{name, {object.type}}}, object.leaves, {}};
  OfObject of(at, object, shown(object, name));
  return of.question.value("hetjit::shim::part(" + of.self + "." + name + ")");
}

Value call_object_method(Evaluation& at, const MethodType& method, const Value& self,
                         const Arguments& arguments) {
  const std::string name = shown(self, method.name);
  OfObject of(at, self, name);
  return called(at, of.question, name, of.self + "." + method.name, arguments);
}

Value call_object(Evaluation& at, const Value& object, const Arguments& arguments) {
  const std::string name = shown(object, "operator()");
  OfObject of(at, object, name);
  return called(at, of.question, name, of.self, arguments);
}

Value object_item(Evaluation& at, const Value& object, const Value& index) {
  OfObject of(at, object, shown(object, "operator[]"));
  const std::optional<std::string> place = brackets(of.question, index);
  return place ? of.question.value("hetjit::shim::part(" + of.self + *place + ")") : Value{};
}

Value object_number(Evaluation& at, const Value& object, Scalar to) {
  const std::string type = cxx_name(scalar_type(to));
  OfObject of(at, object, shown(object, "operator " + type));
  return of.question.value("static_cast<" + type + ">(" + of.self + ")");
}

Value object_truth(Evaluation& at, const Value& object) {
  OfObject of(at, object, shown(object, "operator bool"));
  return of.question.value("static_cast<bool>(" + of.self + ")");
}

Value object_with(Evaluation& at, const Value& object, const std::string& name,
                  const Value& value) {
  OfObject of(at, object, shown(object, name));
  return changed(of, "." + name, value);
}

Value object_with(Evaluation& at, const Value& object, const Value& index, const Value& value) {
  OfObject of(at, object, shown(object, "operator[]"));
  const std::optional<std::string> place = brackets(of.question, index);
  return place ? changed(of, *place, value) : Value{};
}

std::optional<Value> object_operator(Evaluation& at, std::string_view symbol,
                                     const std::vector<Value>& operands) {
  constexpr std::string_view kOnlyPythons[] = {"//", "**", "@", "not"};
  const auto object = std::find_if(operands.begin(), operands.end(),
                                   [](const Value& value) { return is_object(value); });
  if (object == operands.end() || std::ranges::find(kOnlyPythons, symbol) != std::end(kOnlyPythons))
    return std::nullopt;
  const std::string name = shown(*object, "operator" + std::string(symbol));
  const Program& program = *at.whole().program().program;
  Question question(at, *library_of_object(program, object_of(*object)), name);
  std::vector<std::string> texts;
  for (const Value& value : operands) {
    const std::optional<std::string> one = question.operand(value);
    if (!one) return Value{};
    texts.push_back(*one);
  }
  const std::string last = std::string(symbol) + " " + texts.back();
  return question.value(texts.size() == 1 ? last : texts[0] + " " + last);
}

}  // namespace hetjit::typing
