#include "compiler/lower/interop_entry.h"

namespace hetjit::lower {

using llvm::Value;

namespace {

llvm::FunctionType* entry_type(ModuleLowering& module, size_t operands) {
  llvm::LLVMContext& context = module.context();
  llvm::SmallVector<llvm::Type*, 8> places(operands + 1, llvm::PointerType::get(context, 0));
  llvm::Type* result =
      module.raises[0] ? llvm::Type::getInt32Ty(context) : llvm::Type::getVoidTy(context);
  return llvm::FunctionType::get(result, places, false);
}

}  // namespace

namespace {
constexpr const char* kSays = "hetjit_says";
}

void say_to_cxx(ModuleLowering& module) {
  llvm::LLVMContext& context = module.context();
  auto* type = llvm::FunctionType::get(
      llvm::Type::getVoidTy(context),
      {llvm::Type::getInt32Ty(context), llvm::PointerType::get(context, 0)}, false);
  llvm::cast<llvm::Function>(module.module.getOrInsertFunction(kSays, type).getCallee())
      ->addFnAttr(llvm::Attribute::NoUnwind);
}

llvm::Function* cxx_that_says(ModuleLowering& module) { return module.module.getFunction(kSays); }

void build_interop_entry(ModuleLowering& module, const std::string& name, AddPlace add_place) {
  const ir::Function& function = module.ir.functions[0];
  const std::vector<ValueId>& params = function.blocks[0].params;
  auto* entry = llvm::Function::Create(entry_type(module, params.size()),
                                       llvm::Function::ExternalLinkage, name, module.module);
  module.target.prepare_function(*entry);
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(module.context(), "entry", entry));
  llvm::SmallVector<Value*, 16> arguments;
  for (unsigned i = 0; i < params.size(); ++i)
    arguments.append(
        load_value(build, module.types, function.type_of(params[i]), entry->getArg(i + 1)));
  add_place(build, arguments);
  llvm::CallInst* call = build.CreateCall(module.functions[0], arguments);
  const Outcome made = outcome(build, module, 0, call);
  auto deliver = [&] {  // None is void: there is no place for it
    if (function.result == none_type()) return;
    store_value(build, module.types, function.result, entry->getArg(0), made.leaves);
  };
  if (!made.raised) {
    deliver();
    build.CreateRetVoid();
    return;
  }
  auto* raised = llvm::BasicBlock::Create(module.context(), "raised", entry);
  auto* returned = llvm::BasicBlock::Create(module.context(), "returned", entry);
  build.CreateCondBr(made.raised, raised, returned);
  build.SetInsertPoint(raised);
  build.CreateRet(build.getInt32(1));
  build.SetInsertPoint(returned);
  deliver();
  build.CreateRet(build.getInt32(0));
}

}  // namespace hetjit::lower
