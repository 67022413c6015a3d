#include <cmath>

#include "build_evaluator.h"
#include "frontend/snapshot/snapshot_text.h"

namespace hetjit::ssa::evaluation {
namespace {

const int64_t* integer(const Value& value) { return std::get_if<int64_t>(&value.is); }

/// bool counts as int, as in Python.
std::optional<int64_t> as_int(const Value& value) {
  if (auto* flag = std::get_if<bool>(&value.is)) return *flag;
  if (auto* number = integer(value)) return *number;
  return std::nullopt;
}
std::optional<double> as_float(const Value& value) {
  if (auto* number = std::get_if<double>(&value.is)) return *number;
  if (auto number = as_int(value)) return static_cast<double>(*number);
  return std::nullopt;
}

int64_t floor_divide(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a ^ b) < 0)); }

std::optional<Value> integers(BinaryKind kind, int64_t a, int64_t b) {
  switch (kind) {
    case BinaryKind::Add:
      return Value{a + b};
    case BinaryKind::Subtract:
      return Value{a - b};
    case BinaryKind::Multiply:
      return Value{a * b};
    case BinaryKind::And:
      return Value{a & b};
    case BinaryKind::Or:
      return Value{a | b};
    case BinaryKind::Xor:
      return Value{a ^ b};
    case BinaryKind::LeftShift:
      return Value{a << b};
    case BinaryKind::RightShift:
      return Value{a >> b};
    case BinaryKind::TrueDivide:
      return Value{static_cast<double>(a) / static_cast<double>(b)};
    default:
      break;
  }
  if (kind == BinaryKind::FloorDivide && b != 0) return Value{floor_divide(a, b)};
  if (kind == BinaryKind::Remainder && b != 0) return Value{a - floor_divide(a, b) * b};
  if (kind != BinaryKind::Power || b < 0) return std::nullopt;
  int64_t power = 1;
  for (int64_t i = 0; i < b; ++i) power *= a;
  return Value{power};
}

std::optional<Value> floats(BinaryKind kind, double a, double b) {
  switch (kind) {
    case BinaryKind::Add:
      return Value{a + b};
    case BinaryKind::Subtract:
      return Value{a - b};
    case BinaryKind::Multiply:
      return Value{a * b};
    case BinaryKind::TrueDivide:
      return Value{a / b};
    case BinaryKind::Power:
      return Value{std::pow(a, b)};
    case BinaryKind::FloorDivide:
      return Value{std::floor(a / b)};
    case BinaryKind::Remainder:
      return Value{a - std::floor(a / b) * b};
    default:
      return std::nullopt;
  }
}

std::optional<size_t> position(const Values& items, const Value& key) {
  auto index = as_int(key);
  if (!index) return std::nullopt;
  int64_t size = static_cast<int64_t>(items.size());
  int64_t at = *index < 0 ? *index + size : *index;
  if (at < 0 || at >= size) return std::nullopt;
  return static_cast<size_t>(at);
}

Values range(const Values& arguments) {
  int64_t start = 0, stop = as_int(arguments[0]).value_or(0), step = 1;
  if (arguments.size() > 1) start = stop, stop = as_int(arguments[1]).value_or(0);
  if (arguments.size() > 2) step = as_int(arguments[2]).value_or(1);
  Values items;
  for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) items.push_back({i});
  return items;
}

std::optional<Value> sequence_builtin(const std::string& name, const Values& arguments) {
  if (name == "builtins.range") return make(Sequence::Kind::Tuple, range(arguments));
  std::vector<const Values*> sequences;
  for (const Value& argument : arguments) {
    auto* sequence = std::get_if<Sequence>(&argument.is);
    if (!sequence) return std::nullopt;
    sequences.push_back(sequence->items.get());
  }
  if (sequences.empty()) return std::nullopt;
  Values items;
  if (name == "builtins.len") return Value{static_cast<int64_t>(sequences[0]->size())};
  if (name == "builtins.enumerate") {
    for (size_t i = 0; i < sequences[0]->size(); ++i)
      items.push_back(make(Sequence::Kind::Tuple, {{static_cast<int64_t>(i)}, (*sequences[0])[i]}));
    return make(Sequence::Kind::Tuple, std::move(items));
  }
  if (name != "builtins.zip") return std::nullopt;
  for (size_t i = 0;; ++i) {
    Values row;
    for (const Values* sequence : sequences)
      if (i < sequence->size()) row.push_back((*sequence)[i]);
    if (row.size() != sequences.size()) return make(Sequence::Kind::Tuple, std::move(items));
    items.push_back(make(Sequence::Kind::Tuple, std::move(row)));
  }
}

std::optional<Value> number_builtin(const std::string& name, const Values& arguments) {
  auto number = as_float(arguments[0]);
  if (!number) return std::nullopt;
  if (name == "math.sqrt") return Value{std::sqrt(*number)};
  if (name == "math.sin") return Value{std::sin(*number)};
  if (name == "builtins.float") return Value{*number};
  if (name == "builtins.int") return Value{static_cast<int64_t>(*number)};
  if (name == "builtins.abs")
    return truth(*compare(CompareKind::Lt, arguments[0], {int64_t{0}}))
               ? unary(UnaryKind::Negative, arguments[0])
               : arguments[0];
  if (arguments.size() != 2) return std::nullopt;
  auto less = compare(CompareKind::Lt, arguments[1], arguments[0]);
  if (name == "builtins.min") return arguments[truth(*less) ? 1 : 0];
  auto quotient = binary(BinaryKind::FloorDivide, arguments[0], arguments[1]);
  auto rest = binary(BinaryKind::Remainder, arguments[0], arguments[1]);
  if (name != "builtins.divmod" || !quotient || !rest) return std::nullopt;
  return make(Sequence::Kind::Tuple, {*quotient, *rest});
}

std::optional<Value> text_builtin(const std::string& name, const Values& arguments) {
  if (name == "builtins.AssertionError" || name == "builtins.ValueError")
    return Value{name + (arguments.empty() ? "" : ": " + to_text(arguments[0]))};
  if (name == "builtins.format" && arguments.size() == 1) return Value{to_text(arguments[0])};
  if (name != "hetjit.join") return std::nullopt;
  std::string joined;
  for (const Value& part : arguments) {
    if (!std::holds_alternative<std::string>(part.is)) return std::nullopt;
    joined += std::get<std::string>(part.is);
  }
  return Value{joined};
}

struct Text {
  std::string operator()(None) const { return "None"; }
  std::string operator()(bool value) const { return value ? "True" : "False"; }
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return hetjit::to_text(Constant{value}); }
  std::string operator()(const std::string& value) const { return value; }
  std::string operator()(const Sequence& value) const {
    std::string text = value.kind == Sequence::Kind::Tuple ? "" : kind(value.kind);
    for (const Value& item : *value.items) text += (text.empty() ? "" : ", ") + to_text(item);
    return "(" + text + (value.items->size() == 1 && text.find(", ") == text.npos ? ",)" : ")");
  }
  std::string operator()(const Builtin& value) const { return value.name; }
  std::string operator()(Unbound) const { return "unbound"; }
  std::string operator()(const Slice&) const { return "slice"; }
  std::string operator()(const Closure&) const { return "function"; }

  static std::string kind(Sequence::Kind kind) {
    return kind == Sequence::Kind::List ? "\"list\"" : "\"vector\"";
  }
};

}  // namespace

Value make(Sequence::Kind kind, Values items) {
  return {Sequence{kind, std::make_shared<Values>(std::move(items))}};
}

Value value_of(const Constant& constant) {
  if (auto* flag = std::get_if<bool>(&constant.value)) return {*flag};
  if (auto* number = std::get_if<double>(&constant.value)) return {*number};
  if (auto* text = std::get_if<std::string>(&constant.value)) return {*text};
  if (auto* number = std::get_if<IntConstant>(&constant.value)) {
    auto magnitude = static_cast<int64_t>(number->magnitude);
    return {number->negative ? -magnitude : magnitude};
  }
  auto* tuple = std::get_if<TupleConstant>(&constant.value);
  if (!tuple) return {None{}};
  Values items;
  for (const Constant& item : tuple->items) items.push_back(value_of(item));
  auto* kind = items.empty() ? nullptr : std::get_if<std::string>(&items[0].is);
  if (!kind || (*kind != "list" && *kind != "vector"))
    return make(Sequence::Kind::Tuple, std::move(items));
  bool list = *kind == "list";
  items.erase(items.begin());
  return make(list ? Sequence::Kind::List : Sequence::Kind::Vector, std::move(items));
}

std::string to_text(const Value& value) { return std::visit(Text{}, value.is); }

bool truth(const Value& value) {
  if (auto number = as_float(value)) return *number != 0;
  if (auto* text = std::get_if<std::string>(&value.is)) return !text->empty();
  if (auto* sequence = std::get_if<Sequence>(&value.is)) return !sequence->items->empty();
  return !std::holds_alternative<None>(value.is);
}

bool equal(const Value& a, const Value& b) {
  auto x = as_float(a), y = as_float(b);
  if (x && y) return *x == *y;
  return a.is.index() == b.is.index() && to_text(a) == to_text(b);
}

std::optional<Value> unary(UnaryKind kind, const Value& value) {
  if (kind == UnaryKind::Not) return Value{!truth(value)};
  if (auto number = as_int(value))
    return Value{kind == UnaryKind::Negative ? -*number
                 : kind == UnaryKind::Invert ? ~*number
                                             : *number};
  auto number = as_float(value);
  if (!number || kind == UnaryKind::Invert) return std::nullopt;
  return Value{kind == UnaryKind::Negative ? -*number : *number};
}

std::optional<Value> binary(BinaryKind kind, const Value& a, const Value& b) {
  if (auto* x = std::get_if<Sequence>(&a.is), *y = std::get_if<Sequence>(&b.is); x && y) {
    if (kind != BinaryKind::Add) return std::nullopt;
    Values items = *x->items;
    items.insert(items.end(), y->items->begin(), y->items->end());
    return make(x->kind, std::move(items));
  }
  if (auto x = as_int(a), y = as_int(b); x && y) return integers(kind, *x, *y);
  auto x = as_float(a), y = as_float(b);
  return x && y ? floats(kind, *x, *y) : std::nullopt;
}

std::optional<Value> compare(CompareKind kind, const Value& a, const Value& b) {
  if (kind == CompareKind::Eq) return Value{equal(a, b)};
  if (kind == CompareKind::Ne) return Value{!equal(a, b)};
  auto x = as_float(a), y = as_float(b);
  if (!x || !y) return std::nullopt;
  if (kind == CompareKind::Lt) return Value{*x < *y};
  if (kind == CompareKind::Le) return Value{*x <= *y};
  if (kind == CompareKind::Gt) return Value{*x > *y};
  return Value{*x >= *y};
}

std::optional<Value> get_item(const Value& whole, const Value& key) {
  auto* sequence = std::get_if<Sequence>(&whole.is);
  if (!sequence) return std::nullopt;
  if (auto* keys = std::get_if<Sequence>(&key.is)) {  // a[i, j] is a[i][j]
    std::optional<Value> at = whole;
    for (const Value& each : *keys->items) at = at ? get_item(*at, each) : at;
    return at;
  }
  auto at = position(*sequence->items, key);
  return at ? std::optional((*sequence->items)[*at]) : std::nullopt;
}

std::optional<Value> set_item(const Value& whole, const Value& key, const Value& item) {
  auto* sequence = std::get_if<Sequence>(&whole.is);
  if (!sequence || sequence->kind == Sequence::Kind::Tuple) return std::nullopt;
  auto at = position(*sequence->items, key);
  if (!at) return std::nullopt;
  if (sequence->kind == Sequence::Kind::List) {
    (*sequence->items)[*at] = item;
    return whole;
  }
  Values changed = *sequence->items;
  changed[*at] = item;
  return make(Sequence::Kind::Vector, std::move(changed));
}

std::optional<Value> call_builtin(const std::string& name, const Values& arguments) {
  if (name == "hetjit.is_sequence") return Value{std::holds_alternative<Sequence>(arguments[0].is)};
  if (auto result = text_builtin(name, arguments)) return result;
  if (arguments.empty()) return std::nullopt;
  if (auto result = sequence_builtin(name, arguments)) return result;
  return number_builtin(name, arguments);
}

}  // namespace hetjit::ssa::evaluation
