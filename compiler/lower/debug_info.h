// Spans to line tables: which line of the Python source an instruction came from. Off by default.
#pragma once

#include <llvm/IR/DIBuilder.h>

#include <memory>

#include "compiler/lower/lowering.h"

namespace hetjit::lower {

class DebugInfo {
 public:
  explicit DebugInfo(ModuleLowering& module);
  void enter(const ir::Function& ir, llvm::Function& function);
  /// The same for the kernel round a function; what calls there must carry.
  llvm::DebugLoc enter_entry(const ir::Function& ir, llvm::Function& entry);
  void set_location(Lowering& at, SpanId where);
  void finish();

 private:
  ModuleLowering& module_;
  std::unique_ptr<llvm::DIBuilder> builder_;  // null: off
  llvm::DIFile* file_ = nullptr;
  llvm::DISubprogram* scope_ = nullptr;
};

}  // namespace hetjit::lower
