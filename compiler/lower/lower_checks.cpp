// Checks that ask the host's runtime: its functions are called through a table whose address it
// puts into a global of the module (abi/watch.h). On GPUs nobody listens and there is no code.
#include <cstddef>

#include "abi/layout.h"
#include "compiler/host/entry/phase_functions.h"
#include "compiler/host/warp/frame.h"
#include "compiler/lower/lowering.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

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
    build.CreateAlignedStore(value, host::byte_address(build, who, offset), llvm::Align(4));
  };
  store(watched.lanes, offsetof(WatchedThreads, lanes));
  store(linear(at, Coordinate::Thread, Coordinate::BlockDimension),
        offsetof(WatchedThreads, thread));
  store(linear(at, Coordinate::Block, Coordinate::GridDimension), offsetof(WatchedThreads, block));
  Value *shared = build.getInt64(0), *own = shared, *shared_bytes = shared, *own_bytes = shared;
  if (watched.block) {
    const host::Frame& frame = at.module.phased->frame;
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
  return build.CreateAlignedLoad(pointer, host::byte_address(build, calls, offset), llvm::Align(8));
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
    build.CreateAlignedStore(value, host::byte_address(build, who, offset), llvm::Align(4));
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
    return build.CreateAlignedLoad(type, host::byte_address(build, found, offset), llvm::Align(4));
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

namespace {

Watched watched_here(Lowering& at, const WatchedSite& site, Value* address) {
  Watched watched{site, at.build.getInt64(1), address};
  if (!at.module.phased) return watched;
  const std::vector<ValueId>& params = at.ir.blocks[0].params;
  const ValueId* frame = params.data() + params.size() - host::kFrameArguments;
  watched.block = at(frame[0]);
  watched.context = at(frame[1]);
  watched.dynamic_bytes = at(frame[2]);
  return watched;
}

/// `write` what is done but where all guards are true.
template <class Write>
void unless_guarded(Lowering& at, llvm::ArrayRef<ValueId> guards, Write write) {
  llvm::SmallVector<Value*, 1> values;
  for (ValueId id : guards) values.push_back(at(id));
  Value* all = all_guards(at.build, values);
  if (!all) return write();
  auto* told = llvm::BasicBlock::Create(at.module.context(), "told", &at.function);
  auto* after = llvm::BasicBlock::Create(at.module.context(), "after", &at.function);
  at.build.CreateCondBr(all, after, told);
  at.build.SetInsertPoint(told);
  write();
  at.build.CreateBr(after);
  at.build.SetInsertPoint(after);
}

/// One thread: raises where something was found. `raise` writes the record.
template <class Raise>
void raise_if_found(Lowering& at, const Watched& watched, Raise raise) {
  auto& build = at.build;
  Value* found = call_watch(at, watched);
  auto* fails = llvm::BasicBlock::Create(at.module.context(), "fails", &at.function);
  auto* holds = llvm::BasicBlock::Create(at.module.context(), "holds", &at.function);
  build.CreateCondBr(build.CreateIsNull(found), holds, fails);
  build.SetInsertPoint(fails);
  raise(words_found(build, found));
  leave_raising(at);
  build.SetInsertPoint(holds);
}

void record(Lowering& at, uint32_t site, llvm::ArrayRef<Value*> other,
            llvm::ArrayRef<ValueId> numbers) {
  llvm::SmallVector<Value*, 16> words(other.begin(), other.end());
  for (ValueId id : numbers) words.push_back(at(id));
  write_record(at.build, at.module, SiteKind::Raise, site, place_of_thread(at), words);
}

}  // namespace

Leaves lower(Lowering& at, const ir::CheckAccess& op) {
  if (!at.module.on_host()) return {};
  llvm::ArrayRef<ValueId> numbers = llvm::ArrayRef(op.in).drop_front(1 + op.guards);
  auto say = [&](const FoundWords& words) {
    auto* unwritten = llvm::BasicBlock::Create(at.module.context(), "unwritten", &at.function);
    auto* race = llvm::BasicBlock::Create(at.module.context(), "race", &at.function);
    at.build.CreateCondBr(at.build.CreateIsNotNull(words.unwritten), unwritten, race);
    at.build.SetInsertPoint(unwritten);
    record(at, op.unwritten, {}, numbers);
    leave_raising(at);
    at.build.SetInsertPoint(race);
    record(at, op.site, words.other, numbers);
  };
  unless_guarded(at, llvm::ArrayRef(op.in).slice(1, op.guards), [&] {
    raise_if_found(at, watched_here(at, watched_site(at.module.ir, op), at(op.in[0])), say);
  });
  return {};
}

Leaves lower(Lowering& at, const ir::CheckBarrier& op) {
  if (!at.module.on_host()) return {};
  Watched watched = watched_here(at, watched_site(at.module.ir, op), nullptr);
  raise_if_found(at, watched,
                 [&](const FoundWords& words) { record(at, op.site, words.other, op.in); });
  return {};
}

namespace {

/// Where the elements of an array begin and end; meaningless where it has none.
std::pair<Value*, Value*> bytes_of(Lowering& at, ValueId array) {
  auto& build = at.build;
  const Type& of = type(at.type_of(array));
  Value* size = build.getInt64(layout(of.element).size);
  Value* begin = build.CreatePtrToInt(at.leaves(array)[0], build.getInt64Ty());
  Value* end = build.CreateAdd(begin, size);
  for (uint8_t axis = 0; axis < of.rank; ++axis) {
    Value* extent = lower(at, ir::Extent{{array}, axis})[0];
    Value* stride = lower(at, ir::Stride{{array}, axis})[0];
    Value* last = build.CreateSub(extent, build.getInt64(1));
    Value* way = build.CreateMul(build.CreateMul(last, stride), size);
    Value* back = build.CreateICmpSLT(way, build.getInt64(0));
    begin = build.CreateAdd(begin, build.CreateSelect(back, way, build.getInt64(0)));
    end = build.CreateAdd(end, build.CreateSelect(back, build.getInt64(0), way));
  }
  return {begin, end};
}

}  // namespace

Leaves lower(Lowering& at, const ir::Apart& op) {
  auto [begin, end] = bytes_of(at, op.in[0]);
  auto [other_begin, other_end] = bytes_of(at, op.in[1]);
  return at.build.CreateOr(at.build.CreateICmpULE(end, other_begin),
                           at.build.CreateICmpULE(other_end, begin));
}

}  // namespace hetjit::lower
