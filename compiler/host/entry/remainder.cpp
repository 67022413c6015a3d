// fmod of vectors of floats, and of one.
//
// Where the quotient is below 2^23 (2^52 of f64), it is truncated to the right whole number or,
// where it was rounded up to one, to the next; what remains of a is exact in a fused multiply-add:
//
//   q = trunc(a / b)
//   r = a - q * b            of the other sign than a: once |b| more
//
// What is no number is NaN; lanes with larger quotients ask the library, one by one.
#include <llvm/IR/MDBuilder.h>

#include "compiler/host/entry/entry.h"
#include "compiler/host/entry/host_ops.h"
#include "compiler/host/warp/warp.h"
#include "compiler/target/host_attention.h"

namespace hetjit::host {
namespace {

using llvm::Value;

/// A function of the module's own that gives `type`.
llvm::Function* make(lower::ModuleLowering& module, const std::string& name, llvm::Type* type,
                     llvm::ArrayRef<llvm::Type*> parameters, llvm::Attribute::AttrKind inlining) {
  auto* made = llvm::Function::Create(llvm::FunctionType::get(type, parameters, false),
                                      llvm::Function::InternalLinkage, name, module.module);
  module.target.prepare_function(*made);
  if (type->isVectorTy()) use_wide_registers(*made);
  made->addFnAttr(inlining);
  made->setDoesNotThrow();
  made->setDoesNotAccessMemory();
  made->setWillReturn();
  return made;
}

Value* call_library(llvm::IRBuilder<>& build, llvm::FunctionCallee library, Value* a, Value* b) {
  llvm::CallInst* made = build.CreateCall(library, {a, b});
  made->addFnAttr(llvm::Attribute::NoBuiltin);
  return made;
}

/// ask(a, b, rest, known): `rest` of the lanes that are known, the library's answer for others.
void write_question(llvm::Function& function, llvm::FunctionCallee library) {
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(function.getContext(), "entry", &function));
  auto* type = llvm::cast<llvm::FixedVectorType>(function.getReturnType());
  llvm::Type *number = type->getElementType(), *byte = build.getInt8Ty();
  auto in_memory = [&](Value* vector) {
    llvm::AllocaInst* memory = build.CreateAlloca(vector->getType());
    build.CreateStore(vector, memory);
    return memory;
  };
  llvm::AllocaInst *a = in_memory(function.getArg(0)), *b = in_memory(function.getArg(1)),
                   *rest = in_memory(function.getArg(2));
  llvm::AllocaInst* known =
      in_memory(build.CreateZExt(function.getArg(3), llvm::FixedVectorType::get(byte, type)));
  auto ask = [&](Value* lane) {
    auto load = [&](llvm::AllocaInst* from, llvm::Type* of) {
      return build.CreateLoad(of, build.CreateInBoundsGEP(of, from, lane));
    };
    llvm::LLVMContext& context = build.getContext();
    auto *unknown = llvm::BasicBlock::Create(context, "unknown", &function),
         *next = llvm::BasicBlock::Create(context, "next", &function);
    build.CreateCondBr(build.CreateIsNotNull(load(known, byte)), next, unknown);
    build.SetInsertPoint(unknown);
    Value* asked = call_library(build, library, load(a, number), load(b, number));
    build.CreateStore(asked, build.CreateInBoundsGEP(number, rest, lane));
    build.CreateBr(next);
    build.SetInsertPoint(next);
  };
  target::mark_counted(
      *counted_loop(build, build.getInt32(0), build.getInt32(type->getNumElements()), "lane", ask));
  build.CreateRet(build.CreateLoad(type, rest));
}

/// remainder(a, b)
class Remainder {
 public:
  Remainder(llvm::Function& function, llvm::FunctionCallee others)
      : function_(function),
        others_(others),
        build_(llvm::BasicBlock::Create(function.getContext(), "entry", &function)),
        type_(function.getReturnType()),
        a_(function.getArg(0)),
        b_(function.getArg(1)) {}

  void write() {
    llvm::LLVMContext& context = build_.getContext();
    auto *found = llvm::BasicBlock::Create(context, "found", &function_),
         *others = llvm::BasicBlock::Create(context, "others", &function_);
    Value* quotient = unary(llvm::Intrinsic::trunc, build_.CreateFDiv(a_, b_));
    Value* rest = rest_of(quotient);
    const bool is_f64 = type_->getScalarType()->isDoubleTy();
    Value* limit = llvm::ConstantFP::get(type_, is_f64 ? 0x1p52 : 0x1p23);
    Value* known = build_.CreateFCmpOLT(unary(llvm::Intrinsic::fabs, quotient), limit);
    // Lanes that are not active, too, often divide by zero.
    Value* nothing = build_.CreateOr(build_.CreateFCmpUNO(build_.CreateFSub(a_, a_), b_),
                                     build_.CreateFCmpOEQ(b_, llvm::ConstantFP::getZero(type_)));
    rest = build_.CreateSelect(nothing, llvm::ConstantFP::getNaN(type_), rest);
    known = build_.CreateOr(known, nothing);
    const bool is_vector = type_->isVectorTy();
    build_.CreateCondBr(is_vector ? build_.CreateAndReduce(known) : known, found, others,
                        llvm::MDBuilder(context).createLikelyBranchWeights());
    build_.SetInsertPoint(found);
    build_.CreateRet(rest);
    build_.SetInsertPoint(others);
    build_.CreateRet(is_vector ? build_.CreateCall(others_, {a_, b_, rest, known})
                               : call_library(build_, others_, a_, b_));
  }

 private:
  Value* unary(llvm::Intrinsic::ID id, Value* of) { return build_.CreateUnaryIntrinsic(id, of); }
  Value* rest_of(Value* quotient) {
    Value* zero = llvm::ConstantFP::getZero(type_);
    Value* rest = build_.CreateIntrinsic(llvm::Intrinsic::fma, {type_},
                                         {build_.CreateFNeg(quotient), b_, a_});
    auto sign_of_a = [&](Value* size) {
      return build_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, size, a_);
    };
    // Below 0 seen along a: the quotient was rounded up.
    Value* along = build_.CreateFMul(rest, sign_of_a(llvm::ConstantFP::get(type_, 1.0)));
    Value* more = build_.CreateFAdd(rest, sign_of_a(b_));
    rest = build_.CreateSelect(build_.CreateFCmpOLT(along, zero), more, rest);
    rest = sign_of_a(rest);
    Value* is_all = build_.CreateFCmpOEQ(quotient, zero);  // of an infinite b, too
    return build_.CreateSelect(is_all, a_, rest);
  }

  llvm::Function& function_;
  llvm::FunctionCallee others_;
  llvm::IRBuilder<> build_;
  llvm::Type* type_;
  Value *a_, *b_;
};

std::string name_of(llvm::Type* type) {
  const char* scalar = type->getScalarType()->isDoubleTy() ? "f64" : "f32";
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
  return std::string("hetjit.remainder.") + scalar +
         (vector ? ".x" + std::to_string(vector->getNumElements()) : "");
}

}  // namespace

Value* HostOps::remainder(Lowering& at, Value* a, Value* b) const {
  if (at.module.target.lanes() == 1) return nullptr;  // it would ask a library for the fma
  llvm::Type* type = a->getType();
  const std::string name = name_of(type);
  llvm::Function* made = at.module.module.getFunction(name);
  if (!made) {
    llvm::FunctionCallee others =
        lower::library_function(at, ir::MathFunction::Fmod, type->getScalarType());
    if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
      llvm::Type* mask = llvm::FixedVectorType::get(at.build.getInt1Ty(), vector);
      llvm::Function* asked =
          make(at.module, name + ".ask", type, {type, type, type, mask}, llvm::Attribute::NoInline);
      write_question(*asked, others);
      others = asked;
    }
    made = make(at.module, name, type, {type, type}, llvm::Attribute::AlwaysInline);
    Remainder(*made, others).write();
  }
  return at.build.CreateCall(made, {a, b});
}

}  // namespace hetjit::host
