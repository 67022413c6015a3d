// What stands behind a function that C++ calls. Private to lower/ and host/.
#pragma once

#include "compiler/lower/lowering.h"

namespace hetjit::lower {

/// Adds where the thread is, as functions of the target are told, to a call's arguments.
using AddPlace = llvm::function_ref<void(llvm::IRBuilder<>&, llvm::SmallVectorImpl<llvm::Value*>&)>;

/// Has what functions say from now on recorded and printed by C++ (compiler/cxx/says.hpp).
void say_to_cxx(ModuleLowering& module);
/// The C++: `void hetjit_says(unsigned site, const void* spoken)`; null: the host reads it.
llvm::Function* cxx_that_says(ModuleLowering& module);

/// `void name(void* result, const void* argument…)` round functions[0]; where that may raise,
/// `int`: whether it has. All of it as it lies in memory: who calls it is C++ that knows how its
/// own kind is called (compiler/cxx/exports.h).
void build_interop_entry(ModuleLowering& module, const std::string& name, AddPlace add_place);

}  // namespace hetjit::lower
