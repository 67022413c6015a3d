// Cuts link-time optimisation and Polly out of a static lld: we never feed it bitcode. The linker's
// driver still makes the bitcode compiler and asks it to compile nothing, so these stand-ins do
// nothing.
#include <cstdlib>
#include <memory>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "0", [](llvm::PassBuilder&) {}};
}

extern "C" {
void _ZN3lld3elf15BitcodeCompilerC1ERNS0_3CtxE(void*, void*) {}
void _ZN3lld3elf15BitcodeCompilerC2ERNS0_3CtxE(void*, void*) {}
void _ZN3lld3elf15BitcodeCompilerD1Ev(void*) {}
void _ZN3lld3elf15BitcodeCompilerD2Ev(void*) {}
void _ZN3lld3elf15BitcodeCompiler3addERNS0_11BitcodeFileE(void*, void*) { std::abort(); }
}

namespace hetjit_stub {
using Files = llvm::SmallVector<std::unique_ptr<int>, 0>;
Files compile(void*) asm("_ZN3lld3elf15BitcodeCompiler7compileEv");
Files compile(void*) { return {}; }
}  // namespace hetjit_stub
