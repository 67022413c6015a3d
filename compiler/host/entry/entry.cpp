#include "compiler/host/entry/entry.h"

#include <cstddef>

#include "abi/layout.h"
#include "compiler/host/facts/costs.h"
#include "compiler/lower/debug_info.h"

namespace hetjit::host {

using llvm::Value;

namespace {

static_assert(offsetof(Geometry, grid) == 0 && offsetof(Geometry, block) == 12 &&
              offsetof(Geometry, shared_bytes) == 24);

}  // namespace

llvm::Function& declare_entry(lower::ModuleLowering& module, const std::string& name) {
  llvm::LLVMContext& context = module.context();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* i64 = llvm::Type::getInt64Ty(context);
  auto* type =
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer, pointer, i64, i64}, false);
  return *llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module.module);
}

Entry::Entry(lower::ModuleLowering& module, llvm::Function& function)
    : Entry(module, function, [&](llvm::IRBuilder<>&) {
        return std::pair<Value*, Value*>(function.getArg(0), function.getArg(1));
      }) {}

Entry::Entry(lower::ModuleLowering& module, llvm::Function& function, Find find)
    : module(module), function(function), build(module.context()) {
  build.SetInsertPoint(llvm::BasicBlock::Create(module.context(), "entry", &function));
  if (module.debug)
    build.SetCurrentDebugLocation(module.debug->enter_entry(module.ir.functions[0], function));
  auto [parameters, geometry] = find(build);
  read_parameters(parameters);
  read_geometry(geometry);
}

void Entry::read_parameters(Value* parameters) {
  const ir::Function& ir = module.ir.functions[0];
  std::vector<TypeId> types = lower::block_types(ir);
  BlockLayout block = parameter_block(types);
  size_t own = ir.blocks[0].params.size();
  for (size_t i = 0; i < types.size(); ++i) {
    Value* address =
        build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), parameters, block.offsets[i]);
    lower::Leaves leaves =
        lower::load_value(build, module.types, types[i], address, /*invariant=*/true);
    if (i < own)
      arguments.append(leaves);
    else
      result_address = leaves[0];
  }
}

void Entry::read_geometry(Value* geometry) {
  first_coordinate = arguments.size();
  arguments.append(lower::kCoordinates, nullptr);
  auto read = [&](lower::Coordinate kind, unsigned axis, unsigned offset) {
    Value* address =
        build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), geometry, offset + 4 * axis);
    coordinate(kind, axis) = build.CreateAlignedLoad(build.getInt32Ty(), address, llvm::Align(4));
  };
  for (unsigned axis = 0; axis < 3; ++axis) {
    read(lower::Coordinate::GridDimension, axis, 0);
    read(lower::Coordinate::BlockDimension, axis, 12);
  }
  Value* shared = build.CreateConstInBoundsGEP1_64(build.getInt8Ty(), geometry, 24);
  shared_bytes = build.CreateAlignedLoad(build.getInt32Ty(), shared, llvm::Align(4));
}

size_t Entry::first_leaf(uint32_t parameter) {
  const ir::Function& ir = module.ir.functions[0];
  size_t leaf = 0;
  for (uint32_t i = 0; i < parameter; ++i)
    leaf += module.types.leaves(ir.type_of(ir.blocks[0].params[i])).size();
  return leaf;
}

Value*& Entry::extent(const KnownExtent& of) {
  const ir::Function& ir = module.ir.functions[0];
  size_t leaf = first_leaf(of.parameter) + 1u + of.axis;  // behind the data
  if (of.is_stride) leaf += type(ir.type_of(ir.blocks[0].params[of.parameter])).rank;
  return arguments[leaf];  // strides behind the extents
}

Value* Entry::elements_of(uint32_t array) {
  const ir::Function& ir = module.ir.functions[0];
  const uint8_t rank = type(ir.type_of(ir.blocks[0].params[array])).rank;
  Value* elements = build.getInt64(1);
  for (uint8_t axis = 0; axis < rank; ++axis)
    elements = build.CreateMul(elements, extent({array, axis, 0}));
  return elements;
}

Value* Entry::bytes_of(uint32_t array) {
  const ir::Function& ir = module.ir.functions[0];
  const TypeId element = type(ir.type_of(ir.blocks[0].params[array])).element;
  const auto size = static_cast<uint64_t>(layout(element).stride());
  return build.CreateMul(elements_of(array), build.getInt64(size));
}

/// A contiguous array's first byte, and the one behind its last, as integers.
std::pair<Value*, Value*> Entry::memory_of(uint32_t array) {
  Value* begin = build.CreatePtrToInt(arguments[first_leaf(array)], build.getInt64Ty());
  return {begin, build.CreateAdd(begin, bytes_of(array))};
}

Value* Entry::lie_apart(const std::vector<uint32_t>& written) {
  const ir::Function& ir = module.ir.functions[0];
  Value* holds = build.getTrue();
  for (uint32_t other = 0; other < ir.blocks[0].params.size(); ++other) {
    if (is_scalar(ir.type_of(ir.blocks[0].params[other]))) continue;
    for (uint32_t array : written) {
      if (array == other) continue;
      const auto [begin, end] = memory_of(array);
      const auto [first, behind] = memory_of(other);
      Value* before = build.CreateICmpULE(end, first);
      holds = build.CreateAnd(holds, build.CreateOr(before, build.CreateICmpULE(behind, begin)));
    }
  }
  return holds;
}

Value* Entry::share(Value* block, Value* blocks, Value* count) {
  auto real = [&](Value* number) { return build.CreateUIToFP(number, build.getDoubleTy()); };
  Value* per_block = build.CreateFDiv(real(count), real(blocks));
  Value* before = build.CreateFPToUI(build.CreateFMul(real(block), per_block), build.getInt64Ty());
  Value* capped = build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, before, count);
  return build.CreateSelect(build.CreateICmpEQ(block, blocks), count, capped);
}

void Entry::set_extents(const KnownExtents& extents) {
  for (const KnownExtent& known : extents)
    extent(known) = build.getInt64(static_cast<uint64_t>(known.elements));
}

void Entry::lay_blocks(const FlatBlocks& flat) {
  for (lower::Coordinate kind :
       {lower::Coordinate::BlockDimension, lower::Coordinate::GridDimension})
    std::swap(coordinate(kind, 0), coordinate(kind, flat.first));
  Value*& x = coordinate(lower::Coordinate::BlockDimension, 0);
  for (unsigned axis = 1; axis < flat.axes; ++axis) {
    Value*& other = coordinate(lower::Coordinate::BlockDimension, axis);
    x = build.CreateMul(x, other);
    other = build.getInt32(1);
  }
  blocks_together_ = flat.together;
  if (flat.together == 1) return;
  for (unsigned axis : {2, 1})
    coordinate(lower::Coordinate::BlockDimension, axis) =
        coordinate(lower::Coordinate::BlockDimension, axis - 1);
  x = build.getInt32(flat.together);
}

/// linear = x + grid.x * (y + grid.y * z), in blocks that are one
void Entry::split_block(Value* linear) {
  linear = build.CreateMul(linear, build.getInt64(blocks_together_));
  auto grid = [&](unsigned axis) {
    return build.CreateZExt(coordinate(lower::Coordinate::GridDimension, axis), build.getInt64Ty());
  };
  auto set = [&](unsigned axis, Value* value) {
    coordinate(lower::Coordinate::Block, axis) = build.CreateTrunc(value, build.getInt32Ty());
  };
  Value* rows = build.CreateUDiv(linear, grid(0));
  set(0, build.CreateSub(linear, build.CreateMul(rows, grid(0))));
  Value* planes = build.CreateUDiv(rows, grid(1));
  set(1, build.CreateSub(rows, build.CreateMul(planes, grid(1))));
  set(2, planes);
}

llvm::Function* write_question(lower::ModuleLowering& module, const ir::Function& asked) {
  llvm::Function* made = lower::declare_function(module, asked, /*raises=*/false);
  made->addFnAttr(llvm::Attribute::AlwaysInline);
  if (module.debug) module.debug->enter(asked, *made);
  lower::Lowering(module, asked, *made, /*raises=*/false).run();
  return made;
}

void make_inner(lower::ModuleLowering& module, llvm::Function& entry) {
  entry.setLinkage(llvm::GlobalValue::InternalLinkage);
  module.target.prepare_kernel(entry);
}

namespace {

/// Calls one of two entries with the arguments of `at`, and ends it.
llvm::Function* end_by_choice(Entry& at, Value* holds, llvm::Function& yes, llvm::Function& no) {
  llvm::SmallVector<llvm::BasicBlock*, 2> ways;
  for (llvm::Function* entry : {&yes, &no}) {
    make_inner(at.module, *entry);
    ways.push_back(llvm::BasicBlock::Create(at.module.context(), entry->getName(), &at.function));
    llvm::IRBuilder<> way(ways.back());
    way.SetCurrentDebugLocation(at.build.getCurrentDebugLocation());
    llvm::SmallVector<Value*, 4> arguments;
    for (llvm::Argument& argument : at.function.args()) arguments.push_back(&argument);
    way.CreateCall(entry, arguments);
    way.CreateRetVoid();
  }
  at.build.CreateCondBr(holds, ways[0], ways[1]);
  return &at.function;
}

}  // namespace

llvm::Function* build_choice(lower::ModuleLowering& module, const std::string& name,
                             const KnownExtents& extents, const std::vector<uint32_t>& written,
                             llvm::Function& few, llvm::Function& any) {
  Entry at(module, declare_entry(module, name));
  auto& build = at.build;
  Value* holds = at.lie_apart(written);
  for (const KnownExtent& known : extents) {
    Value* elements = build.getInt64(static_cast<uint64_t>(known.elements));
    holds = build.CreateAnd(holds, build.CreateICmpEQ(at.extent(known), elements));
  }
  return end_by_choice(at, holds, few, any);
}

llvm::Function* build_sweeps_choice(lower::ModuleLowering& module, const std::string& name,
                                    const std::vector<uint32_t>& arrays, llvm::Function& far,
                                    llvm::Function& any) {
  Entry at(module, declare_entry(module, name));
  auto& build = at.build;
  Value *bytes = build.getInt64(0), *many = build.getFalse();
  for (uint32_t array : arrays) {
    bytes = build.CreateAdd(bytes, at.bytes_of(array));
    Value* elements = at.elements_of(array);  // loops ask for these (turns_of_all.h)
    many = build.CreateOr(many, build.CreateICmpUGT(elements, build.getInt64(kFewestSwept)));
  }
  Value* large = build.CreateICmpUGE(bytes, build.getInt64(kFewestSweptBytes));
  return end_by_choice(at, build.CreateAnd(large, many), far, any);
}

// Blocks that follow one another are neighbours along x where rows of the grid have a multiple of
// so many, or there is one row alone.
llvm::Function* build_blocks_choice(lower::ModuleLowering& module, const std::string& name,
                                    const FlatBlocks& flat, llvm::Function& many,
                                    llvm::Function& any) {
  using lower::Coordinate;
  Entry at(module, declare_entry(module, name));
  auto& build = at.build;
  Value *first = at.function.getArg(2), *last = at.function.getArg(3);
  Value* together = build.getInt64(flat.together);
  at.lay_blocks({flat.first, flat.axes});
  auto is = [&](Value* number, uint64_t other) {
    return build.CreateICmpEQ(number, build.getInt64(other));
  };
  Value* rows =
      build.CreateMul(at.wide(Coordinate::GridDimension, 1), at.wide(Coordinate::GridDimension, 2));
  Value* rest = build.CreateURem(at.wide(Coordinate::GridDimension, 0), together);
  Value* neighbours = build.CreateOr(is(rest, 0), is(rows, 1));
  Value* begin =
      build.CreateUDiv(build.CreateAdd(first, build.getInt64(flat.together - 1)), together);
  Value* end = build.CreateUDiv(last, together);
  Value* holds = build.CreateAnd(neighbours, build.CreateICmpULT(begin, end));
  holds = build.CreateAnd(holds, is(at.wide(Coordinate::BlockDimension, 2), 1));
  auto way = [&](const char* called) {
    return llvm::BasicBlock::Create(module.context(), called, &at.function);
  };
  auto call = [&](llvm::Function& entry, Value* from, Value* to) {
    build.CreateCall(&entry, {at.function.getArg(0), at.function.getArg(1), from, to});
  };
  for (llvm::Function* entry : {&many, &any}) make_inner(module, *entry);
  llvm::BasicBlock *in_many = way("many"), *in_any = way("any");
  build.CreateCondBr(holds, in_many, in_any);
  build.SetInsertPoint(in_any);
  call(any, first, last);
  build.CreateRetVoid();
  build.SetInsertPoint(in_many);
  call(any, first, build.CreateMul(begin, together));
  call(many, begin, end);
  call(any, build.CreateMul(end, together), last);
  build.CreateRetVoid();
  return &at.function;
}

}  // namespace hetjit::host
