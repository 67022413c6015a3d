// Calls of C++ functions: result and operands go by way of memory, laid out as C++ has them
// (abi/layout.h), so no calling convention is repeated here. Inlined, nothing is left of that
// memory.
#include "abi/layout.h"
#include "compiler/lower/lowering.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

/// What lies between fields is nobody's, but C++ copies it with them; inlined, that is gone.
void clear_gaps(Lowering& at, TypeId id, Value* place) {
  if (type(id).kind != TypeKind::Struct && type(id).kind != TypeKind::Tuple) return;
  const Layout lies = layout(id);
  at.build.CreateMemSet(place, at.build.getInt8(0), lies.size, llvm::Align(lies.align));
}

template <class Op>
Leaves call_external(Lowering& at, const Op& op) {
  llvm::SmallVector<Value*, 8> places{memory_for(at, at.result_type)};
  for (ValueId id : op.in) {
    places.push_back(memory_for(at, at.type_of(id)));
    clear_gaps(at, at.type_of(id), places.back());
    store_value(at.build, at.module.types, at.type_of(id), places.back(), at.leaves(id));
  }
  at.build.CreateCall(declare_external(at.module, op.symbol, op.in.size()), places);
  return load_value(at.build, at.module.types, at.result_type, places.front());
}

}  // namespace

Value* memory_for(Lowering& at, TypeId id) {
  const Layout lies = layout(id);
  llvm::BasicBlock& entry = at.function.getEntryBlock();
  llvm::IRBuilder<> first(&entry, entry.begin());
  auto* type = llvm::ArrayType::get(first.getInt8Ty(), lies.size);
  auto* memory = first.CreateAlloca(type, at.module.target.spaces().private_, nullptr, "passed");
  memory->setAlignment(llvm::Align(lies.align));
  return at.build.CreateAddrSpaceCast(memory, at.build.getPtrTy());
}

llvm::FunctionCallee declare_external(ModuleLowering& module, const std::string& symbol,
                                      size_t operands) {
  auto* pointer = llvm::PointerType::get(module.context(), 0);
  llvm::SmallVector<llvm::Type*, 8> places(operands + 1, pointer);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(module.context()), places, false);
  llvm::FunctionCallee declared = module.module.getOrInsertFunction(symbol, type);
  llvm::cast<llvm::Function>(declared.getCallee())->addFnAttr(llvm::Attribute::NoUnwind);
  return declared;
}

template <>
Leaves lower(Lowering& at, const ir::ExternalCall& op) {
  return call_external(at, op);
}
template <>
Leaves lower(Lowering& at, const ir::ExternalValue& op) {
  return call_external(at, op);
}

}  // namespace hetjit::lower
