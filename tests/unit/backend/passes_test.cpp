// The names by which we know LLVM's passes: another release may have others.
#include <gtest/gtest.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/Pass.h>
#include <llvm/PassInfo.h>
#include <llvm/Support/raw_ostream.h>

#include <set>

#include "compiler/target/long_functions.h"
#include "compiler/target/target_impl.h"
#include "tests/unit/backend/compiled.h"
#include "tests/unit/backend/kernels.h"
#include "tests/unit/ir/run_text.h"

namespace hetjit {
namespace {

using Names = std::set<std::string>;

/// Notes which passes code generation is made of.
class Recorder : public llvm::legacy::PassManager {
 public:
  explicit Recorder(Names& names) : names_(names) {}
  void add(llvm::Pass* pass) override {
    if (const llvm::PassInfo* info = llvm::Pass::lookupPassInfo(pass->getPassID()))
      names_.insert(info->getPassArgument().str());
    PassManager::add(pass);
  }

 private:
  Names& names_;
};

/// Notes which of them ask whether they may run.
class Gate : public llvm::OptPassGate {
 public:
  bool shouldRunPass(llvm::StringRef name, llvm::StringRef) const override {
    asked.insert(name.str());
    return true;
  }
  bool isEnabled() const override { return true; }
  mutable Names asked;
};

TEST(Passes, HaveTheNamesThatWeKnowThemBy) {
  Names added;
  Gate gate;
  for (const char* name : {"cpu:x86-64-v3", "cuda:sm_90", "hip:gfx942"}) {
    target::Target& target = find(name);
    ir::Module saxpy = ir::parsed(saxpy_text());
    LlvmModule module = lowered(saxpy, planned(saxpy, target), "kernel", target);
    auto machine = target.borrow_machine();
    llvm::SmallString<0> code;
    llvm::raw_svector_ostream stream(code);
    Recorder passes(added);
    const bool cannot = machine->addPassesToEmitFile(
        passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile, /*DisableVerify=*/true);
    ASSERT_FALSE(cannot);
    llvm::OptPassGate& before = module.context().getOptPassGate();
    module.context().setOptPassGate(gate);
    passes.run(module.module());
    module.context().setOptPassGate(before);
  }
  const target::PassNames known = target::pass_names();
  for (llvm::StringRef name : known.gated)
    EXPECT_TRUE(gate.asked.contains(name.str())) << name.str();
  for (llvm::StringRef name : known.added) EXPECT_TRUE(added.contains(name.str())) << name.str();
}

}  // namespace
}  // namespace hetjit
