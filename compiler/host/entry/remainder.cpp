// fmod of vectors of floats, and of one.
//
// Where the quotient is below 2^23 (2^52 of f64), it is truncated to the right whole number or,
// where it was rounded up to one, to the next; what remains of a is exact in a fused multiply-add:
//
//   q = trunc(a / b)
//   r = a - q * b            of the other sign than a: once |b| more
//
// Other lanes, and all that is not finite, ask the library, one by one.
#include <llvm/IR/MDBuilder.h>

#include "compiler/host/entry/entry.h"
#include "compiler/host/entry/host_ops.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::host {
namespace {

using llvm::Value;

class Remainder {
 public:
  Remainder(llvm::Function& function, llvm::FunctionCallee library)
      : function_(function),
        library_(library),
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
    Value* small = build_.CreateFCmpOLT(unary(llvm::Intrinsic::fabs, quotient), limit);
    build_.CreateCondBr(all(small), found, others,
                        llvm::MDBuilder(context).createLikelyBranchWeights());
    build_.SetInsertPoint(found);
    build_.CreateRet(rest);
    build_.SetInsertPoint(others);
    build_.CreateRet(ask(rest, small));
  }

 private:
  Value* unary(llvm::Intrinsic::ID id, Value* of) {
    return build_.CreateUnaryIntrinsic(id, of);
  }
  Value* all(Value* lanes) {
    return lanes->getType()->isVectorTy() ? build_.CreateAndReduce(lanes) : lanes;
  }
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
  /// The library, about lanes that are not known.
  Value* ask(Value* rest, Value* known) {
    auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type_);
    if (!vector) return call(a_, b_);
    llvm::Type* lane_type = vector->getElementType();
    llvm::AllocaInst* memory[] = {on_stack(a_), on_stack(b_), on_stack(rest)};
    Value* mask = build_.CreateZExt(known, llvm::FixedVectorType::get(build_.getInt8Ty(), vector));
    llvm::AllocaInst* knows = on_stack(mask);
    counted_loop(build_, build_.getInt32(0), build_.getInt32(vector->getNumElements()), "lane",
                 [&](Value* lane) {
                   auto place = [&](llvm::AllocaInst* of, llvm::Type* type) {
                     return build_.CreateInBoundsGEP(type, of, lane);
                   };
                   auto load = [&](unsigned which) {
                     return build_.CreateLoad(lane_type, place(memory[which], lane_type));
                   };
                   Value* is_known = build_.CreateIsNotNull(build_.CreateLoad(
                       build_.getInt8Ty(), place(knows, build_.getInt8Ty())));
                   Value* asked = call(load(0), load(1));
                   build_.CreateStore(build_.CreateSelect(is_known, load(2), asked),
                                      place(memory[2], lane_type));
                 });
    return build_.CreateLoad(type_, memory[2]);
  }
  Value* call(Value* a, Value* b) {
    llvm::CallInst* made = build_.CreateCall(library_, {a, b});
    made->addFnAttr(llvm::Attribute::NoBuiltin);
    return made;
  }
  llvm::AllocaInst* on_stack(Value* value) {
    llvm::BasicBlock& first = function_.getEntryBlock();
    llvm::AllocaInst* made =
        llvm::IRBuilder<>(&first, first.begin()).CreateAlloca(value->getType());
    build_.CreateStore(value, made);
    return made;
  }

  llvm::Function& function_;
  llvm::FunctionCallee library_;
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
  llvm::Module& module = at.module.module;
  llvm::Function* made = module.getFunction(name_of(type));
  if (!made) {
    made = llvm::Function::Create(llvm::FunctionType::get(type, {type, type}, false),
                                  llvm::Function::InternalLinkage, name_of(type), module);
    at.module.target.prepare_function(*made);
    if (type->isVectorTy()) use_wide_registers(*made);
    made->addFnAttr(llvm::Attribute::AlwaysInline);
    made->setDoesNotThrow();
    made->setDoesNotAccessMemory();
    made->setWillReturn();
    const llvm::FunctionCallee library =
        lower::library_function(at, ir::MathFunction::Fmod, type->getScalarType());
    Remainder(*made, library).write();
  }
  return at.build.CreateCall(made, {a, b});
}

}  // namespace hetjit::host
