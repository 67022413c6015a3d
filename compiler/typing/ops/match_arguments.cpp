#include "compiler/typing/ops/match_arguments.h"

#include <algorithm>

#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/remedies.h"
#include "compiler/typing/core/specializer.h"

namespace hetjit::typing {
namespace {

// In the order of `locals`: positional parameters, keyword-only ones, *args, **keywords.
class Matching {
 public:
  Matching(Evaluation& at, const Value& callee, const Arguments& arguments)
      : at_(at),
        callee_(callee),
        function_(*callee.as<FunctionType>()),
        snapshot_(at.whole().snapshot(function_.function)),
        arguments_(arguments),
        named_(size_t{snapshot_.parameter_count} + snapshot_.keyword_only_count),
        bound_(named_) {}

  std::optional<std::vector<Value>> match() {
    if (snapshot_.has_varkeywords) return refuse_varkeywords();
    if (!bind_positional() || !bind_keywords() || !bind_defaults()) return std::nullopt;
    std::vector<Value> values;
    for (std::optional<Value>& value : bound_) values.push_back(std::move(*value));
    if (snapshot_.has_varargs) {
      values.push_back(made_of<TupleType>(rest_));
      if (!rest_.empty()) values.back().origin = rest_[0].origin;
    }
    return values;
  }

 private:
  std::string called() const { return "'" + snapshot_.name + "'"; }
  const std::string& name_at(size_t index) const { return snapshot_.locals[index]; }

  Failed refuse_varkeywords() {
    size_t index = named_ + (snapshot_.has_varargs ? 1 : 0);
    return at_.error(Code::KeywordsParameter, {snapshot_.name, name_at(index)})
        .help("name the keyword parameters one by one")
        .report();
  }

  bool bind_positional() {
    const std::vector<Value>& given = arguments_.positional;
    size_t count = std::min<size_t>(given.size(), snapshot_.parameter_count);
    for (size_t i = 0; i < count; ++i) bound_[i] = given[i];
    rest_.assign(given.begin() + static_cast<ptrdiff_t>(count), given.end());
    return rest_.empty() || snapshot_.has_varargs ? true : refuse_count();
  }

  bool refuse_count() {
    size_t most = snapshot_.parameter_count, optional = default_count();
    std::string takes = std::to_string(most) + (most == 1 ? " argument" : " arguments");
    if (optional) takes = std::to_string(most - optional) + " to " + takes;
    size_t given = arguments_.positional.size();
    Diagnostics::Builder error =
        at_.error(Code::ArgumentCount,
                  {called(), takes, std::to_string(given) + (given == 1 ? " is" : " are")});
    error.note("its parameters are " + signature_text());
    if (named_ > most)
      error.help("after '*' in its 'def' stands what is passed by name: " + name_at(most) + "=…");
    return error.report();
  }

  bool bind_keywords() {
    for (const auto& [name, value] : arguments_.keywords)
      if (!bind_keyword(name, value)) return false;
    return true;
  }

  bool bind_keyword(const std::string& name, const Value& value) {
    auto begin = snapshot_.locals.begin(), end = begin + static_cast<ptrdiff_t>(named_);
    size_t index = static_cast<size_t>(std::find(begin, end, name) - begin);
    if (index == named_) {
      Diagnostics::Builder error = at_.error(Code::UnknownKeyword, {called(), name});
      propose(error, at_, name, {begin, end});
      return error.report();
    }
    if (index < snapshot_.positional_only_count)
      return at_.error(Code::PositionalOnly, {called(), name}).report();
    if (bound_[index]) return at_.error(Code::RepeatedArgument, {called(), name}).report();
    bound_[index] = value;
    return true;
  }

  bool bind_defaults() {
    for (size_t i = 0; i < named_; ++i) {
      if (bound_[i]) continue;
      bound_[i] = default_of(i);
      if (bound_[i]) continue;
      return at_.error(Code::MissingArgument, {called(), name_at(i)})
          .note("its parameters are " + signature_text())
          .report();
    }
    return true;
  }

  size_t default_count() const {
    if (!function_.defaults.empty()) return function_.defaults.size();
    size_t count = 0;
    for (size_t i = 0; i < snapshot_.parameter_count && i < snapshot_.defaults.size(); ++i)
      count += snapshot_.defaults[i].has_value();
    return count;
  }

  // The default of a parameter: made where the function was made, or captured with it.
  std::optional<Value> default_of(size_t index) {
    size_t made = function_.defaults.size(), positional = snapshot_.parameter_count;
    if (index < positional && index >= positional - std::min(made, positional)) {
      TypeValues parts = function_.defaults;
      return part_of(callee_, parts, index - (positional - made));
    }
    for (size_t i = 0; i < function_.captures.size(); ++i) {
      if (function_.captures[i] != "*" + name_at(index)) continue;
      TypeValues parts = function_.defaults;
      parts.insert(parts.end(), function_.captured.begin(), function_.captured.end());
      return part_of(callee_, parts, made + i);
    }
    if (index >= snapshot_.defaults.size() || !snapshot_.defaults[index]) return std::nullopt;
    return meaning_value(at_, *snapshot_.defaults[index], name_at(index));
  }

  std::string signature_text() const {
    std::string text;
    for (size_t i = 0; i < named_; ++i) text += (i ? ", " : "") + ("'" + name_at(i) + "'");
    return text;
  }

  Evaluation& at_;
  const Value& callee_;
  const FunctionType& function_;
  const Snapshot& snapshot_;
  const Arguments& arguments_;
  size_t named_;
  std::vector<std::optional<Value>> bound_;
  std::vector<Value> rest_;
};

}  // namespace

std::optional<std::vector<Value>> match_arguments(Evaluation& at, const Value& callee,
                                                  const Arguments& arguments) {
  return Matching(at, callee, arguments).match();
}

}  // namespace hetjit::typing
