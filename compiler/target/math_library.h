// Whether a target's vendor has its math functions here.
#pragma once

#include "abi/target_name.h"

namespace hetjit::target {

/// A GPU's: no file where one may be, and none named by the environment. (One that is named and not
/// there is an error when a kernel is linked.)
bool lacks_math_library(const TargetName& target);

}  // namespace hetjit::target
