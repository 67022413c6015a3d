// Changing a function in one walk: following a value to its definition, replacing values, adding
// instructions.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/ir.h"

namespace hetjit::ir {

/// A value of that type, which nothing makes yet.
ValueId new_value(Function& function, TypeId type);

/// Rewrites a function one instruction after another, each after the definitions of its operands.
/// Where a block cannot be reached nothing is rewritten.
class Editor {
 public:
  explicit Editor(Function& function);

  /// Calls `rule(inst)` for every instruction. It may change the instruction in place, add others
  /// before it (emit), and answer with a value that stands for its result from then on; then the
  /// instruction is dropped. True: something changed.
  template <class Rule>
  bool run(Rule rule);

  /// The op that made a value, if it is an instruction that has been visited or emitted.
  template <class AnyOp>
  const AnyOp* made_by(ValueId id) const {
    const Op* op = definition(id);
    return op ? std::get_if<AnyOp>(op) : nullptr;
  }
  const Op* definition(ValueId id) const;

  /// The value of the function as it was that this one stands for, if there is one: what was known
  /// of that one holds for this.
  ValueId original(ValueId id) const { return originals_[id.index]; }

  /// Adds an instruction before the one that is being looked at, with its place in the source.
  ValueId emit(Op op, TypeId type);
  /// The same for one without a result.
  void emit(Op op);
  /// An op that has nothing beside its operands; a number; a number as another type.
  template <class AnyOp, class... In>
  ValueId make(TypeId type, In... in) {
    AnyOp op;
    op.in = {in...};
    return emit(std::move(op), type);
  }
  ValueId number(uint64_t bits, TypeId type);
  ValueId convert(ValueId value, TypeId to);  // the value itself when it has that type already

  TypeId type_of(ValueId id) const { return function_.type_of(id); }
  const Function& function() const { return function_; }
  BlockId block() const { return {block_}; }
  void mark_changed() { changed_ = true; }

 private:
  struct Place {
    uint32_t block = UINT32_MAX, inst = 0;
  };
  ValueId resolve(ValueId id) const;
  void resolve_operands(Op& op) const;
  void append(Inst inst);
  void replace(ValueId id, ValueId by);
  void finish();

  Function& function_;
  std::vector<uint32_t> order_;       // blocks, reverse post-order
  std::vector<ValueId> replacement_;  // by value; invalid: itself
  std::vector<ValueId> originals_;    // by value
  std::vector<Place> places_;         // by value
  uint32_t block_ = 0;
  SpanId where_;
  bool changed_ = false;
};

template <class Rule>
bool Editor::run(Rule rule) {
  for (uint32_t block : order_) {
    block_ = block;
    std::vector<Inst> old = std::move(function_.blocks[block].insts);
    function_.blocks[block].insts.clear();
    function_.blocks[block].insts.reserve(old.size());
    for (Inst& inst : old) {
      where_ = inst.where;
      resolve_operands(inst.op);
      if (std::optional<ValueId> same = rule(inst))
        replace(inst.result, *same);
      else
        append(std::move(inst));
    }
  }
  finish();
  return changed_;
}

}  // namespace hetjit::ir
