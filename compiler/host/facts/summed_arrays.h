// Arrays in which threads put numbers together without asking what was there: histograms, counts,
// largest numbers.
#pragma once

#include <vector>

#include "compiler/host/facts/combining.h"
#include "compiler/ir/ir.h"

namespace hetjit::host {

struct SummedArray {
  uint32_t parameter;
  Combining by;
};

/// Those to which a kernel does nothing else, if all of its atomic operations are relaxed, within
/// the device, and give no result: then nobody in the launch can tell when a number comes there,
/// and nobody outside was promised to. They overlap with others only where the memory of two arrays
/// does.
std::vector<SummedArray> summed_arrays(const ir::Function& kernel);

/// The kernel with all that it does to them seen by one block only.
ir::Function seen_by_a_block(ir::Function kernel, const std::vector<SummedArray>& arrays);

}  // namespace hetjit::host
