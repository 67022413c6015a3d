// void entry(const std::byte* parameters, const Geometry* geometry, u64 first, u64 last)
//
// Where arrays that threads put numbers together in are small, beside the threads of these blocks
// too, and share no memory with any other array:
//
//   for each of them: a copy, in which is what changes nothing
//   own(parameters, but with the copies, geometry, first, last)
//   for each element of the copies in which is something else: into the array, atomically
//
// Else any(parameters, geometry, first, last).
#include "compiler/host/entry/own_sums_entry.h"

#include <llvm/IR/InlineAsm.h>

#include "abi/layout.h"
#include "compiler/host/entry/turns_entry.h"
#include "compiler/host/facts/costs.h"
#include "compiler/lower/atomic_instructions.h"
#include "compiler/target/host_attention.h"

namespace hetjit::host {
namespace {

using llvm::Value;
using lower::Coordinate;

const llvm::Align kLine(64);

struct OwnSumsEntry : Entry {
  OwnSumsEntry(lower::ModuleLowering& module, const std::string& name, const OwnSums& sums)
      : Entry(module, declare_entry(module, name)), sums(sums) {}
  void run(llvm::Function& own, llvm::Function& any);

 private:
  struct Copy {
    const SummedArray& of;
    Scalar scalar;
    llvm::Type* type;
    Value *elements, *memory;
  };
  Value* count_work();
  Value* are_small();
  Value* memory_of(uint64_t bytes);
  Copy copy_of(const SummedArray& array);
  Value* parameters_with(const std::vector<Copy>& copies);
  void empty(const Copy& copy);
  void add(const Copy& copy);
  uint64_t bytes_of_each() const { return kOwnSumBytes / sums.arrays.size(); }
  Value* neutral(const Copy& copy) {
    return llvm::ConstantInt::get(
        copy.type, llvm::APInt(64, copy.of.by.neutral).trunc(copy.type->getIntegerBitWidth()));
  }
  TypeId element(const SummedArray& array) {
    const ir::Function& kernel = module.ir.functions[0];
    return type(kernel.type_of(kernel.blocks[0].params[array.parameter])).element;
  }
  Value* product(Coordinate extents) {
    return build.CreateMul(build.CreateMul(wide(extents, 0), wide(extents, 1)), wide(extents, 2));
  }
  void call(llvm::Function& entry, Value* parameters) {
    build.CreateCall(&entry,
                     {parameters, function.getArg(1), function.getArg(2), function.getArg(3)});
  }
  llvm::BasicBlock* make_block(const char* called) {
    return llvm::BasicBlock::Create(module.context(), called, &function);
  }

  const OwnSums& sums;
};

/// How many turns or threads these blocks have; u64.
Value* OwnSumsEntry::count_work() {
  Value* blocks = build.CreateSub(function.getArg(3), function.getArg(2));
  const auto* rows = std::get_if<ByRows>(&sums.way);
  if (rows && rows->turns) {
    Value* turns = build.CreateBinaryIntrinsic(
        llvm::Intrinsic::umin, count_turns(*this, *rows->turns), build.getInt64(INT32_MAX));
    return build.CreateUDiv(build.CreateMul(turns, blocks), product(Coordinate::GridDimension));
  }
  return build.CreateMul(blocks, product(Coordinate::BlockDimension));
}

/// Extents are asked before they are multiplied.
Value* OwnSumsEntry::are_small() {
  Value* work = count_work();
  const ir::Function& kernel = module.ir.functions[0];
  Value* holds = build.getTrue();
  std::vector<uint32_t> parameters;
  for (const SummedArray& array : sums.arrays) {
    parameters.push_back(array.parameter);
    Value* most =
        build.getInt64(bytes_of_each() / static_cast<uint64_t>(layout(element(array)).stride()));
    auto ask = [&](Value* number, Value* limit) {
      holds = build.CreateAnd(holds, build.CreateICmpULE(number, limit));
    };
    const uint8_t rank = type(kernel.type_of(kernel.blocks[0].params[array.parameter])).rank;
    for (uint8_t axis = 0; axis < rank; ++axis) ask(extent({array.parameter, axis, 0}), most);
    Value* elements = elements_of(array.parameter);
    ask(elements, most);
    ask(elements, work);  // each is looked at when the copy is added
  }
  return build.CreateAnd(holds, lie_apart(parameters));
}

Value* OwnSumsEntry::memory_of(uint64_t bytes) {
  llvm::BasicBlock& first = function.getEntryBlock();
  llvm::IRBuilder<> begin(&first, first.begin());
  llvm::AllocaInst* memory = begin.CreateAlloca(llvm::ArrayType::get(build.getInt8Ty(), bytes));
  memory->setAlignment(kLine);
  return memory;
}

OwnSumsEntry::Copy OwnSumsEntry::copy_of(const SummedArray& array) {
  const Scalar scalar = type(element(array)).scalar;
  return {array, scalar, build.getIntNTy(info(scalar).bits), elements_of(array.parameter),
          memory_of(bytes_of_each())};
}

void OwnSumsEntry::empty(const Copy& copy) {
  auto store = [&](Value* i) {
    build.CreateStore(neutral(copy), build.CreateInBoundsGEP(copy.type, copy.memory, i));
  };
  target::mark_counted(*counted_loop(build, build.getInt64(0), copy.elements, "empty", store));
}

void OwnSumsEntry::add(const Copy& copy) {
  Value* array = arguments[first_leaf(copy.of.parameter)];
  auto put = [&](Value* i) {
    Value* own = build.CreateLoad(copy.type, build.CreateInBoundsGEP(copy.type, copy.memory, i));
    llvm::BasicBlock *other = make_block("put"), *next = make_block("next");
    build.CreateCondBr(build.CreateICmpEQ(own, neutral(copy)), next, other);
    build.SetInsertPoint(other);
    build.CreateAtomicRMW(lower::instruction_of(copy.of.by.operation, copy.scalar),
                          build.CreateInBoundsGEP(copy.type, array, i), own, llvm::MaybeAlign(),
                          llvm::AtomicOrdering::SequentiallyConsistent);
    build.CreateBr(next);
    build.SetInsertPoint(next);
  };
  target::mark_counted(*counted_loop(build, build.getInt64(0), copy.elements, "add", put));
}

/// Parameters do not change while a kernel runs, as LLVM is told; so it must not see where these
/// come from.
Value* OwnSumsEntry::parameters_with(const std::vector<Copy>& copies) {
  const ir::Function& kernel = module.ir.functions[0];
  const BlockLayout block = parameter_block(lower::block_types(kernel));
  Value* all = memory_of(block.size);
  build.CreateMemCpy(all, kLine, function.getArg(0), llvm::MaybeAlign(), block.size);
  for (const Copy& copy : copies)
    build.CreateStore(copy.memory, build.CreateConstInBoundsGEP1_64(
                                       build.getInt8Ty(), all, block.offsets[copy.of.parameter]));
  auto* same = llvm::FunctionType::get(all->getType(), {all->getType()}, false);
  return build.CreateCall(same, llvm::InlineAsm::get(same, "", "=r,0,~{memory}", true), {all});
}

void OwnSumsEntry::run(llvm::Function& own, llvm::Function& any) {
  llvm::BasicBlock *small = make_block("small"), *large = make_block("large");
  build.CreateCondBr(are_small(), small, large);
  build.SetInsertPoint(large);
  call(any, function.getArg(0));
  build.CreateRetVoid();
  build.SetInsertPoint(small);
  std::vector<Copy> copies;
  for (const SummedArray& array : sums.arrays) copies.push_back(copy_of(array));
  for (const Copy& copy : copies) empty(copy);
  call(own, parameters_with(copies));
  for (const Copy& copy : copies) add(copy);
  build.CreateRetVoid();
}

}  // namespace

llvm::Function* build_own_sums_entry(lower::ModuleLowering& module, const std::string& name,
                                     const OwnSums& sums, llvm::Function& own,
                                     llvm::Function& any) {
  OwnSumsEntry at(module, name, sums);
  for (llvm::Function* entry : {&own, &any}) make_inner(module, *entry);
  at.run(own, any);
  return &at.function;
}

}  // namespace hetjit::host
