#include "compiler/host/warp/lane_stores.h"

#include "compiler/target/host_attention.h"

namespace hetjit::host {
namespace {

using llvm::Value;

constexpr unsigned kWidestCopy = 32;  // bytes

class LaneStores {
 public:
  LaneStores(llvm::Function& function, unsigned element_bytes)
      : function_(function),
        bytes_(element_bytes),
        build_(block("entry")),
        to_(function.getArg(0)),
        from_(function.getArg(1)),
        lanes_(function.getArg(2)) {}

  void run() {
    auto *some = block("some"), *run = block("run"), *each = block("each");
    end_ = block("end");
    build_.CreateCondBr(build_.CreateIsNotNull(lanes_), some, end_);
    build_.SetInsertPoint(some);
    Value* first = build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, lanes_, build_.getTrue());
    Value* row = build_.CreateLShr(lanes_, first);
    Value* beyond = build_.CreateAnd(row, build_.CreateAdd(row, number(1)));
    build_.CreateCondBr(build_.CreateIsNull(beyond), run, each);
    build_.SetInsertPoint(run);
    copy_run(first, build_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, row));
    build_.SetInsertPoint(each);
    copy_each(each);
    build_.SetInsertPoint(end_);
    build_.CreateRetVoid();
  }

 private:
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(function_.getContext(), name, &function_);
  }
  llvm::ConstantInt* number(uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(function_.getContext()), value);
  }
  Value* at(Value* row, Value* offset) {
    return build_.CreateInBoundsGEP(build_.getInt8Ty(), row, offset);
  }
  void copy(Value* offset, unsigned bytes) {
    llvm::Type* type = bytes > sizeof(uint64_t)
                           ? static_cast<llvm::Type*>(llvm::FixedVectorType::get(
                                 build_.getInt64Ty(), bytes / sizeof(uint64_t)))
                           : build_.getIntNTy(8 * bytes);
    const llvm::Align align(1);
    build_.CreateAlignedStore(build_.CreateAlignedLoad(type, at(from_, offset), align),
                              at(to_, offset), align);
  }

  /// Pieces of falling size.
  void copy_run(Value* first, Value* count) {
    Value* begin = build_.CreateMul(first, number(bytes_));
    Value* length = build_.CreateMul(count, number(bytes_));
    Value* end =
        build_.CreateAdd(begin, build_.CreateAnd(length, number(~uint64_t{kWidestCopy - 1})));
    auto *head = block("wide"), *body = block("copy"), *rest = block("rest");
    llvm::BasicBlock* before = build_.GetInsertBlock();
    build_.CreateBr(head);
    build_.SetInsertPoint(head);
    llvm::PHINode* place = build_.CreatePHI(build_.getInt64Ty(), 2);
    place->addIncoming(begin, before);
    build_.CreateCondBr(build_.CreateICmpNE(place, end), body, rest);
    build_.SetInsertPoint(body);
    copy(place, kWidestCopy);
    place->addIncoming(build_.CreateAdd(place, number(kWidestCopy)), body);
    target::mark_counted(*build_.CreateBr(head));
    build_.SetInsertPoint(rest);
    for (unsigned piece = kWidestCopy / 2; piece >= bytes_; piece /= 2) {
      auto *has = block("has"), *on = block("on");
      build_.CreateCondBr(build_.CreateIsNotNull(build_.CreateAnd(length, number(piece))), has, on);
      build_.SetInsertPoint(has);
      const uint64_t larger = ~(2 * uint64_t{piece} - 1);
      copy(build_.CreateAdd(begin, build_.CreateAnd(length, number(larger))), piece);
      build_.CreateBr(on);
      build_.SetInsertPoint(on);
    }
    build_.CreateBr(end_);
  }

  void copy_each(llvm::BasicBlock* before) {
    auto* next = block("next");
    build_.CreateBr(next);
    build_.SetInsertPoint(next);
    llvm::PHINode* left = build_.CreatePHI(build_.getInt64Ty(), 2);
    left->addIncoming(lanes_, before);
    Value* lane = build_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, build_.getTrue());
    copy(build_.CreateMul(lane, number(bytes_)), bytes_);
    Value* others = build_.CreateAnd(left, build_.CreateSub(left, number(1)));
    left->addIncoming(others, next);
    target::mark_counted(*build_.CreateCondBr(build_.CreateIsNotNull(others), next, end_));
  }

  llvm::Function& function_;
  unsigned bytes_;
  llvm::IRBuilder<> build_;
  Value *to_, *from_, *lanes_;
  llvm::BasicBlock* end_ = nullptr;
};

}  // namespace

llvm::Function* lane_stores(lower::ModuleLowering& module, unsigned element_bytes) {
  HETJIT_CHECK(element_bytes);
  const std::string name = "hetjit.lane_stores." + std::to_string(element_bytes);
  if (llvm::Function* made = module.module.getFunction(name)) return made;
  llvm::LLVMContext& context = module.context();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, pointer, llvm::Type::getInt64Ty(context)}, false);
  auto* made = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, module.module);
  module.target.prepare_function(*made);
  made->addFnAttr(llvm::Attribute::NoInline);
  made->addFnAttr(llvm::Attribute::NoUnwind);
  LaneStores(*made, element_bytes).run();
  return made;
}

}  // namespace hetjit::host
