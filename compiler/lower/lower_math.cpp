// Math functions: an LLVM intrinsic where it is exact on every target, else the target's library.
#include "compiler/lower/device_ops.h"
#include "compiler/lower/divide_floats.h"
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

/// The library knows no vectors.
template <class Call>
Value* lane_by_lane(Lowering& at, llvm::ArrayRef<Value*> operands, Call call) {
  Value* result = llvm::PoisonValue::get(operands[0]->getType());
  for (unsigned lane = 0; lane < at.lanes; ++lane) {
    llvm::SmallVector<Value*, 2> arguments;
    for (Value* operand : operands)
      arguments.push_back(at.build.CreateExtractElement(operand, lane));
    result = at.build.CreateInsertElement(result, call(arguments), lane);
  }
  return result;
}

}  // namespace

llvm::FunctionCallee library_function(Lowering& at, ir::MathFunction function, llvm::Type* type) {
  const ir::MathInfo& row = ir::info(function);
  const bool is_f64 = type->isDoubleTy();
  const bool is_near_enough = !is_f64 && at.build.getFastMathFlags().approxFunc();
  const char* name = is_near_enough ? at.module.target.approximate_name(row) : "";
  if (!*name) name = at.module.target.library_name(row, is_f64);
  return declare_library(at, name, type, row.arity);
}

Value* call_math(Lowering& at, ir::MathFunction function, llvm::ArrayRef<Value*> operands) {
  const ir::MathInfo& row = ir::info(function);
  llvm::Type* type = operands[0]->getType();
  if (*row.native) {
    llvm::Intrinsic::ID id = llvm::Intrinsic::lookupIntrinsicID(row.native);
    HETJIT_CHECK(id != llvm::Intrinsic::not_intrinsic);
    return at.build.CreateIntrinsic(type, id, operands);
  }
  if (function == ir::MathFunction::Fmod) {
    if (Value* made = fmod_by_power_of_two(at, operands[0], operands[1])) return made;
    if (Value* made = at.module.device.remainder(at, operands[0], operands[1])) return made;
  }
  if (function == ir::MathFunction::Rsqrt && type->getScalarType()->isFloatTy())
    if (Value* made = at.module.device.reciprocal_root(at, operands[0])) return made;
  llvm::FunctionCallee callee = library_function(at, function, type->getScalarType());
  auto call = [&](llvm::ArrayRef<Value*> arguments) {
    llvm::CallInst* made = at.build.CreateCall(callee, arguments);
    made->addFnAttr(llvm::Attribute::NoBuiltin);
    return made;
  };
  return type->isVectorTy() ? lane_by_lane(at, operands, call) : call(operands);
}

template <>
Leaves lower(Lowering& at, const ir::Math& op) {
  llvm::SmallVector<Value*, 2> operands;
  for (ValueId id : op.in) operands.push_back(at(id));
  return call_math(at, op.function, operands);
}

}  // namespace hetjit::lower
