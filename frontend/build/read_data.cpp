// The stack itself, locals, outside names, attributes, subscripts, tuples and unpacking.
#include <algorithm>

#include "frontend/build/readers.h"

namespace hetjit::reader {
namespace {

using enum bytecode::NormalOp;

uint32_t unsigned_of(int32_t arg) { return static_cast<uint32_t>(arg); }

/// Which local `object.x = e` and `object[i] = e` change. Free variables belong to someone else.
uint32_t written_local(const Builder& at, const Word& object) {
  return object.local != kNone && !at.is_free(object.local) ? object.local : kNone;
}

/// `t[index]` with an index that is known; from the end when negative.
ValueId item(Builder& at, ValueId tuple, int64_t index) {
  ValueId key = at.constant({IntConstant{index < 0, static_cast<uint64_t>(std::abs(index))}});
  return at.emit(ssa::GetItem{{tuple, key}});
}

/// Whether what an instruction pushes is what stands there by name, and nothing is done with it.
bool names_something(bytecode::NormalOp op) {
  constexpr bytecode::NormalOp kNames[] = {LoadLocal, LoadCell, LoadGlobal, LoadAttribute,
                                           Subscript};
  return std::find(std::begin(kNames), std::end(kNames), op) != std::end(kNames);
}

void add_to_list(Builder& at, int32_t depth, bool spread) {
  ValueId value = at.pop_value();
  // Taken apart here, not where the list is finished: what is lazy is computed now.
  if (spread) value = at.emit(ssa::UnpackStar{{value}, 0, 0});
  Word& list = at.peek(unsigned_of(depth));
  if (list.kind != Word::Kind::List) return at.damaged();
  list.items.push_back({value, spread, spread});
  list.inherited = false;
}

}  // namespace

// ---- the stack

template <>
void read<PushNull>(Builder& at, int32_t) {
  at.push(Word{.kind = Word::Kind::Null});
}
template <>
void read<Pop>(Builder& at, int32_t) {
  Word word = at.pop();
  if (word.kind == Word::Kind::Value && names_something(at.before())) at.ignore(word.value);
}
template <>
void read<Copy>(Builder& at, int32_t arg) {
  at.push(Word(at.finish(unsigned_of(arg))));  // x = y = [a, b]
}
template <>
void read<Swap>(Builder& at, int32_t arg) {
  std::swap(at.peek(1), at.peek(unsigned_of(arg)));
}

// ---- variables

template <>
void read<LoadLocal>(Builder& at, int32_t arg) {
  at.push(at.load_local(unsigned_of(arg)));
}
template <>
void read<LoadLocalAndClear>(Builder& at, int32_t arg) {
  if (at.is_free(unsigned_of(arg))) return at.damaged();
  ValueId saved = at.load_local(unsigned_of(arg)).value;
  at.store_local(unsigned_of(arg), at.undefined(unsigned_of(arg)));
  at.push(saved);
}
template <>
void read<StoreLocal>(Builder& at, int32_t arg) {
  at.store_local(unsigned_of(arg), at.pop_value());
}
template <>
void read<DeleteLocal>(Builder& at, int32_t arg) {
  if (at.is_free(unsigned_of(arg)))
    return at.fail(Code::OuterAssignment, at.local_name(unsigned_of(arg)));
  at.store_local(unsigned_of(arg), at.undefined(unsigned_of(arg)));
}
// Cells are how CPython shares variables with inner functions. Here an inner function captures
// values (captures.h), so a cell is a local like any other.
template <>
void read<MakeCell>(Builder&, int32_t) {}
template <>
void read<LoadCell>(Builder& at, int32_t arg) {
  at.push(at.load_local(unsigned_of(arg)));
}
template <>
void read<StoreCell>(Builder& at, int32_t arg) {
  at.store_cell(unsigned_of(arg), at.pop_value());
}
template <>
void read<LoadClosure>(Builder& at, int32_t arg) {
  at.push(at.load_local(unsigned_of(arg)));
}
template <>
void read<LoadGlobal>(Builder& at, int32_t arg) {
  at.push(at.name(at.snapshot().attribute_names[unsigned_of(arg)]));
}

// ---- attributes and subscripts

template <>
void read<LoadAttribute>(Builder& at, int32_t arg) {
  const std::string& attribute = at.snapshot().attribute_names[unsigned_of(arg)];
  at.push(at.emit(ssa::GetAttribute{{at.pop_value()}, attribute}));
}
template <>
void read<StoreAttribute>(Builder& at, int32_t arg) {
  const std::string& attribute = at.snapshot().attribute_names[unsigned_of(arg)];
  Word object = at.pop();
  ValueId value = at.pop_value();
  uint32_t local = written_local(at, object);
  ValueId changed = at.emit(ssa::SetAttribute{{at.value_of(object), value}, attribute, local});
  if (local != kNone) at.store_local(local, changed);
}
template <>
void read<Subscript>(Builder& at, int32_t) {
  ValueId key = at.pop_value(), object = at.pop_value();
  at.push(at.emit(ssa::GetItem{{object, key}}));
}
template <>
void read<StoreSubscript>(Builder& at, int32_t) {
  ValueId key = at.pop_value();
  Word object = at.pop();
  ValueId value = at.pop_value();
  uint32_t local = written_local(at, object);
  ValueId changed = at.emit(ssa::SetItem{{at.value_of(object), key, value}, local});
  if (local != kNone) at.store_local(local, changed);
}
template <>
void read<BuildSlice>(Builder& at, int32_t arg) {
  ValueId step = arg == 3 ? at.pop_value() : at.none();
  ValueId stop = at.pop_value(), start = at.pop_value();
  at.push(at.emit(ssa::BuildSlice{{start, stop, step}}));
}

// ---- tuples

template <>
void read<BuildTuple>(Builder& at, int32_t arg) {
  std::vector<uint32_t> locals;
  for (uint32_t i = unsigned_of(arg); i > 0; --i) locals.push_back(at.peek(i).local);
  ValueId tuple = at.emit(ssa::BuildTuple{{at.pop_values(unsigned_of(arg))}});
  at.push(Word{.value = tuple, .item_locals = std::move(locals)});
}
template <>
void read<BuildList>(Builder& at, int32_t arg) {
  Word list{.kind = Word::Kind::List};
  for (ValueId value : at.pop_values(unsigned_of(arg))) list.items.push_back({value});
  at.push(std::move(list));
}
template <>
void read<ListAppend>(Builder& at, int32_t arg) {
  add_to_list(at, arg, false);
}
template <>
void read<ListExtend>(Builder& at, int32_t arg) {
  add_to_list(at, arg, true);
}
template <>
void read<ListToTuple>(Builder& at, int32_t) {
  Word& list = at.peek(1);
  if (list.kind == Word::Kind::Value) {  // of a loop that has ended: tuple(x for …), 3.14 on
    list = Word{.value = at.emit(ssa::UnpackStar{{list.value}, 0, 0})};
    return;
  }
  if (list.kind != Word::Kind::List) return at.damaged();
  list.complete = true;  // made when something needs it; a call passes the items one by one
}
template <>
void read<UnpackSequence>(Builder& at, int32_t arg) {
  ValueId sequence = at.pop_value();
  std::vector<ValueId> items;
  for (uint32_t i = 0; i < unsigned_of(arg); ++i)
    items.push_back(at.emit(ssa::UnpackItem{{sequence}, i, unsigned_of(arg)}));
  for (size_t i = items.size(); i-- > 0;) at.push(items[i]);
}
template <>
void read<UnpackStar>(Builder& at, int32_t arg) {
  uint32_t before = unsigned_of(arg) & 0xFF, after = unsigned_of(arg) >> 8;
  ValueId sequence = at.pop_value();
  // First what checks the length. All that takes the sequence apart stands together: what it is
  // computed of is computed once (Evaluation::unpacked).
  ValueId star = at.emit(ssa::UnpackStar{{sequence}, before, after});
  std::vector<ValueId> items;
  for (uint32_t i = 0; i < before; ++i) items.push_back(item(at, sequence, i));
  for (uint32_t i = after; i > 0; --i) items.push_back(item(at, sequence, -int64_t{i}));
  items.insert(items.begin() + before, at.emit(ssa::AsList{{star}}));
  for (size_t i = items.size(); i-- > 0;) at.push(items[i]);
}

// ---- strings, by way of calls: no op of their own

template <>
void read<Convert>(Builder& at, int32_t arg) {
  static constexpr std::array kNames = {"builtins.str", "builtins.str", "builtins.repr",
                                        "builtins.ascii"};
  ValueId value = at.pop_value();
  ValueId callee = at.builtin(kNames[unsigned_of(arg) & 3]);
  at.push(at.emit(ssa::Call{{{callee, value}}, {}, {}}));
}
template <>
void read<FormatSimple>(Builder& at, int32_t) {
  ValueId value = at.pop_value();
  ValueId callee = at.builtin("builtins.format");
  at.push(at.emit(ssa::Call{{{callee, value}}, {}, {}}));
}
template <>
void read<FormatWithSpec>(Builder& at, int32_t) {
  ValueId format = at.pop_value(), value = at.pop_value();
  ValueId callee = at.builtin("builtins.format");
  at.push(at.emit(ssa::Call{{{callee, value, format}}, {}, {}}));
}
template <>
void read<BuildString>(Builder& at, int32_t arg) {
  std::vector<ValueId> parts = at.pop_values(unsigned_of(arg));
  parts.insert(parts.begin(), at.builtin("hetjit.join"));
  at.push(at.emit(ssa::Call{{std::move(parts)}, {}, {}}));
}

}  // namespace hetjit::reader
