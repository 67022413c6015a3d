// The abstract stack machine: reads one block after another, with values in place of objects.
// Private to frontend/build; the instructions themselves are in read_*.cpp.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/build/blocks.h"
#include "frontend/build/captures.h"
#include "frontend/build/reading.h"
#include "frontend/build/ssa_vars.h"
#include "frontend/ssa/function.h"

namespace hetjit::reader {

/// Part of a list that is being put together for a call, `f(1, *rest)`, or a tuple, `(1, *rest)`.
struct ListItem {
  ValueId value;
  bool spread = false;
  bool tuple = false;  // spread, and known to be a tuple
  friend bool operator==(const ListItem&, const ListItem&) = default;
};

/// What a generator has yielded so far: a variable beside the locals and the stack.
inline constexpr Variable kYields = UINT32_MAX;

/// A word of the operand stack.
struct Word {
  enum class Kind : uint8_t {
    Value,
    Null,  // what call sequences leave room for `self` with
    Dict,  // the same, with string keys: for calls and for defaults of inner functions only
    List,  // being put together; as a value it is a tuple that is marked (AsList)
  };
  Kind kind = Kind::Value;
  ValueId value;                      // Value
  ValueId position;                   // Value, of an iterator: how far it is
  uint32_t local = kNone;             // Value: that local's value, just loaded from it
  std::vector<uint32_t> item_locals;  // Value, of BuildTuple: the locals of its items
  std::vector<ListItem> items;        // List, Dict; behind an edge the first is a tuple of them
  bool complete = false;              // List, behind ListToTuple
  bool inherited = false;             // List, to which the block has added nothing
  bool whole = false;                 // List, of a comprehension whose loop has ended
  std::vector<std::string> keys;      // Dict
  std::optional<std::string> text;    // Value: a string constant that was loaded, maybe a key
};

/// The line of `def`, for what concerns a function as a whole.
Span head_of(const Snapshot& snapshot, uint32_t source);

class Builder {
 public:
  Builder(const Snapshot& snapshot, const bytecode::Decoded& decoded, std::span<const Span> spans,
          std::vector<CodeBlock> blocks, uint32_t source, Diagnostics& diags, Yields yields);

  /// nullopt: the user was told why.
  std::optional<ssa::Function> run();

  // ---- for read_*.cpp: the stack
  void push(Word word) { stack_.push_back(std::move(word)); }
  void push(ValueId value) { stack_.push_back({.value = value}); }
  Word pop();
  ValueId pop_value() { return value_of(pop()); }
  /// The n values on top, the topmost last.
  std::vector<ValueId> pop_values(size_t n);
  /// The n-th word from the top; the top is 1.
  Word& peek(size_t n) { return stack_[stack_.size() - n]; }
  /// The n-th word from the top, which is finished: a list is a value from here on.
  const Word& finish(size_t n);
  /// A word as a value: lists become tuples that are marked.
  ValueId value_of(const Word& word);
  /// A dict's values, one for each key.
  std::vector<ListItem> values_of(const Word& dict);

  // ---- the graph
  template <class AnyOp>
  ValueId emit(AnyOp op) {
    return append(ssa::Op(std::move(op)));
  }
  ValueId constant(Constant value) { return emit(ssa::Const{{}, std::move(value)}); }
  ValueId none() { return constant({NoneConstant{}}); }
  /// An outside name by its path; `meaning` is for names that the user did not write, whose paths
  /// stand in angle brackets.
  ValueId name(const std::string& path, Meaning meaning = UnboundMeaning{});
  ValueId builtin(const std::string& qualified);
  void end(ssa::Op terminator);
  /// A generator yields, or any function returns.
  void yield(ValueId value);
  void leave(ValueId returned);
  ssa::Edge edge(size_t next) const { return {{block().next[next]}, {}}; }
  /// The instruction in this block that makes `value`; null: it is elsewhere.
  const ssa::Op* made_here(ValueId value) const;
  /// For users that take the truth of any value: what a ToBool made here was made from. Some
  /// versions of CPython write it out and others do not.
  ValueId without_bool(ValueId value);
  /// The instruction before the one being read, in this block; a jump where it is the first.
  bytecode::NormalOp before() const;
  /// The value of an expression statement, made by the instruction before.
  void ignore(ValueId value);
  /// Nothing but the words on the stack ever used `value`, and those are gone.
  void discard(ValueId value) { discarded_.push_back(value); }

  // ---- locals. Indices from locals().size() on are free variables.
  bool is_free(uint32_t local) const { return local >= snapshot_.locals.size(); }
  const std::string& local_name(uint32_t local) const;
  Word load_local(uint32_t local);
  /// An iterator at its beginning.
  Word iterator(ValueId iterable);
  void store_local(uint32_t local, ValueId value);
  ValueId undefined(uint32_t local);
  void store_cell(uint32_t local, ValueId value);

  // ---- the user's mistakes
  void refuse(std::string_view what) { fail(Code::UnsupportedInstruction, what); }
  void fail(Code code, std::string_view argument, std::string_view second = {});
  void damaged() { fail(Code::InvalidBytecode, "its stack does not fit its instructions"); }

  const Snapshot& snapshot() const { return snapshot_; }

 private:
  const CodeBlock& block() const { return blocks_[at_]; }
  Variable stack_variable(size_t depth) const;
  Variable position_variable(size_t depth) const;
  ValueId append(ssa::Op op);
  ValueId tuple_of(const std::vector<ListItem>& items);
  SpanId span_id(const Span& span);

  void prepare_entry();
  void read_block();
  bytecode::NormalOp last_op() const;
  void enter_block();
  void begin_yields();
  void take_item(uint32_t for_inst);
  void leave_block();
  ValueId settled(const Word& word);
  void settle_lists();
  void begin_loop(const CodeBlock& header);
  void hand_over(uint32_t to, std::vector<Word> words);
  void join(std::vector<Word>& before, const std::vector<Word>& words, bool entered);
  ssa::Function finish();
  void pass_arguments();

  const Snapshot& snapshot_;
  const bytecode::Decoded& decoded_;
  std::span<const Span> spans_;
  std::vector<CodeBlock> blocks_;
  Diagnostics& diags_;
  Yields yields_;

  ssa::Function function_;
  std::vector<std::vector<uint32_t>> predecessors_;  // per block, an entry per edge
  std::vector<uint32_t> unfilled_;                   // per block: predecessors still to be read
  SsaVars vars_;
  std::vector<std::optional<std::vector<Word>>> shapes_;  // the stack on entry, without values
  std::vector<Word> stack_;
  uint32_t at_ = 0;       // the block being read
  uint32_t reading_ = 0;  // the instruction being read
  SpanId where_;          // of that
  bool ended_ = false, failed_ = false;
  std::unordered_map<uint32_t, ValueId> undefined_;
  std::vector<ssa::Inst> undefined_insts_;
  std::unordered_map<std::string, uint32_t> name_index_;
  std::map<std::array<uint32_t, 4>, SpanId> span_index_;
  std::vector<ValueId> discarded_;
  std::vector<CellStore> cell_stores_;
};

}  // namespace hetjit::reader
