#include "compiler/host/phase_functions.h"

#include "compiler/host/warp.h"
#include "compiler/lower/debug_info.h"
#include "compiler/passes/inline.h"

namespace hetjit::host {
namespace {

llvm::Function* declare(PhasedCode& code, const ir::Function& phase, const char* form,
                        bool with_mask) {
  lower::ModuleLowering& module = code.module;
  llvm::LLVMContext& context = module.context();
  auto *i32 = llvm::Type::getInt32Ty(context), *i1 = llvm::Type::getInt1Ty(context);
  auto* pointer = llvm::PointerType::get(context, 0);
  llvm::SmallVector<llvm::Type*, 32> parameters;
  for (ValueId param : phase.blocks[0].params)
    for (const lower::Leaf& leaf : module.types.leaves(phase.type_of(param)))
      parameters.push_back(leaf.type);
  if (with_mask) parameters.push_back(llvm::FixedVectorType::get(i1, code.frame.width));
  parameters.append({pointer, pointer, i32});
  static_assert(kFrameArguments == 3);
  parameters.append(lower::kCoordinates, i32);
  auto* made =
      llvm::Function::Create(llvm::FunctionType::get(i32, parameters, false),
                             llvm::Function::InternalLinkage, phase.name + form, module.module);
  module.target.prepare_function(*made);
  use_wide_registers(*made);
  // The block's memory is seen by nobody else while the phase runs, but by what it gives out.
  unsigned frame = made->arg_size() - lower::kCoordinates - kFrameArguments;
  for (unsigned i : {frame, frame + 1})
    made->addParamAttr(i, llvm::Attribute::getWithAlignment(context, llvm::Align(kFrameAlign)));
  return made;
}

void write_form(PhasedCode& code, const ir::Function& phase, const Structure& structure, View view,
                llvm::Function& form, llvm::Function* retry) {
  if (code.module.debug) code.module.debug->enter(phase, form);
  Shapes shapes(phase, structure, view);
  WarpPlan plan{code.kernel.phases, code.frame, view, code.kernel.loses_lanes};
  unsigned width = code.frame.width;
  Warp(code.module, phase, structure, shapes, {form, width, retry, width, &plan}).run();
}

}  // namespace

void write_phases(PhasedCode& code) {
  for (const ir::Function& phase : code.kernel.phases.functions) {
    std::optional<Structure> structure = Structure::find(phase);
    HETJIT_CHECK(structure);
    WarpFunctions made{declare(code, phase, ".warp", false), declare(code, phase, ".lanes", true),
                       code.frame.width};
    made.all->addFnAttr(llvm::Attribute::AlwaysInline);
    made.some->addFnAttr(llvm::Attribute::NoInline);
    write_form(code, phase, *structure, View::Row, *made.all, made.some);
    write_form(code, phase, *structure, code.kernel.view, *made.some, nullptr);
    code.forms.push_back(made);
  }
}

std::optional<ir::Function> alone(const ir::Module& module) {
  ir::Module flat = module;
  if (!passes::inline_calls(flat)) return std::nullopt;
  ir::Function kernel = std::move(flat.functions[0]);
  if (kernel.result == none_type()) return kernel;
  ValueId address{static_cast<uint32_t>(kernel.types.size())};
  kernel.types.push_back(pointer_type(kernel.result));
  kernel.blocks[0].params.push_back(address);
  kernel.parameter_names.push_back("result");
  kernel.result = none_type();
  for (ir::Block& block : kernel.blocks) {
    auto* leave = std::get_if<ir::Return>(&block.insts.back().op);
    if (!leave) continue;
    ir::Inst last = std::move(block.insts.back());
    block.insts.pop_back();
    ir::Store store;
    store.in = {address, std::get<ir::Return>(last.op).in[0]};
    block.insts.push_back({store, {}, last.where});
    ValueId none{static_cast<uint32_t>(kernel.types.size())};
    kernel.types.push_back(none_type());
    block.insts.push_back({ir::ConstNone{}, none, last.where});
    std::get<ir::Return>(last.op).in = {none};
    block.insts.push_back(std::move(last));
  }
  return kernel;
}

}  // namespace hetjit::host
