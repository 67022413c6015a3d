// Math functions: an LLVM intrinsic where it is exact on every target, else the target's library.
#include "compiler/lower/lowering.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

/// The library function: pure, and not to be replaced by what LLVM thinks it knows of its name, so
/// that every target and the interpreter call the same thing.
llvm::FunctionCallee declare_library(Lowering& at, const char* name, llvm::Type* type,
                                     size_t arity) {
  llvm::Module& module = at.module.module;
  llvm::SmallVector<llvm::Type*, 2> parameters(arity, type);
  auto callee = module.getOrInsertFunction(name, llvm::FunctionType::get(type, parameters, false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->setWillReturn();
  return callee;
}

}  // namespace

Value* call_math(Lowering& at, ir::MathFunction function, llvm::ArrayRef<Value*> operands) {
  const ir::MathInfo& row = ir::info(function);
  llvm::Type* type = operands[0]->getType();
  if (*row.native) {
    llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(row.native);
    HETJIT_CHECK(id != llvm::Intrinsic::not_intrinsic);
    return at.build.CreateIntrinsic(type, id, operands);
  }
  const char* name = at.module.target.library_name(row, type->isDoubleTy());
  llvm::CallInst* call =
      at.build.CreateCall(declare_library(at, name, type, operands.size()), operands);
  call->addFnAttr(llvm::Attribute::NoBuiltin);
  return call;
}

Leaves lower(Lowering& at, const ir::Math& op) {
  llvm::SmallVector<Value*, 2> operands;
  for (ValueId id : op.in) operands.push_back(at(id));
  return call_math(at, op.function, operands);
}

}  // namespace hetjit::lower
