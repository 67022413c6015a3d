// Read-modify-write operations as PTX with their order and scope: LLVM 22's back end emits
// atomicrmw as a relaxed operation of scope gpu, whatever it says. Loads, stores, fences and
// compare-exchange it emits right, up to 8 bytes. Until here, after all optimisation, the
// operations are LLVM's own, so that its passes know what they are and in which address space.
// libNVVM's LLVM drops the scope of compare-exchange, too: what it is given is all PTX.
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>

#include "compiler/target/target_impl.h"

namespace hetjit::target {
namespace {

using llvm::AtomicOrdering;
using llvm::Instruction;
using llvm::Value;
using Op = llvm::AtomicRMWInst;

std::string scope_text(llvm::LLVMContext& context, llvm::SyncScope::ID scope) {
  if (scope == context.getOrInsertSyncScopeID("device")) return ".gpu";
  if (scope == context.getOrInsertSyncScopeID("block")) return ".cta";
  HETJIT_CHECK(scope == llvm::SyncScope::System);
  return ".sys";
}

std::string space_text(const Value* address) {
  // By address space.
  constexpr const char* kSpaces[] = {"", ".global", "", ".shared"};
  const unsigned space = address->getType()->getPointerAddressSpace();
  HETJIT_CHECK(space < std::size(kSpaces));
  return kSpaces[space];
}

/// As PTX writes a sequentially consistent operation: a fence before, and the operation acquires
/// (releases is what the fence does).
std::string order_text(llvm::IRBuilder<>& build, AtomicOrdering order, llvm::SyncScope::ID scope) {
  if (order == AtomicOrdering::SequentiallyConsistent) {
    build.CreateFence(order, scope);
    order = AtomicOrdering::Acquire;
  }
  if (order == AtomicOrdering::Acquire) return ".acquire";
  if (order == AtomicOrdering::Release) return ".release";
  return order == AtomicOrdering::AcquireRelease ? ".acq_rel" : ".relaxed";
}

struct Row {
  Op::BinOp op;
  const char* name;
  const char* type;  // before its bits
};
constexpr Row kRows[] = {
    {Op::Xchg, "exch", "b"}, {Op::Add, "add", "u"},  {Op::Sub, "add", "u"},  {Op::And, "and", "b"},
    {Op::Or, "or", "b"},     {Op::Xor, "xor", "b"},  {Op::Max, "max", "s"},  {Op::Min, "min", "s"},
    {Op::UMax, "max", "u"},  {Op::UMin, "min", "u"}, {Op::FAdd, "add", "f"},
};

/// Null for what LLVM makes a loop round a compare-exchange: that has order and scope.
const Row* find_row(const Op& op) {
  unsigned bits = op.getType()->getPrimitiveSizeInBits();
  if (bits != 32 && bits != 64) return nullptr;
  for (const Row& row : kRows)
    if (row.op == op.getOperation()) return &row;
  return nullptr;
}

Value* call_ptx(llvm::IRBuilder<>& build, llvm::Type* result, const std::string& text,
                const std::string& constraints, llvm::ArrayRef<Value*> operands) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (Value* operand : operands) types.push_back(operand->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  auto* code = llvm::InlineAsm::get(type, text, constraints, /*hasSideEffects=*/true);
  llvm::CallInst* call = build.CreateCall(type, code, operands);
  call->setDoesNotThrow();
  return call;
}

/// And, or, xor of fewer bits than a word: of the word that holds them, where the others stay. LLVM
/// does the same later, and forgets order and scope.
Op& widened(Op& op) {
  llvm::IRBuilder<> build(&op);
  Value* address = op.getPointerOperand();
  llvm::Type *word = build.getInt32Ty(), *place = build.getInt64Ty();
  Value* begin = build.CreateIntrinsic(llvm::Intrinsic::ptrmask, {address->getType(), place},
                                       {address, build.getInt64(~uint64_t{3})});
  Value* bytes = build.CreateAnd(build.CreatePtrToInt(address, place), 3);
  Value* shift = build.CreateTrunc(build.CreateShl(bytes, 3), word);
  Value* operand = build.CreateShl(build.CreateZExt(op.getValOperand(), word), shift);
  if (op.getOperation() == Op::And) {
    const uint32_t ones = (1u << op.getType()->getIntegerBitWidth()) - 1;
    Value* own = build.CreateShl(build.getInt32(ones), shift);
    operand = build.CreateOr(operand, build.CreateNot(own));
  }
  Op* wide = build.CreateAtomicRMW(op.getOperation(), begin, operand, llvm::Align(4),
                                   op.getOrdering(), op.getSyncScopeID());
  op.replaceAllUsesWith(build.CreateTrunc(build.CreateLShr(wide, shift), op.getType()));
  op.eraseFromParent();
  return *wide;
}

bool is_small_bitwise(const Op& op) {
  const bool bitwise =
      op.getOperation() == Op::And || op.getOperation() == Op::Or || op.getOperation() == Op::Xor;
  return bitwise && op.getType()->getPrimitiveSizeInBits() < 32;
}

void write_update(Op& op, const Row& row) {
  llvm::IRBuilder<> build(&op);
  Value* operand = op.getValOperand();
  llvm::Type* type = operand->getType();
  const unsigned bits = type->getPrimitiveSizeInBits();
  if (op.getOperation() == Op::Sub) operand = build.CreateNeg(operand);
  if (op.getOperation() == Op::Xchg) {
    type = build.getIntNTy(bits);
    operand = build.CreateBitOrPointerCast(operand, type);
  }
  const char* letter = type->isFloatTy() ? "f" : type->isDoubleTy() ? "d" : bits == 32 ? "r" : "l";
  std::string text = "atom" + order_text(build, op.getOrdering(), op.getSyncScopeID()) +
                     scope_text(op.getContext(), op.getSyncScopeID()) +
                     space_text(op.getPointerOperand()) + "." + row.name + "." + row.type +
                     std::to_string(bits) + " $0, [$1], $2;";
  std::string constraints = std::string("=") + letter + ",l," + letter + ",~{memory}";
  Value* old = call_ptx(build, type, text, constraints, {op.getPointerOperand(), operand});
  op.replaceAllUsesWith(build.CreateBitOrPointerCast(old, op.getType()));
  op.eraseFromParent();
}

// Sixteen bytes go through a register that LLVM does not have: two of its halves.
void write_wide_load(llvm::LoadInst& load) {
  llvm::IRBuilder<> build(&load);
  llvm::Type* half = build.getInt64Ty();
  std::string text =
      "{ .reg .b128 %whole; ld" + order_text(build, load.getOrdering(), load.getSyncScopeID()) +
      scope_text(load.getContext(), load.getSyncScopeID()) + space_text(load.getPointerOperand()) +
      ".b128 %whole, [$2]; mov.b128 {$0, $1}, %whole; }";
  Value* halves = call_ptx(build, llvm::StructType::get(half, half), text, "=l,=l,l,~{memory}",
                           {load.getPointerOperand()});
  Value* low = build.CreateZExt(build.CreateExtractValue(halves, 0), load.getType());
  Value* high = build.CreateZExt(build.CreateExtractValue(halves, 1), load.getType());
  load.replaceAllUsesWith(build.CreateOr(low, build.CreateShl(high, 64)));
  load.eraseFromParent();
}

/// A store does not acquire.
std::string store_order(llvm::IRBuilder<>& build, const llvm::StoreInst& store) {
  if (store.getOrdering() != AtomicOrdering::SequentiallyConsistent)
    return order_text(build, store.getOrdering(), store.getSyncScopeID());
  build.CreateFence(store.getOrdering(), store.getSyncScopeID());
  return ".release";
}

void write_wide_store(llvm::StoreInst& store) {
  llvm::IRBuilder<> build(&store);
  Value* value = store.getValueOperand();
  Value* low = build.CreateTrunc(value, build.getInt64Ty());
  Value* high = build.CreateTrunc(build.CreateLShr(value, 64), build.getInt64Ty());
  std::string text = "{ .reg .b128 %whole; mov.b128 %whole, {$1, $2}; st" +
                     store_order(build, store) +
                     scope_text(store.getContext(), store.getSyncScopeID()) +
                     space_text(store.getPointerOperand()) + ".b128 [$0], %whole; }";
  call_ptx(build, build.getVoidTy(), text, "l,l,l,~{memory}",
           {store.getPointerOperand(), low, high});
  store.eraseFromParent();
}

bool is_wide(llvm::Type* type) { return type->isIntegerTy(128); }

void write_fence(llvm::FenceInst& fence) {
  llvm::IRBuilder<> build(&fence);
  const bool in_order = fence.getOrdering() == AtomicOrdering::SequentiallyConsistent;
  if (fence.getSyncScopeID() != llvm::SyncScope::SingleThread)
    call_ptx(build, build.getVoidTy(),
             std::string("fence") + (in_order ? ".sc" : ".acq_rel") +
                 scope_text(fence.getContext(), fence.getSyncScopeID()) + ";",
             "~{memory}", {});
  fence.eraseFromParent();
}

/// What a value of up to 8 bytes is in a register: an integer of 16, 32 or 64 bits.
llvm::IntegerType* register_of(llvm::Type* type, const llvm::DataLayout& layout) {
  const unsigned bits = layout.getTypeSizeInBits(type);
  return llvm::IntegerType::get(type->getContext(), std::max(bits, 16u));
}

const char* letter_of(const llvm::IntegerType* type) {
  return type->getBitWidth() == 16 ? "h" : type->getBitWidth() == 32 ? "r" : "l";
}

Value* to_register(llvm::IRBuilder<>& build, Value* value, const llvm::DataLayout& layout) {
  llvm::Type* type = build.getIntNTy(layout.getTypeSizeInBits(value->getType()));
  Value* bits = build.CreateBitOrPointerCast(value, type);
  return build.CreateZExt(bits, register_of(type, layout));
}

Value* from_register(llvm::IRBuilder<>& build, Value* bits, llvm::Type* type,
                     const llvm::DataLayout& layout) {
  bits = build.CreateTrunc(bits, build.getIntNTy(layout.getTypeSizeInBits(type)));
  return build.CreateBitOrPointerCast(bits, type);
}

std::string bits_text(const llvm::Type* type, const llvm::DataLayout& layout) {
  return ".b" + std::to_string(layout.getTypeSizeInBits(const_cast<llvm::Type*>(type)));
}

void write_load(llvm::LoadInst& load) {
  llvm::IRBuilder<> build(&load);
  const llvm::DataLayout& layout = load.getDataLayout();
  llvm::IntegerType* type = register_of(load.getType(), layout);
  const std::string text = "ld" + order_text(build, load.getOrdering(), load.getSyncScopeID()) +
                           scope_text(load.getContext(), load.getSyncScopeID()) +
                           space_text(load.getPointerOperand()) +
                           bits_text(load.getType(), layout) + " $0, [$1];";
  Value* bits = call_ptx(build, type, text, std::string("=") + letter_of(type) + ",l,~{memory}",
                         {load.getPointerOperand()});
  load.replaceAllUsesWith(from_register(build, bits, load.getType(), layout));
  load.eraseFromParent();
}

void write_store(llvm::StoreInst& store) {
  llvm::IRBuilder<> build(&store);
  const llvm::DataLayout& layout = store.getDataLayout();
  Value* value = to_register(build, store.getValueOperand(), layout);
  const std::string text = "st" + store_order(build, store) +
                           scope_text(store.getContext(), store.getSyncScopeID()) +
                           space_text(store.getPointerOperand()) +
                           bits_text(store.getValueOperand()->getType(), layout) + " [$0], $1;";
  const std::string letter = letter_of(llvm::cast<llvm::IntegerType>(value->getType()));
  call_ptx(build, build.getVoidTy(), text, "l," + letter + ",~{memory}",
           {store.getPointerOperand(), value});
  store.eraseFromParent();
}

Value* exchange(llvm::IRBuilder<>& build, const std::string& name, Value* address, Value* expected,
                Value* wanted) {
  llvm::Type* type = expected->getType();
  if (!is_wide(type)) {
    const std::string letter = letter_of(llvm::cast<llvm::IntegerType>(type));
    return call_ptx(build, type, name + " $0, [$1], $2, $3;",
                    "=" + letter + ",l," + letter + "," + letter + ",~{memory}",
                    {address, expected, wanted});
  }
  llvm::Type* half = build.getInt64Ty();
  auto low = [&](Value* whole) { return build.CreateTrunc(whole, half); };
  auto high = [&](Value* whole) { return build.CreateTrunc(build.CreateLShr(whole, 64), half); };
  Value* halves = call_ptx(build, llvm::StructType::get(half, half),
                           "{ .reg .b128 %old, %expected, %wanted; mov.b128 %expected, {$3, $4}; "
                           "mov.b128 %wanted, {$5, $6}; " +
                               name + " %old, [$2], %expected, %wanted; mov.b128 {$0, $1}, %old; }",
                           "=l,=l,l,l,l,l,l,~{memory}",
                           {address, low(expected), high(expected), low(wanted), high(wanted)});
  Value* bits = build.CreateZExt(build.CreateExtractValue(halves, 0), type);
  Value* above = build.CreateZExt(build.CreateExtractValue(halves, 1), type);
  return build.CreateOr(bits, build.CreateShl(above, 64));
}

void write_exchange(llvm::AtomicCmpXchgInst& op) {
  llvm::IRBuilder<> build(&op);
  const llvm::DataLayout& layout = op.getDataLayout();
  llvm::Type* type = op.getCompareOperand()->getType();
  Value* expected = to_register(build, op.getCompareOperand(), layout);
  Value* wanted = to_register(build, op.getNewValOperand(), layout);
  const std::string name = "atom" + order_text(build, op.getMergedOrdering(), op.getSyncScopeID()) +
                           scope_text(op.getContext(), op.getSyncScopeID()) +
                           space_text(op.getPointerOperand()) + ".cas" + bits_text(type, layout);
  Value* old = exchange(build, name, op.getPointerOperand(), expected, wanted);
  Value* both = llvm::PoisonValue::get(op.getType());
  both = build.CreateInsertValue(both, from_register(build, old, type, layout), 0);
  both = build.CreateInsertValue(both, build.CreateICmpEQ(old, expected), 1);
  op.replaceAllUsesWith(both);
  op.eraseFromParent();
}

void write(Instruction& instruction) {
  if (auto* op = llvm::dyn_cast<Op>(&instruction)) {
    if (is_small_bitwise(*op)) op = &widened(*op);
    if (const Row* row = find_row(*op)) write_update(*op, *row);
  } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (load->isAtomic() && is_wide(load->getType())) write_wide_load(*load);
  } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    if (store->isAtomic() && is_wide(store->getValueOperand()->getType())) write_wide_store(*store);
  }
}

/// What write() leaves to LLVM's back end, whose own rewriting of it has been done.
void write_rest(Instruction& instruction) {
  if (auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) return write_fence(*fence);
  if (auto* op = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return write_exchange(*op);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return write_load(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return write_store(*store);
}

void each_atomic(llvm::Module& module, void (*write_it)(Instruction&)) {
  for (llvm::Function& function : module) {
    llvm::SmallVector<Instruction*, 16> atomics;
    for (Instruction& instruction : llvm::instructions(function))
      if (instruction.isAtomic()) atomics.push_back(&instruction);
    for (Instruction* instruction : atomics) write_it(*instruction);
  }
}

}  // namespace

void write_ptx_atomics(llvm::Module& module) { each_atomic(module, write); }

void write_all_ptx_atomics(llvm::Module& module, llvm::TargetMachine& machine) {
  each_atomic(module, write);
  expand_atomics(module, machine);
  each_atomic(module, write);
  each_atomic(module, write_rest);
  each_atomic(module, write_rest);  // the fences of those
}

void raise_ptx_version(std::string& ptx) {
  constexpr std::string_view kDirective = ".version ";
  size_t version = ptx.find(kDirective);
  if (version == std::string::npos || ptx.find(".reg .b128 ") == std::string::npos) return;
  version += kDirective.size();
  const size_t end = ptx.find('\n', version);
  if (ptx.substr(version, end - version) < "8.4") ptx.replace(version, end - version, "8.4");
}

}  // namespace hetjit::target
