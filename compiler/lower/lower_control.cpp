// Control flow and calls. Edge arguments become the incoming values of phis.
#include "compiler/lower/device_ops.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

/// An edge whose target is also the other edge's: a phi may have one value per predecessor only, so
/// this edge gets a block of its own.
llvm::BasicBlock* own_block(Lowering& at, const ir::Edge& edge) {
  llvm::BasicBlock* from = at.build.GetInsertBlock();
  auto* between = llvm::BasicBlock::Create(at.module.context(), "edge", &at.function);
  at.build.SetInsertPoint(between);
  at.pass(edge);
  at.build.CreateBr(at.block(edge.to));
  at.build.SetInsertPoint(from);
  return between;
}

/// The callers of a function that has raised end, too.
void leave_if_raised(Lowering& at, Value* raised) {
  auto* leave = llvm::BasicBlock::Create(at.module.context(), "raised", &at.function);
  auto* stay = llvm::BasicBlock::Create(at.module.context(), "returned", &at.function);
  at.build.CreateCondBr(raised, leave, stay);
  at.build.SetInsertPoint(leave);
  leave_raising(at);
  at.build.SetInsertPoint(stay);
}

}  // namespace

template <>
Leaves lower(Lowering& at, const ir::Jump& op) {
  at.pass(op.to);
  at.build.CreateBr(at.block(op.to.to));
  return {};
}

template <>
Leaves lower(Lowering& at, const ir::Branch& op) {
  llvm::BasicBlock* yes = at.block(op.yes.to);
  llvm::BasicBlock* no = at.block(op.no.to);
  at.pass(op.yes);
  if (op.yes.to == op.no.to)
    no = own_block(at, op.no);
  else
    at.pass(op.no);
  at.build.CreateCondBr(at(op.in[0]), yes, no);
  return {};
}

template <>
Leaves lower(Lowering& at, const ir::Return& op) {
  Leaves leaves = at.leaves(op.in[0]);
  if (at.raises) leaves.push_back(at.build.getFalse());
  if (leaves.empty())
    at.build.CreateRetVoid();
  else if (leaves.size() == 1)
    at.build.CreateRet(leaves[0]);
  else
    at.build.CreateAggregateRet(leaves.data(), leaves.size());
  return {};
}

template <>
Leaves lower(Lowering& at, const ir::Unreachable&) {
  at.build.CreateUnreachable();
  return {};
}

template <>
Leaves lower(Lowering& at, const ir::Call& op) {
  llvm::SmallVector<Value*, 16> arguments;
  for (ValueId argument : op.in) arguments.append(at.leaves(argument));
  at.module.device.add_place(at, arguments);
  Value* call = at.build.CreateCall(at.module.functions[op.function], arguments);
  Outcome out = outcome(at.build, at.module, op.function, call);
  if (out.raised) leave_if_raised(at, out.raised);
  return std::move(out.leaves);
}

}  // namespace hetjit::lower
