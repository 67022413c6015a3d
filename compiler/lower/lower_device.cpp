// What a thread knows of its place and of the time: special registers on NVIDIA; registers and the
// hidden arguments of a launch on AMD; parameters on the host.
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>

#include "compiler/lower/lowering.h"

namespace hetjit::lower {
namespace {

using llvm::Value;
namespace Intrinsic = llvm::Intrinsic;

// By Coordinate, x y z each.
constexpr Intrinsic::ID kNvidia[kCoordinates] = {
    Intrinsic::nvvm_read_ptx_sreg_tid_x,    Intrinsic::nvvm_read_ptx_sreg_tid_y,
    Intrinsic::nvvm_read_ptx_sreg_tid_z,    Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
    Intrinsic::nvvm_read_ptx_sreg_ctaid_y,  Intrinsic::nvvm_read_ptx_sreg_ctaid_z,
    Intrinsic::nvvm_read_ptx_sreg_ntid_x,   Intrinsic::nvvm_read_ptx_sreg_ntid_y,
    Intrinsic::nvvm_read_ptx_sreg_ntid_z,   Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
    Intrinsic::nvvm_read_ptx_sreg_nctaid_y, Intrinsic::nvvm_read_ptx_sreg_nctaid_z,
};
constexpr Intrinsic::ID kAmd[6] = {
    Intrinsic::amdgcn_workitem_id_x,  Intrinsic::amdgcn_workitem_id_y,
    Intrinsic::amdgcn_workitem_id_z,  Intrinsic::amdgcn_workgroup_id_x,
    Intrinsic::amdgcn_workgroup_id_y, Intrinsic::amdgcn_workgroup_id_z,
};

// Where code objects from version 5 on keep a launch's dimensions, relative to the implicit
// argument pointer: the number of blocks as u32, the block's dimensions as u16.
Value* amd_implicit(Lowering& at, unsigned offset, llvm::Type* type, uint64_t least,
                    uint64_t limit) {
  auto& build = at.build;
  auto& context = at.module.context();
  Value* base = build.CreateIntrinsic(llvm::PointerType::get(context, 4),
                                      Intrinsic::amdgcn_implicitarg_ptr, {});
  Value* address = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), base, offset);
  unsigned bits = type->getIntegerBitWidth();
  // Two dimensions that lie aligned together are read at once by a scalar load, else by a vector
  // load.
  llvm::Align align = llvm::commonAlignment(llvm::Align(8), offset);
  auto* load = build.CreateAlignedLoad(type, address, align);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context, {}));
  load->setMetadata(
      llvm::LLVMContext::MD_range,
      llvm::MDBuilder(context).createRange(llvm::APInt(bits, least), llvm::APInt(bits, limit)));
  return build.CreateZExt(load, build.getInt32Ty());
}

Value* amd_coordinate(Lowering& at, Coordinate kind, unsigned axis) {
  if (kind == Coordinate::BlockDimension)
    return amd_implicit(at, 12 + 2 * axis, at.build.getInt16Ty(), 1, 1025);
  if (kind == Coordinate::GridDimension)
    return amd_implicit(at, 4 * axis, at.build.getInt32Ty(), 1, 0);  // 1 … 2^32 - 1
  return at.build.CreateIntrinsic(kAmd[static_cast<unsigned>(kind) + axis], {});
}

}  // namespace

Value* Lowering::coordinate(Coordinate kind, uint8_t axis) {
  unsigned index = static_cast<unsigned>(kind) + axis;
  if (module.on_host()) return function.getArg(function.arg_size() - kCoordinates + index);
  if (module.target.kind() == TargetKind::Amd) return amd_coordinate(*this, kind, axis);
  return build.CreateIntrinsic(kNvidia[index], {});
}

Leaves lower(Lowering& at, const ir::ThreadIndex& op) {
  return at.coordinate(Coordinate::Thread, op.axis);
}
Leaves lower(Lowering& at, const ir::BlockIndex& op) {
  return at.coordinate(Coordinate::Block, op.axis);
}
Leaves lower(Lowering& at, const ir::BlockDimension& op) {
  return at.coordinate(Coordinate::BlockDimension, op.axis);
}
Leaves lower(Lowering& at, const ir::GridDimension& op) {
  return at.coordinate(Coordinate::GridDimension, op.axis);
}
// NVIDIA's %clock64, AMD's s_memtime, the host's rdtsc. AMD's cycle counter has 20 bits from
// gfx1030 to gfx11; there it is the counter of 100 MHz.
Leaves lower(Lowering& at, const ir::Clock&) {
  std::string_view arch = at.module.target.name().arch;
  bool is_short = at.module.target.kind() == TargetKind::Amd &&
                  (arch.starts_with("gfx103") || arch.starts_with("gfx11"));
  return at.build.CreateIntrinsic(
      at.build.getInt64Ty(), is_short ? Intrinsic::readsteadycounter : Intrinsic::readcyclecounter,
      {});
}

}  // namespace hetjit::lower
