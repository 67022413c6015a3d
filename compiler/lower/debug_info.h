// Spans to line tables: which line of the Python source an instruction came from. Off by default.
// No instruction is another for it.
#pragma once

#include <llvm/IR/DIBuilder.h>

#include <memory>
#include <vector>

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
  llvm::DIFile* file(uint32_t source);
  llvm::DILocalScope* scope(uint32_t source);

  ModuleLowering& module_;
  std::unique_ptr<llvm::DIBuilder> builder_;  // null: off
  std::vector<llvm::DIFile*> files_;          // by Span::source; null: nobody has asked yet
  uint32_t source_ = 0;                       // of the function at hand
  llvm::DISubprogram* scope_ = nullptr;       // and its own scope
};

}  // namespace hetjit::lower
