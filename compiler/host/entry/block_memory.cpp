#include "compiler/host/entry/block_memory.h"

#include "compiler/host/plan/side_by_side.h"

namespace hetjit::host {

using llvm::Value;

Value* at_entry(llvm::Function& function, llvm::Type* type) {
  llvm::IRBuilder<> start(&function.getEntryBlock(), function.getEntryBlock().begin());
  return start.CreateAlloca(type);
}

// ---- memory

Value* BlockMemory::context_of(llvm::IRBuilder<>& build, Value* warp) const {
  Value* offset = build.CreateMul(build.CreateZExt(warp, build.getInt64Ty()),
                                  build.getInt64(context_bytes), "", /*NUW=*/true);
  return build.CreateInBoundsGEP(build.getInt8Ty(), contexts, offset);
}

BlockMemory take_memory(Entry& at, const PhasedCode& code, Value* warps) {
  auto& build = at.build;
  auto* i64 = build.getInt64Ty();
  Value* asked = build.CreateZExt(at.shared_bytes, i64);
  Value* rounded =
      build.CreateAnd(build.CreateAdd(asked, build.getInt64(kBlockAlign - 1)), ~(kBlockAlign - 1));
  Value* before =
      build.CreateAdd(rounded, build.getInt64(code.frame.block_bytes + code.frame.reach));
  Value* contexts =
      build.CreateMul(build.CreateZExt(warps, i64), build.getInt64(code.frame.context_bytes));
  llvm::FunctionCallee take = at.module.module.getOrInsertFunction(
      kBlockMemoryCall, llvm::FunctionType::get(build.getPtrTy(), {i64}, false));
  llvm::CallInst* memory = build.CreateCall(take, {build.CreateAdd(before, contexts)});
  memory->addRetAttr(llvm::Attribute::NoAlias);
  memory->addRetAttr(
      llvm::Attribute::getWithAlignment(build.getContext(), llvm::Align(kBlockAlign)));
  auto* leave = llvm::BasicBlock::Create(build.getContext(), "no_memory", &at.function);
  auto* go_on = llvm::BasicBlock::Create(build.getContext(), "memory", &at.function);
  build.CreateCondBr(build.CreateIsNull(memory), leave, go_on);
  build.SetInsertPoint(leave);
  build.CreateRetVoid();
  build.SetInsertPoint(go_on);
  return {memory, build.CreateInBoundsGEP(build.getInt8Ty(), memory, before),
          code.frame.context_bytes};
}

// ---- warps

Value* BlockWarps::begin_at_zero(Entry& at) {
  Value* place = at_entry(at.function, at.build.getInt32Ty());
  at.build.CreateStore(at.build.getInt32(0), place);
  return place;
}

WarpPlace BlockWarps::read(Entry& at, Value* index, Value* (&place)[3]) {
  WarpPlace warp;
  warp.index = index;
  for (unsigned axis = 0; axis < 3; ++axis)
    warp.thread[axis] = at.build.CreateLoad(at.build.getInt32Ty(), place[axis]);
  return warp;
}

Value* BlockWarps::all_lanes(Entry& at) const {
  return at.build.getInt64(width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1);
}

/// How many groups of so many rows the block has; 0 where a row is not one whole warp.
Value* BlockWarps::groups_of_rows(Entry& at, unsigned rows) const {
  auto& build = at.build;
  Value* x = at.coordinate(lower::Coordinate::BlockDimension, 0);
  Value* one_each = build.CreateICmpEQ(x, build.getInt32(width));
  return build.CreateSelect(one_each, build.CreateUDiv(count, build.getInt32(rows)),
                            build.getInt32(0));
}

BlockWarps BlockWarps::of(Entry& at, const PhasedCode& code) {
  auto& build = at.build;
  BlockWarps made;
  made.width = code.frame.width;
  made.knows_linear = code.kernel.warp_ops;
  made.whole_rows = code.kernel.whole_rows;
  Value* x = at.coordinate(lower::Coordinate::BlockDimension, 0);
  Value* rows = build.CreateMul(at.coordinate(lower::Coordinate::BlockDimension, 1),
                                at.coordinate(lower::Coordinate::BlockDimension, 2));
  Value* width = build.getInt32(made.width);
  auto warps_in = [&](Value* threads) {
    return build.CreateUDiv(build.CreateAdd(threads, build.getInt32(made.width - 1)), width);
  };
  made.count = build.CreateMul(warps_in(x), rows);
  made.threads = build.CreateMul(x, rows);
  made.beyond_x = asks_beyond_x(at.module.ir) || made.knows_linear || code.kernel.flat.together > 1;
  made.whole = build.CreateIsNull(build.CreateURem(x, width));
  if (!made.knows_linear) return made;
  Value* uneven = build.CreateIsNotNull(build.CreateURem(x, width));
  made.linear = build.CreateAnd(uneven, build.CreateICmpUGT(rows, build.getInt32(1)));
  made.count = build.CreateSelect(made.linear, warps_in(made.threads), made.count);
  return made;
}

BlockWarps::Row BlockWarps::row_of(Entry& at) const {
  auto& build = at.build;
  Value* lanes = build.getInt32(width);
  Value* x = at.coordinate(lower::Coordinate::BlockDimension, 0);
  Row row;
  row.count = build.CreateMul(at.coordinate(lower::Coordinate::BlockDimension, 1),
                              at.coordinate(lower::Coordinate::BlockDimension, 2));
  row.warps = build.CreateUDiv(build.CreateAdd(x, build.getInt32(width - 1)), lanes);
  row.whole = build.CreateUDiv(x, lanes);
  if (whole_rows) row.whole = build.CreateSelect(whole, row.whole, build.getInt32(0));
  return row;
}

/// How many threads of a row there are from `x` on.
Value* BlockWarps::left_in_row(Entry& at, Value* x) const {
  return at.build.CreateSub(at.coordinate(lower::Coordinate::BlockDimension, 0), x);
}

/// The lanes of a warp that begins so many threads before its row's, or its block's, end.
Value* BlockWarps::first_lanes(Entry& at, Value* threads) const {
  auto& build = at.build;
  Value* missing =
      build.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, build.getInt32(width), threads);
  return build.CreateLShr(all_lanes(at), build.CreateZExt(missing, build.getInt64Ty()));
}

/// Its lanes, when its first thread is known.
void BlockWarps::look_at(Entry& at, WarpPlace& warp) const {
  auto& build = at.build;
  Value* left = left_in_row(at, warp.thread[0]);
  if (linear) {
    Value* within = build.CreateICmpUGE(left, build.getInt32(width));
    Value* place = build.CreateURem(warp.thread[0], build.getInt32(width));
    warp.in_row = build.CreateAnd(within, build.CreateIsNull(place));
    Value* first = build.CreateMul(warp.index, build.getInt32(width));
    left = build.CreateSelect(linear, build.CreateSub(threads, first), left);
  }
  if (whole_rows) warp.in_row = whole;
  warp.lanes = first_lanes(at, left);
}

/// Of y and z.
void BlockWarps::next_row(Entry& at, const WarpPlace& warp, Value* row_ends,
                          Value* (&place)[3]) const {
  if (!beyond_x) return;
  auto& build = at.build;
  Value *zero = build.getInt32(0), *one = build.getInt32(1);
  Value* y = build.CreateAdd(warp.thread[1], build.CreateSelect(row_ends, one, zero));
  Value* plane_ends = build.CreateICmpUGE(y, at.coordinate(lower::Coordinate::BlockDimension, 1));
  build.CreateStore(build.CreateSelect(plane_ends, zero, y), place[1]);
  Value* z = build.CreateAdd(warp.thread[2], build.CreateSelect(plane_ends, one, zero));
  build.CreateStore(z, place[2]);
}

void BlockWarps::advance(Entry& at, const WarpPlace& warp, Value* (&place)[3]) const {
  auto& build = at.build;
  Value* size[3];
  for (unsigned axis = 0; axis < 3; ++axis)
    size[axis] = at.coordinate(lower::Coordinate::BlockDimension, axis);
  Value *zero = build.getInt32(0), *one = build.getInt32(1);
  Value* x = build.CreateAdd(warp.thread[0], build.getInt32(width));
  Value* row_ends = build.CreateICmpUGE(x, size[0]);
  build.CreateStore(build.CreateSelect(row_ends, zero, x), place[0]);
  next_row(at, warp, row_ends, place);
  if (!beyond_x || !linear) return;
  llvm::LLVMContext& context = build.getContext();
  auto* uneven = llvm::BasicBlock::Create(context, "uneven", &at.function);
  auto* even = llvm::BasicBlock::Create(context, "even", &at.function);
  build.CreateCondBr(linear, uneven, even);
  build.SetInsertPoint(uneven);
  Value* first = build.CreateMul(build.CreateAdd(warp.index, one), build.getInt32(width));
  Value* row = build.CreateUDiv(first, size[0]);
  build.CreateStore(build.CreateURem(first, size[0]), place[0]);
  build.CreateStore(build.CreateURem(row, size[1]), place[1]);
  build.CreateStore(build.CreateUDiv(row, size[1]), place[2]);
  build.CreateBr(even);
  build.SetInsertPoint(even);
}

WarpPlace BlockWarps::find(Entry& at, Value* index) const {
  auto& build = at.build;
  auto size = [&](unsigned axis) { return at.coordinate(lower::Coordinate::BlockDimension, axis); };
  Value* lanes = build.getInt32(width);
  Value* of_row = build.CreateUDiv(build.CreateAdd(size(0), build.getInt32(width - 1)), lanes);
  Value* x = build.CreateMul(build.CreateURem(index, of_row), lanes);
  Value* row = build.CreateUDiv(index, of_row);
  if (linear) {
    Value* first = build.CreateMul(index, lanes);
    x = build.CreateSelect(linear, build.CreateURem(first, size(0)), x);
    row = build.CreateSelect(linear, build.CreateUDiv(first, size(0)), row);
  }
  WarpPlace warp;
  warp.index = index;
  warp.thread[0] = x;
  warp.thread[1] = build.CreateURem(row, size(1));
  warp.thread[2] = build.CreateUDiv(row, size(1));
  look_at(at, warp);
  return warp;
}

// ---- calls

Value* WarpCall::call(llvm::Function* form, bool with_mask) {
  auto& build = at.build;
  llvm::SmallVector<Value*, 48> all(arguments.begin(), arguments.end() - lower::kCoordinates);
  all.append(slots.begin(), slots.end());
  if (with_mask) {
    auto* lanes_type = llvm::FixedVectorType::get(build.getInt1Ty(), width);
    all.push_back(
        build.CreateBitCast(build.CreateTrunc(lanes, build.getIntNTy(width)), lanes_type));
  }
  all.append({memory.block, context, at.shared_bytes});
  size_t coordinates = all.size();
  all.append(arguments.end() - lower::kCoordinates, arguments.end());
  for (unsigned axis = 0; axis < 3; ++axis)
    all[coordinates + static_cast<unsigned>(lower::Coordinate::Thread) + axis] = warp.thread[axis];
  return build.CreateCall(form, all);
}

/// Unless none is left.
Value* WarpCall::run_some(const WarpFunctions& forms) {
  auto& build = at.build;
  auto* before = build.GetInsertBlock();
  auto* some = llvm::BasicBlock::Create(build.getContext(), "some", &at.function);
  auto* joined = llvm::BasicBlock::Create(build.getContext(), "joined", &at.function);
  build.CreateCondBr(build.CreateIsNotNull(lanes), some, joined);
  build.SetInsertPoint(some);
  Value* result = call(forms.some, true);
  build.CreateBr(joined);
  build.SetInsertPoint(joined);
  llvm::PHINode* next = build.CreatePHI(build.getInt32Ty(), 2);
  next->addIncoming(build.getInt32(0), before);
  next->addIncoming(result, some);
  return next;
}

Value* WarpCall::run(const WarpFunctions& forms) {
  auto& build = at.build;
  if (llvm::isa<llvm::Constant>(lanes)) return call(forms.all, false);
  if (warp.some) return run_some(forms);
  llvm::LLVMContext& context = build.getContext();
  auto make = [&](const char* name) {
    return llvm::BasicBlock::Create(context, name, &at.function);
  };
  llvm::BasicBlock *all = make("all"), *not_all = make("not.all"), *some = make("some"),
                   *joined = make("joined");
  if (whole) {
    auto* look = make("look");
    build.CreateCondBr(whole, all, look);
    build.SetInsertPoint(look);
  }
  Value* every = build.getInt64(width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1);
  Value* is_whole = build.CreateICmpEQ(lanes, every);
  if (warp.in_row) is_whole = build.CreateAnd(is_whole, warp.in_row);
  build.CreateCondBr(is_whole, all, not_all);
  build.SetInsertPoint(all);
  Value* of_all = call(forms.all, false);
  llvm::BasicBlock* all_end = build.GetInsertBlock();
  build.CreateBr(joined);
  build.SetInsertPoint(not_all);
  build.CreateCondBr(build.CreateIsNotNull(lanes), some, joined);
  build.SetInsertPoint(some);
  Value* of_some = call(forms.some, true);
  build.CreateBr(joined);
  joined->moveAfter(&at.function.back());
  build.SetInsertPoint(joined);
  llvm::PHINode* result = build.CreatePHI(build.getInt32Ty(), 3);
  result->addIncoming(of_all, all_end);
  result->addIncoming(build.getInt32(0), not_all);
  result->addIncoming(of_some, some);
  return result;
}

// ---- votes

bool uses_votes(const PhasedCode& code) {
  for (const ir::Function& function : code.kernel.phases.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (std::holds_alternative<ir::CastVote>(inst.op)) return true;
  return false;
}

void clear_votes(llvm::IRBuilder<>& build, Value* block) {
  build.CreateAlignedStore(build.getInt64(0), block, llvm::Align(8));
}

void end_votes(llvm::IRBuilder<>& build, Value* block) {
  Value* now = build.CreateAlignedLoad(build.getInt64Ty(), block, llvm::Align(8));
  build.CreateAlignedStore(now, byte_address(build, block, kCastBefore), llvm::Align(8));
  clear_votes(build, block);
}

}  // namespace hetjit::host
