// The C++ that stands between a kernel and a function of C++: it takes the addresses of result and
// arguments as they lie in memory, and calls the function as C++ would. Private to this folder.
#pragma once

#include <string>
#include <vector>

#include "compiler/typing/known/external_functions.h"

namespace hetjit::cxx {

/// What the calls of a library for a kind of target have in common: its text, and what ours needs.
std::string library_source(const CxxLibrary& library, TargetKind kind);

/// What follows it for a call: it defines `symbol`, the function, and `symbol` + "_result", the
/// number of its result's type.
std::string call_source(const typing::ExternalCall& call, const std::string& symbol);

/// The type that a source says the number of.
TypeId result_of(const typing::ExternalCall& call, int64_t number);

}  // namespace hetjit::cxx
