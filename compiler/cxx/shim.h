// The C++ that stands between a kernel and a function of C++: it takes the addresses of result and
// arguments as they lie in memory, and calls the function as C++ would. Private to this folder.
#pragma once

#include <string>
#include <vector>

#include "compiler/typing/known/external_functions.h"

namespace hetjit::cxx {

/// A source that defines `symbol`, the function, and `symbol` + "_result", the number of its
/// result's type.
std::string shim_source(const typing::ExternalCall& call, const std::string& symbol);

/// The type that a source says the number of.
TypeId result_of(const typing::ExternalCall& call, int64_t number);

}  // namespace hetjit::cxx
