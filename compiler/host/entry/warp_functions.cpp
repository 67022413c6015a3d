#include "compiler/host/entry/warp_functions.h"

#include "compiler/host/warp/warp.h"
#include "compiler/lower/debug_info.h"
#include "compiler/target/symbol_name.h"

namespace hetjit::host {

namespace {

llvm::Function* declare(lower::ModuleLowering& module, const ir::Function& function,
                        const char* form, llvm::Type* mask) {
  llvm::SmallVector<llvm::Type*, 32> parameters;
  for (ValueId param : function.blocks[0].params)
    for (const lower::Leaf& leaf : module.types.leaves(function.type_of(param)))
      parameters.push_back(leaf.type);
  if (mask) parameters.push_back(mask);
  llvm::LLVMContext& context = module.context();
  parameters.append(lower::kCoordinates, llvm::Type::getInt32Ty(context));
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
  auto* made = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                      target::symbol_name(function.name) + form, module.module);
  module.target.prepare_function(*made);
  use_wide_registers(*made);
  return made;
}

void write_form(lower::ModuleLowering& module, const ir::Function& function,
                const Structure& structure, Lanes lanes, const WarpForm& form) {
  Shapes shapes(function, structure, lanes);
  if (module.debug) module.debug->enter(function, form.function);
  Warp(module, function, structure, shapes, form).run();
}

llvm::Function* declare_out_of_line(lower::ModuleLowering& module, const ir::Function& function) {
  llvm::Function* made = declare(module, function, ".one", nullptr);
  made->addFnAttr(llvm::Attribute::NoInline);
  return made;
}

/// A function of its own that does what `form` does.
llvm::Function* out_of_line(lower::ModuleLowering& module, const ir::Function& function,
                            llvm::Function& form) {
  llvm::Function* made = declare_out_of_line(module, function);
  llvm::IRBuilder<> build(llvm::BasicBlock::Create(module.context(), "entry", made));
  llvm::SmallVector<llvm::Value*, 32> arguments;
  for (llvm::Argument& argument : made->args()) arguments.push_back(&argument);
  build.CreateCall(&form, arguments);
  build.CreateRetVoid();
  return made;
}

}  // namespace

WarpFunctions write_warp_functions(lower::ModuleLowering& module, const ByRows& way) {
  const ir::Function function = way.laid_out();
  const unsigned width = way.width;
  std::optional<Structure> structure = Structure::find(function);
  auto* mask = llvm::FixedVectorType::get(llvm::Type::getInt1Ty(module.context()), width);
  WarpFunctions made{declare(module, function, ".warp", nullptr),
                     declare(module, function, ".lanes", mask), width};
  made.whole_rows = way.whole_rows;
  made.all->addFnAttr(llvm::Attribute::AlwaysInline);
  made.some->addFnAttr(llvm::Attribute::NoInline);
  WarpForm some{*made.some, width}, all{*made.all, width, made.some, width};
  llvm::Function* one = nullptr;  // in which vectors begin again that need no mask
  if (way.between_ends) {
    one = declare_out_of_line(module, function);
    write_form(module, function, *structure, way.lanes(), {*one, width, made.some, width});
    all.retry = one;
    all.retry_has_mask = false;
    all.between_ends = true;
  }
  write_form(module, function, *structure, way.lanes(), all);
  write_form(module, function, *structure, {View::Row, width, 1, way.grid.has_value()}, some);
  made.wide_by = way.vectors.warps;
  if (made.wide_by == 1) return made;
  made.wide = declare(module, function, ".wide", nullptr);
  made.wide->addFnAttr(llvm::Attribute::AlwaysInline);
  WarpForm wide{*made.wide, made.wide_by * width, made.some, width};
  if (way.in_one_period && !one)  // more of them see a period's end: one vector after another there
    one = out_of_line(module, function, *made.all);
  if (one) {
    wide.retry = one;
    wide.retry_has_mask = false;
    wide.between_ends = way.between_ends;
  }
  write_form(module, way.laid_out(made.wide_by), *structure, way.lanes(made.wide_by), wide);
  return made;
}

}  // namespace hetjit::host
