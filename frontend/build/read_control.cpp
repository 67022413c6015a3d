// Jumps, branches, loops, matching and the ends of functions.
#include "frontend/build/readers.h"

namespace hetjit::reader {
namespace {

using enum bytecode::NormalOp;

/// Blocks list the way for a true condition first. A branch asks for the truth itself.
void branch(Builder& at, ValueId condition) {
  at.end(ssa::Branch{{at.without_bool(condition)}, at.edge(0), at.edge(1)});
}

void branch_if_none(Builder& at) {
  ValueId value = at.pop_value();
  branch(at, at.emit(ssa::Is{{value, at.none()}}));
}

/// `for`: the item itself is taken behind the branch (Builder::take_item).
void for_iter(Builder& at, size_t words) {
  const Word& iterator = at.peek(words);
  // An iterator that came from elsewhere: a comprehension's hidden argument, a generator's call.
  if (!iterator.position.valid()) return at.refuse("a generator or comprehension");
  branch(at, at.emit(ssa::IterHas{{iterator.value, iterator.position}}));
}

void get_iter(Builder& at) { at.push(at.iterator(at.pop_value())); }

/// Asks something about the subject of a `match`, which stays where it is.
void ask(Builder& at, const char* builtin) {
  ValueId subject = at.value_of(at.finish(1));
  ValueId callee = at.builtin(builtin);
  at.push(at.emit(ssa::Call{{{callee, subject}}, {}, {}}));
}

}  // namespace

template <>
void read<GetIter>(Builder& at, int32_t) {
  get_iter(at);
}
template <>
void read<GetIterPair>(Builder& at, int32_t) {
  get_iter(at);
  at.push(Word{.kind = Word::Kind::Null});
}
template <>
void read<ForIter>(Builder& at, int32_t) {
  for_iter(at, 1);
}
template <>
void read<ForIterPair>(Builder& at, int32_t) {
  for_iter(at, 2);
}

template <>
void read<GetLength>(Builder& at, int32_t) {
  ask(at, "builtins.len");
}
template <>
void read<MatchSequence>(Builder& at, int32_t) {
  ask(at, "hetjit.is_sequence");
}

template <>
void read<Jump>(Builder& at, int32_t) {
  at.end(ssa::Jump{{}, at.edge(0)});
}
template <>
void read<BranchIfTrue>(Builder& at, int32_t) {
  branch(at, at.pop_value());
}
template <>
void read<BranchIfFalse>(Builder& at, int32_t) {
  branch(at, at.pop_value());
}
template <>
void read<BranchIfNone>(Builder& at, int32_t) {
  branch_if_none(at);
}
template <>
void read<BranchIfNotNone>(Builder& at, int32_t) {
  branch_if_none(at);
}
template <>
void read<Return>(Builder& at, int32_t) {
  at.leave(at.pop_value());
}
template <>
void read<Yield>(Builder& at, int32_t) {
  at.yield(at.pop_value());
  at.push(at.none());  // what it is sent
}
template <>
void read<Raise>(Builder& at, int32_t arg) {
  at.end(ssa::Raise{{at.pop_values(static_cast<size_t>(arg))}});
}
template <>
void read<Unsupported>(Builder& at, int32_t) {
  at.damaged();  // find_blocks() has refused every one that can be reached
}

}  // namespace hetjit::reader
