// Loads and stores of a warp: one for all, a vector of neighbours, or each lane its own.
#include <llvm/IR/MDBuilder.h>

#include <algorithm>
#include <cstdlib>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"
#include "compiler/host/warp/gather_words.h"
#include "compiler/host/warp/lane_stores.h"
#include "compiler/host/warp/strided.h"
#include "compiler/host/warp/warp.h"

namespace hetjit::host {

using llvm::Value;
using lower::Leaves;

namespace {

Value* place(llvm::IRBuilder<>& build, Value* address, uint64_t offset) {
  if (offset == 0) return address;
  return build.CreateGEP(build.getInt8Ty(), address, build.getInt64(offset));
}

int64_t size_of(const lower::Leaf& leaf) {
  return static_cast<int64_t>(leaf.stored->getScalarSizeInBits() / 8);
}

bool is_dense(const Spreading& address, const lower::Leaf& leaf) {
  return address.spread == Spread::Affine && address.stride == size_of(leaf);
}
/// Elements from lane to lane; 0: no whole number of them.
int64_t apart(const Spreading& address, const lower::Leaf& leaf) {
  const int64_t size = size_of(leaf);
  const bool whole = address.spread == Spread::Affine && size != 0 && address.stride % size == 0;
  return whole ? address.stride / size : 0;
}
/// Are these leaves, one after another, all that lies between two lanes' places?
bool are_records(const Spreading& address, llvm::ArrayRef<lower::Leaf> leaves) {
  if (leaves.size() < 2 || !may_load_strided(apart(address, leaves[0]))) return false;
  for (size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i].stored != leaves[0].stored || leaves[i].stored != leaves[i].type ||
        static_cast<int64_t>(leaves[i].offset) != static_cast<int64_t>(i) * size_of(leaves[0]))
      return false;
  return apart(address, leaves[0]) == static_cast<int64_t>(leaves.size());
}
/// Neighbours from the last to the first.
bool is_backwards(const Spreading& address, const lower::Leaf& leaf) {
  return address.spread == Spread::Affine && address.stride == -size_of(leaf);
}

Strided places(llvm::IRBuilder<>& build, const Spreading& address, const lower::Leaf& leaf,
               unsigned width) {
  return {leaf.stored, place(build, address.leaves[0], leaf.offset), apart(address, leaf), width,
          llvm::Align(leaf.align)};
}

constexpr int64_t kNoMaskBytes = 2;  // of an element: AVX2 has masks for rows of larger ones
constexpr uint64_t kPageBytes = 4096;

/// What is read for lanes that are not active.
llvm::Constant* module_zeros(llvm::Module& module) {
  constexpr const char* kName = "hetjit_zeros";
  if (llvm::GlobalVariable* made = module.getGlobalVariable(kName, /*AllowInternal=*/true))
    return made;
  auto* type = llvm::Type::getInt64Ty(module.getContext());
  auto* made =
      new llvm::GlobalVariable(module, type, /*isConstant=*/true, llvm::GlobalValue::PrivateLinkage,
                               llvm::Constant::getNullValue(type), kName);
  made->setAlignment(llvm::Align(kLineBytes));  // whatever the elements' is
  return made;
}

}  // namespace

/// Loads or stores by `access`, which is given an address and gives what it loaded: of neighbours
/// where lanes turn out to be that, of each lane's own where not.
template <class Access>
Leaves Warp::access_place(ValueId id, Access access) {
  const Spreading& address = at(id);
  const bool whole = is_scalar(without_align(type(ir_.type_of(id)).element));
  std::optional<Neighbours> likely = whole ? likely_neighbours(id) : std::nullopt;
  if (!likely) return access(address);
  if (likely->at_ends && may_begin_again(block_, mask_)) {
    begin_again_unless(build_.CreateFreeze(likely->holds));
    return access(likely->address);
  }
  if (likely->at_ends && may_begin_turn_again(mask_)) {
    begin_turn_again_unless(build_.CreateFreeze(likely->holds));
    return access(likely->address);
  }
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(build_.getContext(), name, &function_);
  };
  llvm::BasicBlock *row = block("row"), *apart = block("apart"), *joined = block("joined");
  llvm::MDNode* often = llvm::MDBuilder(build_.getContext()).createLikelyBranchWeights();
  build_.CreateCondBr(build_.CreateFreeze(likely->holds), row, apart, often);
  build_.SetInsertPoint(row);
  Leaves one = access(likely->address);
  row = build_.GetInsertBlock();
  build_.CreateBr(joined);
  build_.SetInsertPoint(apart);
  const Leaves other = access(address);
  apart = build_.GetInsertBlock();
  build_.CreateBr(joined);
  build_.SetInsertPoint(joined);
  for (size_t i = 0; i < one.size(); ++i) {
    llvm::PHINode* value = build_.CreatePHI(one[i]->getType(), 2);
    value->addIncoming(one[i], row);
    value->addIncoming(other[i], apart);
    one[i] = value;
  }
  return one;
}

Value* Warp::leaf_addresses(const Spreading& address, const lower::Leaf& leaf) {
  return place(build_, vector_of(address, 0), leaf.offset);
}

Spreading Warp::last_lane(const Spreading& address, const lower::Leaf& leaf) {
  int64_t way = address.stride * (static_cast<int64_t>(width_) - 1);
  Value* last = build_.CreateGEP(build_.getInt8Ty(), address.leaves[0],
                                 build_.getInt64(static_cast<uint64_t>(way)));
  return {Spread::Affine, size_of(leaf), {last}};
}

template <class Access>
Value* Warp::with_mask_reversed(Access access) {
  const Mask* mask = mask_;
  Mask reversed = *mask;
  if (reversed.lanes) reversed.lanes = build_.CreateVectorReverse(reversed.lanes);
  mask_ = &reversed;
  Value* made = access();
  mask_ = mask;
  return made;
}

// Without masks for memory, LLVM would ask for each lane, with a branch that nobody foresees.
Value* Warp::gather_leaf(const Spreading& address, const lower::Leaf& leaf) {
  Value* addresses = leaf_addresses(address, leaf);
  Value* mask = mask_->lanes ? mask_->lanes : masks_.all_lanes();
  llvm::Align align(leaf.align);
  auto* type = llvm::FixedVectorType::get(leaf.stored, width_);
  if (!module_.target.has_masks()) {
    addresses = of_active_lanes(addresses, module_zeros(module_.module));
    return build_.CreateMaskedGather(type, addresses, align, masks_.all_lanes());
  }
  if (lie_in_words(leaf.stored, align))
    return gather_by_words(build_, leaf.stored, addresses, mask);
  return build_.CreateMaskedGather(type, addresses, align, mask,
                                   llvm::Constant::getNullValue(type));
}

void Warp::scatter_leaf(Value* addresses, const lower::Leaf& leaf, Value* value) {
  Value* mask = mask_->lanes ? mask_->lanes : masks_.all_lanes();
  if (mask_->lanes && !module_.target.has_masks()) {
    addresses = of_active_lanes(addresses, nowhere());
    mask = masks_.all_lanes();
  }
  build_.CreateMaskedScatter(value, addresses, llvm::Align(leaf.align), mask);
}

Value* Warp::nowhere() {
  if (nowhere_) return nowhere_;
  llvm::BasicBlock& first = function_.getEntryBlock();
  auto* made = llvm::IRBuilder<>(&first, first.begin()).CreateAlloca(build_.getInt64Ty());
  made->setAlignment(llvm::Align(kLineBytes));
  return nowhere_ = made;
}

/// Of others, `instead`.
Value* Warp::of_active_lanes(Value* addresses, Value* instead) {
  return mask_->lanes ? build_.CreateSelect(mask_->lanes, addresses, splat(instead)) : addresses;
}

/// Neighbours of one or two bytes, for which there is no mask either. What lies in one page with an
/// active lane's element can be read.
Value* Warp::load_small_row(const lower::Leaf& leaf, Value* from) {
  auto* type = llvm::FixedVectorType::get(leaf.stored, width_);
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(build_.getContext(), name, &function_);
  };
  llvm::BasicBlock *one_page = block("one_page"), *two = block("two"), *joined = block("joined");
  const uint64_t bytes = width_ * static_cast<uint64_t>(size_of(leaf));
  Value* within =
      build_.CreateAnd(build_.CreatePtrToInt(from, build_.getInt64Ty()), kPageBytes - 1);
  build_.CreateCondBr(build_.CreateICmpULE(within, build_.getInt64(kPageBytes - bytes)), one_page,
                      two, llvm::MDBuilder(build_.getContext()).createLikelyBranchWeights());
  build_.SetInsertPoint(one_page);
  Value* whole = load_as_it_is(build_, type, from, llvm::Align(leaf.align));
  build_.CreateBr(joined);
  build_.SetInsertPoint(two);
  Value* each =
      gather_leaf({Spread::Affine, size_of(leaf), {from}}, {leaf.type, leaf.stored, 0, leaf.align});
  build_.CreateBr(joined);
  build_.SetInsertPoint(joined);
  llvm::PHINode* loaded = build_.CreatePHI(type, 2);
  loaded->addIncoming(whole, one_page);
  loaded->addIncoming(each, two);
  return loaded;
}

// What is read of inactive lanes' places is theirs, or nobody's, who have no use for it.
Value* Warp::load_leaf(const Spreading& address, const lower::Leaf& leaf, Owner owner) {
  auto* type = llvm::FixedVectorType::get(leaf.stored, width_);
  llvm::Align align(leaf.align);
  if (is_backwards(address, leaf))
    return build_.CreateVectorReverse(
        with_mask_reversed([&] { return load_leaf(last_lane(address, leaf), leaf, owner); }));
  if ((owner == Owner::Block || !mask_->lanes) && may_load_strided(apart(address, leaf)))
    return load_strided(build_, places(build_, address, leaf, width_));
  if (!is_dense(address, leaf)) return gather_leaf(address, leaf);
  Value* from = place(build_, address.leaves[0], leaf.offset);
  if (owner != Owner::Others || !mask_->lanes) return build_.CreateAlignedLoad(type, from, align);
  if (size_of(leaf) <= kNoMaskBytes && !module_.target.has_masks())
    return load_small_row(leaf, from);
  return build_.CreateMaskedLoad(type, from, align, mask_->lanes,
                                 llvm::Constant::getNullValue(type));
}

Leaves Warp::load_leaves(const Spreading& address, llvm::ArrayRef<lower::Leaf> leaves,
                         Owner owner) {
  Leaves loaded;
  if ((owner == Owner::Block || !mask_->lanes) && are_records(address, leaves))
    loaded.append(load_records(build_, places(build_, address, leaves[0], width_)));
  else
    for (const lower::Leaf& leaf : leaves) loaded.push_back(load_leaf(address, leaf, owner));
  return loaded;
}

Spreading Warp::emit(const ir::Load& op, const ir::Inst& inst) {
  if (at(op.in[0]).spread == Spread::Uniform) return {Spread::Uniform, 0, lowered(op, inst, 1)};
  llvm::ArrayRef<lower::Leaf> leaves = module_.types.leaves(type(ir_.type_of(op.in[0])).element);
  Leaves loaded;
  if (Value* row = leaves.size() == 1 ? read_row(op, leaves[0]) : nullptr)
    loaded.push_back(row);
  else
    loaded = access_place(op.in[0], [&](const Spreading& from) {
      return load_leaves(from, leaves, owner_of(op.in[0]));
    });
  Spreading value{Spread::Varying, 0, {}};
  for (size_t i = 0; i < leaves.size(); ++i)
    value.leaves.push_back(leaves[i].type == leaves[i].stored ? loaded[i]
                                                              : build_.CreateIsNotNull(loaded[i]));
  return value;
}

// What the lanes will read, line by line. Lanes in the order of the block need not be side by side.
Spreading Warp::emit(const ir::Prefetch& op, const ir::Inst&) {
  const Spreading& address = at(op.in[0]);
  if (address.spread != Spread::Affine) return {};
  constexpr uint64_t kLine = 64;  // bytes
  enum { kRead = 0, kIntoEveryCache = 3, kData = 1 };
  uint64_t bytes = width_ * static_cast<uint64_t>(std::abs(address.stride));
  for (uint64_t line = 0; line < bytes; line += kLine)
    build_.CreateIntrinsic(build_.getVoidTy(), llvm::Intrinsic::prefetch,
                           {place(build_, address.leaves[0], line), build_.getInt32(kRead),
                            build_.getInt32(kIntoEveryCache), build_.getInt32(kData)});
  return {};
}

void Warp::store_lanes(Value* to, Value* value) {
  llvm::BasicBlock& first = function_.getEntryBlock();
  auto* row = llvm::IRBuilder<>(&first, first.begin()).CreateAlloca(value->getType());
  build_.CreateAlignedStore(value, row, row->getAlign());
  Value* lanes = build_.CreateZExt(bits_of(mask_->lanes), build_.getInt64Ty());
  const auto bytes = module_.module.getDataLayout().getTypeStoreSize(value->getType()) / width_;
  build_.CreateCall(lane_stores(module_, static_cast<unsigned>(bytes)), {to, row, lanes});
}

// In memory that nobody else accesses meanwhile, what inactive lanes have there is written as it
// was: masks cost more, and what is read next waits until they are through.
void Warp::store_leaf(const Spreading& address, const lower::Leaf& leaf, Value* value,
                      Owner owner) {
  llvm::Align align(leaf.align);
  if (is_backwards(address, leaf)) {
    Value* reversed = build_.CreateVectorReverse(value);
    with_mask_reversed([&] {
      store_leaf(last_lane(address, leaf), leaf, reversed, owner);
      return nullptr;
    });
    return;
  }
  if (!mask_->lanes && may_store_strided(apart(address, leaf), size_of(leaf)))
    return store_strided(build_, places(build_, address, leaf, width_), value);
  if (owner == Owner::Block && may_load_strided(apart(address, leaf)))
    return store_between(build_, places(build_, address, leaf, width_), value, mask_->lanes);
  if (!is_dense(address, leaf)) return scatter_leaf(leaf_addresses(address, leaf), leaf, value);
  Value* to = place(build_, address.leaves[0], leaf.offset);
  const bool has_mask = size_of(leaf) > kNoMaskBytes ? module_.target.stores_with_masks()
                                                     : module_.target.has_masks();
  if (mask_->lanes && owner == Owner::Others && !has_mask) return store_lanes(to, value);
  if (mask_->lanes && owner != Owner::Others)
    value = build_.CreateSelect(mask_->lanes, value,
                                load_as_it_is(build_, value->getType(), to, align));
  if (mask_->lanes && owner == Owner::Others)
    build_.CreateMaskedStore(value, to, align, mask_->lanes);
  else
    build_.CreateAlignedStore(value, to, align);
}

void Warp::store_leaves(const Spreading& address, llvm::ArrayRef<lower::Leaf> leaves,
                        llvm::ArrayRef<Value*> values, Owner owner) {
  if (!mask_->lanes && are_records(address, leaves))
    return store_records(build_, places(build_, address, leaves[0], width_), values);
  for (size_t i = 0; i < leaves.size(); ++i) store_leaf(address, leaves[i], values[i], owner);
}

bool Warp::is_shared(ValueId address) { return roots().is_shared(address); }

Warp::Owner Warp::owner_of(ValueId address) {
  const RootSet found = roots().of(address);
  if (found == Roots::kLocal) return Owner::Thread;
  return roots().is_shared(address) ? Owner::Block : Owner::Others;
}

const Roots& Warp::roots() {
  if (!roots_) roots_.emplace(ir_);
  return *roots_;
}

// What the last of the active lanes holds: where all write to one place, it is the one that wins.
Value* Warp::last_active(Value* vector) {
  if (!mask_->lanes) return build_.CreateExtractElement(vector, width_ - 1);
  llvm::Type* bits = build_.getIntNTy(width_);
  Value* lanes = build_.CreateBitCast(mask_->lanes, bits);
  Value* above = build_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, lanes, build_.getFalse());
  Value* last = build_.CreateSub(llvm::ConstantInt::get(bits, width_ - 1), above);
  return build_.CreateExtractElement(vector, last);
}

/// The stores that this one is one of, where all of them are written at once: every lane writes its
/// record, and nothing lies between two.
const RecordStores* Warp::record_of(const ir::Store& op) {
  for (const RecordStores& record : records_)
    if (std::ranges::find(record.fields, &op) != record.fields.end())
      return writes_records(record, op.in[0]) ? &record : nullptr;
  return nullptr;
}

bool Warp::writes_records(const RecordStores& record, ValueId address) {
  llvm::ArrayRef<lower::Leaf> leaves = module_.types.leaves(type(ir_.type_of(address)).element);
  const auto fields = static_cast<int64_t>(record.fields.size());
  if (mask_->lanes || leaves.size() != 1 || !may_load_strided(fields)) return false;
  if (record.is_sure) return apart(at(address), leaves[0]) == fields;
  return std::ranges::all_of(record.fields, [&](const ir::Store* field) {
    return shapes_.likely_apart(field->in[0]) == fields;
  });
}

/// Where the first lane's fields are neighbours and each is as far from lane to lane as a record is
/// long; nullopt: it is not known how to ask for it. `holds`: whether it is so.
std::optional<Warp::Neighbours> Warp::records_at(const RecordStores& record,
                                                 const lower::Leaf& leaf) {
  Neighbours all{build_.getTrue(), {}};
  for (size_t i = 0; i < record.fields.size(); ++i) {
    const ValueId address = record.fields[i]->in[0];
    std::optional<Neighbours> field = Neighbours{build_.getTrue(), at(address)};
    if (at(address).spread == Spread::Varying) field = likely_neighbours(address);
    if (!field || apart(field->address, leaf) != static_cast<int64_t>(record.fields.size()))
      return std::nullopt;
    all.holds = build_.CreateAnd(all.holds, field->holds);
    if (i == 0) all.address = field->address;
    Value* expected =
        place(build_, all.address.leaves[0], i * static_cast<uint64_t>(size_of(leaf)));
    all.holds =
        build_.CreateAnd(all.holds, build_.CreateICmpEQ(field->address.leaves[0], expected));
  }
  return all;
}

void Warp::write_records(const RecordStores& record) {
  const lower::Leaf leaf =
      module_.types.leaves(type(ir_.type_of(record.fields[0]->in[0])).element)[0];
  auto write = [&](const Spreading& first) {
    llvm::SmallVector<Value*, 8> fields;
    for (const ir::Store* field : record.fields) fields.push_back(stored_lanes(*field)[0]);
    store_records(build_, places(build_, first, leaf, width_), fields);
  };
  if (record.is_sure) return write(at(record.fields[0]->in[0]));
  const std::optional<Neighbours> likely = records_at(record, leaf);
  if (!likely) {
    for (const ir::Store* store : record.in_order) write_one(*store);
    return;
  }
  auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(build_.getContext(), name, &function_);
  };
  llvm::BasicBlock *row = block("records"), *each = block("each"), *joined = block("joined");
  build_.CreateCondBr(build_.CreateFreeze(likely->holds), row, each,
                      llvm::MDBuilder(build_.getContext()).createLikelyBranchWeights());
  build_.SetInsertPoint(row);
  write(likely->address);
  build_.CreateBr(joined);
  build_.SetInsertPoint(each);
  for (const ir::Store* store : record.in_order)
    store_leaves(at(store->in[0]), {leaf}, stored_lanes(*store), owner_of(store->in[0]));
  build_.CreateBr(joined);
  build_.SetInsertPoint(joined);
}

/// What the lanes write, as it lies in memory.
Leaves Warp::stored_lanes(const ir::Store& op) {
  llvm::ArrayRef<lower::Leaf> leaves = module_.types.leaves(type(ir_.type_of(op.in[0])).element);
  Leaves lanes = vectors(at(op.in[1]));
  for (size_t i = 0; i < leaves.size(); ++i)
    if (leaves[i].type != leaves[i].stored)
      lanes[i] = build_.CreateZExt(lanes[i], llvm::FixedVectorType::get(leaves[i].stored, width_));
  return lanes;
}

Spreading Warp::emit(const ir::Store& op, const ir::Inst&) {
  wrote_memory_ = true;
  if (const RecordStores* record = record_of(op)) {
    if (record->in_order.back() == &op) write_records(*record);
  } else {
    write_one(op);
  }
  return {};
}

void Warp::write_one(const ir::Store& op) {
  const Spreading &address = at(op.in[0]), &value = at(op.in[1]);
  TypeId pointee = type(ir_.type_of(op.in[0])).element;
  if (address.spread == Spread::Uniform) {
    Leaves one = value.leaves;
    if (value.spread != Spread::Uniform)
      for (size_t i = 0; i < one.size(); ++i) one[i] = last_active(vector_of(value, i));
    lower::store_value(build_, module_.types, pointee, address.leaves[0], one);
    return;
  }
  llvm::ArrayRef<lower::Leaf> leaves = module_.types.leaves(pointee);
  const Leaves lanes = stored_lanes(op);
  access_place(op.in[0], [&](const Spreading& to) {
    store_leaves(to, leaves, lanes, owner_of(op.in[0]));
    return Leaves();
  });
}

}  // namespace hetjit::host
