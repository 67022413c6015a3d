// Elements that a loop adds to turn by turn, where they lie:
//
//   for k in range(n):                       # i the same in all turns
//       c[i] += a[i, k] * b[k]
//
// Another array may share memory with c, so each turn would read and write. Where none does, the
// loop carries the element, which is read before the first turn and written after the last one.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/ir/ir.h"

namespace hetjit::host {

struct HeldElements {
  ir::Function kernel;            // that carries them
  std::vector<uint32_t> written;  // parameters: all arrays that are written, in order
};

/// nullopt: there are none. The kernel is what the other one is in launches in which arrays that
/// are written share no memory with others.
std::optional<HeldElements> hold_elements(const ir::Function& kernel);

}  // namespace hetjit::host
