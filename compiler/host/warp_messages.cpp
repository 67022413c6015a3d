// What the lanes of a warp say to the host: lane by lane, in a function of its own for each place
// in the program that says something, so that the warp's code keeps small where nobody does.
#include "compiler/host/warp.h"
#include "compiler/host/warp_functions.h"

namespace hetjit::host {
namespace {

using llvm::Value;

/// (active lanes as bits, place of lane 0's thread, the block's size along x and y, numbers: of all
/// lanes alike or vectors)
struct Speaker {
  lower::ModuleLowering& module;
  llvm::Function* function;
  llvm::IRBuilder<> build;

  Speaker(lower::ModuleLowering& module, llvm::ArrayRef<Value*> arguments)
      : module(module), build(module.context()) {
    llvm::SmallVector<llvm::Type*, 16> types;
    for (Value* argument : arguments) types.push_back(argument->getType());
    auto* type = llvm::FunctionType::get(build.getVoidTy(), types, false);
    function =
        llvm::Function::Create(type, llvm::Function::InternalLinkage, "hetjit.say", module.module);
    module.target.prepare_function(*function);
    use_wide_registers(*function);
    function->addFnAttr(llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::Cold);
  }

  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(module.context(), name, function);
  }

  void speak_for(Value* lane, SiteKind kind, uint32_t site) {
    constexpr unsigned kPlace = 1, kThread = kPlace + 3, kSize = kPlace + 6, kNumbers = kSize + 2;
    llvm::SmallVector<Value*, 6> place;
    for (unsigned i = kPlace; i < kSize; ++i) place.push_back(function->getArg(i));
    Value** thread = &place[kThread - kPlace];
    thread[0] = build.CreateAdd(thread[0], build.CreateZExtOrTrunc(lane, thread[0]->getType()));
    for (unsigned axis = 0; axis < 2; ++axis) {  // a warp may go on in the next row
      Value* size = function->getArg(kSize + axis);
      Value* rows = build.CreateUDiv(thread[axis], size);
      thread[axis] = build.CreateURem(thread[axis], size);
      thread[axis + 1] = build.CreateAdd(thread[axis + 1], rows);
    }
    llvm::SmallVector<Value*, 8> numbers;
    for (unsigned i = kNumbers; i < function->arg_size(); ++i) {
      Value* number = function->getArg(i);
      bool of_lanes = number->getType()->isVectorTy();
      numbers.push_back(of_lanes ? build.CreateExtractElement(number, lane) : number);
    }
    lower::write_record(build, module, kind, site, place, numbers);
  }

  /// Once for every active lane, in order; there is at least one.
  void speak(SiteKind kind, uint32_t site) {
    Value* all = function->getArg(0);
    llvm::BasicBlock *entry = block("entry"), *next = block("lane"), *end = block("end");
    build.SetInsertPoint(entry);
    build.CreateBr(next);
    build.SetInsertPoint(next);
    llvm::PHINode* left = build.CreatePHI(all->getType(), 2);
    left->addIncoming(all, entry);
    Value* lane = build.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, build.getTrue());
    speak_for(lane, kind, site);
    Value* one = llvm::ConstantInt::get(all->getType(), 1);
    Value* rest = build.CreateAnd(left, build.CreateSub(left, one));
    left->addIncoming(rest, build.GetInsertBlock());
    // Of exceptions the launch's first is kept, so no other lane's can be.
    Value* more = kind == SiteKind::Raise ? build.getFalse() : build.CreateIsNotNull(rest);
    build.CreateCondBr(more, next, end);
    build.SetInsertPoint(end);
    build.CreateRetVoid();
  }
};

}  // namespace

void Warp::say(SiteKind kind, uint32_t site, const std::vector<ValueId>& numbers) {
  llvm::SmallVector<Value*, 16> arguments;
  arguments.push_back(build_.CreateBitCast(masks_.lanes_of(*mask_), build_.getIntNTy(width_)));
  arguments.append(lower::place_of_thread(lowering_));
  for (uint8_t axis = 0; axis < 2; ++axis)
    arguments.push_back(lowering_.coordinate(lower::Coordinate::BlockDimension, axis));
  for (ValueId id : numbers) {
    const Spreading& number = at(id);
    arguments.push_back(number.spread == Spread::Uniform ? number.leaves[0] : vector_of(number, 0));
  }
  Speaker speaker(module_, arguments);
  speaker.speak(kind, site);
  build_.CreateCall(speaker.function, arguments);
}

Spreading Warp::emit(const ir::Raise& op, const ir::Inst&) {
  say(SiteKind::Raise, op.site, op.in);
  return {};
}

Spreading Warp::emit(const ir::Print& op, const ir::Inst&) {
  wrote_memory_ = true;  // what was said is not said again
  say(SiteKind::Print, op.site, op.in);
  return {};
}

}  // namespace hetjit::host
