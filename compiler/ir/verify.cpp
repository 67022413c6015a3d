#include "compiler/ir/ir.h"

namespace hetjit::ir {

Status verify(const Module&) { return {}; }

}  // namespace hetjit::ir
