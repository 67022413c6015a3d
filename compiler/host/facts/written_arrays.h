// Arrays that a kernel's threads write, where all that they access is elements of arrays by name.
#pragma once

#include <optional>
#include <vector>

#include "compiler/ir/uses.h"

namespace hetjit::host {

/// The parameter of whose elements an op accesses one; nullopt: another array's.
std::optional<uint32_t> accessed_parameter(const ir::Function& kernel,
                                           const ir::Definitions& definitions, const ir::Op& op);

/// The parameters that are written to, if every access is of a parameter's elements or of a
/// thread's own variables, and parameters are numbers and contiguous arrays of numbers. Two of them
/// overlap then only where the memory of two arrays does. Else, and where nothing is written, none.
std::vector<uint32_t> written_arrays(const ir::Function& kernel);

}  // namespace hetjit::host
