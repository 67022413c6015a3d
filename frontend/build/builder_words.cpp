// The builder as the instruction readers see it: words, values, names, locals.
#include <algorithm>
#include <utility>

#include "frontend/build/builder.h"

namespace hetjit::reader {

// The parameter of comprehensions and generator expressions: what their first `for` goes through.
constexpr std::string_view kHiddenIterable = ".0";

// ---- the stack

Word Builder::pop() {
  Word word = std::move(stack_.back());  // stack_depths() has checked that there is one
  stack_.pop_back();
  return word;
}

std::vector<ValueId> Builder::pop_values(size_t n) {
  std::vector<ValueId> values(n);
  for (size_t i = n; i-- > 0;) values[i] = pop_value();
  return values;
}

/// A list as a tuple: `(a, *b, c)` is (a,) + tuple(b) + (c,).
ValueId Builder::tuple_of(const std::vector<ListItem>& items) {
  ValueId sum;
  for (size_t i = 0; i < items.size() || !sum.valid();) {
    ValueId part;
    if (i < items.size() && items[i].spread) {
      part = items[i].tuple ? items[i].value : emit(ssa::UnpackStar{{items[i].value}, 0, 0});
      ++i;
    } else {
      ssa::BuildTuple run;
      while (i < items.size() && !items[i].spread) run.in.push_back(items[i++].value);
      part = emit(std::move(run));
    }
    sum = sum.valid() ? emit(ssa::Binary{{sum, part}, ssa::BinaryKind::Add}) : part;
  }
  return sum;
}

ValueId Builder::value_of(const Word& word) {
  if (word.kind == Word::Kind::List) {
    ValueId items = tuple_of(word.items);
    return word.complete ? items : emit(ssa::AsList{{items}});
  }
  if (word.kind == Word::Kind::Dict) refuse("a dict");
  if (word.kind == Word::Kind::Null) damaged();
  // After a failure nothing is read any more; until then any value will do.
  return word.value.valid() ? word.value : ValueId{0};
}

const Word& Builder::finish(size_t n) {
  Word& word = peek(n);
  if (word.kind == Word::Kind::List) word = Word{.value = value_of(word)};
  return word;
}

// ---- the graph

ValueId Builder::append(ssa::Op op) {
  ValueId result{function_.value_count++};
  function_.blocks[at_].insts.push_back({std::move(op), result, where_});
  return result;
}

void Builder::yield(ValueId value) {
  if (!snapshot_.is_generator) return damaged();
  ValueId all = vars_.read(kYields, at_);
  if (yields_ == Yields::Tuple) {
    value = emit(ssa::BuildTuple{{{value}}});
  } else if (yields_ != Yields::Sum) {
    value = emit(ssa::ToBool{{value}});
  }
  constexpr ssa::BinaryKind kKinds[] = {ssa::BinaryKind::Add, ssa::BinaryKind::Add,
                                        ssa::BinaryKind::Or, ssa::BinaryKind::And};
  vars_.write(kYields, at_, emit(ssa::Binary{{all, value}, kKinds[size_t(yields_)]}));
}

void Builder::leave(ValueId returned) {
  end(ssa::Return{{snapshot_.is_generator ? vars_.read(kYields, at_) : returned}});
}

std::vector<ListItem> Builder::values_of(const Word& dict) {
  std::vector<ListItem> values;
  if (dict.items.empty() || !dict.items[0].spread) return dict.items;
  const size_t whole = dict.keys.size() + 1 - dict.items.size();
  for (size_t i = 0; i < whole; ++i) {
    ValueId key = constant({IntConstant{false, i}});
    values.push_back({emit(ssa::GetItem{{dict.items[0].value, key}})});
  }
  values.insert(values.end(), dict.items.begin() + 1, dict.items.end());
  return values;
}

ValueId Builder::settled(const Word& word) {
  if (word.items.size() == 1 && word.items[0].tuple) return word.items[0].value;  // still is
  return tuple_of(word.kind == Word::Kind::Dict ? values_of(word) : word.items);
}

/// Behind an edge a list is one value, so that paths that added different items can join.
void Builder::settle_lists() {
  if (block().next.empty()) return;
  // Made here, on top of the stack and with one way on it is the value of an expression:
  // `[a] if c else b`.
  if (block().next.size() == 1 && !stack_.empty() && !stack_.back().inherited) finish(1);
  for (Word& word : stack_) {
    if (word.kind != Word::Kind::List && word.kind != Word::Kind::Dict) continue;
    ValueId tuple = settled(word);
    if (word.complete)
      word = {.value = tuple};
    else
      word.items = {{tuple, true, true}};
  }
  for (uint32_t next : block().next) begin_loop(blocks_[next]);
}

/// A loop over a generator begins without GET_ITER (3.14 on: `tuple(x for …)` written out).
void Builder::begin_loop(const CodeBlock& header) {
  if (header.first == header.last) return;
  bytecode::NormalOp op = decoded_.insts[header.first].op;
  bool pair = op == bytecode::NormalOp::ForIterPair;
  if (!pair && op != bytecode::NormalOp::ForIter) return;
  Word& word = peek(pair ? 2 : 1);
  if (word.kind == Word::Kind::Value && !word.position.valid()) word = iterator(word.value);
}

void Builder::end(ssa::Op terminator) {
  settle_lists();
  function_.blocks[at_].insts.push_back({std::move(terminator), {}, where_});
  ended_ = true;
}

const ssa::Op* Builder::made_here(ValueId value) const {
  const auto& insts = function_.blocks[at_].insts;
  auto found = std::find_if(insts.rbegin(), insts.rend(),
                            [&](const ssa::Inst& inst) { return inst.result == value; });
  return found == insts.rend() ? nullptr : &found->op;
}

ValueId Builder::without_bool(ValueId value) {
  const ssa::Op* op = made_here(value);
  const auto* made = op ? std::get_if<ssa::ToBool>(op) : nullptr;
  if (!made) return value;
  discard(value);
  return made->in[0];
}

bytecode::NormalOp Builder::before() const {
  return reading_ > block().first ? decoded_.insts[reading_ - 1].op : bytecode::NormalOp::Jump;
}

void Builder::ignore(ValueId value) {
  SpanId own = std::exchange(where_, span_id(spans_[reading_ - 1]));
  emit(ssa::Ignore{{value}});
  where_ = own;
}

ValueId Builder::name(const std::string& path, Meaning meaning) {
  auto [entry, added] =
      name_index_.try_emplace(path, static_cast<uint32_t>(function_.names.size()));
  if (added) function_.names.push_back({path, std::move(meaning)});
  return emit(ssa::LoadName{{}, entry->second});
}

ValueId Builder::builtin(const std::string& qualified) {
  return name("<" + qualified + ">", BuiltinMeaning{qualified});
}

SpanId Builder::span_id(const Span& span) {
  auto [entry, added] =
      span_index_.try_emplace({span.line, span.column, span.end_line, span.end_column},
                              SpanId{static_cast<uint32_t>(function_.spans.size())});
  if (added) function_.spans.push_back(span);
  return entry->second;
}

// ---- variables: locals, then for each word of the stack its value and its position

Variable Builder::stack_variable(size_t depth) const {
  return static_cast<Variable>(snapshot_.locals.size() + 2 * depth);
}

Variable Builder::position_variable(size_t depth) const { return stack_variable(depth) + 1; }

const std::string& Builder::local_name(uint32_t local) const {
  return is_free(local) ? snapshot_.free_variables[local - snapshot_.locals.size()]
                        : snapshot_.locals[local];
}

Word Builder::iterator(ValueId iterable) {
  ValueId made = emit(ssa::Iter{{iterable}});
  return {.value = made, .position = emit(ssa::IterStart{{made}})};
}

Word Builder::load_local(uint32_t local) {
  ValueId value = is_free(local) ? name(local_name(local)) : vars_.read(local, at_);
  if (!is_free(local) && local_name(local) == kHiddenIterable) return iterator(value);
  return {.value = value, .local = local};
}

void Builder::store_local(uint32_t local, ValueId value) {
  if (is_free(local)) return fail(Code::OuterAssignment, local_name(local));
  vars_.write(local, at_, value);
  // Words that hold the local's old value are no longer it.
  for (Word& word : stack_)
    if (word.local == local) word.local = kNone;
}

void Builder::store_cell(uint32_t local, ValueId value) {
  store_local(local, value);
  if (is_free(local)) return;  // refused
  emit(ssa::StoreCell{{value}, local});
  cell_stores_.push_back({local, value});
}

ValueId Builder::undefined(uint32_t local) {
  // The stack's variables are always written before they are read; only locals come here.
  HETJIT_CHECK(!is_free(local));
  auto [entry, added] = undefined_.try_emplace(local);
  if (added) {
    entry->second = {function_.value_count++};
    undefined_insts_.push_back({ssa::Undefined{{}, local}, entry->second, span_id(Span{})});
  }
  return entry->second;
}

// ---- the user's mistakes

void Builder::fail(Code code, std::string_view argument, std::string_view second) {
  if (failed_) return;  // one mistake, one message
  failed_ = true;
  Span where =
      where_.valid() ? function_.spans[where_.index] : head_of(snapshot_, function_.source);
  diags_.error(code, where, {argument, second}).report();
}

}  // namespace hetjit::reader
