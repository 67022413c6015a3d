// Neighbours that some lanes store, on a CPU that has no masks for it or slow ones. Private to
// compiler/host.
#pragma once

#include "compiler/lower/lowering.h"

namespace hetjit::host {

/// void(to, from, lanes): the elements of these lanes, which are bits of a u64, from one row in
/// memory to another. In most vectors they are a run (all up to an end, all behind one), which is
/// copied as such. A function of the module's own, one for each size of elements.
llvm::Function* lane_stores(lower::ModuleLowering& module, unsigned element_bytes);

}  // namespace hetjit::host
