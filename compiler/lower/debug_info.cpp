#include "compiler/lower/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>

namespace hetjit::lower {

DebugInfo::DebugInfo(ModuleLowering& module) : module_(module) {
  if (!module.options.debug) return;
  llvm::Module& out = module.module;
  out.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  out.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  builder_ = std::make_unique<llvm::DIBuilder>(out);
  file_ = builder_->createFile(module.options.source_path, "");
  builder_->createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_Python), file_,
                              "hetjit", /*isOptimized=*/true, "", 0, "",
                              llvm::DICompileUnit::DebugEmissionKind::DebugDirectivesOnly);
}

void DebugInfo::enter(const ir::Function& ir, llvm::Function& function) {
  unsigned line = 0;
  for (const Span& span : ir.spans)
    if (span.known() && (line == 0 || span.line < line)) line = span.line;
  auto* type = builder_->createSubroutineType(builder_->getOrCreateTypeArray({}));
  scope_ = builder_->createFunction(
      file_, ir.name, function.getName(), file_, line, type, line, llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function.setSubprogram(scope_);
}

llvm::DebugLoc DebugInfo::enter_entry(const ir::Function& ir, llvm::Function& entry) {
  enter(ir, entry);
  return llvm::DILocation::get(module_.context(), scope_->getLine(), 0, scope_);
}

void DebugInfo::set_location(Lowering& at, SpanId where) {
  Span span = where.valid() ? at.ir.spans[where.index] : Span{};
  // Calls must have a location inside a function that has one, so the unknown is line 0.
  at.build.SetCurrentDebugLocation(llvm::DILocation::get(
      module_.context(), span.line, span.known() ? span.column + 1 : 0, scope_));
}

void DebugInfo::finish() {
  if (builder_) builder_->finalize();
}

}  // namespace hetjit::lower
