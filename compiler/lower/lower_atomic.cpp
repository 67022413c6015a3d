// Atomic operations and fences, as LLVM's own, with a target's names of scopes. What LLVM has no
// instruction for is a loop round a compare-and-exchange. NVPTX's back end forgets order and scope
// of read-modify-write operations: compiler/target/nvptx_atomics.cpp writes them.
//
// An operation that no other thread may come in between is a plain one: of scope thread, and where
// the threads of a block run on one thread of the machine also of scope block.
#include <llvm/Transforms/Utils/LowerAtomic.h>

#include "abi/layout.h"
#include "compiler/lower/atomic_instructions.h"
#include "compiler/lower/device_ops.h"

namespace hetjit::lower {
namespace {

/// LLVM's operation on integers, by AtomicOperation; signed and unsigned.
constexpr llvm::AtomicRMWInst::BinOp kIntegerOps[][2] = {
    {llvm::AtomicRMWInst::Xchg, llvm::AtomicRMWInst::Xchg},
    {llvm::AtomicRMWInst::Add, llvm::AtomicRMWInst::Add},
    {llvm::AtomicRMWInst::Sub, llvm::AtomicRMWInst::Sub},
    {llvm::AtomicRMWInst::And, llvm::AtomicRMWInst::And},
    {llvm::AtomicRMWInst::Or, llvm::AtomicRMWInst::Or},
    {llvm::AtomicRMWInst::Xor, llvm::AtomicRMWInst::Xor},
    {llvm::AtomicRMWInst::Max, llvm::AtomicRMWInst::UMax},
    {llvm::AtomicRMWInst::Min, llvm::AtomicRMWInst::UMin},
    {llvm::AtomicRMWInst::Max, llvm::AtomicRMWInst::UMax},
    {llvm::AtomicRMWInst::Min, llvm::AtomicRMWInst::UMin},
};

}  // namespace

llvm::AtomicRMWInst::BinOp instruction_of(ir::AtomicOperation operation, Scalar scalar) {
  return kIntegerOps[static_cast<size_t>(operation)][!info(scalar).is_signed];
}

namespace {

using ir::AtomicOperation;
using ir::MemoryOrder;
using ir::MemoryScope;
using llvm::AtomicOrdering;
using llvm::Value;

llvm::SyncScope::ID sync_scope(Lowering& at, MemoryScope scope) {
  if (scope == MemoryScope::Thread) return llvm::SyncScope::SingleThread;
  return at.module.device.sync_scope(at.module.context(), scope);
}

bool is_plain(Lowering& at, MemoryScope scope) {
  return sync_scope(at, scope) == llvm::SyncScope::SingleThread;
}

// By MemoryOrder. A load has nothing to release and a store nothing to acquire.
AtomicOrdering update_ordering(MemoryOrder order) {
  constexpr AtomicOrdering kOrderings[] = {
      AtomicOrdering::Monotonic,      AtomicOrdering::Acquire,
      AtomicOrdering::Acquire,        AtomicOrdering::Release,
      AtomicOrdering::AcquireRelease, AtomicOrdering::SequentiallyConsistent};
  return kOrderings[static_cast<size_t>(order)];
}
AtomicOrdering load_ordering(MemoryOrder order) {
  if (order == MemoryOrder::Release) return AtomicOrdering::Monotonic;
  if (order == MemoryOrder::AcquireRelease) return AtomicOrdering::Acquire;
  return update_ordering(order);
}
AtomicOrdering store_ordering(MemoryOrder order) {
  if (order == MemoryOrder::SeqCst) return AtomicOrdering::SequentiallyConsistent;
  const bool releases = order == MemoryOrder::Release || order == MemoryOrder::AcquireRelease;
  return releases ? AtomicOrdering::Release : AtomicOrdering::Monotonic;
}

// ---- values as words: one integer of the value's size

llvm::IntegerType* word_type(Lowering& at, TypeId type) {
  return at.build.getIntNTy(layout(type).size * 8);
}

Value* to_bits(Lowering& at, Value* value, llvm::Type* stored) {
  auto& build = at.build;
  if (value->getType() != stored) value = build.CreateZExt(value, stored);  // bool
  if (stored->isPointerTy()) return build.CreatePtrToInt(value, build.getInt64Ty());
  return build.CreateBitCast(value, build.getIntNTy(stored->getPrimitiveSizeInBits()));
}
Value* from_bits(Lowering& at, Value* bits, const Leaf& leaf) {
  auto& build = at.build;
  if (leaf.type != leaf.stored) return build.CreateIsNotNull(bits);
  if (leaf.type->isPointerTy()) return build.CreateIntToPtr(bits, leaf.type);
  return build.CreateBitCast(bits, leaf.type);
}

/// What lies between the leaves is zero.
Value* pack(Lowering& at, TypeId type, llvm::ArrayRef<Value*> leaves) {
  llvm::IntegerType* word = word_type(at, type);
  Value* whole = nullptr;
  for (auto [leaf, value] : llvm::zip(at.module.types.leaves(type), leaves)) {
    Value* bits = at.build.CreateZExt(to_bits(at, value, leaf.stored), word);
    bits = at.build.CreateShl(bits, leaf.offset * 8);
    whole = whole ? at.build.CreateOr(whole, bits) : bits;
  }
  return whole ? whole : llvm::ConstantInt::get(word, 0);
}

Leaves unpack(Lowering& at, TypeId type, Value* word) {
  Leaves leaves;
  for (const Leaf& leaf : at.module.types.leaves(type)) {
    unsigned bits = at.module.module.getDataLayout().getTypeStoreSizeInBits(leaf.stored);
    Value* part = at.build.CreateLShr(word, leaf.offset * 8);
    part = at.build.CreateTrunc(part, at.build.getIntNTy(bits));
    leaves.push_back(from_bits(at, part, leaf));
  }
  return leaves;
}

// ---- new values from old ones

/// Arithmetic on a float of any format that has some.
Value* sum(Lowering& at, Scalar scalar, Value* a, Value* b) {
  if (!is_bits_float(scalar)) return at.build.CreateFAdd(a, b);
  // Rounded twice, and right: f32 has more than twice the bits.
  Value* wide = at.build.CreateFAdd(widen_to_f32(at, scalar, a), widen_to_f32(at, scalar, b));
  return narrow_f32(at, scalar, wide);
}

/// Comparisons with NaN are false; so the one is chosen that is not compared away.
Value* choose_float(Lowering& at, AtomicOperation operation, Scalar scalar, Value* old,
                    Value* operand) {
  auto& build = at.build;
  auto compared = [&](Value* value) {
    return is_bits_float(scalar) ? widen_to_f32(at, scalar, value) : value;
  };
  Value *a = compared(old), *b = compared(operand);
  const bool largest = operation == AtomicOperation::Max || operation == AtomicOperation::NanMax;
  const bool missing = operation == AtomicOperation::NanMax || operation == AtomicOperation::NanMin;
  Value* takes = largest ? build.CreateFCmpOGT(b, a) : build.CreateFCmpOLT(b, a);
  // A NaN gives way to the other one if it stands for a missing value, else it stays.
  Value* is_nan = missing ? build.CreateFCmpUNO(a, a) : build.CreateFCmpUNO(b, b);
  Value* keeps_nan = missing ? nullptr : build.CreateFCmpORD(a, a);
  if (keeps_nan) is_nan = build.CreateAnd(is_nan, keeps_nan);
  return build.CreateSelect(build.CreateOr(takes, is_nan), operand, old);
}

Value* negated(Lowering& at, Scalar scalar, Value* value) {
  if (!is_bits_float(scalar)) return at.build.CreateFNeg(value);
  const uint64_t sign = 1ull << (info(scalar).bits - 1);
  return at.build.CreateXor(value, at.constant(value->getType(), sign));
}

Value* combined(Lowering& at, AtomicOperation operation, Scalar scalar, Value* old,
                Value* operand) {
  if (operation == AtomicOperation::Sub) return sum(at, scalar, old, negated(at, scalar, operand));
  if (operation == AtomicOperation::Add) return sum(at, scalar, old, operand);
  return choose_float(at, operation, scalar, old, operand);
}

// ---- updates

/// Where, and how ordered among whom.
struct Access {
  MemoryOrder order;
  MemoryScope scope;
  Value* address;
};

struct Update {
  const Access& access;
  AtomicOperation operation;
  Scalar scalar;
  Value* operand;
};

llvm::Align align_of(Scalar scalar) { return llvm::Align(info(scalar).bytes()); }

Value* instruction(Lowering& at, const Update& it, llvm::AtomicRMWInst::BinOp op, Value* operand) {
  auto* atomic =
      at.build.CreateAtomicRMW(op, it.access.address, operand, align_of(it.scalar),
                               update_ordering(it.access.order), sync_scope(at, it.access.scope));
  at.module.device.describe_memory(*atomic, it.access.scope);
  return atomic;
}

Value* plain_update(Lowering& at, const Update& it) {
  auto& build = at.build;
  TypeId id = scalar_type(it.scalar);
  Value* old = load_value(build, at.module.types, id, it.access.address)[0];
  Value* made = nullptr;
  if (it.operation == AtomicOperation::Exchange) {
    made = it.operand;
  } else if (is_floating(it.scalar)) {
    made = combined(at, it.operation, it.scalar, old, it.operand);
  } else {
    auto op = instruction_of(it.operation, it.scalar);
    made = llvm::buildAtomicRMWValue(op, build, old, it.operand);
  }
  store_value(build, at.module.types, id, it.access.address, made);
  return old;
}

/// A new value from the old one.
using Change = llvm::function_ref<Value*(Value* old)>;

/// Reads, computes and tries to exchange until nobody came in between.
Value* update_loop(Lowering& at, const Access& access, Scalar scalar, Change change) {
  auto& build = at.build;
  const Leaf& leaf = at.module.types.leaves(scalar_type(scalar))[0];
  llvm::Type* word = build.getIntNTy(info(scalar).bits);
  const auto scope = sync_scope(at, access.scope);
  auto* first = build.CreateAlignedLoad(word, access.address, align_of(scalar));
  first->setAtomic(AtomicOrdering::Monotonic, scope);
  llvm::BasicBlock* before = build.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(at.module.context(), "update", &at.function);
  auto* done = llvm::BasicBlock::Create(at.module.context(), "updated", &at.function);
  build.CreateBr(loop);
  build.SetInsertPoint(loop);
  llvm::PHINode* old = build.CreatePHI(word, 2);
  old->addIncoming(first, before);
  Value* made = change(from_bits(at, old, leaf));
  Value* exchange = build.CreateAtomicCmpXchg(access.address, old, to_bits(at, made, leaf.stored),
                                              align_of(scalar), update_ordering(access.order),
                                              AtomicOrdering::Monotonic, scope);
  old->addIncoming(build.CreateExtractValue(exchange, 0), build.GetInsertBlock());
  build.CreateCondBr(build.CreateExtractValue(exchange, 1), done, loop);
  build.SetInsertPoint(done);
  return from_bits(at, old, leaf);
}

Value* update(Lowering& at, const Access& access, AtomicOperation operation, Scalar scalar,
              Value* operand) {
  Update it{access, operation, scalar, operand};
  if (is_floating(scalar) && operation == AtomicOperation::Sub) {  // the same, rounded the same
    it.operation = AtomicOperation::Add;
    it.operand = negated(at, scalar, operand);
  }
  if (is_plain(at, access.scope)) return plain_update(at, it);
  const Leaf& leaf = at.module.types.leaves(scalar_type(scalar))[0];
  if (operation == AtomicOperation::Exchange) {
    Value* bits = to_bits(at, operand, leaf.stored);
    return from_bits(at, instruction(at, it, llvm::AtomicRMWInst::Xchg, bits), leaf);
  }
  if (!is_floating(scalar)) {
    auto op = instruction_of(operation, scalar);
    return instruction(at, it, op, operand);
  }
  const bool native = scalar == Scalar::Float32 || scalar == Scalar::Float64;
  if (native && it.operation == AtomicOperation::Add)
    return instruction(at, it, llvm::AtomicRMWInst::FAdd, it.operand);
  return update_loop(at, access, scalar, [&](Value* old) {
    return combined(at, it.operation, scalar, old, it.operand);
  });
}

Value* compare_exchange(Lowering& at, const Access& access, Scalar scalar, Value* expected,
                        Value* wanted) {
  auto& build = at.build;
  const Leaf& leaf = at.module.types.leaves(scalar_type(scalar))[0];
  Value *from = to_bits(at, expected, leaf.stored), *to = to_bits(at, wanted, leaf.stored);
  if (is_plain(at, access.scope)) {
    llvm::Align align = align_of(scalar);
    Value* old = build.CreateAlignedLoad(from->getType(), access.address, align);
    Value* made = build.CreateSelect(build.CreateICmpEQ(old, from), to, old);
    build.CreateAlignedStore(made, access.address, align);
    return from_bits(at, old, leaf);
  }
  Value* exchange = build.CreateAtomicCmpXchg(
      access.address, from, to, align_of(scalar), update_ordering(access.order),
      load_ordering(access.order), sync_scope(at, access.scope));
  return from_bits(at, build.CreateExtractValue(exchange, 0), leaf);
}

}  // namespace

void update_in_order(Lowering& at, const ir::AtomicUpdate& op, Scalar scalar,
                     llvm::ArrayRef<Value*> operands, llvm::ArrayRef<Value*> active) {
  const Access access{op.order, op.scope, at(op.in[0])};
  auto change = [&](Value* value) {
    for (size_t i = 0; i < operands.size(); ++i) {
      Value* made = combined(at, op.operation, scalar, value, operands[i]);
      value = active.empty() ? made : at.build.CreateSelect(active[i], made, value);
    }
    return value;
  };
  if (!is_plain(at, access.scope)) {
    update_loop(at, access, scalar, change);
    return;
  }
  const TypeId id = scalar_type(scalar);
  Value* old = load_value(at.build, at.module.types, id, access.address)[0];
  store_value(at.build, at.module.types, id, access.address, change(old));
}

template <>
Leaves lower(Lowering& at, const ir::AtomicLoad& op) {
  Value* address = at(op.in[0]);
  if (is_plain(at, op.scope)) return load_value(at.build, at.module.types, at.result_type, address);
  llvm::Align align(layout(at.result_type).size);
  auto* load = at.build.CreateAlignedLoad(word_type(at, at.result_type), address, align);
  load->setAtomic(load_ordering(op.order), sync_scope(at, op.scope));
  return unpack(at, at.result_type, load);
}

template <>
Leaves lower(Lowering& at, const ir::AtomicStore& op) {
  Value* address = at(op.in[0]);
  const TypeId type = at.type_of(op.in[1]);
  if (is_plain(at, op.scope)) {
    store_value(at.build, at.module.types, type, address, at.leaves(op.in[1]));
    return {};
  }
  llvm::Align align(layout(type).size);
  auto* store = at.build.CreateAlignedStore(pack(at, type, at.leaves(op.in[1])), address, align);
  store->setAtomic(store_ordering(op.order), sync_scope(at, op.scope));
  return {};
}

template <>
Leaves lower(Lowering& at, const ir::AtomicUpdate& op) {
  Access access{op.order, op.scope, at(op.in[0])};
  return update(at, access, op.operation, at.result_scalar(), at(op.in[1]));
}
template <>
Leaves lower(Lowering& at, const ir::AtomicCompareExchange& op) {
  Access access{op.order, op.scope, at(op.in[0])};
  return compare_exchange(at, access, at.result_scalar(), at(op.in[1]), at(op.in[2]));
}

template <>
Leaves lower(Lowering& at, const ir::Fence& op) {
  if (op.order != MemoryOrder::Relaxed && op.scope != MemoryScope::Thread)
    at.build.CreateFence(update_ordering(op.order), sync_scope(at, op.scope));
  return {};
}

}  // namespace hetjit::lower
