// Calls, whose four sequences are one here, and functions made inside functions.
#include <algorithm>

#include "frontend/build/readers.h"

namespace hetjit::reader {

const Constant* constant_of(Builder& at, const Word& word) {
  const ssa::Op* op = word.value.valid() ? at.made_here(word.value) : nullptr;
  const auto* found = op ? std::get_if<ssa::Const>(op) : nullptr;
  return found ? &found->value : nullptr;
}

namespace {

using enum bytecode::NormalOp;

using ListItems = std::vector<ListItem>;

/// Words p q and the arguments: which is the callee (normal_op.h, Call).
void call(Builder& at, Word p, Word q, ListItems arguments, std::vector<std::string> keywords) {
  const bool q_first = p.kind != Word::Kind::Null && q.kind != Word::Kind::Null;
  ssa::Call call;
  call.in.push_back(at.value_of(p.kind == Word::Kind::Null ? q : p));
  if (q_first) call.in.push_back(at.value_of(q));
  for (const ListItem& argument : arguments) {
    if (argument.spread) call.spread.push_back(static_cast<uint32_t>(call.in.size()));
    call.in.push_back(argument.value);
  }
  call.keywords = std::move(keywords);
  at.push(at.emit(std::move(call)));
}

ListItems arguments(Builder& at, int32_t count) {
  ListItems items;
  for (ValueId value : at.pop_values(static_cast<size_t>(count))) items.push_back({value});
  return items;
}

/// The items of a tuple that was just made or loaded, which itself is no longer needed.
std::optional<std::vector<ValueId>> dissolve(Builder& at, const Word& tuple) {
  at.discard(at.value_of(tuple));
  const ssa::Op* op = at.made_here(tuple.value);
  if (const auto* built = op ? std::get_if<ssa::BuildTuple>(op) : nullptr) return built->in;
  const Constant* constant = constant_of(at, tuple);
  const auto* items = constant ? std::get_if<TupleConstant>(&constant->value) : nullptr;
  if (!items) return std::nullopt;
  std::vector<ValueId> values;
  for (const Constant& item : TupleConstant(*items).items) values.push_back(at.constant(item));
  return values;
}

/// The key of a dict's item, from the stack: a string constant.
std::optional<std::string> take_key(Builder& at) {
  Word key = at.pop();
  if (key.text) at.discard(key.value);
  return key.text;
}

/// Of two values of one key the later counts.
void put(Builder& at, Word& dict, const std::string& key, ListItem value) {
  auto known = std::find(dict.keys.begin(), dict.keys.end(), key);
  if (known == dict.keys.end()) {
    dict.keys.push_back(key);
    dict.items.push_back(value);
    return;
  }
  dict.items = at.values_of(dict);
  dict.items[static_cast<size_t>(known - dict.keys.begin())] = value;
}

/// Annotations mean nothing here; with them goes what was loaded only for them.
void drop_annotations(Builder& at) {
  Word word = at.pop();
  at.discard(at.value_of(word));
  const ssa::Op* op = at.made_here(word.value);
  if (op && std::holds_alternative<ssa::BuildTuple>(*op))
    for (ValueId item : ssa::operands(*op)) at.discard(item);
}

}  // namespace

template <>
void read<Call>(Builder& at, int32_t arg) {
  ListItems items = arguments(at, arg);
  Word q = at.pop(), p = at.pop();
  call(at, std::move(p), std::move(q), std::move(items), {});
}

template <>
void read<CallKeywords>(Builder& at, int32_t arg) {
  Word names = at.pop();
  const Constant* constant = constant_of(at, names);
  const auto* tuple = constant ? std::get_if<TupleConstant>(&constant->value) : nullptr;
  if (!tuple || tuple->items.size() > static_cast<size_t>(arg)) return at.damaged();
  std::vector<std::string> keywords;
  for (const Constant& item : tuple->items) {
    const auto* keyword = std::get_if<std::string>(&item.value);
    if (!keyword) return at.damaged();
    keywords.push_back(*keyword);
  }
  at.discard(names.value);
  ListItems items = arguments(at, arg);
  Word q = at.pop(), p = at.pop();
  call(at, std::move(p), std::move(q), std::move(items), std::move(keywords));
}

template <>
void read<CallSpread>(Builder& at, int32_t) {
  Word keywords = at.pop(), positional = at.pop();
  Word q = at.pop(), p = at.pop();
  if (keywords.kind != Word::Kind::Null && keywords.kind != Word::Kind::Dict)
    return at.refuse("a '**' argument");
  ListItems items = std::move(positional.items);
  if (positional.kind != Word::Kind::List) items.push_back({at.value_of(positional), true});
  ListItems named = at.values_of(keywords);
  items.insert(items.end(), named.begin(), named.end());
  call(at, std::move(p), std::move(q), std::move(items), std::move(keywords.keys));
}

// Keys that are no string constants make no dict of ours.
template <>
void read<BuildMap>(Builder& at, int32_t arg) {
  Word dict{.kind = Word::Kind::Dict};
  std::vector<std::pair<std::string, ValueId>> items;
  for (int32_t i = 0; i < arg; ++i) {
    ValueId value = at.pop_value();
    std::optional<std::string> key = take_key(at);
    if (!key) return at.refuse("a dict");
    items.emplace_back(std::move(*key), value);
  }
  for (size_t i = items.size(); i-- > 0;) put(at, dict, items[i].first, {items[i].second});
  at.push(std::move(dict));
}
// Keyword arguments, more than 15 of them.
template <>
void read<MapAdd>(Builder& at, int32_t arg) {
  ValueId value = at.pop_value();
  std::optional<std::string> key = take_key(at);
  Word& dict = at.peek(static_cast<size_t>(arg));
  if (!key || dict.kind != Word::Kind::Dict) return at.refuse("a dict");
  put(at, dict, *key, {value});
}
template <>
void read<UpdateMap>(Builder& at, int32_t arg) {
  Word more = at.pop();
  Word& dict = at.peek(static_cast<size_t>(arg));
  if (dict.kind != Word::Kind::Dict || more.kind != Word::Kind::Dict) return at.refuse("a dict");
  ListItems values = at.values_of(more);
  for (size_t i = 0; i < values.size(); ++i) put(at, dict, more.keys[i], values[i]);
}
template <>
void read<MergeMap>(Builder& at, int32_t arg) {
  Word more = at.pop();
  Word& dict = at.peek(static_cast<size_t>(arg));
  if (dict.kind != Word::Kind::Dict) return at.damaged();
  if (more.kind != Word::Kind::Dict) return at.refuse("a '**' argument");
  ListItems values = at.values_of(more);
  dict.keys.insert(dict.keys.end(), more.keys.begin(), more.keys.end());
  dict.items.insert(dict.items.end(), values.begin(), values.end());
}
template <>
void read<BuildNamedMap>(Builder& at, int32_t arg) {
  Word names = at.pop(), dict{.kind = Word::Kind::Dict};
  const Constant* constant = constant_of(at, names);
  const auto* tuple = constant ? std::get_if<TupleConstant>(&constant->value) : nullptr;
  if (!tuple || tuple->items.size() != static_cast<size_t>(arg)) return at.damaged();
  const TupleConstant keys = *tuple;  // what is emitted moves it
  at.discard(names.value);
  std::vector<ValueId> values = at.pop_values(keys.items.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const auto* name = std::get_if<std::string>(&keys.items[i].value);
    if (!name) return at.refuse("a dict");
    put(at, dict, *name, {values[i]});
  }
  at.push(std::move(dict));
}

template <>
void read<MakeFunction>(Builder& at, int32_t arg) {
  Word code = at.pop();
  const Constant* constant = constant_of(at, code);
  const auto* nested = constant ? std::get_if<CodeConstant>(&constant->value) : nullptr;
  if (!nested) return at.damaged();
  ssa::MakeFunction make;
  make.function = nested->function;
  at.discard(code.value);

  std::vector<ValueId> captured;
  if (arg & bytecode::kClosure) {
    Word cells = at.pop();
    auto values = dissolve(at, cells);
    if (!values || values->size() != cells.item_locals.size()) return at.damaged();
    captured = std::move(*values);
    for (uint32_t local : cells.item_locals) {
      if (local == kNone) return at.damaged();
      make.captures.push_back(at.local_name(local));
    }
  }
  if (arg & bytecode::kAnnotations) drop_annotations(at);
  if (arg & bytecode::kAnnotate) drop_annotations(at);
  if (arg & bytecode::kKeywordDefaults) {
    Word dict = at.pop();
    if (dict.kind != Word::Kind::Dict) return at.damaged();
    for (const ListItem& item : at.values_of(dict)) captured.push_back(item.value);
    for (const std::string& key : dict.keys) make.captures.push_back("*" + key);
  }
  if (arg & bytecode::kDefaults) {
    auto values = dissolve(at, at.pop());
    if (!values) return at.damaged();
    make.in = std::move(*values);
  }
  make.default_count = static_cast<uint32_t>(make.in.size());
  make.in.insert(make.in.end(), captured.begin(), captured.end());
  at.push(at.emit(std::move(make)));
}

}  // namespace hetjit::reader
