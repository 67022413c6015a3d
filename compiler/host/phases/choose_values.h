// Ways on which numbers are computed and nothing else, and which meet at once: all lanes compute
// them, and choose.
#pragma once

#include "compiler/ir/ir.h"

namespace hetjit::host {

/// `if left < 0: left = 0` parts lanes for less than a mask costs, and hides from whoever asks what
/// an index is made of that it is a choice, as `max(left, 0)` is. True: there were some.
bool choose_values(ir::Function& function);

}  // namespace hetjit::host
