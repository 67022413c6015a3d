#include "compiler/target/math_library.h"

#include "compiler/target/device_library.h"

namespace hetjit::target {

bool lacks_math_library(const TargetName& target) {
  if (target.kind == TargetKind::Nvidia) return is_missing(libdevice());
  if (target.kind == TargetKind::Amd) return is_missing(ocml());
  return false;
}

}  // namespace hetjit::target
