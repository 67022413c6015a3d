// What host kernels call: libm's functions and the few helpers that code generation asks for.
#pragma once

#include <span>

namespace hetjit::target {

struct HostSymbol {
  const char* name;
  const void* address;
};

std::span<const HostSymbol> host_symbols();

}  // namespace hetjit::target
