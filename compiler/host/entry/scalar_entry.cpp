// void entry(const std::byte* parameters, const Geometry* geometry, u64 first, u64 last)
//
//   for block in [first, last):            linear, x fastest
//     for z, y, x in the block:            threads
//       functions[0](parameters..., thread, block, block dimension, grid dimension)
//
// Of a kernel that has a vector form, x goes by warps: whole ones, then one with a mask. The
// parameters are read once, before all loops; the body is inlined.
#include "compiler/host/entry/scalar_entry.h"

#include <algorithm>

#include "compiler/host/entry/warp_rows.h"
#include "compiler/host/facts/any_op.h"
#include "compiler/host/plan/side_by_side.h"

namespace hetjit::host {
namespace {

using llvm::Value;

struct ThreadEntry : Entry {
  ThreadEntry(lower::ModuleLowering& module, const std::string& name,
              const std::optional<WarpFunctions>& warps, const KnownExtents& extents, bool apart,
              const FlatBlocks& flat)
      : Entry(module, declare_entry(module, name)),
        accesses(llvm::MDNode::getDistinct(module.context(), {})),
        warps(warps),
        apart(apart) {
    set_extents(extents);
    lay_blocks(flat);
  }
  llvm::MDNode* accesses;  // the access group of a thread's body
  const std::optional<WarpFunctions>& warps;
  const bool apart;  // what a thread writes shares no memory with another array
};

/// For as long as one thread runs; inlining hands it on.
void mark_apart(ThreadEntry& at, llvm::CallInst& call) {
  const ir::Function& ir = at.module.ir.functions[0];
  for (uint32_t i = 0; i < ir.blocks[0].params.size(); ++i)
    if (!is_scalar(ir.type_of(ir.blocks[0].params[i])))
      call.addParamAttr(static_cast<unsigned>(at.first_leaf(i)), llvm::Attribute::NoAlias);
}

void run_thread(ThreadEntry& at) {
  llvm::CallInst* call = at.build.CreateCall(at.module.functions[0], at.arguments);
  call->setMetadata(llvm::LLVMContext::MD_access_group, at.accesses);  // inlining hands it on
  if (at.apart) mark_apart(at, *call);
  if (!at.result_address) return;
  TypeId result = at.module.ir.functions[0].result;
  lower::Leaves parts = lower::outcome(at.build, at.module, 0, call).leaves;
  lower::store_value(at.build, at.module.types, result, at.result_address, parts);
}

/// Memory that each thread has anew is one place on the stack of the loop over them.
bool has_own_memory(const ir::Module& module) {
  return std::ranges::any_of(module.functions, [](const ir::Function& function) {
    return any_op(function, [](const ir::Op& op) {
      return ir::info(op).points == ir::Points::Local ||
             std::holds_alternative<ir::ExternalCall>(op);
    });
  });
}

/// Threads run in any order and side by side, so an access of one never waits for one of another:
/// LLVM may vectorise the loop over them without asking whether arrays overlap.
void mark_parallel(ThreadEntry& at, llvm::Instruction* back) {
  llvm::LLVMContext& context = at.module.context();
  llvm::Metadata* parallel[] = {llvm::MDString::get(context, "llvm.loop.parallel_accesses"),
                                at.accesses};
  llvm::MDNode* loop =
      llvm::MDNode::getDistinct(context, {nullptr, llvm::MDNode::get(context, parallel)});
  loop->replaceOperandWith(0, loop);
  back->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

void loop_over_x(ThreadEntry& at) {
  Value* count = at.coordinate(lower::Coordinate::BlockDimension, 0);
  if (at.warps) return loop_over_warps(at, *at.warps, at.build.getInt32(0), count);
  llvm::Instruction* back =
      counted_loop(at.build, at.build.getInt32(0), count, "thread.x", [&](Value* index) {
        at.coordinate(lower::Coordinate::Thread, 0) = index;
        run_thread(at);
      });
  if (!has_own_memory(at.module.ir)) mark_parallel(at, back);
}

void run_threads(ThreadEntry& at) {
  auto& build = at.build;
  Value* zero = build.getInt32(0);
  Value* height = at.coordinate(lower::Coordinate::BlockDimension, 1);
  Value* depth = at.coordinate(lower::Coordinate::BlockDimension, 2);
  if (!asks_beyond_x(at.module.ir)) {  // most kernels: a loop less to compile
    at.coordinate(lower::Coordinate::Thread, 1) = zero;
    at.coordinate(lower::Coordinate::Thread, 2) = zero;
    counted_loop(build, zero, build.CreateMul(height, depth), "thread.yz",
                 [&](Value*) { loop_over_x(at); });
    return;
  }
  counted_loop(build, zero, depth, "thread.z", [&](Value* z) {
    at.coordinate(lower::Coordinate::Thread, 2) = z;
    counted_loop(build, zero, height, "thread.y", [&](Value* y) {
      at.coordinate(lower::Coordinate::Thread, 1) = y;
      loop_over_x(at);
    });
  });
}

}  // namespace

llvm::Function* build_scalar_entry(lower::ModuleLowering& module, const std::string& name,
                                   const std::optional<WarpFunctions>& warps,
                                   const KnownExtents& extents, bool apart,
                                   const FlatBlocks& flat) {
  ThreadEntry at(module, name, warps, extents, apart, flat);
  counted_loop(at.build, at.function.getArg(2), at.function.getArg(3), "block", [&](Value* linear) {
    at.split_block(linear);
    run_threads(at);
  });
  at.build.CreateRetVoid();
  return &at.function;
}

}  // namespace hetjit::host
