// Text: print, str, repr, format, the parts of f-strings, and exceptions made.
#include "compiler/builtins/functions.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/kinds/texts.h"
#include "compiler/typing/ops/iterables.h"

namespace hetjit::builtins {
namespace {

using typing::static_value;
using typing::StringType;
using typing::Text;

Value value_of(std::optional<Text> text) {
  return text ? typing::text_value(std::move(*text)) : Value{};
}

// A keyword argument of print: a constant string, or None for what is usual.
bool read_keyword(Evaluation& at, const Builtin& self, const std::string& name, const Value& value,
                  std::string& to) {
  if (value.as<typing::NoneType>()) return true;
  const StringType* text = value.as<StringType>();
  if (!text) {
    return at
        .error(Code::ArgumentType,
               {"'" + name + "' of " + quoted(self), "a constant string", name_of(value.type)},
               {&value})
        .report();
  }
  to = text->text;
  return true;
}

}  // namespace

Value print_values(Evaluation& at, const Builtin& self, const Arguments& arguments) {
  std::string separator = " ", end = "\n";
  for (const auto& [name, value] : arguments.keywords) {
    if (name != "sep" && name != "end" && name != "flush") {
      Diagnostics::Builder error = at.error(Code::UnknownKeyword, {quoted(self), name});
      if (!typing::propose(error, at, name, {"sep", "end", "flush"}))
        error.help("print() takes sep, end and flush by name");
      return error.report();
    }
    if (name == "flush") continue;
    if (!read_keyword(at, self, name, value, name == "sep" ? separator : end)) return {};
  }
  Text whole;
  for (size_t i = 0; i < arguments.positional.size(); ++i) {
    if (i) whole.add(separator);
    std::optional<Text> part = text_of(at, arguments.positional[i]);
    if (!part) return {};
    whole.add(*part);
  }
  whole.add(end);
  if (!is_short(at, whole)) return {};
  if (!few_numbers(at, whole.pieces)) return {};
  if (at.code().on() && !whole.pieces.empty()) {
    ir::Print print;
    print.site = site_here(at, {SiteKind::Print, "", false, std::move(whole.pieces), "", "", 0});
    print.in = std::move(whole.leaves);
    at.code().builder().emit(std::move(print));
  }
  return typing::none_value();
}

Value as_string(Evaluation& at, const Builtin&, const Values& values) {
  return values.empty() ? typing::text_value({}) : value_of(text_of(at, values[0]));
}
Value as_repr(Evaluation& at, const Builtin&, const Values& values) {
  return value_of(text_of(at, values[0], true));
}
Value format_value(Evaluation& at, const Builtin&, const Values& values) {
  return value_of(values.size() == 1 ? text_of(at, values[0])
                                     : formatted(at, values[0], values[1]));
}
Value join_texts(Evaluation& at, const Builtin&, const Values& values) {
  Text whole;
  for (const Value& value : values) {
    std::optional<Text> part = text_of(at, value);
    if (!part) return {};
    whole.add(*part);
  }
  return is_short(at, whole) ? text_value(std::move(whole)) : Value{};
}

// `text.join(items)`: what CPython makes of an f-string with more than 30 pieces.
Value join_items(Evaluation& at, const Builtin& self, const Values& values) {
  std::optional<std::vector<Value>> items = typing::elements(at, values[1], quoted(self));
  std::optional<Text> separator = items ? text_of(at, values[0]) : std::nullopt;
  if (!separator) return {};
  Text whole;
  for (size_t i = 0; i < items->size(); ++i) {
    const Value& item = (*items)[i];
    if (!typing::is_text(item))
      return at
          .error(Code::ArgumentType, {"an item of " + quoted(self), "str", name_of(item.type)},
                 {&values[1]})
          .help("write str(x)")
          .report();
    if (i) whole.add(*separator);
    whole.add(*text_of(at, item));
  }
  return is_short(at, whole) ? text_value(std::move(whole)) : Value{};
}

Value call_exception(Evaluation& at, const Builtin& self, const Values& values) {
  Text text;
  if (!values.empty()) {
    std::optional<Text> message = text_of(at, values[0]);
    if (!message) return {};
    text = std::move(*message);
  }
  typing::ExceptionType made{std::string(self.short_name()), !values.empty(),
                             std::move(text.pieces)};
  return {{std::move(made)}, std::move(text.leaves), {}};
}

}  // namespace hetjit::builtins
