// Remarks on single places of a kernel. Private to explain.cpp.
#pragma once

#include "compiler/host/facts/shape.h"
#include "compiler/host/plan/explain.h"

namespace hetjit::host {

/// Loads, stores, atomic operations: how the addresses of neighbouring threads lie. `host`: on
/// vectors of the CPU, which go part by part and find neighbours at run time.
void add_accesses(const ir::Function& kernel, const Shapes& shapes, const Structure& structure,
                  bool host, std::vector<Remark>& to);

/// Branches and loops: do neighbouring threads go the same way?
void add_branches(const ir::Function& kernel, const Shapes& shapes, const Structure& structure,
                  std::vector<Remark>& to);

/// Integers that arithmetic turns into floats which may not hold them.
void add_inexact(const ir::Function& kernel, const Structure& structure, std::vector<Remark>& to);

}  // namespace hetjit::host
