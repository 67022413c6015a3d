#include "compiler/builtins/registry.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "compiler/builtins/functions.h"
#include "compiler/typing/core/explain.h"
#include "compiler/typing/core/remedies.h"

namespace hetjit::builtins {
namespace {

struct Row {
  std::string_view modules, name;
  Builtin builtin;
};

constexpr uint8_t arity(ir::MathFunction function) {
  constexpr uint8_t kArities[] = {
#define MATH(name, arity, ...) arity,
#include "compiler/ir/math.def"
#undef MATH
  };
  return kArities[static_cast<size_t>(function)];
}

constexpr Builtin family(CallFunction call, uint8_t count, uint16_t detail) {
  Builtin builtin;
  builtin.call = call;
  builtin.least = builtin.most = count;
  builtin.detail = detail;
  return builtin;
}

constexpr Builtin single(CallFunction call, uint8_t least, uint8_t most,
                         std::string_view parameters) {
  Builtin builtin;
  builtin.call = call;
  builtin.least = least;
  builtin.most = most;
  builtin.parameters = parameters;
  return builtin;
}

constexpr Builtin detailed(Builtin builtin, uint16_t detail) {
  builtin.detail = detail;
  return builtin;
}

// An atomic operation, as a method of an Atomic and as a function of an array and an index.
constexpr Builtin atomic(CallFunction call, uint8_t values, std::string_view parameters,
                         ir::AtomicOperation operation, bool of_array) {
  const uint8_t place = of_array ? 2 : 1;
  return detailed(single(call, place + values, place + values + 2, parameters),
                  static_cast<uint16_t>(operation));
}

constexpr Builtin as_written(Value (*call)(Evaluation&, const Builtin&, const Arguments&)) {
  Builtin builtin;
  builtin.call_as_written = call;
  return builtin;
}

constexpr Builtin place(Place which) {
  Builtin builtin;
  builtin.detail = static_cast<uint16_t>(which);
  builtin.attribute = place_attribute;
  builtin.item = place_item;
  builtin.value = place_vector;
  return builtin;
}

constexpr Row kRows[] = {
#define MATH_NAME(modules, name, function) \
  {modules, #name,                         \
   family(call_math, arity(ir::MathFunction::function), uint16_t(ir::MathFunction::function))},
#define WHOLE_NAME(modules, name, function) \
  {modules, #name, family(call_whole, 1, uint16_t(ir::MathFunction::function))},
#define OPERATOR_NAME(modules, name, kind) \
  {modules, #name, family(call_operator, 2, uint16_t(ssa::BinaryKind::kind))},
#define COMPARE_NAME(modules, name, kind) \
  {modules, #name, family(call_compare, 2, uint16_t(ssa::CompareKind::kind))},
#define UNARY_NAME(modules, name, kind) \
  {modules, #name, family(call_unary, 1, uint16_t(ssa::UnaryKind::kind))},
#define BUILTIN_NAME(modules, name, least, most, parameters, function) \
  {modules, #name, single(function, least, most, parameters)},
#define PLACE_NAME(name, which) {"D", #name, place(Place::which)},
#define GROUP_NAME(name, least, most, parameters, function, which) \
  {"D", #name, detailed(single(function, least, most, parameters), uint16_t(ir::which))},
#define ATOMIC_NAME(name, values, parameters, function, operation)                             \
  {"U", #name,                                                                                 \
   atomic(function, values, "self " parameters "memory scope", ir::AtomicOperation::operation, \
          false)},                                                                             \
      {"T", #name,                                                                             \
       atomic(function, values, "array index " parameters "memory scope",                      \
              ir::AtomicOperation::operation, true)},
#define EXCEPTION_NAME(name) {"B", #name, single(call_exception, 0, 1, "")},
#define AS_WRITTEN_NAME(modules, name, function) {modules, #name, as_written(function)},
#include "compiler/builtins/names.def"
#undef MATH_NAME
#undef WHOLE_NAME
#undef OPERATOR_NAME
#undef COMPARE_NAME
#undef UNARY_NAME
#undef BUILTIN_NAME
#undef PLACE_NAME
#undef GROUP_NAME
#undef ATOMIC_NAME
#undef EXCEPTION_NAME
#undef AS_WRITTEN_NAME
};

constexpr std::pair<char, std::string_view> kModules[] = {
    {'B', "builtins."}, {'M', "math."},   {'N', "numpy."},    {'D', "hetjit.device."},
    {'A', "array."},    {'H', "hetjit."}, {'C', "cmath."},    {'S', "number."},
    {'U', "atomic."},   {'W', "text."},   {'O', "operator."}, {'T', "hetjit.device.atomic."}};

// What the modules of mathematics have, but for functions of arrays; and what only Python's own or
// ours have that they might.
bool is_arithmetic(const Row& row) {
  if (row.modules.find('A') != std::string_view::npos) return false;
  if (row.modules.find_first_of("MNCO") != std::string_view::npos) return true;
  constexpr std::string_view kNames[] = {"pow", "sum", "divmod", "rsqrt", "tgamma"};
  return std::find(std::begin(kNames), std::end(kNames), row.name) != std::end(kNames);
}

struct Registry {
  std::deque<std::string> names;  // what the keys and Builtin::name point to
  std::unordered_map<std::string_view, Builtin> builtins;

  Registry() {
    for (const Row& row : kRows)
      for (auto [letter, prefix] : kModules) {
        if (row.modules.find(letter) == std::string_view::npos) continue;
        names.push_back(std::string(prefix) + std::string(row.name));
        Builtin builtin = row.builtin;
        builtin.name = names.back();
        builtin.arithmetic = is_arithmetic(row);
        builtins.emplace(builtin.name, builtin);
      }
  }
};

const Registry& registry() {
  static const Registry made;
  return made;
}

// How many arguments are written: of a method one less, for the value stands before the point.
std::string count_text(const Builtin& builtin, size_t unwritten) {
  size_t few = builtin.least - unwritten, many = builtin.most - unwritten;
  std::string least = std::to_string(few), most = std::to_string(many);
  if (builtin.most == kAnyCount)
    return "at least " + least + (few == 1 ? " argument" : " arguments");
  return (few == many ? most : least + " to " + most) + (many == 1 ? " argument" : " arguments");
}

// "a b" as "a, b".
std::string listed(std::string_view names) {
  std::string text;
  for (char letter : names) text += letter == ' ' ? std::string(", ") : std::string(1, letter);
  return text;
}

// Keyword arguments in their places; null where a place stays empty.
bool place_keywords(Evaluation& at, const Builtin& builtin, const Arguments& arguments,
                    std::vector<const Value*>& places) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin < builtin.parameters.size();) {
    size_t end = std::min(builtin.parameters.find(' ', begin), builtin.parameters.size());
    names.emplace_back(builtin.parameters.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const auto& [name, value] : arguments.keywords) {
    size_t index = size_t(std::find(names.begin(), names.end(), name) - names.begin());
    if (index == names.size()) {
      Diagnostics::Builder error = at.error(Code::UnknownKeyword, {quoted(builtin), name});
      if (!typing::propose(error, at, name, {names.begin(), names.end()}) && names.empty())
        error.help("leave it out: it takes nothing by name");
      return error.report();
    }
    if (places.size() <= index) places.resize(index + 1);
    if (places[index]) return at.error(Code::RepeatedArgument, {quoted(builtin), name}).report();
    places[index] = &value;
  }
  return true;
}

}  // namespace

const Builtin* find(std::string_view name) {
  auto found = registry().builtins.find(name);
  return found == registry().builtins.end() ? nullptr : &found->second;
}

std::vector<std::string_view> names_of(std::string_view module) {
  std::vector<std::string_view> names;
  for (const std::string& name : registry().names)
    if (name.size() > module.size() && name.compare(0, module.size(), module) == 0 &&
        name[module.size()] == '.')
      names.push_back(std::string_view(name).substr(module.size() + 1));
  return names;
}

Value call(Evaluation& at, const Builtin& builtin, const Arguments& arguments) {
  if (builtin.call_as_written) return builtin.call_as_written(at, builtin, arguments);
  std::vector<const Value*> places;
  for (const Value& value : arguments.positional) places.push_back(&value);
  if (!place_keywords(at, builtin, arguments, places)) return {};
  auto needed = places.begin() + std::min<ptrdiff_t>(std::ssize(places), builtin.least);
  bool complete = std::find(places.begin(), needed, nullptr) == needed;
  if (!complete || places.size() < builtin.least || places.size() > builtin.most) {
    bool method = builtin.name.starts_with("number.") || builtin.name.starts_with("atomic.") ||
                  builtin.name.starts_with("text.");
    size_t unwritten = method ? 1 : 0, count = places.size() - unwritten;
    std::string given = std::to_string(count) + (count == 1 ? " is" : " are");
    std::string wanted = count_text(builtin, unwritten);
    Diagnostics::Builder error = at.error(Code::ArgumentCount, {quoted(builtin), wanted, given});
    if (!builtin.parameters.empty()) error.note("it takes " + listed(builtin.parameters));
    return error.report();
  }
  std::vector<Value> values;
  for (const Value* value : places) values.push_back(value ? *value : typing::none_value());
  return builtin.call(at, builtin, values);
}

}  // namespace hetjit::builtins
