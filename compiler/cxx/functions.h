// Functions of C++ for typing: each call compiled once, by clang.
#pragma once

#include "compiler/typing/known/external_functions.h"

namespace hetjit::cxx {

/// The process's. Safe from any thread; what was compiled is kept, and compiled again when a header
/// that it included has changed.
typing::ExternalFunctions& functions();

}  // namespace hetjit::cxx
