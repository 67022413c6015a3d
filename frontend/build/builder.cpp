#include "frontend/build/builder.h"

#include <algorithm>

#include "frontend/build/readers.h"
#include "frontend/build/trim_params.h"
#include "frontend/build/truths.h"

namespace hetjit::reader {
namespace {

std::vector<std::vector<uint32_t>> predecessors_of(const std::vector<CodeBlock>& blocks) {
  std::vector<std::vector<uint32_t>> result(blocks.size());
  for (uint32_t from = 0; from < blocks.size(); ++from)
    for (uint32_t to : blocks[from].next) result[to].push_back(from);
  return result;
}

}  // namespace

Builder::Builder(const Snapshot& snapshot, const bytecode::Decoded& decoded,
                 std::span<const Span> spans, std::vector<CodeBlock> blocks, uint32_t source,
                 Diagnostics& diags, Yields yields)
    : snapshot_(snapshot),
      decoded_(decoded),
      spans_(spans),
      blocks_(std::move(blocks)),
      diags_(diags),
      yields_(yields),
      predecessors_(predecessors_of(blocks_)),
      vars_(
          predecessors_, [this] { return ValueId{function_.value_count++}; },
          [this](Variable variable) { return undefined(variable); }),
      shapes_(blocks_.size()) {
  function_.name = snapshot.name;
  function_.source = source;
  function_.blocks.resize(blocks_.size());
  function_.local_names = snapshot.locals;
  function_.names = snapshot.names;
  for (uint32_t i = 0; i < function_.names.size(); ++i)
    name_index_.try_emplace(function_.names[i].path, i);
  for (const auto& predecessors : predecessors_)
    unfilled_.push_back(static_cast<uint32_t>(predecessors.size()));
}

std::optional<ssa::Function> Builder::run() {
  prepare_entry();
  for (at_ = 0; at_ < blocks_.size() && !failed_; ++at_) read_block();
  if (failed_) return std::nullopt;
  pass_arguments();
  find_selves(function_, cell_stores_);
  return finish();
}

/// The parameters are what the entry block begins with: positional, keyword-only, `*args`.
void Builder::prepare_entry() {
  uint64_t count = uint64_t{snapshot_.parameter_count} + snapshot_.keyword_only_count +
                   (snapshot_.has_varargs ? 1 : 0);
  if (count + (snapshot_.has_varkeywords ? 1 : 0) > snapshot_.locals.size()) return damaged();
  if (snapshot_.has_varkeywords)
    return fail(Code::KeywordsParameter, snapshot_.name, snapshot_.locals[count]);
  for (uint32_t local = 0; local < count; ++local) {
    ValueId value{function_.value_count++};
    function_.parameter_names.push_back(snapshot_.locals[local]);
    function_.blocks[0].params.push_back(value);
    function_.blocks[0].param_locals.push_back(local);
    vars_.write(local, 0, value);
  }
  if (snapshot_.is_generator && yields_ == Yields::Sum) {
    ValueId start{function_.value_count++};
    function_.parameter_names.emplace_back("start");
    function_.blocks[0].params.push_back(start);
    function_.blocks[0].param_locals.push_back(kNone);
    vars_.write(kYields, 0, start);
  }
  shapes_[0].emplace();
}

void Builder::read_block() {
  if (unfilled_[at_] == 0) vars_.seal(at_);
  where_ = span_id(spans_[block().first]);
  enter_block();
  if (at_ == 0 && snapshot_.is_generator) begin_yields();
  for (reading_ = block().first; reading_ < block().last && !failed_; ++reading_) {
    where_ = span_id(spans_[reading_]);
    const bytecode::NormalInst& inst = decoded_.insts[reading_];
    kReaders[static_cast<size_t>(inst.op)](*this, inst.arg);
  }
  if (failed_) return;
  if (!ended_) end(ssa::Jump{{}, edge(0)});
  if (failed_) return;  // a word had no value
  bytecode::NormalOp last = last_op();
  if (last == bytecode::NormalOp::ForIter || last == bytecode::NormalOp::ForIterPair)
    function_.blocks[at_].loop = block().last - 1;
  leave_block();
}

void Builder::enter_block() {
  ended_ = false;
  // Reverse post-order: at least one predecessor has been read.
  HETJIT_CHECK(shapes_[at_].has_value());
  // A way back may bring a word from another place: in a test that CPython wrote twice.
  if (unfilled_[at_] != 0)
    for (Word& word : *shapes_[at_]) word.local = kNone;
  stack_ = *shapes_[at_];
  for (size_t depth = 0; depth < stack_.size(); ++depth) {
    Word& word = stack_[depth];
    if (word.kind == Word::Kind::List || word.kind == Word::Kind::Dict)
      word.items = {{vars_.read(stack_variable(depth), at_), true, true}}, word.inherited = true;
    const bool is_list = word.kind != Word::Kind::Value;
    if (word.whole) finish(stack_.size() - depth);
    if (is_list) continue;
    if (word.position.valid()) word.position = vars_.read(position_variable(depth), at_);
    word.value = vars_.read(stack_variable(depth), at_);
  }
  if (block().item_of != kNone) take_item(block().item_of);
}

bytecode::NormalOp Builder::last_op() const {
  const CodeBlock& here = block();
  return here.first < here.last ? decoded_.insts[here.last - 1].op : bytecode::NormalOp::Jump;
}

/// Before the first value is yielded.
void Builder::begin_yields() {
  if (yields_ == Yields::Tuple) vars_.write(kYields, 0, emit(ssa::BuildTuple{}));
  if (yields_ == Yields::Any) vars_.write(kYields, 0, constant({false}));
  if (yields_ == Yields::All) vars_.write(kYields, 0, constant({true}));
}

/// The loop goes on: the item is pushed, and the iterator's word is one further.
void Builder::take_item(uint32_t for_inst) {
  where_ = span_id(spans_[for_inst]);
  size_t words = decoded_.insts[for_inst].op == bytecode::NormalOp::ForIterPair ? 2 : 1;
  Word& iterator = peek(words);
  ValueId item = emit(ssa::IterItem{{iterator.value, iterator.position}});
  iterator.position = emit(ssa::IterNext{{iterator.value, iterator.position}});
  push(item);
}

void Builder::leave_block() {
  for (size_t depth = 0; depth < stack_.size(); ++depth) {
    const Word& word = stack_[depth];
    const bool collects = word.kind == Word::Kind::List || word.kind == Word::Kind::Dict;
    if (collects && !block().next.empty())
      vars_.write(stack_variable(depth), at_, word.items[0].value);
    else if (word.value.valid())
      vars_.write(stack_variable(depth), at_, word.value);
    if (word.position.valid()) vars_.write(position_variable(depth), at_, word.position);
  }
  const CodeBlock& here = block();
  bytecode::NormalOp last = last_op();
  for (size_t i = 0; i < here.next.size(); ++i) {
    std::vector<Word> words = stack_;
    // A loop that has ended has taken its iterator away.
    const bool pair = last == bytecode::NormalOp::ForIterPair;
    if (i == 1 && (pair || last == bytecode::NormalOp::ForIter)) {
      words.resize(words.size() - (pair ? 2 : 1));
      if (!words.empty()) words.back().whole = words.back().kind == Word::Kind::List;
    }
    hand_over(here.next[i], std::move(words));
    if (failed_) return;  // the successors' words may have no value
    if (--unfilled_[here.next[i]] == 0 && here.next[i] <= at_) vars_.seal(here.next[i]);
  }
}

/// The stack as the block behind an edge finds it.
void Builder::hand_over(uint32_t to, std::vector<Word> words) {
  for (Word& word : words) {
    word.item_locals.clear();
    word.items.clear();
  }
  if (!shapes_[to]) {
    shapes_[to] = std::move(words);
  } else {
    join(*shapes_[to], words, to <= at_);
  }
}

void Builder::join(std::vector<Word>& before, const std::vector<Word>& words, bool entered) {
  if (before.size() != words.size()) return damaged();  // stack_depths() has checked it
  for (size_t i = 0; i < words.size(); ++i) {
    if (before[i].kind != words[i].kind || before[i].position.valid() != words[i].position.valid())
      return damaged();
    if (before[i].keys != words[i].keys) return refuse("a dict whose keys a condition decides");
    if (before[i].text != words[i].text) before[i].text.reset();
    if (before[i].local == words[i].local) continue;
    // Two places, or a local that has another value by now: nothing to write back to.
    if (entered && before[i].local != kNone)
      return refuse("assigning to '" + local_name(before[i].local) +
                    "' while changing a part of it");
    before[i].local = kNone;
  }
}

/// The arguments of all edges, now that every block has its parameters.
void Builder::pass_arguments() {
  std::vector<size_t> done(blocks_.size(), 0);  // incoming edges seen so far, per block
  for (uint32_t from = 0; from < blocks_.size(); ++from) {
    for (ssa::Edge* edge : ssa::edges(function_.blocks[from].insts.back().op)) {
      size_t incoming = done[edge->to.index]++;
      for (const VariableParam& param : vars_.params(edge->to.index))
        edge->args.push_back(param.args[incoming]);
    }
  }
  for (uint32_t to = 0; to < blocks_.size(); ++to) {
    for (const VariableParam& param : vars_.params(to)) {
      bool is_local = param.variable < snapshot_.locals.size();
      function_.blocks[to].params.push_back(param.value);
      function_.blocks[to].param_locals.push_back(is_local ? param.variable : kNone);
    }
  }
}

ssa::Function Builder::finish() {
  auto& entry = function_.blocks[0].insts;
  entry.insert(entry.begin(), undefined_insts_.begin(), undefined_insts_.end());
  std::vector<bool> used(function_.value_count, false);
  for (const ssa::Block& block : function_.blocks)
    for (const ssa::Inst& inst : block.insts) {
      for (ValueId value : ssa::operands(inst.op)) used[value.index] = true;
      for (const ssa::Edge* edge : ssa::edges(inst.op))
        for (ValueId value : edge->args) used[value.index] = true;
    }
  std::vector<bool> discarded(function_.value_count, false);
  for (ValueId value : discarded_) discarded[value.index] = !used[value.index];
  for (ssa::Block& block : function_.blocks)
    std::erase_if(block.insts, [&](const ssa::Inst& inst) {
      return inst.result.valid() && discarded[inst.result.index];
    });
  trim_params(function_);
  join_truths(function_);
  renumber(function_);
  return std::move(function_);
}

}  // namespace hetjit::reader
