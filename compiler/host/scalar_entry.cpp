// void entry(const std::byte* parameters, const Geometry* geometry, u64 first, u64 last)
//
//   for block in [first, last):            linear, x fastest
//     for z, y, x in the block:            threads
//       functions[0](parameters..., thread, block, block dimension, grid dimension)
//
// Of a kernel that has a vector form, x goes by warps: whole ones, then one with a mask. The
// parameters are read once, before all loops; the body is inlined.
#include "compiler/host/scalar_entry.h"

#include <cstddef>

#include "abi/layout.h"
#include "compiler/lower/debug_info.h"

namespace hetjit::host {
namespace {

using llvm::Value;

static_assert(offsetof(Geometry, grid) == 0 && offsetof(Geometry, block) == 12);

/// A loop from `from` to below `to` round what `body(index)` builds. Ends in the exit block. The
/// result is the branch back, which carries what is known of the loop.
template <class Body>
llvm::Instruction* counted_loop(llvm::IRBuilder<>& build, Value* from, Value* to, const char* name,
                                Body&& body) {
  llvm::LLVMContext& context = build.getContext();
  llvm::BasicBlock* before = build.GetInsertBlock();
  llvm::Function* function = before->getParent();
  auto* head = llvm::BasicBlock::Create(context, name, function);
  auto* exit = llvm::BasicBlock::Create(context, llvm::Twine(name) + ".done", function);
  build.CreateCondBr(build.CreateICmpULT(from, to), head, exit);
  build.SetInsertPoint(head);
  llvm::PHINode* index = build.CreatePHI(from->getType(), 2, name);
  index->addIncoming(from, before);
  body(index);
  Value* next = build.CreateAdd(index, llvm::ConstantInt::get(index->getType(), 1), "",
                                /*NUW=*/true, /*NSW=*/false);
  index->addIncoming(next, build.GetInsertBlock());
  llvm::Instruction* back = build.CreateCondBr(build.CreateICmpULT(next, to), head, exit);
  exit->moveAfter(build.GetInsertBlock());
  build.SetInsertPoint(exit);
  return back;
}

struct Entry {
  lower::ModuleLowering& module;
  llvm::Function& function;
  llvm::IRBuilder<> build;
  llvm::SmallVector<Value*, 32> arguments;  // the parameters' leaves, then the coordinates
  size_t first_coordinate = 0;
  Value* result_address = nullptr;
  llvm::MDNode* accesses = nullptr;  // the access group of a thread's body
  const std::optional<WarpFunctions>& warps;
};

Value*& coordinate(Entry& at, lower::Coordinate kind, unsigned axis) {
  return at.arguments[at.first_coordinate + static_cast<unsigned>(kind) + axis];
}

void read_parameters(Entry& at) {
  const ir::Function& ir = at.module.ir.functions[0];
  std::vector<TypeId> types = lower::block_types(ir);
  BlockLayout block = parameter_block(types);
  size_t own = ir.blocks[0].params.size();
  for (size_t i = 0; i < types.size(); ++i) {
    Value* address = at.build.CreateConstInBoundsGEP1_64(at.build.getInt8Ty(),
                                                         at.function.getArg(0), block.offsets[i]);
    lower::Leaves leaves =
        lower::load_value(at.build, at.module.types, types[i], address, /*invariant=*/true);
    if (i < own)
      at.arguments.append(leaves);
    else
      at.result_address = leaves[0];
  }
}

void read_geometry(Entry& at) {
  auto& build = at.build;
  at.first_coordinate = at.arguments.size();
  at.arguments.append(lower::kCoordinates, nullptr);
  auto read = [&](lower::Coordinate kind, unsigned axis, unsigned offset) {
    Value* address = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), at.function.getArg(1),
                                                      offset + 4 * axis);
    coordinate(at, kind, axis) =
        build.CreateAlignedLoad(build.getInt32Ty(), address, llvm::Align(4));
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    read(lower::Coordinate::GridDimension, axis, 0);
    read(lower::Coordinate::BlockDimension, axis, 12);
  }
}

/// linear = x + grid.x * (y + grid.y * z)
void split_block(Entry& at, Value* linear) {
  auto& build = at.build;
  auto grid = [&](unsigned axis) {
    return build.CreateZExt(coordinate(at, lower::Coordinate::GridDimension, axis),
                            build.getInt64Ty());
  };
  auto set = [&](unsigned axis, Value* value) {
    coordinate(at, lower::Coordinate::Block, axis) = build.CreateTrunc(value, build.getInt32Ty());
  };
  Value* rows = build.CreateUDiv(linear, grid(0));
  set(0, build.CreateSub(linear, build.CreateMul(rows, grid(0))));
  Value* planes = build.CreateUDiv(rows, grid(1));
  set(1, build.CreateSub(rows, build.CreateMul(planes, grid(1))));
  set(2, planes);
}

void run_thread(Entry& at) {
  llvm::CallInst* call = at.build.CreateCall(at.module.functions[0], at.arguments);
  call->setMetadata(llvm::LLVMContext::MD_access_group, at.accesses);  // inlining hands it on
  if (!at.result_address) return;
  TypeId result = at.module.ir.functions[0].result;
  lower::Leaves parts = lower::outcome(at.build, at.module, 0, call).leaves;
  lower::store_value(at.build, at.module.types, result, at.result_address, parts);
}

/// Threads run in any order and side by side, so an access of one never waits for one of another:
/// LLVM may vectorise the loop over them without asking whether arrays overlap.
void mark_parallel(Entry& at, llvm::Instruction* back) {
  llvm::LLVMContext& context = at.module.context();
  llvm::Metadata* parallel[] = {llvm::MDString::get(context, "llvm.loop.parallel_accesses"),
                                at.accesses};
  llvm::MDNode* loop =
      llvm::MDNode::getDistinct(context, {nullptr, llvm::MDNode::get(context, parallel)});
  loop->replaceOperandWith(0, loop);
  back->setMetadata(llvm::LLVMContext::MD_loop, loop);
}

/// Full warps, then what is left of the row.
void loop_over_warps(Entry& at) {
  auto& build = at.build;
  const WarpFunctions& forms = *at.warps;
  Value* width = build.getInt32(forms.width);
  Value* count = coordinate(at, lower::Coordinate::BlockDimension, 0);
  Value* whole = build.CreateUDiv(count, width);
  counted_loop(build, build.getInt32(0), whole, "warp", [&](Value* index) {
    coordinate(at, lower::Coordinate::Thread, 0) = build.CreateMul(index, width);
    build.CreateCall(forms.all, at.arguments);
  });
  Value* first = build.CreateMul(whole, width);
  Value* rest = build.CreateSub(count, first);
  counted_loop(
      build, build.getInt32(0), build.CreateZExt(build.CreateIsNotNull(rest), build.getInt32Ty()),
      "rest", [&](Value*) {
        coordinate(at, lower::Coordinate::Thread, 0) = first;
        llvm::SmallVector<Value*, 32> arguments = at.arguments;
        llvm::Type* lanes = llvm::FixedVectorType::get(build.getInt32Ty(), forms.width);
        Value* step = build.CreateStepVector(lanes);
        Value* mask = build.CreateICmpULT(step, build.CreateVectorSplat(forms.width, rest));
        arguments.insert(arguments.end() - lower::kCoordinates, mask);
        build.CreateCall(forms.some, arguments);
      });
}

void loop_over_x(Entry& at) {
  if (at.warps) return loop_over_warps(at);
  Value* count = coordinate(at, lower::Coordinate::BlockDimension, 0);
  mark_parallel(at,
                counted_loop(at.build, at.build.getInt32(0), count, "thread.x", [&](Value* index) {
                  coordinate(at, lower::Coordinate::Thread, 0) = index;
                  run_thread(at);
                }));
}

/// Does any function ask for its thread's y or z? A message to the host says where it comes from.
bool asks_beyond_x(const ir::Module& module) {
  if (!module.sites.empty()) return true;
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (auto* asked = std::get_if<ir::ThreadIndex>(&inst.op); asked && asked->axis > 0)
          return true;
  return false;
}

void run_threads(Entry& at) {
  auto& build = at.build;
  Value* zero = build.getInt32(0);
  Value* height = coordinate(at, lower::Coordinate::BlockDimension, 1);
  Value* depth = coordinate(at, lower::Coordinate::BlockDimension, 2);
  if (!asks_beyond_x(at.module.ir)) {  // most kernels: a loop less to compile
    coordinate(at, lower::Coordinate::Thread, 1) = zero;
    coordinate(at, lower::Coordinate::Thread, 2) = zero;
    counted_loop(build, zero, build.CreateMul(height, depth), "thread.yz",
                 [&](Value*) { loop_over_x(at); });
    return;
  }
  counted_loop(build, zero, depth, "thread.z", [&](Value* z) {
    coordinate(at, lower::Coordinate::Thread, 2) = z;
    counted_loop(build, zero, height, "thread.y", [&](Value* y) {
      coordinate(at, lower::Coordinate::Thread, 1) = y;
      loop_over_x(at);
    });
  });
}

}  // namespace

llvm::Function* build_scalar_entry(lower::ModuleLowering& module, const std::string& name,
                                   const std::optional<WarpFunctions>& warps) {
  llvm::LLVMContext& context = module.context();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* i64 = llvm::Type::getInt64Ty(context);
  auto* type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, i64, i64}, false);
  auto* function =
      llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module.module);
  Entry at{module,
           *function,
           llvm::IRBuilder<>(context),
           {},
           0,
           nullptr,
           llvm::MDNode::getDistinct(context, {}),
           warps};
  at.build.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
  if (module.debug)
    at.build.SetCurrentDebugLocation(module.debug->enter_entry(module.ir.functions[0], *function));
  read_parameters(at);
  read_geometry(at);
  counted_loop(at.build, function->getArg(2), function->getArg(3), "block", [&](Value* linear) {
    split_block(at, linear);
    run_threads(at);
  });
  at.build.CreateRetVoid();
  return function;
}

}  // namespace hetjit::host
