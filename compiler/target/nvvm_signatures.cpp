// Functions with the types that nvcc's compiler gives them in its own IR, whose linker inlines only
// where a call and a function have one type. Found by trying, with nvcc 13.0: structs go by value,
// bools are bytes, and what a struct has behind its last member, or before one that is aligned to
// more than its type is, is a member for each byte.
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

using llvm::Type;
using llvm::Value;

class Types {
 public:
  explicit Types(const llvm::DataLayout& layout) : layout_(layout) {}

  Type* of(Type* ours) {
    if (ours->isIntegerTy(1)) return Type::getInt8Ty(ours->getContext());
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(ours))
      return llvm::ArrayType::get(of(array->getElementType()), array->getNumElements());
    auto* record = llvm::dyn_cast<llvm::StructType>(ours);
    if (!record) return ours;
    // One type for each of ours, or what has two of them is another type to the linker.
    Type*& made = made_[record];
    if (!made) made = record_of(record);
    return made;
  }

 private:
  static bool is_padding(const Type* type) {
    return type->isArrayTy() && type->getArrayElementType()->isIntegerTy(8);
  }

  Type* record_of(llvm::StructType* ours) {
    Type* byte = Type::getInt8Ty(ours->getContext());
    llvm::SmallVector<Type*, 16> members;
    uint64_t end = 0;
    for (unsigned i = 0; i < ours->getNumElements(); ++i) {
      Type* member = ours->getElementType(i);
      if (is_padding(member))
        members.append(member->getArrayNumElements(), byte);
      else
        members.push_back(of(member));
      end = layout_.getStructLayout(ours)->getElementOffset(i) + layout_.getTypeAllocSize(member);
    }
    members.append(layout_.getTypeAllocSize(ours) - end, byte);
    return llvm::StructType::create(ours->getContext(), members, "nvcc");
  }

  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::StructType*, Type*> made_;
};

/// The type of an argument as C++ knows it, which may be passed in memory.
Type* passed(const llvm::Argument& argument) {
  return argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
}

Value* in_memory(llvm::IRBuilder<>& build, Value* value, llvm::Align align) {
  llvm::AllocaInst* place = build.CreateAlloca(value->getType());
  place->setAlignment(std::max(align, place->getAlign()));
  build.CreateStore(value, place);
  return place;
}

/// The same bytes as another type; bools as the least bit of a byte.
Value* converted(llvm::IRBuilder<>& build, Value* value, Type* to) {
  if (value->getType() == to) return value;
  if (!to->isAggregateType()) return build.CreateZExtOrTrunc(value, to);
  return build.CreateLoad(to, in_memory(build, value, llvm::Align()));
}

void annotate_alignment(llvm::Function& function, unsigned index, llvm::MaybeAlign align) {
  if (align) annotate(function, "align", index << 16 | static_cast<uint32_t>(align->value()));
}

void write(llvm::Function& ours, Types& types) {
  llvm::SmallVector<Type*, 8> parameters;
  for (const llvm::Argument& argument : ours.args())
    parameters.push_back(types.of(passed(argument)));
  auto* type = llvm::FunctionType::get(types.of(ours.getReturnType()), parameters, false);
  auto* theirs = llvm::Function::Create(type, ours.getLinkage(), "", ours.getParent());
  theirs->takeName(&ours);
  if (ours.hasFnAttribute(llvm::Attribute::Convergent)) theirs->setConvergent();
  theirs->setDoesNotThrow();
  ours.setLinkage(llvm::GlobalValue::InternalLinkage);
  ours.addFnAttr(llvm::Attribute::AlwaysInline);

  llvm::IRBuilder<> build(llvm::BasicBlock::Create(ours.getContext(), "entry", theirs));
  llvm::SmallVector<Value*, 8> arguments;
  for (llvm::Argument& argument : ours.args()) {
    Value* given = theirs->getArg(argument.getArgNo());
    if (!argument.hasByValAttr()) {
      arguments.push_back(converted(build, given, argument.getType()));
      continue;
    }
    const llvm::MaybeAlign align = argument.getParamAlign();
    annotate_alignment(*theirs, argument.getArgNo() + 1, align);
    arguments.push_back(in_memory(build, given, align.valueOrOne()));
    argument.removeAttr(llvm::Attribute::ByVal);
  }
  llvm::CallInst* call = build.CreateCall(&ours, arguments);
  annotate_alignment(*theirs, 0, ours.getAttributes().getRetStackAlignment());
  if (ours.getReturnType()->isVoidTy())
    build.CreateRetVoid();
  else
    build.CreateRet(converted(build, call, type->getReturnType()));
}

}  // namespace

void write_nvcc_signatures(llvm::Module& module) {
  Types types(module.getDataLayout());
  llvm::SmallVector<llvm::Function*, 4> visible;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage() &&
        function.getCallingConv() != llvm::CallingConv::PTX_Kernel)
      visible.push_back(&function);
  for (llvm::Function* function : visible) write(*function, types);
}

}  // namespace hetjit::target
