#include "compiler/host/warp_functions.h"

#include "compiler/host/vector_form.h"
#include "compiler/host/warp.h"
#include "compiler/lower/debug_info.h"

namespace hetjit::host {

void use_wide_registers(llvm::Function& function) {
  function.addFnAttr("prefer-vector-width", "512");
  function.addFnAttr("min-legal-vector-width", "512");
}

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
  auto* made = llvm::Function::Create(type, llvm::Function::InternalLinkage, function.name + form,
                                      module.module);
  module.target.prepare_function(*made);
  use_wide_registers(*made);
  return made;
}

/// Where lanes leave a loop at different times, or there is much arithmetic for what is read and
/// written, one warp's operations wait for one another, and other warps fill the gaps: as many as
/// the registers hold the loop's values of.
unsigned warps_side_by_side(const ir::Function& function, const Structure& structure,
                            const Shapes& shapes) {
  constexpr size_t kMuch = 16;   // vector operations on floats for an access
  constexpr size_t kSmall = 16;  // vector operations of a loop
  size_t accesses = 1, operations = 0, in_loops = 0;
  for (uint32_t block = 0; block < function.blocks.size(); ++block)
    for (const ir::Inst& inst : function.blocks[block].insts) {
      accesses += (ir::info(inst.op).effects & (ir::Reads | ir::Writes)) != 0;
      if (!inst.result.valid() || shapes.of(inst.result).spread != Spread::Varying) continue;
      TypeId type = function.type_of(inst.result);
      operations += is_scalar(type) && is_floating(hetjit::type(type).scalar);
      in_loops += structure.loop_of(block) != nullptr;
    }
  bool apart = false;
  for (const auto& loop : structure.loops()) apart |= shapes.leaves_apart(loop.get());
  if (apart) return in_loops <= kSmall ? 4 : 2;
  return operations > kMuch * accesses ? 2 : 1;
}

void write_form(lower::ModuleLowering& module, const ir::Function& function,
                const Structure& structure, const Shapes& shapes, const WarpForm& form) {
  if (module.debug) module.debug->enter(function, form.function);
  Warp(module, function, structure, shapes, form).run();
}

}  // namespace

std::optional<WarpFunctions> write_warp_functions(lower::ModuleLowering& module, unsigned width) {
  std::optional<ir::Function> flat = flattened(module.ir);
  if (!flat || why_no_vector_form(*flat)) return std::nullopt;
  const ir::Function& function = *flat;
  std::optional<Structure> structure = Structure::find(function);
  Shapes shapes(function, *structure);
  auto* mask = llvm::FixedVectorType::get(llvm::Type::getInt1Ty(module.context()), width);
  WarpFunctions made{declare(module, function, ".warp", nullptr),
                     declare(module, function, ".lanes", mask), width};
  made.all->addFnAttr(llvm::Attribute::AlwaysInline);
  made.some->addFnAttr(llvm::Attribute::NoInline);
  WarpForm some{*made.some, width}, all{*made.all, width, made.some, width};
  write_form(module, function, *structure, shapes, all);
  write_form(module, function, *structure, shapes, some);
  made.wide_by = warps_side_by_side(function, *structure, shapes);
  if (made.wide_by == 1 || made.wide_by * width > kMaxLanes) return made;
  made.wide = declare(module, function, ".wide", nullptr);
  made.wide->addFnAttr(llvm::Attribute::AlwaysInline);
  write_form(module, function, *structure, shapes,
             {*made.wide, made.wide_by * width, made.some, width});
  return made;
}

}  // namespace hetjit::host
