// LLVM's IR as libNVVM reads it: that of an older LLVM, and NVIDIA's own at its edges. What is said
// here in vain, as most attributes, is left out; what is an instruction is written another way. The
// tables are what libNVVM 13.0 made an error of, or a call of a function that nobody has.
// tests/interop/test_ltoir.py
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "compiler/target/rewrites.h"

namespace hetjit::target {
namespace {

using llvm::Attribute;
using llvm::Instruction;
using llvm::StringRef;
using llvm::Value;

// ---- what is said of functions

/// Those that calls depend on, and those that keep an optimiser from doing what is wrong or make it
/// do what we count on. All others are but known to us.
constexpr Attribute::AttrKind kAttributes[] = {
    Attribute::ByVal,      Attribute::StructRet, Attribute::Alignment,
    Attribute::ZExt,       Attribute::SExt,      Attribute::StackAlignment,
    Attribute::Convergent, Attribute::NoInline,  Attribute::AlwaysInline,
    Attribute::NoUnwind,   Attribute::NoReturn,  Attribute::WillReturn,
    Attribute::NoAlias,    Attribute::NonNull,
};

llvm::AttributeList known(llvm::LLVMContext& context, const llvm::AttributeList& all) {
  llvm::AttributeList made;
  for (unsigned index : all.indexes()) {
    llvm::AttrBuilder some(context);
    for (const Attribute& attribute : all.getAttributes(index))
      if (attribute.hasKindAsEnum() && llvm::is_contained(kAttributes, attribute.getKindAsEnum()))
        some.addAttribute(attribute);
    made = made.addAttributesAtIndex(context, index, some);
  }
  return made;
}

struct Limit {
  const char *attribute, *annotation;
};
constexpr Limit kLimits[] = {
    {"nvvm.maxntid", "maxntidx"}, {"nvvm.minctasm", "minctasm"}, {"nvvm.maxnreg", "maxnreg"}};

void annotate_kernel(llvm::Function& kernel) {
  annotate(kernel, "kernel", 1);
  for (const Limit& limit : kLimits) {
    uint32_t number = 0;
    StringRef text = kernel.getFnAttribute(limit.attribute).getValueAsString();
    if (!text.getAsInteger(10, number)) annotate(kernel, limit.annotation, number);
  }
}

// ---- intrinsics

/// Of the same operands and result.
struct Renamed {
  StringRef ours, theirs;
};
constexpr Renamed kRenamed[] = {
    {"llvm.nvvm.barrier.cta.sync.aligned.all", "llvm.nvvm.barrier.n"},
    {"llvm.nvvm.ex2.approx.f32", "llvm.nvvm.ex2.approx.f"},
    {"llvm.nvvm.ex2.approx.ftz.f32", "llvm.nvvm.ex2.approx.ftz.f"},
    {"llvm.nvvm.fabs.f32", "llvm.fabs.f32"},
    {"llvm.nvvm.fabs.f64", "llvm.fabs.f64"},
    // The instruction saturates; theirs compares first.
    {"llvm.fptosi.sat.i32.f32", "llvm.nvvm.f2i.rz"},
    {"llvm.fptoui.sat.i32.f32", "llvm.nvvm.f2ui.rz"},
};

/// Bools go as 32 bits.
struct AsPtx {
  StringRef intrinsic;
  const char *text, *constraints;
};
constexpr const char* kIn = ".reg .pred %in, %out; setp.ne.u32 %in, $2, 0; ";
constexpr AsPtx kAsPtx[] = {
    {"llvm.nvvm.activemask", "activemask.b32 $0;", "=r,~{memory}"},
    {"llvm.nvvm.nanosleep", "nanosleep.u32 $0;", "r,~{memory}"},
    {"llvm.nvvm.read.ptx.sreg.dynamic_smem_size", "mov.u32 $0, %dynamic_smem_size;", "=r"},
    {"llvm.nvvm.fabs.ftz.f32", "abs.ftz.f32 $0, $1;", "=f,f"},
    {"llvm.nvvm.barrier.cta.red.popc.aligned.all", "barrier.red.popc.aligned.u32 $0, $1, %in;",
     "=r,r,r,~{memory}"},
    {"llvm.nvvm.barrier.cta.red.and.aligned.all",
     "barrier.red.and.aligned.pred %out, $1, %in; selp.u32 $0, 1, 0, %out;", "=r,r,r,~{memory}"},
    {"llvm.nvvm.barrier.cta.red.or.aligned.all",
     "barrier.red.or.aligned.pred %out, $1, %in; selp.u32 $0, 1, 0, %out;", "=r,r,r,~{memory}"},
};

/// Hints to our own passes, which are done.
constexpr StringRef kHints[] = {"llvm.lifetime.", "llvm.assume",
                                "llvm.experimental.noalias.scope.decl", "llvm.donothing"};

Value* call_asm(llvm::IRBuilder<>& build, llvm::Type* result, const std::string& text,
                StringRef constraints, llvm::ArrayRef<Value*> operands) {
  llvm::SmallVector<llvm::Type*, 4> types;
  for (Value* operand : operands) types.push_back(operand->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  const bool effects = constraints.contains("memory");
  llvm::CallInst* call =
      build.CreateCall(type, llvm::InlineAsm::get(type, text, constraints, effects), operands);
  call->setDoesNotThrow();
  if (effects) call->setConvergent();
  return call;
}

void write_as_ptx(llvm::CallInst& call, const AsPtx& row) {
  llvm::IRBuilder<> build(&call);
  llvm::Type* word = build.getInt32Ty();
  llvm::SmallVector<Value*, 4> operands;
  for (Value* operand : call.args())
    operands.push_back(operand->getType()->isIntegerTy(1) ? build.CreateZExt(operand, word)
                                                          : operand);
  const bool is_bool = call.getType()->isIntegerTy(1);
  const std::string text = StringRef(row.text).contains("%in")
                               ? "{ " + std::string(kIn) + row.text + " }"
                               : std::string(row.text);
  Value* made = call_asm(build, is_bool ? word : call.getType(), text, row.constraints, operands);
  if (is_bool) made = build.CreateICmpNE(made, build.getInt32(0));
  call.replaceAllUsesWith(made);
}

template <class Write>
void replace_calls(llvm::Function& function, Write&& write) {
  for (llvm::User* user : llvm::make_early_inc_range(function.users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    write(*call);
    call->eraseFromParent();
  }
  function.eraseFromParent();
}

void write_intrinsic(llvm::Function& function) {
  const StringRef name = function.getName();
  if (llvm::any_of(kHints, [&](StringRef hint) { return name.starts_with(hint); }))
    return replace_calls(function, [](llvm::CallInst&) {});
  const auto* ptx = llvm::find_if(kAsPtx, [&](const AsPtx& row) { return row.intrinsic == name; });
  if (ptx != std::end(kAsPtx))
    return replace_calls(function, [&](llvm::CallInst& call) { write_as_ptx(call, *ptx); });
  const auto* renamed =
      llvm::find_if(kRenamed, [&](const Renamed& row) { return row.ours == name; });
  if (renamed == std::end(kRenamed)) return;
  llvm::Function* theirs = function.getParent()->getFunction(renamed->theirs);
  if (theirs) return function.replaceAllUsesWith(theirs);
  function.setName(renamed->theirs);
}

// ---- products

/// Which products are fused with sums is decided in our own IR (compiler/passes/contract.cpp). Who
/// links would do it everywhere, were they LLVM's, unless told otherwise.
Value* product(llvm::IRBuilder<>& build, Value* a, Value* b) {
  llvm::Type* type = a->getType();
  if (type->isFloatTy() || type->isDoubleTy()) {
    const char* name = type->isFloatTy() ? "llvm.nvvm.mul.rn.f" : "llvm.nvvm.mul.rn.d";
    llvm::Module& module = *build.GetInsertBlock()->getModule();
    return build.CreateCall(module.getOrInsertFunction(name, type, type, type), {a, b});
  }
  llvm::Type* bits = build.getInt16Ty();
  const char* text = type->isHalfTy() ? "mul.rn.f16 $0, $1, $2;" : "mul.rn.bf16 $0, $1, $2;";
  Value* made = call_asm(build, bits, text, "=h,h,h",
                         {build.CreateBitCast(a, bits), build.CreateBitCast(b, bits)});
  return build.CreateBitCast(made, type);
}

void write_product(llvm::BinaryOperator& times) {
  if (times.hasAllowContract()) return;
  llvm::IRBuilder<> build(&times);
  Value *a = times.getOperand(0), *b = times.getOperand(1), *made = nullptr;
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(times.getType())) {
    made = llvm::PoisonValue::get(vector);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      made = build.CreateInsertElement(
          made, product(build, build.CreateExtractElement(a, i), build.CreateExtractElement(b, i)),
          i);
  } else {
    made = product(build, a, b);
  }
  times.replaceAllUsesWith(made);
  times.eraseFromParent();
}

// ---- all together

void write_instruction(Instruction& instruction) {
  instruction.dropUnknownNonDebugMetadata(
      {llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_loop});
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    call->setAttributes(known(call->getContext(), call->getAttributes()));
  if (auto* address = llvm::dyn_cast<llvm::PtrToAddrInst>(&instruction)) {
    llvm::IRBuilder<> build(address);
    address->replaceAllUsesWith(
        build.CreatePtrToInt(address->getPointerOperand(), address->getType()));
    address->eraseFromParent();
  } else if (instruction.getOpcode() == Instruction::FMul) {
    write_product(llvm::cast<llvm::BinaryOperator>(instruction));
  }
}

/// The linker drops what nobody calls, kernels too.
void keep(llvm::Module& module) {
  llvm::SmallVector<llvm::GlobalValue*, 4> made;
  for (llvm::Function& function : module)
    if (!function.isDeclaration() && !function.hasLocalLinkage()) made.push_back(&function);
  llvm::appendToUsed(module, made);
}

void say_version(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::SmallVector<llvm::Metadata*, 4> numbers;
  for (uint32_t number :
       {2, 0, 3, 2})  // of the IR: what sm_100 is the first to have; of debug info
    numbers.push_back(
        llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(context, llvm::APInt(32, number))));
  module.getOrInsertNamedMetadata("nvvmir.version")
      ->addOperand(llvm::MDNode::get(context, numbers));
}

constexpr StringRef kAnnotations = "nvvm.annotations";

}  // namespace

void annotate(llvm::Function& function, StringRef what, uint32_t number) {
  llvm::LLVMContext& context = function.getContext();
  auto* value =
      llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(context, llvm::APInt(32, number)));
  function.getParent()
      ->getOrInsertNamedMetadata(kAnnotations)
      ->addOperand(llvm::MDNode::get(context, {llvm::ConstantAsMetadata::get(&function),
                                               llvm::MDString::get(context, what), value}));
}

void write_nvvm_dialect(llvm::Module& module) {
  llvm::StripDebugInfo(module);
  for (llvm::NamedMDNode& list : llvm::make_early_inc_range(module.named_metadata()))
    if (list.getName() != kAnnotations) list.eraseFromParent();
  for (llvm::Function& function : llvm::make_early_inc_range(module))
    if (function.isIntrinsic()) write_intrinsic(function);
  for (llvm::Function& function : module) {
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel) annotate_kernel(function);
    // Of an intrinsic who reads it knows them.
    function.setAttributes(function.getName().starts_with("llvm.")
                               ? llvm::AttributeList()
                               : known(module.getContext(), function.getAttributes()));
    for (Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
      write_instruction(instruction);
  }
  keep(module);
  say_version(module);
}

}  // namespace hetjit::target
