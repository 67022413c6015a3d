// What compiled code says to the host: records in two globals of the module (abi/messages.h). A
// helper function reserves the record and writes its header; the numbers are stored where they are
// known.
#include <llvm/IR/MDBuilder.h>

#include <cstddef>

#include "compiler/lower/device_ops.h"
#include "compiler/lower/interop_entry.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

constexpr uint32_t kNoRecord = UINT32_MAX;  // as a count of words: the records end here

llvm::GlobalVariable* box(ModuleLowering& module, const char* name, uint64_t bytes) {
  if (llvm::GlobalVariable* known = module.module.getGlobalVariable(name)) return known;
  auto* type = llvm::ArrayType::get(llvm::Type::getInt8Ty(module.context()), bytes);
  auto* made = new llvm::GlobalVariable(
      module.module, type, /*isConstant=*/false, llvm::GlobalValue::ExternalLinkage,
      llvm::ConstantAggregateZero::get(type), name, nullptr, llvm::GlobalValue::NotThreadLocal,
      module.target.spaces().global, /*isExternallyInitialized=*/true);
  made->setAlignment(llvm::Align(8));
  made->setDSOLocal(true);
  module.device.publish(*made);
  return made;
}

/// A helper: (site, words, block x y z, thread x y z) -> where the words go, or null.
struct Helper {
  ModuleLowering& module;
  llvm::GlobalVariable* box;
  llvm::Function* function;
  llvm::IRBuilder<> build;

  Helper(ModuleLowering& in, const char* name, llvm::GlobalVariable* box)
      : module(in), box(box), build(in.context()) {
    llvm::SmallVector<llvm::Type*, 8> parameters(sizeof(MessageHeader) / 4, build.getInt32Ty());
    auto* type = llvm::FunctionType::get(box->getType(), parameters, false);
    function = llvm::Function::Create(type, llvm::Function::InternalLinkage, name, in.module);
    in.target.prepare_function(*function);
    function->addFnAttr(in.device.inlines_records() ? llvm::Attribute::AlwaysInline
                                                    : llvm::Attribute::NoInline);
    function->addFnAttr(llvm::Attribute::Cold);
    build.SetInsertPoint(block("entry"));
  }

  Value* field(uint64_t offset) {
    return build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), box, offset);
  }
  llvm::BasicBlock* block(const char* name) {
    return llvm::BasicBlock::Create(module.context(), name, function);
  }
  llvm::SyncScope::ID scope() {
    return module.device.sync_scope(module.context(), ir::MemoryScope::Device);
  }
  Value* add(Value* to, Value* amount) {
    return build.CreateAtomicRMW(llvm::AtomicRMWInst::Add, to, amount, llvm::Align(8),
                                 llvm::AtomicOrdering::Monotonic, scope());
  }
  /// Writes the header at `record` and returns the address behind it.
  void finish(Value* record) {
    for (unsigned i = 0; i < function->arg_size(); ++i)
      build.CreateAlignedStore(function->getArg(i),
                               build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), record, 4 * i),
                               llvm::Align(4));
    build.CreateRet(
        build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), record, sizeof(MessageHeader)));
  }
  void nothing() {
    build.CreateRet(
        llvm::ConstantPointerNull::get(llvm::cast<llvm::PointerType>(function->getReturnType())));
  }
};

/// The first to ask gets the error box.
llvm::Function* claim(ModuleLowering& module) {
  constexpr const char* kName = "hetjit.claim";
  if (llvm::Function* known = module.module.getFunction(kName)) return known;
  Helper at(module, kName, box(module, kErrorSymbol, sizeof(ErrorBox)));
  llvm::BasicBlock *first = at.block("first"), *late = at.block("late");
  auto& build = at.build;
  Value* old = build.CreateAtomicCmpXchg(at.box, build.getInt64(0), build.getInt64(1),
                                         llvm::Align(8), llvm::AtomicOrdering::Monotonic,
                                         llvm::AtomicOrdering::Monotonic, at.scope());
  build.CreateCondBr(build.CreateExtractValue(old, 1), first, late);
  build.SetInsertPoint(first);
  at.finish(at.field(offsetof(ErrorBox, header)));
  build.SetInsertPoint(late);
  at.nothing();
  return at.function;
}

/// Room for a record in the print box. The one that is the first not to fit says that records end
/// there: what stands behind is of an earlier launch.
llvm::Function* reserve(ModuleLowering& module) {
  constexpr const char* kName = "hetjit.reserve";
  if (llvm::Function* known = module.module.getFunction(kName)) return known;
  Helper at(module, kName, box(module, kPrintSymbol, sizeof(PrintBox)));
  llvm::BasicBlock *fits = at.block("fits"), *full = at.block("full"), *last = at.block("last"),
                   *lost = at.block("lost");
  auto& build = at.build;
  auto* i64 = build.getInt64Ty();
  Value* bytes = build.CreateMul(build.CreateZExt(at.function->getArg(1), i64), build.getInt64(8));
  Value* size = build.CreateAdd(bytes, build.getInt64(sizeof(MessageHeader)));
  Value* old = at.add(at.field(offsetof(PrintBox, cursor)), size);
  Value* record = build.CreateGEP(build.getInt8Ty(), at.field(offsetof(PrintBox, records)), old);
  build.CreateCondBr(build.CreateICmpULE(build.CreateAdd(old, size), build.getInt64(kPrintBytes)),
                     fits, full);
  build.SetInsertPoint(fits);
  at.finish(record);
  build.SetInsertPoint(full);
  constexpr uint64_t kLastHeader = kPrintBytes - sizeof(MessageHeader);
  build.CreateCondBr(build.CreateICmpULE(old, build.getInt64(kLastHeader)), last, lost);
  build.SetInsertPoint(last);
  Value* words =
      build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), record, offsetof(MessageHeader, words));
  build.CreateAlignedStore(build.getInt32(kNoRecord), words, llvm::Align(4));
  build.CreateBr(lost);
  build.SetInsertPoint(lost);
  at.add(at.field(offsetof(PrintBox, lost)), build.getInt64(1));
  at.nothing();
  return at.function;
}

/// The bits of a number as a record's word.
Value* word_of(llvm::IRBuilder<>& build, Value* number) {
  unsigned bits = number->getType()->getPrimitiveSizeInBits();
  Value* integer = build.CreateBitCast(number, build.getIntNTy(bits));
  return build.CreateZExt(integer, build.getInt64Ty());
}

/// Leaves what is said where C++ finds it, in memory of the thread's own: says.hpp's `spoken`.
void say_in_cxx(llvm::IRBuilder<>& build, ModuleLowering& module, uint32_t site,
                llvm::ArrayRef<Value*> place, llvm::ArrayRef<Value*> numbers) {
  llvm::BasicBlock& entry = build.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> first(&entry, entry.begin());
  const uint64_t place_bytes = 4 * place.size();
  auto* type = llvm::ArrayType::get(build.getInt64Ty(), place_bytes / 8 + numbers.size());
  auto* memory = first.CreateAlloca(type, module.target.spaces().private_, nullptr, "spoken");
  auto at = [&](uint64_t offset) {
    return build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), memory, offset);
  };
  for (size_t i = 0; i < place.size(); ++i)
    build.CreateAlignedStore(place[i], at(4 * i), llvm::Align(4));
  for (size_t i = 0; i < numbers.size(); ++i)
    build.CreateAlignedStore(word_of(build, numbers[i]), at(place_bytes + 8 * i), llvm::Align(8));
  build.CreateCall(cxx_that_says(module),
                   {build.getInt32(site), build.CreateAddrSpaceCast(memory, build.getPtrTy())});
}

}  // namespace

void make_boxes(ModuleLowering& module) {
  for (const Site& site : module.sites)
    if (site.kind == SiteKind::Raise)
      box(module, kErrorSymbol, sizeof(ErrorBox));
    else
      box(module, kPrintSymbol, sizeof(PrintBox));
}

void write_record(llvm::IRBuilder<>& build, ModuleLowering& module, SiteKind kind, uint32_t site,
                  llvm::ArrayRef<Value*> place, llvm::ArrayRef<Value*> numbers) {
  if (cxx_that_says(module)) return say_in_cxx(build, module, site, place, numbers);
  llvm::Function* helper = kind == SiteKind::Raise ? claim(module) : reserve(module);
  llvm::SmallVector<Value*, 8> arguments = {build.getInt32(site),
                                            build.getInt32(static_cast<uint32_t>(numbers.size()))};
  arguments.append(place.begin(), place.end());
  Value* words = build.CreateCall(helper, arguments);
  if (numbers.empty()) return;
  llvm::Function* function = build.GetInsertBlock()->getParent();
  auto* store = llvm::BasicBlock::Create(module.context(), "words", function);
  auto* done = llvm::BasicBlock::Create(module.context(), "written", function);
  build.CreateCondBr(build.CreateIsNotNull(words), store, done);
  build.SetInsertPoint(store);
  for (size_t i = 0; i < numbers.size(); ++i)
    build.CreateAlignedStore(word_of(build, numbers[i]),
                             build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), words, 8 * i),
                             llvm::Align(8));
  build.CreateBr(done);
  build.SetInsertPoint(done);
}

llvm::SmallVector<Value*, 6> place_of_thread(Lowering& at) {
  llvm::SmallVector<Value*, 6> place;
  for (Coordinate kind : {Coordinate::Block, Coordinate::Thread})
    for (uint8_t axis = 0; axis < 3; ++axis) place.push_back(at.coordinate(kind, axis));
  return place;
}

namespace {

void say(Lowering& at, SiteKind kind, uint32_t site, llvm::ArrayRef<ValueId> operands) {
  llvm::SmallVector<Value*, 8> numbers;
  for (ValueId id : operands) numbers.push_back(at(id));
  write_record(at.build, at.module, kind, site, place_of_thread(at), numbers);
}

}  // namespace

void leave_raising(Lowering& at) {
  llvm::Type* type = at.function.getReturnType();
  // Nobody reads it. But calls that stay calls pass it on, and an emulated GPU asks who wrote what
  // is passed.
  const bool is_passed = ir::is_recursive(at.module.ir);
  Value* result = is_passed ? static_cast<Value*>(llvm::Constant::getNullValue(type))
                            : llvm::PoisonValue::get(type);
  if (type->isStructTy())
    result =
        at.build.CreateInsertValue(result, at.build.getTrue(), type->getStructNumElements() - 1);
  else
    result = at.build.getTrue();
  at.build.CreateRet(result);
}

template <>
Leaves lower(Lowering& at, const ir::Raise& op) {
  say(at, SiteKind::Raise, op.site, op.in);
  leave_raising(at);
  return {};
}

template <>
Leaves lower(Lowering& at, const ir::CheckBelow& op) {
  auto* fails = llvm::BasicBlock::Create(at.module.context(), "fails", &at.function);
  auto* holds = llvm::BasicBlock::Create(at.module.context(), "holds", &at.function);
  at.build.CreateCondBr(at.build.CreateICmpULT(at(op.in[0]), at(op.in[1])), holds, fails,
                        llvm::MDBuilder(at.module.context()).createLikelyBranchWeights());
  at.build.SetInsertPoint(fails);
  say(at, SiteKind::Raise, op.site, llvm::ArrayRef(op.in).drop_front(2));
  leave_raising(at);
  at.build.SetInsertPoint(holds);
  return {};
}

template <>
Leaves lower(Lowering& at, const ir::Print& op) {
  say(at, SiteKind::Print, op.site, op.in);
  return {};
}

}  // namespace hetjit::lower
