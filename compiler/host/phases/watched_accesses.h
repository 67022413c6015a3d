// Accesses that a kernel need not tell of (check="race", "init"), because of what else it does.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// Takes from accesses what cannot be found at them. `kernel` calls no other function.
void drop_needless_watches(ir::Function& kernel);

}  // namespace hetjit::host
