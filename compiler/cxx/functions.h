// Functions of C++ for typing: each call compiled once, by clang.
#pragma once

#include <vector>

#include "compiler/cxx/sources.h"
#include "compiler/typing/known/external_functions.h"

namespace hetjit::cxx {

/// The process's. Safe from any thread; what was compiled is kept, and compiled again when a header
/// that it included has changed.
typing::ExternalFunctions& functions();

/// What the libraries whose functions a program calls were read from, when they were last asked for
/// in this process.
std::vector<Sources> sources_of(const Program& program, const TargetName& target);

}  // namespace hetjit::cxx
