#include "compiler/lower/debug_info.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfo.h>

namespace hetjit::lower {
namespace {

/// The first line of a function; unknown where none of its lines is known.
Span first_of(const ir::Function& ir) {
  Span first;
  for (const Span& span : ir.spans)
    if (span.known() && (!first.known() || (span.source == first.source && span.line < first.line)))
      first = span;
  return first;
}

}  // namespace

DebugInfo::DebugInfo(ModuleLowering& module) : module_(module) {
  if (!module.options.debug) return;
  llvm::Module& out = module.module;
  out.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  out.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  builder_ = std::make_unique<llvm::DIBuilder>(out);
  const auto kind = module.target.assembles_line_tables()
                        ? llvm::DICompileUnit::DebugEmissionKind::DebugDirectivesOnly
                        : llvm::DICompileUnit::DebugEmissionKind::LineTablesOnly;
  builder_->createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_Python), file(0),
                              "hetjit", /*isOptimized=*/true, "", 0, "", kind);
}

llvm::DIFile* DebugInfo::file(uint32_t source) {
  if (files_.size() <= source) files_.resize(source + 1);
  if (!files_[source]) files_[source] = builder_->createFile(module_.options.path(source), "");
  return files_[source];
}

void DebugInfo::enter(const ir::Function& ir, llvm::Function& function) {
  const Span first = first_of(ir);
  source_ = first.source;
  auto* type = builder_->createSubroutineType(builder_->getOrCreateTypeArray({}));
  scope_ = builder_->createFunction(
      file(source_), ir.name, function.getName(), file(source_), first.line, type, first.line,
      llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);
  function.setSubprogram(scope_);
}

llvm::DebugLoc DebugInfo::enter_entry(const ir::Function& ir, llvm::Function& entry) {
  enter(ir, entry);
  return llvm::DILocation::get(module_.context(), scope_->getLine(), 0, scope_);
}

// What the host has taken in of other functions stands in their files.
llvm::DILocalScope* DebugInfo::scope(uint32_t source) {
  if (file(source) == file(source_)) return scope_;
  return llvm::DILexicalBlockFile::get(module_.context(), scope_, file(source), 0);
}

void DebugInfo::set_location(Lowering& at, SpanId where) {
  Span span = where.valid() ? at.ir.spans[where.index] : Span{.source = source_};
  // Calls must have a location inside a function that has one, so the unknown is line 0.
  at.build.SetCurrentDebugLocation(
      llvm::DILocation::get(module_.context(), span.line, span.known() ? span.column + 1 : 0,
                            span.known() ? scope(span.source) : scope_));
}

void DebugInfo::finish() {
  if (builder_) builder_->finalize();
}

}  // namespace hetjit::lower
