#include "compiler/host/entry/phase_functions.h"

#include <llvm/IR/IntrinsicInst.h>

#include "compiler/host/warp/warp.h"
#include "compiler/lower/debug_info.h"
#include "compiler/target/symbol_name.h"

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
  auto* made = llvm::Function::Create(llvm::FunctionType::get(i32, parameters, false),
                                      llvm::Function::InternalLinkage,
                                      target::symbol_name(phase.name) + form, module.module);
  module.target.prepare_function(*made);
  use_wide_registers(*made);
  // The block's memory is seen by nobody else while the phase runs, but by what it gives out.
  unsigned frame = made->arg_size() - lower::kCoordinates - kFrameArguments;
  for (unsigned i : {frame, frame + 1})
    made->addParamAttr(i, llvm::Attribute::getWithAlignment(context, llvm::Align(kBlockAlign)));
  return made;
}

/// Slots are memory that no pointer of the kernel's leads to.
void keep_from_slots(lower::ModuleLowering& module, llvm::Function& form) {
  llvm::MDNode* slots = llvm::MDNode::get(module.context(), {slot_scope(module)});
  for (llvm::BasicBlock& block : form)
    for (llvm::Instruction& inst : block) {
      bool reaches_slots = llvm::isa<llvm::CallBase>(inst) && !llvm::isa<llvm::IntrinsicInst>(inst);
      if (inst.mayReadOrWriteMemory() && !reaches_slots &&
          !inst.hasMetadata(llvm::LLVMContext::MD_alias_scope))
        inst.setMetadata(llvm::LLVMContext::MD_noalias, slots);
    }
}

void write_form(PhasedCode& code, const ir::Function& phase, const Structure& structure,
                Lanes lanes, llvm::Function& form, llvm::Function* retry) {
  if (code.module.debug) code.module.debug->enter(phase, form);
  Shapes shapes(phase, structure, lanes);
  WarpPlan plan{code.kernel.phases, code.frame, lanes.view, code.kernel.loses_lanes,
                code.kernel.tier};
  unsigned width = code.frame.width;
  Warp(code.module, phase, structure, shapes, {form, width, retry, width, &plan}).run();
  keep_from_slots(code.module, form);
}

/// The form for all lanes of a phase in which a question is settled.
llvm::Function* write_settled(PhasedCode& code, const ir::Function& phase, llvm::Function& some) {
  const std::optional<Structure> structure = Structure::find(phase);
  HETJIT_CHECK(structure);
  llvm::Function* form = declare(code, phase, ".warp", false);
  form->addFnAttr(llvm::Attribute::AlwaysInline);
  write_form(code, phase, *structure, code.kernel.lanes(), *form, &some);
  return form;
}

}  // namespace

void write_phases(PhasedCode& code) {
  for (size_t i = 0; i < code.kernel.phases.functions.size(); ++i) {
    const ir::Function& phase = code.kernel.phases.functions[i];
    std::optional<Structure> structure = Structure::find(phase);
    HETJIT_CHECK(structure);
    WarpFunctions made{declare(code, phase, ".warp", false), declare(code, phase, ".lanes", true),
                       code.frame.width};
    made.all->addFnAttr(llvm::Attribute::AlwaysInline);
    made.some->addFnAttr(llvm::Attribute::NoInline);
    write_form(code, phase, *structure, code.kernel.lanes(), *made.all, made.some);
    write_form(code, phase, *structure, {code.kernel.view, code.frame.width}, *made.some, nullptr);
    made.by_rows = code.kernel.by_rows[i];
    if (const auto& busy = code.kernel.busy[i]; busy && busy->settled) {
      made.first = write_settled(code, busy->settled->first, *made.some);
      if (busy->settled->rest) made.rest = write_settled(code, *busy->settled->rest, *made.some);
    }
    code.forms.push_back(made);
  }
}

}  // namespace hetjit::host
