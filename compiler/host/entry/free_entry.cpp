// void entry(const std::byte* parameters, const Geometry* geometry, u64 first, u64 last)
//
//   hands a FreeKernel (abi/host_calls.h) to the runtime, with
//     step(kernel, memory, block, unit, phase): the unit from behind that wait to its next
//     diverged(kernel, …): says that units wait at different barriers
//
// A unit is a warp (Tier::Warps) or a thread (Tier::Threads).
#include "compiler/host/entry/free_entry.h"

#include <algorithm>
#include <cstddef>

#include "compiler/host/entry/block_memory.h"
#include "compiler/host/phases/expand_warp_ops.h"
#include "compiler/host/warp/warp.h"
#include "compiler/ir/own_memory.h"
#include "compiler/lower/debug_info.h"

namespace hetjit::host {
namespace {

using llvm::Value;

llvm::PointerType* pointer_to(llvm::LLVMContext& context) {
  return llvm::PointerType::get(context, 0);
}

Value* field_of(llvm::IRBuilder<>& build, Value* kernel, size_t offset, llvm::Type* type) {
  return build.CreateLoad(type, byte_address(build, kernel, offset));
}

/// A function that is given a FreeKernel first, with what it says of the launch read.
struct KernelCode : Entry {
  explicit KernelCode(PhasedCode& code, llvm::Function& function)
      : Entry(code.module, function,
              [&](llvm::IRBuilder<>& build) {
                Value* kernel = function.getArg(0);
                auto* pointer = pointer_to(build.getContext());
                return std::pair<Value*, Value*>(
                    field_of(build, kernel, offsetof(FreeKernel, parameters), pointer),
                    field_of(build, kernel, offsetof(FreeKernel, geometry), pointer));
              }),
        code(code) {
    if (!result_address) return;
    arguments.insert(arguments.begin() + static_cast<ptrdiff_t>(first_coordinate), result_address);
    ++first_coordinate;
  }
  PhasedCode& code;

  llvm::BasicBlock* block(const llvm::Twine& name) {
    return llvm::BasicBlock::Create(build.getContext(), name, &function);
  }
  bool by_threads() const { return code.kernel.tier == Tier::Threads; }
  /// Sets the coordinates to those of a unit's first thread.
  WarpPlace place_of(Value* unit);
};

WarpPlace KernelCode::place_of(Value* unit) {
  WarpPlace place;
  place.index = unit;
  if (by_threads()) {
    Value* width = coordinate(lower::Coordinate::BlockDimension, 0);
    Value* height = coordinate(lower::Coordinate::BlockDimension, 1);
    Value* row = build.CreateUDiv(unit, width);
    place.thread[0] = build.CreateURem(unit, width);
    place.thread[1] = build.CreateURem(row, height);
    place.thread[2] = build.CreateUDiv(row, height);
  } else {
    place = BlockWarps::of(*this, code).find(*this, unit);
  }
  for (unsigned axis = 0; axis < 3; ++axis)
    coordinate(lower::Coordinate::Thread, axis) = place.thread[axis];
  return place;
}

// ---- threads: a phase as a plain function

struct ThreadPhase {
  llvm::Function* function;
  bool raises;
};

bool may_raise(const lower::ModuleLowering& module, const ir::Function& phase) {
  auto may = [&](const ir::Inst& inst) {
    auto* call = std::get_if<ir::Call>(&inst.op);
    return call ? module.raises[call->function] : ir::info(inst.op).raises.value;
  };
  return std::any_of(phase.blocks.begin(), phase.blocks.end(), [&](const ir::Block& block) {
    return std::any_of(block.insts.begin(), block.insts.end(), may);
  });
}

/// What phases call: plain functions of one thread.
void write_called(PhasedCode& code) {
  lower::ModuleLowering& module = code.module;
  const std::vector<ir::Function>& called = code.kernel.phases.called;
  if (called.empty()) return;
  module.functions.resize(called.size());
  const std::vector<bool> return_own = ir::return_own_memory(module.ir);
  auto each = [&](auto visit) {
    for (uint32_t i = 0; i < called.size(); ++i)
      if (!called[i].blocks.empty()) visit(i, called[i]);
  };
  each([&](uint32_t i, const ir::Function& function) {
    module.functions[i] = lower::declare_function(module, function, module.raises[i]);
    if (return_own[i]) module.functions[i]->addFnAttr(llvm::Attribute::AlwaysInline);
  });
  each([&](uint32_t i, const ir::Function& function) {
    if (module.debug) module.debug->enter(function, *module.functions[i]);
    lower::Lowering(module, function, *module.functions[i], module.raises[i]).run();
  });
}

ThreadPhase write_thread_phase(PhasedCode& code, const ir::Function& phase) {
  lower::ModuleLowering& module = code.module;
  bool raises = may_raise(module, phase);
  llvm::Function* made = lower::declare_function(module, phase, raises);
  made->addFnAttr(llvm::Attribute::AlwaysInline);
  if (module.debug) module.debug->enter(phase, *made);
  lower::Lowering(module, phase, *made, raises).run();
  return {made, raises};
}

Value* call_thread_phase(KernelCode& at, const ThreadPhase& phase, const BlockMemory& memory,
                         Value* unit) {
  auto& build = at.build;
  llvm::SmallVector<Value*, 48> all(at.arguments.begin(), at.arguments.end() - lower::kCoordinates);
  all.append({memory.block, memory.context_of(build, unit), at.shared_bytes});
  all.append(at.arguments.end() - lower::kCoordinates, at.arguments.end());
  Value* result = build.CreateCall(phase.function, all);
  if (!phase.raises) return result;
  Value* raised = build.CreateExtractValue(result, 1);
  return build.CreateSelect(raised, build.getInt32(0), build.CreateExtractValue(result, 0));
}

// ---- step

class StepCode : KernelCode {
 public:
  using KernelCode::KernelCode;

  void run() {
    write_called(code);
    for (const ir::Function& phase : code.kernel.phases.functions)
      if (by_threads()) threads_.push_back(write_thread_phase(code, phase));
    Value *memory = function.getArg(1), *unit = function.getArg(3), *phase = function.getArg(4);
    split_block(function.getArg(2));
    WarpPlace place = place_of(unit);
    Value* contexts =
        field_of(build, function.getArg(0), offsetof(FreeKernel, contexts), build.getInt64Ty());
    memory_ = {memory, build.CreateInBoundsGEP(build.getInt8Ty(), memory, contexts),
               code.frame.context_bytes};
    auto count = static_cast<unsigned>(code.kernel.phases.functions.size());
    auto* nowhere = block("nowhere");
    llvm::SwitchInst* choose = build.CreateSwitch(phase, nowhere, count);
    for (unsigned i = 0; i < count; ++i) {
      llvm::BasicBlock* begin = block("phase" + llvm::Twine(i));
      choose->addCase(build.getInt32(i), begin);
      build.SetInsertPoint(begin);
      build.CreateRet(by_threads() ? call_thread_phase(*this, threads_[i], memory_, unit)
                                   : run_warp(i, place));
    }
    build.SetInsertPoint(nowhere);
    build.CreateUnreachable();
  }

 private:
  Value* run_warp(uint32_t phase, const WarpPlace& warp) {
    Value* context = memory_.context_of(build, warp.index);
    Value* lanes = warp.lanes;
    if (code.kernel.loses_lanes && phase)
      lanes = build.CreateAlignedLoad(
          build.getInt64Ty(), byte_address(build, context, code.frame.live), llvm::Align(8));
    return WarpCall{*this, arguments, warp, {}, lanes, memory_, context, code.frame.width}.run(
        code.forms[phase]);
  }

  std::vector<ThreadPhase> threads_;
  BlockMemory memory_;
};

llvm::Function* write_step(PhasedCode& code) {
  llvm::LLVMContext& context = code.module.context();
  auto *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
  auto* pointer = pointer_to(context);
  auto* type = llvm::FunctionType::get(i32, {pointer, pointer, i64, i32, i32}, false);
  auto* function =
      llvm::Function::Create(type, llvm::Function::InternalLinkage, "step", code.module.module);
  code.module.target.prepare_function(*function);
  use_wide_registers(*function);
  StepCode(code, *function).run();
  return function;
}

// ---- divergence

uint32_t add_site(PhasedCode& code) {
  Site site;
  site.exception = "BarrierError";
  site.has_message = true;
  site.text = {{"threads of a block wait for each other at different places: line ", {}, false},
               {"", Scalar::UInt32, false},
               {" and line ", {}, false},
               {"", Scalar::UInt32, false}};
  site.function = code.module.ir.functions[0].name;
  site.file = code.module.options.path(0);
  site.line = code.kernel.phases.waits.size() > 1 ? code.kernel.phases.waits[1].where.line : 0;
  code.module.sites.push_back(site);
  return static_cast<uint32_t>(code.module.sites.size() - 1);
}

llvm::GlobalVariable* table(lower::ModuleLowering& module, llvm::Constant* values) {
  auto* made = new llvm::GlobalVariable(module.module, values->getType(), /*isConstant=*/true,
                                        llvm::GlobalValue::PrivateLinkage, values);
  return made;
}

llvm::Function* write_diverged(PhasedCode& code) {
  llvm::LLVMContext& context = code.module.context();
  auto *i32 = llvm::Type::getInt32Ty(context), *i64 = llvm::Type::getInt64Ty(context);
  auto* pointer = pointer_to(context);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, pointer, i64, i32, i32, i32, i32}, false);
  auto* function =
      llvm::Function::Create(type, llvm::Function::InternalLinkage, "diverged", code.module.module);
  code.module.target.prepare_function(*function);
  llvm::SmallVector<uint32_t, 8> lines;
  for (const Wait& wait : code.kernel.phases.waits) lines.push_back(wait.where.line);
  llvm::GlobalVariable* line_of = table(code.module, llvm::ConstantDataArray::get(context, lines));
  KernelCode at(code, *function);
  auto& build = at.build;
  at.split_block(function->getArg(2));
  at.place_of(function->getArg(3));
  auto line = [&](unsigned phase) {
    return build.CreateLoad(i32, build.CreateGEP(i32, line_of, function->getArg(phase)));
  };
  llvm::SmallVector<Value*, 6> place;
  for (lower::Coordinate kind : {lower::Coordinate::Block, lower::Coordinate::Thread})
    for (unsigned axis = 0; axis < 3; ++axis) place.push_back(at.coordinate(kind, axis));
  lower::write_record(build, code.module, SiteKind::Raise, add_site(code), place,
                      {line(4), line(6)});
  build.CreateRetVoid();
  return function;
}

}  // namespace

llvm::Function* build_free_entry(PhasedCode& code, const std::string& name) {
  lower::ModuleLowering& module = code.module;
  llvm::Function *step = write_step(code), *diverged = write_diverged(code);
  llvm::SmallVector<uint8_t, 8> kinds;
  for (const Wait& wait : code.kernel.phases.waits)
    kinds.push_back(static_cast<uint8_t>(wait.whom));
  llvm::GlobalVariable* waits =
      table(module, llvm::ConstantDataArray::get(module.context(), kinds));

  Entry at(module, declare_entry(module, name));
  auto& build = at.build;
  auto* i64 = build.getInt64Ty();
  bool by_threads = code.kernel.tier == Tier::Threads;
  BlockWarps warps = BlockWarps::of(at, code);
  Value* units = by_threads ? warps.threads : warps.count;
  uint32_t of_warp = by_threads ? kLanguageWarp : 1;
  Value* shared = build.CreateZExt(at.shared_bytes, i64);
  Value* rounded =
      build.CreateAnd(build.CreateAdd(shared, build.getInt64(kBlockAlign - 1)), ~(kBlockAlign - 1));
  Value* contexts = build.CreateAdd(rounded, build.getInt64(code.frame.block_bytes));
  Value* whole_warps =
      build.CreateAnd(build.CreateAdd(build.CreateZExt(units, i64), build.getInt64(of_warp - 1)),
                      ~uint64_t{of_warp - 1});
  Value* bytes = build.CreateAdd(
      contexts, build.CreateMul(whole_warps, build.getInt64(code.frame.context_bytes)));
  Value* kernel = at_entry(at.function, llvm::ArrayType::get(i64, sizeof(FreeKernel) / 8));
  auto set = [&](size_t offset, Value* value) {
    build.CreateStore(value, byte_address(build, kernel, offset));
  };
  uint64_t mask = code.frame.slots.empty() ? 0 : code.frame.slots[kMaskSlot];
  set(offsetof(FreeKernel, step), step);
  set(offsetof(FreeKernel, diverged), diverged);
  set(offsetof(FreeKernel, parameters), at.function.getArg(0));
  set(offsetof(FreeKernel, geometry), at.function.getArg(1));
  // There is one: what write_diverged says is an exception.
  set(offsetof(FreeKernel, raised), module.module.getGlobalVariable(kErrorSymbol));
  set(offsetof(FreeKernel, waits), waits);
  set(offsetof(FreeKernel, phases), build.getInt64(kinds.size()));
  set(offsetof(FreeKernel, memory_bytes), bytes);
  set(offsetof(FreeKernel, contexts), contexts);
  set(offsetof(FreeKernel, context_bytes), build.getInt64(code.frame.context_bytes));
  set(offsetof(FreeKernel, state), build.getInt64(code.frame.state));
  set(offsetof(FreeKernel, mask), build.getInt64(mask));
  set(offsetof(FreeKernel, units), units);
  set(offsetof(FreeKernel, units_of_warp), build.getInt32(of_warp));
  llvm::FunctionCallee run = module.module.getOrInsertFunction(
      kRunBlocksCall,
      llvm::FunctionType::get(build.getVoidTy(), {build.getPtrTy(), i64, i64}, false));
  build.CreateCall(run, {kernel, at.function.getArg(2), at.function.getArg(3)});
  build.CreateRetVoid();
  return &at.function;
}

}  // namespace hetjit::host
