// Which architecture an AMD GPU has. The HIP call that tells it fills a struct whose layout changed
// between versions; the kernel driver's files in /sys say it, too, and do not change.
#pragma once

#include <string>
#include <string_view>

#include "abi/status.h"

namespace hetjit::runtime {

/// "gfx942", "gfx90a" of the GPU at a PCI address "0000:c1:00.0" (domain:bus:device.function, hex).
/// HETJIT_HIP_ARCH and HSA_OVERRIDE_GFX_VERSION ("10.3.0", which AMD's run time obeys, too) come
/// first. `topology`: the folder of node folders. Errors: Unavailable.
Result<std::string> find_hip_arch(
    std::string_view pci_address,
    const std::string& topology = "/sys/class/kfd/kfd/topology/nodes");

}  // namespace hetjit::runtime
