// Loaded code for hetjit.driver: `Module`, and the `Function`s in it that can be launched.
#pragma once

#include "python/ext/handles/handle.h"

namespace hetjit::python {

struct State;

/// Adds both types to a module. False: an exception is set.
bool add_module_types(Borrowed module, State& state);

}  // namespace hetjit::python
