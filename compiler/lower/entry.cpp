// The GPU kernel: its parameters are taken apart and functions[0] is called, which then vanishes
// by inlining.
//
// The parameters must lie as abi/layout's parameter_block says, which is also how CUDA and HIP lay
// out kernel parameters: each at its own alignment. Scalars and pointers are LLVM scalars of the
// same size; everything else is bytes behind a pointer, `byval` in NVIDIA's parameter space,
// `byref` in AMD's constant memory. Both read fields straight from there.
#include <llvm/IR/MDBuilder.h>

#include "abi/index_width.h"
#include "abi/layout.h"
#include "compiler/lower/debug_info.h"
#include "compiler/lower/gpu.h"

namespace hetjit::lower {
namespace {

using llvm::Value;

/// The LLVM type of a parameter that is passed directly, or null for one in memory. Bits, so that
/// the parameter's size is the scalar's: bool is i8, f16 is i16.
llvm::Type* direct_type(llvm::LLVMContext& context, TypeId id) {
  const Type& it = type(id);
  if (it.kind == TypeKind::Pointer) return llvm::PointerType::get(context, 1);
  if (it.kind == TypeKind::None) return llvm::Type::getInt64Ty(context);
  if (it.kind != TypeKind::Scalar || is_complex(it.scalar)) return nullptr;
  if (it.scalar == Scalar::Float32) return llvm::Type::getFloatTy(context);
  if (it.scalar == Scalar::Float64) return llvm::Type::getDoubleTy(context);
  return llvm::Type::getIntNTy(context, info(it.scalar).bits);
}

struct Entry {
  ModuleLowering& module;
  llvm::Function& kernel;
  llvm::IRBuilder<> build;
};

void describe_memory_parameter(Entry& at, const GpuOps& device, unsigned index, const Layout& lay) {
  auto& context = at.module.context();
  auto* bytes = llvm::ArrayType::get(llvm::Type::getInt8Ty(context), lay.size);
  device.describe_parameter(at.kernel, index, bytes);
  auto align = llvm::Attribute::getWithAlignment(context, llvm::Align(lay.align));
  at.kernel.addParamAttr(index, align);
}

/// Pointers that come from outside point to device memory: said once, here, and LLVM carries it to
/// every access.
void globalise(Entry& at, TypeId id, Leaves& leaves) {
  auto* generic = llvm::PointerType::get(at.module.context(), 0);
  auto* global = llvm::PointerType::get(at.module.context(), at.module.target.spaces().global);
  llvm::ArrayRef<Leaf> types = at.module.types.leaves(id);
  for (size_t i = 0; i < leaves.size(); ++i)
    if (types[i].type->isPointerTy()) {
      Value* cast = at.build.CreateAddrSpaceCast(leaves[i], global);
      leaves[i] = at.build.CreateAddrSpaceCast(cast, generic);
    }
}

/// Extents that fit 32 bits are read as such: then cutting them down costs nothing, wherever it is.
void narrow_extents(Entry& at, const Type& array, Leaves& leaves) {
  if (array.facts.index_bits != 32) return;
  llvm::MDNode* extents = llvm::MDBuilder(at.module.context())
                              .createRange(llvm::APInt(32, 0), llvm::APInt(32, kMostIndex32 + 1));
  for (unsigned axis = 0; axis < array.rank; ++axis) {
    auto* wide = llvm::cast<llvm::LoadInst>(leaves[1 + axis]);
    auto* narrow = at.build.CreateAlignedLoad(at.build.getInt32Ty(), wide->getPointerOperand(),
                                              wide->getAlign());  // little-endian
    narrow->copyMetadata(*wide);
    narrow->setMetadata(llvm::LLVMContext::MD_range, extents);
    leaves[1 + axis] =
        at.build.CreateZExt(narrow, wide->getType(), wide->getName(), /*IsNonNeg=*/true);
    wide->eraseFromParent();
  }
}

Leaves read_parameter(Entry& at, unsigned index, TypeId id) {
  llvm::Argument* argument = at.kernel.getArg(index);
  Leaves leaves;
  if (!direct_type(at.module.context(), id)) {
    leaves = load_value(at.build, at.module.types, id, argument, /*invariant=*/true);
    if (type(id).kind == TypeKind::Array) narrow_extents(at, type(id), leaves);
  } else if (type(id).kind == TypeKind::Pointer) {
    leaves = argument;
  } else if (type(id).kind == TypeKind::Scalar) {
    llvm::Type* wanted = at.module.types.value_type(type(id).scalar);
    leaves = type(id).scalar == Scalar::Bool ? at.build.CreateIsNotNull(argument)
                                             : at.build.CreateBitCast(argument, wanted);
  }
  globalise(at, id, leaves);
  return leaves;
}

llvm::Function* declare_kernel(ModuleLowering& module, const std::string& name,
                               const std::vector<TypeId>& types) {
  llvm::LLVMContext& context = module.context();
  llvm::SmallVector<llvm::Type*, 16> parameters;
  for (TypeId id : types) {
    llvm::Type* direct = direct_type(context, id);
    unsigned space = module.target.spaces().constant;
    parameters.push_back(direct ? direct : llvm::PointerType::get(context, space));
  }
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), parameters, false);
  return llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module.module);
}

}  // namespace

llvm::Function* build_gpu_entry(ModuleLowering& module, const GpuOps& device,
                                const std::string& name) {
  const ir::Function& function = module.ir.functions[0];
  std::vector<TypeId> types = block_types(function);
  llvm::Function* kernel = declare_kernel(module, name, types);
  Entry at{module, *kernel, llvm::IRBuilder<>(module.context())};
  at.build.SetInsertPoint(llvm::BasicBlock::Create(module.context(), "entry", kernel));
  if (module.debug) at.build.SetCurrentDebugLocation(module.debug->enter_entry(function, *kernel));

  llvm::SmallVector<Value*, 16> arguments;
  size_t own = function.blocks[0].params.size();
  Leaves result_address;
  for (unsigned i = 0; i < types.size(); ++i) {
    if (!direct_type(module.context(), types[i]))
      describe_memory_parameter(at, device, i, layout(types[i]));
    Leaves leaves = read_parameter(at, i, types[i]);
    if (i < own)
      arguments.append(leaves);
    else
      result_address = leaves;
  }
  llvm::CallInst* call = at.build.CreateCall(module.functions[0], arguments);
  if (!result_address.empty()) {
    Leaves parts = outcome(at.build, module, 0, call).leaves;
    store_value(at.build, module.types, function.result, result_address[0], parts);
  }
  at.build.CreateRetVoid();
  return kernel;
}

}  // namespace hetjit::lower
