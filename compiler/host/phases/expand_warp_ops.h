// What lanes of a warp do together, by way of memory and waits.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// Threads of a warp of the language, on the host.
constexpr unsigned kLanguageWarp = 32;

/// For threads that run one by one.
void expand_warp_ops(ir::Function& kernel);

}  // namespace hetjit::host
