#include "compiler/typing/core/remedies.h"

#include <algorithm>

#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/source_text.h"
#include "compiler/typing/core/specializer.h"

namespace hetjit::typing {
namespace {

const Source& source_of(Evaluation& at) { return at.whole().source_of(at.instance()); }

bool is_integer_number(const TypeValue& type) {
  const NumberType* number = type.as<NumberType>();
  return number && (is_integer(number->number.scalar) || number->number.scalar == Scalar::Bool);
}

// Where the '/' or '/=' of a quotient of integers stands; unknown when the value is none.
Span slash_of(Evaluation& at, const Value& value) {
  const Instance& instance = at.instance();
  if (!value.origin.valid()) return {};
  auto [block, place] = instance.flow->defined[value.origin.index];
  if (place == Flow::kParameter) return {};
  const ssa::Inst& inst = at.function().blocks[block].insts[place];
  const auto* quotient = std::get_if<ssa::Binary>(&inst.op);
  const bool of_integers = quotient && quotient->kind == ssa::BinaryKind::TrueDivide &&
                           is_integer_number(instance.type_of(quotient->in[0])) &&
                           is_integer_number(instance.type_of(quotient->in[1]));
  return of_integers ? find_operator(source_of(at), span_of(at.function(), inst.where), inst.op)
                     : Span{};
}

}  // namespace

void enclose(Diagnostics::Builder& error, Evaluation& at, const Value& value,
             const std::string& function) {
  error.enclose(at.place_of(value), function + "(", ")");
}

void convert(Diagnostics::Builder& error, Evaluation& at, const Value& value,
             const std::string& function) {
  error.help("convert it: " + function + "(x)");
  enclose(error, at, value, function);
}

void convert_to_integer(Diagnostics::Builder& error, Evaluation& at, const Value& value,
                        const std::string& function) {
  if (!divide_whole(error, at, value)) convert(error, at, value, function);
}

bool divide_whole(Diagnostics::Builder& error, Evaluation& at, const Value& value) {
  const Span slash = slash_of(at, value);
  if (!slash.known()) return false;
  error.help("'/' makes a float of integers; '//' makes an integer").edit(begin_of(slash), "/");
  return true;
}

namespace {

bool is_compared(const ssa::Function& function, ValueId value) {
  for (const ssa::Block& block : function.blocks)
    for (const ssa::Inst& inst : block.insts)
      if (const auto* compare = std::get_if<ssa::Compare>(&inst.op))
        if (compare->in[0] == value || compare->in[1] == value) return true;
  return false;
}

// `(a & b)`: what stands around a place on its line.
bool is_in_brackets(const Source& source, const Span& where) {
  std::string before = text_at(source, {where.source, where.line, 0, where.line, where.column});
  Span behind = end_of(where);
  behind.end_column += 1;
  while (before.ends_with(' ')) before.pop_back();
  return before.ends_with('(') && text_at(source, behind) == ")";
}

}  // namespace

bool say_and(Diagnostics::Builder& error, Evaluation& at, ssa::BinaryKind kind) {
  const bool both = kind == ssa::BinaryKind::And, either = kind == ssa::BinaryKind::Or;
  const bool written = !text_at(source_of(at), at.where()).empty();
  if ((!both && !either) || !written || !is_compared(at.function(), at.inst().result) ||
      is_in_brackets(source_of(at), at.where()))
    return false;
  const std::string sign = both ? "'&'" : "'|'", word = both ? "and" : "or";
  error.help(sign + " binds tighter than a comparison: write '" + word + "' between the two")
      .edit(at.place_of_operator(), word);
  return true;
}

void leave_out_call(Diagnostics::Builder& error, Evaluation& at, const std::string& instead) {
  Span brackets = end_of(at.where());
  if (!brackets.known() || brackets.column < 2) return;
  brackets.column -= 2;
  if (text_at(source_of(at), brackets) == "()") error.edit(brackets, instead);
}

void call_function(Diagnostics::Builder& error, Evaluation& at, const Value& value,
                   const std::string& function) {
  const Span operand = at.place_of(value);
  Span behind = end_of(at.where()), name = end_of(operand);
  behind.end_column += 2;
  name.end_line = behind.end_line, name.end_column = behind.column + 1;
  if (!operand.known() || text_at(source_of(at), behind) != "()") return;
  error.edit(begin_of(operand), function + "(").edit(name, "");
}

void pass_element(Diagnostics::Builder& error, Evaluation& at, std::string_view function,
                  const Value& array) {
  const std::string name = array.origin.valid() ? local_name(at.instance(), array.origin) : "";
  const unsigned axes = type(array.as<ArrayType>()->type).rank;
  if (name.empty() || axes < 1 || axes > 3) {
    error.help("each thread passes one element: index it further");
    return;
  }
  const std::string indices = std::string("i, j, k").substr(0, 3 * axes - 2);
  error.help("each thread passes one element: " + indices + " = device.tid(" +
             std::to_string(axes) + "), then " + std::string(function) + "(" + name + "[" +
             indices + "])");
}

bool is_argument(Evaluation& at, const Value& value) {
  return value.origin.valid() &&
         at.instance().flow->defined[value.origin.index] == std::pair(0u, Flow::kParameter);
}

bool is_attribute(Evaluation& at, const Value& value, std::string_view name) {
  if (!value.origin.valid()) return false;
  auto [block, place] = at.instance().flow->defined[value.origin.index];
  if (place == Flow::kParameter) return false;
  const auto* get = std::get_if<ssa::GetAttribute>(&at.function().blocks[block].insts[place].op);
  return get && get->attribute == name;
}

std::string made_by(Evaluation& at, const Value& value) {
  return value.origin.valid() ? text_at(source_of(at), definition_span(at.instance(), value.origin))
                              : "";
}

bool propose(Diagnostics::Builder& error, Evaluation& at, std::string_view name,
             const std::vector<std::string_view>& known, const std::string& prefix) {
  const std::string near = nearest(name, known);
  if (near.empty()) return false;
  error.help("did you mean '" + prefix + near + "'?")
      .edit(find_name(source_of(at), at.where(), name), near);
  return true;
}

void advise(Diagnostics::Builder& error, Evaluation& at, const std::string& path,
            std::string_view name, const std::vector<std::string_view>& known) {
  const Hint* hint = name_hint(name);
  if (!hint) {
    propose(error, at, name, known,
            path.substr(0, path.size() - std::min(path.size(), name.size())));
    return;
  }
  error.help(std::string(hint->text));
  if (!hint->ours.empty() && text_at(source_of(at), at.where()) == path)
    error.edit(at.where(), std::string(hint->ours));
}

void replace_part(Diagnostics::Builder& error, Evaluation& at, const Value& element,
                  const Value& value, const std::string& argument) {
  const Source& source = source_of(at);
  const Span whole = at.place_of(element), assigned = at.place_of(value);
  const std::string text = text_at(source, whole);
  if (text.empty() || !assigned.known()) return;
  error.edit(at.where(), text).enclose(assigned, text + ".replace(" + argument, ")");
}

void annotate(Diagnostics::Builder& error, Evaluation& at, const std::string& parameter,
              const std::string& annotation) {
  error.edit(end_of(find_parameter(source_of(at), parameter)), ": " + annotation);
}

Failed not_constant(Evaluation& at, const Value& value, std::string_view what,
                    std::string_view whom, const std::string& write) {
  Diagnostics::Builder error = at.error(Code::ConstantNeeded, {what, whom}, {&value});
  if (!is_argument(at, value)) return error.help(write).report();
  const std::string name = local_name(at.instance(), value.origin);
  error.help(write + "; or annotate the parameter: " + name + ": device.ConstExpr");
  annotate(error, at, name, "device.ConstExpr");
  return error.report();
}

}  // namespace hetjit::typing
