// Makes instructions at the end of a block and gives each its result type.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::ir {

class Builder {
 public:
  explicit Builder(Function& function) : function_(function) {}

  BlockId new_block();
  ValueId add_param(BlockId block, TypeId type);
  void set_block(BlockId block) { block_ = block; }
  BlockId block() const { return block_; }
  void set_span(const Span& span);  // for the instructions that follow

  /// Appends an op whose result has the given type.
  ValueId emit(Op op, TypeId type);
  /// Appends an op without a result: a store or a terminator.
  void emit(Op op);

  // Ops whose result type follows from the operands.
  ValueId const_int(TypeId type, uint64_t bits);
  ValueId const_float(TypeId type, double value);
  ValueId none();
  template <class BinaryOp>
  ValueId binary(ValueId a, ValueId b) {
    BinaryOp op;
    op.in = {a, b};
    return emit(op, function_.type_of(a));
  }
  template <class UnaryOp>
  ValueId unary(ValueId a) {
    UnaryOp op;
    op.in = {a};
    return emit(op, function_.type_of(a));
  }
  ValueId compare(Comparison kind, ValueId a, ValueId b);
  ValueId select(ValueId condition, ValueId yes, ValueId no);
  ValueId convert(ValueId value, TypeId to);  // the value itself when it has that type already
  ValueId math(MathFunction function, std::vector<ValueId> arguments);
  ValueId extent(ValueId array, uint8_t axis);
  ValueId element(ValueId array, std::vector<ValueId> indices);
  ValueId array(TypeId type, std::vector<ValueId> data_extents_strides);
  ValueId array_data(ValueId array);
  ValueId move_address(ValueId address, ValueId bytes, TypeId pointer);
  ValueId load(ValueId address);
  void store(ValueId address, ValueId value);
  ValueId field(ValueId address, uint32_t index);
  ValueId tuple(std::vector<ValueId> parts);
  /// A tuple, vector or struct of that type.
  ValueId record(TypeId type, std::vector<ValueId> parts);
  ValueId extract(ValueId from, uint32_t index);
  void jump(BlockId to, std::vector<ValueId> args = {});
  void branch(ValueId condition, Edge yes, Edge no);
  void ret(ValueId value);

  TypeId type_of(ValueId id) const { return function_.type_of(id); }
  Function& function() { return function_; }

 private:
  Function& function_;
  BlockId block_{0};
  SpanId span_;
};

}  // namespace hetjit::ir
