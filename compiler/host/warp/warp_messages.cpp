// What the lanes of a warp say to the host: lane by lane, in a function of its own for each place
// in the program that says something, so that the warp's code keeps small where nobody does.
#include <llvm/IR/MDBuilder.h>

#include <cstdlib>

#include "compiler/host/warp/warp.h"
#include "compiler/host/warp/watch.h"

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

void Warp::say(SiteKind kind, uint32_t site, llvm::ArrayRef<ValueId> numbers, Value* lanes,
               llvm::ArrayRef<Value*> before) {
  llvm::SmallVector<Value*, 16> arguments;
  if (!lanes) lanes = masks_.lanes_of(*mask_);
  arguments.push_back(build_.CreateBitCast(lanes, build_.getIntNTy(width_)));
  arguments.append(lower::place_of_thread(lowering_));
  for (uint8_t axis = 0; axis < 2; ++axis)
    arguments.push_back(lowering_.coordinate(lower::Coordinate::BlockDimension, axis));
  arguments.append(before.begin(), before.end());
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

// Of indices a step apart the least says enough, if the limit is as much less as the greatest is
// more: one comparison, and the limit's part is the same in every turn of a loop. That step times
// the lanes is far below what would bring a number round to its beginning.
Value* Warp::all_below(const Spreading& index, const Spreading& limit) {
  if (limit.spread != Spread::Uniform || index.spread == Spread::Varying) return nullptr;
  Value *least = index.leaves[0], *most = limit.leaves[0];
  if (index.spread == Spread::Uniform) return build_.CreateICmpULT(least, most);
  int64_t way = index.stride * (static_cast<int64_t>(width_) - 1);
  auto number = [&](int64_t of) {
    return llvm::ConstantInt::getSigned(least->getType(), of, true);
  };
  if (way < 0) least = build_.CreateAdd(least, number(way));
  most = build_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, most, number(std::abs(way)));
  return build_.CreateICmpULT(least, most);
}

// Nobody waits for the results of a launch that has failed: the whole warp is done, and, where the
// warps of its block go on together, they are too.
void Warp::give_up() {
  if (plan_)
    build_.CreateRet(build_.getInt32(plan_->tier == Tier::Whole ? kBlockEnds : 0));
  else
    return_done();
}

Spreading Warp::emit(const ir::CheckBelow& op, const ir::Inst&) {
  const Spreading &index = at(op.in[0]), &limit = at(op.in[1]);
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(build_.getContext(), name, &function_);
  };
  llvm::BasicBlock *holds = block("holds"), *fails = block("fails");
  llvm::MDNode* likely = llvm::MDBuilder(build_.getContext()).createLikelyBranchWeights();
  Value* below = all_below(index, limit);
  bool alike = index.spread == Spread::Uniform && limit.spread == Spread::Uniform;
  if (below && !alike) {
    auto* look = block("look");  // lanes that are not active may be the ones that are too far
    build_.CreateCondBr(below, holds, look, likely);
    build_.SetInsertPoint(look);
  }
  Value* lanes = nullptr;
  if (!alike) {
    Value* not_below = build_.CreateICmpUGE(vector_of(index, 0), vector_of(limit, 0));
    lanes = masks_.both(masks_.lanes_of(*mask_), not_below);
    below = build_.CreateNot(masks_.any(lanes));
  }
  build_.CreateCondBr(below, holds, fails, likely);
  build_.SetInsertPoint(fails);
  say(SiteKind::Raise, op.site, llvm::ArrayRef(op.in).drop_front(2), lanes);
  give_up();
  build_.SetInsertPoint(holds);
  return {};
}

// The runtime looks at the lanes one after another, and says which one has found something.
template <class Op>
void Warp::watch(const Op& op, llvm::ArrayRef<ValueId> numbers, Value* addresses, int64_t step) {
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(build_.getContext(), name, &function_);
  };
  Value* lanes = build_.CreateZExt(bits_of(masks_.lanes_of(*mask_)), build_.getInt64Ty());
  Watched watched{watched_site(module_.ir, op), lanes, addresses, step};
  if (plan_) {
    watched.block = memory_.block;
    watched.context = memory_.context;
    watched.dynamic_bytes = memory_.dynamic_bytes;
    watched.frame = &plan_->frame;
  }
  Value* found = call_watch(lowering_, watched);
  llvm::BasicBlock *holds = block("holds"), *fails = block("fails");
  llvm::MDNode* likely = llvm::MDBuilder(build_.getContext()).createLikelyBranchWeights();
  build_.CreateCondBr(build_.CreateIsNull(found), holds, fails, likely);
  build_.SetInsertPoint(fails);
  FoundWords words = words_found(build_, found);
  Value* each = build_.CreateStepVector(llvm::FixedVectorType::get(build_.getInt32Ty(), width_));
  Value* lane = build_.CreateICmpEQ(each, splat(words.lane));
  if constexpr (requires { op.unwritten; }) {
    llvm::BasicBlock *unwritten = block("unwritten"), *race = block("race");
    build_.CreateCondBr(build_.CreateIsNotNull(words.unwritten), unwritten, race);
    build_.SetInsertPoint(unwritten);
    say(SiteKind::Raise, op.unwritten, numbers, lane);
    give_up();
    build_.SetInsertPoint(race);
  }
  say(SiteKind::Raise, op.site, numbers, lane, words.other);
  give_up();
  build_.SetInsertPoint(holds);
}

// Lanes whose addresses are a step apart, or one, are told by the first and the step.
Spreading Warp::emit(const ir::CheckAccess& op, const ir::Inst&) {
  llvm::SmallVector<Value*, 1> guards;
  for (ValueId id : llvm::ArrayRef(op.in).slice(1, op.guards)) {
    HETJIT_CHECK(at(id).spread == Spread::Uniform);
    guards.push_back(at(id).leaves[0]);
  }
  const Spreading& address = at(op.in[0]);
  llvm::BasicBlock* after = nullptr;
  if (Value* all = all_guards(build_, guards)) {
    auto* told = llvm::BasicBlock::Create(build_.getContext(), "told", &function_);
    after = llvm::BasicBlock::Create(build_.getContext(), "after", &function_);
    build_.CreateCondBr(all, after, told);
    build_.SetInsertPoint(told);
  }
  bool varying = address.spread == Spread::Varying;
  watch(op, llvm::ArrayRef(op.in).drop_front(1 + op.guards), address.leaves[0],
        varying ? 0 : address.stride);
  if (after) {
    build_.CreateBr(after);
    build_.SetInsertPoint(after);
  }
  return {};
}

Spreading Warp::emit(const ir::CheckBarrier& op, const ir::Inst&) {
  watch(op, op.in, nullptr);
  return {};
}

Spreading Warp::emit(const ir::Print& op, const ir::Inst&) {
  wrote_memory_ = true;  // what was said is not said again
  say(SiteKind::Print, op.site, op.in);
  return {};
}

}  // namespace hetjit::host
