// Where lanes that went different ways are all together again, however their ways crossed.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/host/facts/structure.h"

namespace hetjit::host {

inline constexpr uint32_t kNowhere = UINT32_MAX;

/// By block: the nearest one that every way to it passes, if every lane that is active there comes
/// here in the same turn of the innermost loop, which both are in. kNowhere: some may not.
std::vector<uint32_t> rejoins(const ir::Function& function, const Structure& structure);

}  // namespace hetjit::host
