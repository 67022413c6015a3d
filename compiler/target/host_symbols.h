// What host kernels call of this process: libm's functions and the few helpers that code generation
// asks for. What they call of the runtime is abi/host_calls.h.
#pragma once

#include <span>

#include "abi/host_calls.h"

namespace hetjit::target {

std::span<const HostSymbol> host_symbols();
/// Whether that, or what else this process has, defines it.
bool host_provides(const char* symbol);

}  // namespace hetjit::target
