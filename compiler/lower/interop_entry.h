// What stands behind a function that C++ calls. Private to lower/ and host/.
#pragma once

#include "compiler/lower/lowering.h"

namespace hetjit::lower {

/// Adds where the thread is, as functions of the target are told, to a call's arguments.
using AddPlace = llvm::function_ref<void(llvm::IRBuilder<>&, llvm::SmallVectorImpl<llvm::Value*>&)>;

/// `void name(void* result, const void* argument…)` round functions[0], which raises nothing. All
/// of it as it lies in memory: who calls it is C++ that knows how its own kind is called
/// (compiler/cxx/exports.h).
void build_interop_entry(ModuleLowering& module, const std::string& name, AddPlace add_place);

}  // namespace hetjit::lower
