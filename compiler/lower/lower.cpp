#include "compiler/lower/lower.h"

#include <llvm/IR/InstIterator.h>

#include <algorithm>

#include "abi/layout.h"
#include "compiler/ir/own_memory.h"
#include "compiler/lower/debug_info.h"
#include "compiler/lower/gpu.h"
#include "compiler/lower/interop_entry.h"
#include "compiler/target/symbol_name.h"

namespace hetjit::lower {
namespace {

llvm::FastMathFlags approximate() {
  llvm::FastMathFlags flags;
  flags.setAllowContract(true);
  flags.setAllowReassoc(true);
  flags.setAllowReciprocal(true);
  flags.setApproxFunc();
  return flags;
}

/// Blocks that can be reached, each before its successors where there is no loop: so every value is
/// made before it is used.
std::vector<BlockId> reverse_post_order(const ir::Function& function) {
  std::vector<BlockId> order;
  std::vector<bool> seen(function.blocks.size(), false);
  struct Frame {
    BlockId block;
    std::vector<const ir::Edge*> edges;
    size_t next = 0;
  };
  auto frame = [&](BlockId block) {
    seen[block.index] = true;
    return Frame{block, ir::edges(function.blocks[block.index].insts.back().op)};
  };
  std::vector<Frame> stack{frame({0})};
  while (!stack.empty()) {
    Frame& top = stack.back();
    if (top.next == top.edges.size()) {
      order.push_back(top.block);
      stack.pop_back();
    } else if (BlockId to = top.edges[top.next++]->to; !seen[to.index]) {
      stack.push_back(frame(to));
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

Lowering::Lowering(ModuleLowering& module, uint32_t index)
    : Lowering(module, module.ir.functions[index], *module.functions[index], module.raises[index]) {
  if (module.device.wants_integer_facts()) integers.emplace(ir);
}

Lowering::Lowering(ModuleLowering& module, const ir::Function& ir, llvm::Function& function,
                   bool raises)
    : build(module.context()), module(module), ir(ir), function(function), raises(raises) {
  values_.resize(ir.types.size());
  blocks_.resize(ir.blocks.size());
  phis_.resize(ir.blocks.size());
  order_ = reverse_post_order(ir);
  if (module.options.fastmath) build.setFastMathFlags(approximate());
}

void Lowering::make_blocks() {
  for (BlockId id : order_)
    blocks_[id.index] =
        llvm::BasicBlock::Create(module.context(), "b" + llvm::Twine(id.index), &function);
  for (BlockId id : order_) {
    if (id.index == 0) continue;
    build.SetInsertPoint(blocks_[id.index]);
    for (ValueId param : ir.blocks[id.index].params) {
      Leaves leaves;
      for (const Leaf& leaf : module.types.leaves(type_of(param))) {
        phis_[id.index].push_back(build.CreatePHI(leaf.type, 2));
        leaves.push_back(phis_[id.index].back());
      }
      define(param, std::move(leaves));
    }
  }
}

// The verifier lets nobody jump to the entry block, so its parameters are simply the arguments.
void Lowering::enter_parameters() {
  unsigned next = 0;
  for (ValueId param : ir.blocks[0].params) {
    Leaves leaves;
    for (size_t i = module.types.leaves(type_of(param)).size(); i > 0; --i)
      leaves.push_back(function.getArg(next++));
    define(param, std::move(leaves));
  }
}

void Lowering::pass(const ir::Edge& edge) {
  llvm::BasicBlock* from = build.GetInsertBlock();
  unsigned next = 0;
  for (ValueId argument : edge.args)
    for (llvm::Value* leaf : leaves(argument))
      phis_[edge.to.index][next++]->addIncoming(leaf, from);
}

void Lowering::lower_block(BlockId id) {
  build.SetInsertPoint(blocks_[id.index]);
  here = id;
  for (const ir::Inst& inst : ir.blocks[id.index].insts) {
    if (module.debug) module.debug->set_location(*this, inst.where);
    result = inst.result;
    result_type = inst.result.valid() ? type_of(inst.result) : none_type();
    // What has no place in the user's source is the math library's: its sums are in an order.
    llvm::IRBuilder<>::FastMathFlagGuard flags(build);
    if (!inst.where.valid()) build.clearFastMathFlags();
    Leaves value = std::visit([&](const auto& op) { return lower(*this, op); }, inst.op);
    if (inst.result.valid()) define(inst.result, std::move(value));
  }
}

void Lowering::run() {
  make_blocks();
  enter_parameters();
  for (BlockId id : order_) lower_block(id);
  // Wide floats have no approximations (docs/math.md); AMD's back end would divide without
  // infinities.
  for (llvm::Instruction& inst : llvm::instructions(function))
    if (llvm::isa<llvm::FPMathOperator>(inst) && inst.getType()->getScalarType()->isDoubleTy())
      inst.setHasApproxFunc(false);
}

llvm::Function* declare_function(ModuleLowering& module, const ir::Function& function,
                                 bool raises) {
  llvm::SmallVector<llvm::Type*, 16> parameters, results;
  for (ValueId param : function.blocks[0].params)
    for (const Leaf& leaf : module.types.leaves(function.type_of(param)))
      parameters.push_back(leaf.type);
  llvm::LLVMContext& context = module.context();
  module.device.add_place_types(context, parameters);
  for (const Leaf& leaf : module.types.leaves(function.result)) results.push_back(leaf.type);
  if (raises) results.push_back(llvm::Type::getInt1Ty(context));
  llvm::Type* result = results.empty()       ? llvm::Type::getVoidTy(context)
                       : results.size() == 1 ? results[0]
                                             : llvm::StructType::get(context, results);
  auto* made = llvm::Function::Create(llvm::FunctionType::get(result, parameters, false),
                                      llvm::Function::InternalLinkage,
                                      target::symbol_name(function.name) + ".body", module.module);
  module.target.prepare_function(*made);
  return made;
}

Outcome outcome(llvm::IRBuilder<>& build, ModuleLowering& module, uint32_t index,
                llvm::Value* call) {
  Outcome out;
  size_t count = module.types.leaves(module.ir.functions[index].result).size();
  size_t parts = count + module.raises[index];
  for (unsigned i = 0; i < parts; ++i) {
    llvm::Value* part = parts == 1 ? call : build.CreateExtractValue(call, i);
    if (i < count)
      out.leaves.push_back(part);
    else
      out.raised = part;
  }
  return out;
}

std::vector<TypeId> block_types(const ir::Function& function) {
  std::vector<TypeId> types;
  for (ValueId param : function.blocks[0].params) types.push_back(function.type_of(param));
  if (function.result != none_type()) types.push_back(pointer_type(function.result));
  return types;
}

namespace {

void set_inlining(const ModuleLowering& module) {
  const std::vector<bool> return_own = ir::return_own_memory(module.ir);
  for (size_t i = 0; i < module.functions.size(); ++i) {
    size_t size = 0;
    bool calls = false;
    for (const ir::Block& block : module.ir.functions[i].blocks) {
      size += block.insts.size();
      for (const ir::Inst& inst : block.insts) calls |= std::holds_alternative<ir::Call>(inst.op);
    }
    if (i == 0 || return_own[i] || (size <= target::kAlwaysInlined && !calls))
      module.functions[i]->addFnAttr(llvm::Attribute::AlwaysInline);
    else
      module.functions[i]->addFnAttr(llvm::Attribute::InlineHint);
  }
}

/// Do threads do something together, or may they, in C++? Then no call of a function may be moved
/// to where fewer, or more, of them come.
bool works_together(const ir::Module& module) {
  for (const ir::Function& function : module.functions)
    for (const ir::Block& block : function.blocks)
      for (const ir::Inst& inst : block.insts)
        if (ir::info(inst.op).together() || std::holds_alternative<ir::ExternalCall>(inst.op))
          return true;
  return false;
}

}  // namespace

void lower_functions(ModuleLowering& module) {
  const std::vector<ir::Function>& functions = module.ir.functions;
  for (size_t i = 0; i < functions.size(); ++i)
    module.functions.push_back(declare_function(module, functions[i], module.raises[i]));
  if (works_together(module.ir))
    for (llvm::Function* function : module.functions)
      function->addFnAttr(llvm::Attribute::Convergent);
  set_inlining(module);
  for (size_t i = 0; i < functions.size(); ++i) {
    if (module.debug) module.debug->enter(functions[i], *module.functions[i]);
    Lowering(module, static_cast<uint32_t>(i)).run();
  }
}

LlvmModule lower_module(const ir::Module& ir, const std::string& name, target::Target& target,
                        const DeviceOps& device, const Options& options,
                        llvm::function_ref<llvm::Function*(ModuleLowering&)> build_entry) {
  LlvmModule out;
  target.prepare(out.module());
  ModuleLowering module{ir, target, device, out.module(), options, Types(out.context())};
  DebugInfo debug(module);
  if (options.debug) module.debug = &debug;
  module.raises = ir::may_raise(ir);
  module.sites = ir.sites;
  if (llvm::Function* kernel = build_entry(module)) target.prepare_kernel(*kernel);
  if (options.limits.any())
    for (llvm::Function& function : out.module())
      if (!function.isDeclaration()) target.limit(function, options.limits);
  debug.finish();
  out.entry = name;
  out.externals = ir.externals;
  out.sites = std::move(module.sites);
  out.parameter_bytes = parameter_block(block_types(ir.functions[0])).size;
  return out;
}

namespace {

const GpuOps& gpu_ops(TargetKind kind) {
  switch (kind) {
    case TargetKind::Nvidia:
      return nvidia_ops();
    case TargetKind::Amd:
      return amd_ops();
    case TargetKind::Host:
      break;
  }
  fail_check("compiler/host lowers for the host", __FILE__, __LINE__);
}

}  // namespace

LlvmModule to_llvm(const ir::Module& ir, const std::string& name, target::Target& target,
                   const Options& options) {
  const GpuOps& device = gpu_ops(target.name().kind);
  return lower_module(ir, name, target, device, options, [&](ModuleLowering& module) {
    lower_functions(module);
    return build_gpu_entry(module, device, name);
  });
}

LlvmModule kernel_to_llvm_for_cxx(const ir::Module& ir, const std::string& name,
                                  target::Target& target, const Options& options) {
  const GpuOps& device = gpu_ops(target.name().kind);
  return lower_module(ir, name, target, device, options, [&](ModuleLowering& module) {
    if (!module.sites.empty()) say_to_cxx(module);
    lower_functions(module);
    return build_gpu_entry(module, device, name);
  });
}

LlvmModule to_llvm_for_cxx(const ir::Module& ir, const std::string& name, target::Target& target,
                           const Options& options) {
  const GpuOps& device = gpu_ops(target.name().kind);
  return lower_module(ir, name, target, device, options, [&](ModuleLowering& module) {
    if (!module.sites.empty()) say_to_cxx(module);
    lower_functions(module);
    build_interop_entry(module, name, [](auto&, auto&) {});
    return nullptr;
  });
}

}  // namespace hetjit::lower
