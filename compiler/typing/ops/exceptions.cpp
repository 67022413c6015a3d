// What `raise` and a failed `assert` end a thread with. One overload of the work for inference, the
// report and translation alike, as for every operation.
#include "compiler/builtins/registry.h"
#include "compiler/typing/core/specializer.h"
#include "compiler/typing/kinds/texts.h"

namespace hetjit::typing {
namespace {

std::nullopt_t cannot_raise(Evaluation& at, const std::string& what, const Value* value) {
  Diagnostics::Builder error = value ? at.error(Code::RaiseUnsupported, {what}, {value})
                                     : at.error(Code::RaiseUnsupported, {what});
  error.help("raise one of Python's built-in exceptions, with a text: raise ValueError(\"…\")")
      .report();
  return std::nullopt;
}

// The exception itself: a class is called without arguments.
std::optional<Value> exception(Evaluation& at, const Value& value) {
  if (value.as<ExceptionType>()) return value;
  const BuiltinType* builtin = value.as<BuiltinType>();
  if (builtin && builtin->builtin->call) {
    Value made = builtin->builtin->least == 0 ? call(at, value, {}) : Value{};
    if (made.as<ExceptionType>()) return made;
  }
  const OpaqueType* opaque = value.as<OpaqueType>();
  bool named = opaque && !opaque->name.empty();
  return cannot_raise(at, named ? "'" + opaque->name + "'" : name_of(value.type), &value);
}

}  // namespace

std::optional<Thrown> thrown(Evaluation& at, const ssa::Raise& op) {
  if (op.in.empty()) return cannot_raise(at, "an exception again", nullptr);
  if (op.in.size() > 1) return cannot_raise(at, "an exception 'from' another", nullptr);
  Value value = at.operand_of_any_kind(op.in[0]);
  if (value.erroneous()) return std::nullopt;
  std::optional<Value> made = exception(at, value);
  if (!made) return std::nullopt;
  const ExceptionType& type = *made->as<ExceptionType>();
  if (!few_numbers(at, type.text)) return std::nullopt;
  Thrown result;
  if (!at.code().on()) return result;
  result.site = site_here(at, {SiteKind::Raise, type.name, type.has_message, type.text, "", "", 0});
  result.leaves = made->leaves;
  return result;
}

uint32_t site_here(Evaluation& at, Site site) {
  site.function = at.function().name;
  site.file = at.whole().source_of(at.instance()).path;
  site.line = at.where().line;
  return at.whole().add_site(std::move(site));
}

}  // namespace hetjit::typing
