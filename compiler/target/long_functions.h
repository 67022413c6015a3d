// Functions too long for passes whose time grows with the square of a block's accesses or of a
// function's loops. Private to target/: it shows LLVM.
#pragma once

#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/OptBisect.h>

#include <vector>

namespace hetjit::target {

/// What a module has so much of that some passes would take long.
struct Lengths {
  explicit Lengths(const llvm::Module& module);
  bool has_loops = false;
  bool many_loops = false;      // hundreds of loops in one function
  bool crowded_block = false;   // hundreds of loads and stores in one block
  bool large_function = false;  // thousands of instructions
  bool has_arrays = false;      // on the stack
};

/// While it lives, passes that compare accesses do not run on a module with a crowded block.
class SlowPassGate : public llvm::OptPassGate {
 public:
  SlowPassGate(llvm::LLVMContext& context, const Lengths& lengths);
  ~SlowPassGate() override;
  bool shouldRunPass(llvm::StringRef name, llvm::StringRef) const override;
  bool isEnabled() const override { return lengths_.crowded_block; }

 private:
  llvm::LLVMContext& context_;
  llvm::OptPassGate& before_;
  const Lengths& lengths_;
};

/// Generates code for long blocks in pieces, for many loops without passes that look at what is
/// before each of them, and for functions that call each other by the calling convention alone.
class CodePassManager : public llvm::legacy::PassManager {
 public:
  explicit CodePassManager(const Lengths& lengths) : lengths_(lengths) {}
  void add(llvm::Pass* pass) override;

 private:
  const Lengths& lengths_;
};

/// Passes are known by their names, as LLVM has them: those that a gate is asked of, and those that
/// are added. (tests/unit/backend/passes_test.cpp sees that there are such.)
struct PassNames {
  llvm::ArrayRef<llvm::StringRef> gated;
  std::vector<llvm::StringRef> added;
};
PassNames pass_names();

}  // namespace hetjit::target
