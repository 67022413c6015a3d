// Checks that ask the host's runtime: its functions are called through a table whose address it
// puts into a global of the module (abi/watch.h).
#include "compiler/host/warp/watch.h"

#include <cstddef>

namespace hetjit::host {

using llvm::Value;
using lower::Coordinate;
using lower::Lowering;
using lower::ModuleLowering;

namespace {

llvm::GlobalVariable* table(ModuleLowering& module) {
  if (auto* known = module.module.getGlobalVariable(kWatchSymbol)) return known;
  auto* pointer = llvm::PointerType::get(module.context(), 0);
  auto* made = new llvm::GlobalVariable(module.module, pointer, /*isConstant=*/false,
                                        llvm::GlobalValue::ExternalLinkage,
                                        llvm::ConstantPointerNull::get(pointer), kWatchSymbol,
                                        nullptr, llvm::GlobalValue::NotThreadLocal, 0,
                                        /*isExternallyInitialized=*/true);
  made->setDSOLocal(true);
  return made;
}

/// The site as the runtime reads it.
llvm::GlobalVariable* constant_of(ModuleLowering& module, const WatchedSite& site) {
  uint32_t kinds = static_cast<uint32_t>(site.access) | static_cast<uint32_t>(site.watch) << 8 |
                   static_cast<uint32_t>(site.wait) << 16;
  auto* word = llvm::Type::getInt32Ty(module.context());
  auto* type = llvm::ArrayType::get(word, sizeof(WatchedSite) / 4);
  llvm::Constant* words[] = {llvm::ConstantInt::get(word, site.line),
                             llvm::ConstantInt::get(word, site.bytes),
                             llvm::ConstantInt::get(word, kinds)};
  return new llvm::GlobalVariable(module.module, type, /*isConstant=*/true,
                                  llvm::GlobalValue::InternalLinkage,
                                  llvm::ConstantArray::get(type, words), "hetjit.watched");
}

Value* slot(llvm::Function& function, llvm::Type* type, const char* name) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::IRBuilder<> build(&entry, entry.begin());
  llvm::AllocaInst* made = build.CreateAlloca(type, nullptr, name);
  return made;
}

/// x + size x * (y + size y * z)
Value* linear(Lowering& at, Coordinate place, Coordinate size) {
  auto of = [&](Coordinate kind, uint8_t axis) { return at.coordinate(kind, axis); };
  Value* rows = at.build.CreateAdd(of(place, 1), at.build.CreateMul(of(size, 1), of(place, 2)));
  return at.build.CreateAdd(of(place, 0), at.build.CreateMul(of(size, 0), rows));
}

/// The WatchedThreads on the stack.
Value* threads(Lowering& at, const Watched& watched) {
  auto& build = at.build;
  auto* i64 = build.getInt64Ty();
  Value* who = slot(at.function, llvm::ArrayType::get(i64, sizeof(WatchedThreads) / 8), "who");
  auto store = [&](Value* value, uint64_t offset) {
    build.CreateAlignedStore(value, byte_address(build, who, offset), llvm::Align(4));
  };
  store(watched.lanes, offsetof(WatchedThreads, lanes));
  store(linear(at, Coordinate::Thread, Coordinate::BlockDimension),
        offsetof(WatchedThreads, thread));
  store(linear(at, Coordinate::Block, Coordinate::GridDimension), offsetof(WatchedThreads, block));
  Value *shared = build.getInt64(0), *own = shared, *shared_bytes = shared, *own_bytes = shared;
  if (watched.block) {
    const Frame& frame = *watched.frame;
    shared = build.CreatePtrToInt(watched.block, i64);
    shared_bytes = build.CreateAdd(build.getInt64(frame.block_bytes),
                                   build.CreateZExt(watched.dynamic_bytes, i64));
    own = build.CreatePtrToInt(watched.context, i64);
    own_bytes = build.getInt64(frame.context_bytes);
  }
  store(shared, offsetof(WatchedThreads, shared_begin));
  store(build.CreateAdd(shared, shared_bytes), offsetof(WatchedThreads, shared_end));
  store(own, offsetof(WatchedThreads, own_begin));
  store(build.CreateAdd(own, own_bytes), offsetof(WatchedThreads, own_end));
  return who;
}

/// The function at that offset of the runtime's table.
Value* watch_call(llvm::IRBuilder<>& build, ModuleLowering& module, uint64_t offset) {
  auto* pointer = build.getPtrTy();
  Value* calls = build.CreateAlignedLoad(pointer, table(module), llvm::Align(8));
  return build.CreateAlignedLoad(pointer, byte_address(build, calls, offset), llvm::Align(8));
}

}  // namespace

WatchedSite watched_site(const ir::Module& module, const ir::CheckAccess& op) {
  return {module.sites[op.site].line, op.bytes, op.kind, op.watch, {}};
}
WatchedSite watched_site(const ir::Module& module, const ir::CheckBarrier& op) {
  return {module.sites[op.site].line, 0, {}, {}, op.kind};
}

Value* call_watch(Lowering& at, const Watched& watched) {
  auto& build = at.build;
  auto* pointer = llvm::PointerType::get(at.module.context(), 0);
  llvm::SmallVector<Value*, 4> arguments = {constant_of(at.module, watched.site),
                                            threads(at, watched)};
  llvm::SmallVector<llvm::Type*, 4> types(2, pointer);
  uint64_t offset = offsetof(WatchCalls, barrier);
  if (watched.addresses && watched.addresses->getType()->isVectorTy()) {
    Value* addresses = slot(at.function, watched.addresses->getType(), "addresses");
    build.CreateAlignedStore(watched.addresses, addresses, llvm::Align(8));
    arguments.push_back(addresses);
    types.push_back(pointer);
    offset = offsetof(WatchCalls, gather);
  } else if (watched.addresses) {
    arguments.append({watched.addresses, build.getInt64(watched.step)});
    types.append({pointer, build.getInt64Ty()});
    offset = offsetof(WatchCalls, access);
  }
  return build.CreateCall(llvm::FunctionType::get(pointer, types, false),
                          watch_call(build, at.module, offset), arguments);
}

void tell_barrier(llvm::IRBuilder<>& build, ModuleLowering& module, uint32_t line, Value* block,
                  Value* memory) {
  auto* i64 = build.getInt64Ty();
  auto* pointer = build.getPtrTy();
  auto* type = llvm::ArrayType::get(i64, sizeof(WatchedThreads) / 8);
  Value* who = slot(*build.GetInsertBlock()->getParent(), type, "who");
  build.CreateAlignedStore(llvm::Constant::getNullValue(type), who, llvm::Align(8));
  auto store = [&](Value* value, uint64_t offset) {
    build.CreateAlignedStore(value, byte_address(build, who, offset), llvm::Align(4));
  };
  store(build.getInt64(1), offsetof(WatchedThreads, lanes));
  store(build.getInt32(kAllThreads), offsetof(WatchedThreads, thread));
  store(build.CreateTrunc(block, build.getInt32Ty()), offsetof(WatchedThreads, block));
  store(build.CreatePtrToInt(memory, i64), offsetof(WatchedThreads, shared_begin));
  WatchedSite site{line, 0, {}, {}, WaitKind::Block};
  build.CreateCall(llvm::FunctionType::get(pointer, {pointer, pointer}, false),
                   watch_call(build, module, offsetof(WatchCalls, barrier)),
                   {constant_of(module, site), who});
}

FoundWords words_found(llvm::IRBuilder<>& build, Value* found) {
  auto load = [&](llvm::Type* type, uint64_t offset) {
    return build.CreateAlignedLoad(type, byte_address(build, found, offset), llvm::Align(4));
  };
  FoundWords words;
  for (size_t i = 0; i < kOtherWords; ++i)
    words.other.push_back(load(build.getInt64Ty(), offsetof(Finding, other) + 8 * i));
  words.lane = load(build.getInt32Ty(), offsetof(Finding, lane));
  words.unwritten = load(build.getInt32Ty(), offsetof(Finding, unwritten));
  return words;
}

Value* all_guards(llvm::IRBuilder<>& build, llvm::ArrayRef<Value*> guards) {
  Value* all = nullptr;
  for (Value* guard : guards) {
    Value* holds = guard->getType()->isIntegerTy(1) ? guard : build.CreateIsNotNull(guard);
    all = all ? build.CreateAnd(all, holds) : holds;
  }
  return all;
}

}  // namespace hetjit::host
