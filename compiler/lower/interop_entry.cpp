#include "compiler/lower/interop_entry.h"

namespace hetjit::lower {

using llvm::Value;

void build_interop_entry(ModuleLowering& module, const std::string& name, AddPlace add_place) {
  const ir::Function& function = module.ir.functions[0];
  const std::vector<ValueId>& params = function.blocks[0].params;
  auto* entry =
      llvm::cast<llvm::Function>(declare_external(module, name, params.size()).getCallee());
  module.target.prepare_function(*entry);
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(module.context(), "entry", entry));
  llvm::SmallVector<Value*, 16> arguments;
  for (unsigned i = 0; i < params.size(); ++i)
    arguments.append(
        load_value(build, module.types, function.type_of(params[i]), entry->getArg(i + 1)));
  add_place(build, arguments);
  llvm::CallInst* call = build.CreateCall(module.functions[0], arguments);
  Leaves made = outcome(build, module, 0, call).leaves;
  store_value(build, module.types, function.result, entry->getArg(0), made);
  build.CreateRetVoid();
}

}  // namespace hetjit::lower
