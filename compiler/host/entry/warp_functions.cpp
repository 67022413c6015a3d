#include "compiler/host/entry/warp_functions.h"

#include "compiler/host/entry/entry.h"
#include "compiler/host/warp/warp.h"
#include "compiler/lower/debug_info.h"
#include "compiler/target/host_attention.h"
#include "compiler/target/symbol_name.h"

namespace hetjit::host {

namespace {

llvm::Function* declare(lower::ModuleLowering& module, const ir::Function& function,
                        const char* form, llvm::Type* mask, llvm::Type* result = nullptr) {
  llvm::SmallVector<llvm::Type*, 32> parameters;
  for (ValueId param : function.blocks[0].params)
    for (const lower::Leaf& leaf : module.types.leaves(function.type_of(param)))
      parameters.push_back(leaf.type);
  if (mask) parameters.push_back(mask);
  llvm::LLVMContext& context = module.context();
  parameters.append(lower::kCoordinates, llvm::Type::getInt32Ty(context));
  if (!result) result = llvm::Type::getVoidTy(context);
  auto* type = llvm::FunctionType::get(result, parameters, false);
  auto* made = llvm::Function::Create(type, llvm::Function::InternalLinkage,
                                      target::symbol_name(function.name) + form, module.module);
  module.target.prepare_function(*made);
  use_wide_registers(*made);
  return made;
}

void write_form(lower::ModuleLowering& module, const ir::Function& function,
                const Structure& structure, Lanes lanes, const WarpForm& form) {
  Shapes shapes(function, structure, lanes);
  if (module.debug) module.debug->enter(function, form.function);
  Warp(module, function, structure, shapes, form).run();
}

/// Takes what the form with a mask takes and does all lanes of it, which are the first ones, from
/// each that is left on as many as `part` does.
void write_parts(llvm::Function& form, llvm::Function& part, unsigned width) {
  llvm::LLVMContext& context = form.getContext();
  llvm::SmallVector<llvm::Value*, 32> arguments;
  for (llvm::Argument& argument : form.args()) arguments.push_back(&argument);
  auto coordinates = arguments.end() - lower::kCoordinates;
  llvm::Value*& mask = coordinates[-1];
  llvm::Value*& x = coordinates[static_cast<unsigned>(lower::Coordinate::Thread)];

  auto* entry = llvm::BasicBlock::Create(context, "entry", &form);
  auto* next = llvm::BasicBlock::Create(context, "part", &form);
  auto* end = llvm::BasicBlock::Create(context, "end", &form);
  llvm::IRBuilder<> build(entry);
  llvm::Value* others = build.CreateNot(build.CreateBitCast(mask, build.getIntNTy(width)));
  llvm::Value* count = build.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, others, build.getFalse());
  count = build.CreateZExtOrTrunc(count, build.getInt32Ty());
  build.CreateBr(next);
  build.SetInsertPoint(next);
  llvm::PHINode* lane = build.CreatePHI(build.getInt32Ty(), 2);
  lane->addIncoming(build.getInt32(0), entry);
  mask = first_lanes(build, build.CreateSub(count, lane), width);
  x = build.CreateAdd(x, lane);
  llvm::Value* behind = build.CreateAdd(lane, build.CreateCall(&part, arguments));
  lane->addIncoming(behind, next);
  target::mark_counted(*build.CreateCondBr(build.CreateICmpULT(behind, count), next, end));
  build.SetInsertPoint(end);
  build.CreateRetVoid();
}

/// Writes forms of one kernel.
struct Writer {
  lower::ModuleLowering& module;
  const ByRows& way;
  const ir::Function& function;
  const Structure& structure;
  llvm::Type* mask = llvm::FixedVectorType::get(llvm::Type::getInt1Ty(module.context()), way.width);

  llvm::Function* declare_out_of_line(const char* form, llvm::Type* masks) const {
    llvm::Function* made = declare(module, function, form, masks);
    made->addFnAttr(llvm::Attribute::NoInline);
    return made;
  }
  /// A function of its own that does what `form` does.
  llvm::Function* out_of_line(llvm::Function& form) const {
    llvm::Function* made = declare_out_of_line(".one", nullptr);
    llvm::IRBuilder<> build(llvm::BasicBlock::Create(module.context(), "entry", made));
    llvm::SmallVector<llvm::Value*, 32> arguments;
    for (llvm::Argument& argument : made->args()) arguments.push_back(&argument);
    build.CreateCall(&form, arguments);
    build.CreateRetVoid();
    return made;
  }
  /// Does what the form for several rows does, one row after another by `row`.
  llvm::Function* write_rows_apart(llvm::Function& row, unsigned rows) const {
    llvm::Function* made = declare_out_of_line(".rows_apart", nullptr);
    llvm::IRBuilder<> build(llvm::BasicBlock::Create(module.context(), "entry", made));
    llvm::SmallVector<llvm::Value*, 32> arguments;
    for (llvm::Argument& argument : made->args()) arguments.push_back(&argument);
    llvm::Value*& y = arguments.end()[static_cast<int>(lower::Coordinate::Thread) + 1 -
                                      static_cast<int>(lower::kCoordinates)];
    llvm::Value* first = y;
    auto call = [&](llvm::Value* index) {
      y = build.CreateAdd(first, index);
      build.CreateCall(&row, arguments);
    };
    target::mark_counted(
        *counted_loop(build, build.getInt32(0), build.getInt32(rows), "row", call));
    build.CreateRetVoid();
    return made;
  }
  llvm::Function* write_any_lanes() const {
    llvm::Function* made = declare_out_of_line(".lanes", mask);
    write_form(module, function, structure, {View::Row, way.width, 1, way.grid.has_value()},
               {*made, way.width});
    return made;
  }
  /// Does what `any_lanes` does, in parts.
  llvm::Function* write_in_parts(llvm::Function* any_lanes) const {
    llvm::Function* made = declare_out_of_line(".parts", mask);
    llvm::Function* part =
        declare(module, function, ".part", mask, llvm::Type::getInt32Ty(module.context()));
    part->addFnAttr(llvm::Attribute::AlwaysInline);
    WarpForm form{*part, way.width};
    form.any_lanes = any_lanes;
    form.is_part = true;
    Lanes lanes = way.lanes();
    lanes.anywhere = true;
    lanes.extent_factor = 1;  // rows of any extent come here
    write_form(module, function, structure, lanes, form);
    write_parts(*made, *part, way.width);
    return made;
  }
  /// `row`: the form of as many vectors of one row, which two call now.
  void write_rows(const RowsAsOne& rows, llvm::Function& row, WarpFunctions& made) const {
    row.removeFnAttr(llvm::Attribute::AlwaysInline);
    row.addFnAttr(llvm::Attribute::NoInline);
    made.rows_count = rows.rows;
    made.rows_wide_by = rows.vectors;
    made.rows = declare(module, rows.kernel, ".rows", nullptr);
    made.rows->addFnAttr(llvm::Attribute::AlwaysInline);
    const unsigned lanes = rows.vectors * way.width;
    WarpForm form{*made.rows, lanes, write_rows_apart(row, rows.rows), lanes};
    form.retry_has_mask = false;
    form.again = rows.again;
    const std::optional<Structure> own = Structure::find(rows.kernel);
    write_form(module, rows.kernel, *own, way.lanes(rows.vectors), form);
  }
};

}  // namespace

WarpFunctions write_warp_functions(lower::ModuleLowering& module, const ByRows& way) {
  const ir::Function function = way.laid_out();
  const unsigned width = way.width;
  std::optional<Structure> structure = Structure::find(function);
  const Writer writer{module, way, function, *structure};
  llvm::Function* lanes = writer.write_any_lanes();
  WarpFunctions made{declare(module, function, ".warp", nullptr),
                     way.in_parts ? writer.write_in_parts(lanes) : lanes, width};
  made.whole_rows = way.whole_rows;
  made.all->addFnAttr(llvm::Attribute::AlwaysInline);
  WarpForm all{*made.all, width, made.some, width};
  if (way.in_parts) all.any_lanes = lanes;
  llvm::Function* one = nullptr;  // in which vectors begin again that need no mask
  if (way.between_ends) {
    one = writer.declare_out_of_line(".one", nullptr);
    WarpForm of_one{*one, width, made.some, width};
    of_one.any_lanes = all.any_lanes;
    write_form(module, function, *structure, way.lanes(), of_one);
    all.retry = one;
    all.retry_has_mask = false;
    all.between_ends = true;
  }
  write_form(module, function, *structure, way.lanes(), all);
  made.wide_by = way.vectors.warps;
  const auto& rows = way.rows_as_one;
  if (rows && rows->vectors == 1) writer.write_rows(*rows, *made.all, made);
  if (made.wide_by == 1) return made;
  made.wide = declare(module, function, ".wide", nullptr);
  made.wide->addFnAttr(llvm::Attribute::AlwaysInline);
  WarpForm wide{*made.wide, made.wide_by * width, made.some, width};
  if (way.in_one_period && !one)  // more of them see a period's end: one vector after another there
    one = writer.out_of_line(*made.all);
  if (one) {
    wide.retry = one;
    wide.retry_has_mask = false;
    wide.between_ends = way.between_ends;
  }
  write_form(module, way.laid_out(made.wide_by), *structure, way.lanes(made.wide_by), wide);
  if (rows && rows->vectors > 1) writer.write_rows(*rows, *made.wide, made);
  return made;
}

}  // namespace hetjit::host
